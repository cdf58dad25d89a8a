BEGIN TRANSACTION;
CREATE TABLE about (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "about" VALUES('schema','1');
CREATE TABLE accounts (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	currency TEXT NOT NULL, 
	player TEXT NOT NULL, 
	balance BIGINT NOT NULL, 
	entries BIGINT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "accounts" VALUES(1,'external::EUR','external','EUR','',-2500,5);
INSERT INTO "accounts" VALUES(2,'player:ann:EUR','player','EUR','ann',226,10);
INSERT INTO "accounts" VALUES(3,'player:bob:EUR','player','EUR','bob',399,11);
INSERT INTO "accounts" VALUES(4,'player:cem:EUR','player','EUR','cem',490,6);
INSERT INTO "accounts" VALUES(5,'player:dot:EUR','player','EUR','dot',421,4);
INSERT INTO "accounts" VALUES(6,'player:eve:EUR','player','EUR','eve',450,5);
INSERT INTO "accounts" VALUES(7,'transit:1.3:cem:1@10:EUR','transit','EUR','cem',0,2);
INSERT INTO "accounts" VALUES(8,'transit:1.3:dot:2@20:EUR','transit','EUR','dot',0,2);
INSERT INTO "accounts" VALUES(9,'table:1.3:dot:2@20:EUR','table','EUR','dot',0,5);
INSERT INTO "accounts" VALUES(10,'transit:1.3:cem:3@30:EUR','transit','EUR','cem',0,2);
INSERT INTO "accounts" VALUES(11,'transit:1.3:dot:4@40:EUR','transit','EUR','dot',0,2);
INSERT INTO "accounts" VALUES(12,'transit:1.3:bob:5@50:EUR','transit','EUR','bob',0,2);
INSERT INTO "accounts" VALUES(13,'transit:1.3:cem:6@60:EUR','transit','EUR','cem',0,2);
INSERT INTO "accounts" VALUES(14,'transit:1.3:bob:7@70:EUR','transit','EUR','bob',0,2);
INSERT INTO "accounts" VALUES(15,'table:1.3:bob:7@70:EUR','table','EUR','bob',0,5);
INSERT INTO "accounts" VALUES(16,'table:1.3:cem:6@60:EUR','table','EUR','cem',0,6);
INSERT INTO "accounts" VALUES(17,'transit:1.3:eve:8@80:EUR','transit','EUR','eve',0,2);
INSERT INTO "accounts" VALUES(18,'rake:standard:EUR','rake','EUR','',38,13);
INSERT INTO "accounts" VALUES(19,'transit:1.3:bob:9@90:EUR','transit','EUR','bob',0,2);
INSERT INTO "accounts" VALUES(20,'table:1.3:eve:8@80:EUR','table','EUR','eve',0,2);
INSERT INTO "accounts" VALUES(21,'transit:1.3:ann:10@100:EUR','transit','EUR','ann',0,2);
INSERT INTO "accounts" VALUES(22,'transit:1.3:ann:11@110:EUR','transit','EUR','ann',0,2);
INSERT INTO "accounts" VALUES(23,'transit:1.3:bob:12@120:EUR','transit','EUR','bob',0,2);
INSERT INTO "accounts" VALUES(24,'table:1.3:bob:12@120:EUR','table','EUR','bob',0,9);
INSERT INTO "accounts" VALUES(25,'table:1.3:ann:11@110:EUR','table','EUR','ann',0,8);
INSERT INTO "accounts" VALUES(26,'transit:1.3:bob:13@130:EUR','transit','EUR','bob',0,2);
INSERT INTO "accounts" VALUES(27,'transit:1.3:ann:14@140:EUR','transit','EUR','ann',0,2);
INSERT INTO "accounts" VALUES(28,'transit:1.3:eve:15@150:EUR','transit','EUR','eve',0,2);
INSERT INTO "accounts" VALUES(29,'transit:1.3:ann:16@160:EUR','transit','EUR','ann',0,2);
INSERT INTO "accounts" VALUES(30,'table:1.3:eve:15@150:EUR','table','EUR','eve',114,5);
INSERT INTO "accounts" VALUES(31,'transit:1.3:eve:17@170:EUR','transit','EUR','eve',0,2);
INSERT INTO "accounts" VALUES(32,'transit:1.3:bob:18@180:EUR','transit','EUR','bob',0,2);
INSERT INTO "accounts" VALUES(33,'table:1.3:bob:18@180:EUR','table','EUR','bob',122,3);
INSERT INTO "accounts" VALUES(34,'transit:1.3:bob:19@190:EUR','transit','EUR','bob',40,1);
INSERT INTO "accounts" VALUES(35,'transit:1.3:ann:20@200:EUR','transit','EUR','ann',200,1);
CREATE TABLE entries (
	account INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	posting INTEGER NOT NULL, 
	amount BIGINT NOT NULL, 
	balance BIGINT NOT NULL, 
	PRIMARY KEY (account, number), 
	FOREIGN KEY(account) REFERENCES accounts (number), 
	FOREIGN KEY(posting) REFERENCES postings (number)
)
 WITHOUT ROWID

;
INSERT INTO "entries" VALUES(1,1,1,-500,-500);
INSERT INTO "entries" VALUES(1,2,2,-500,-1000);
INSERT INTO "entries" VALUES(1,3,3,-500,-1500);
INSERT INTO "entries" VALUES(1,4,4,-500,-2000);
INSERT INTO "entries" VALUES(1,5,5,-500,-2500);
INSERT INTO "entries" VALUES(2,1,1,500,500);
INSERT INTO "entries" VALUES(2,2,30,-10,490);
INSERT INTO "entries" VALUES(2,3,32,10,500);
INSERT INTO "entries" VALUES(2,4,33,-200,300);
INSERT INTO "entries" VALUES(2,5,45,-10,290);
INSERT INTO "entries" VALUES(2,6,46,126,416);
INSERT INTO "entries" VALUES(2,7,48,10,426);
INSERT INTO "entries" VALUES(2,8,50,-40,386);
INSERT INTO "entries" VALUES(2,9,53,40,426);
INSERT INTO "entries" VALUES(2,10,66,-200,226);
INSERT INTO "entries" VALUES(3,1,2,500,500);
INSERT INTO "entries" VALUES(3,2,12,-10,490);
INSERT INTO "entries" VALUES(3,3,15,10,500);
INSERT INTO "entries" VALUES(3,4,17,-40,460);
INSERT INTO "entries" VALUES(3,5,24,-10,450);
INSERT INTO "entries" VALUES(3,6,29,133,583);
INSERT INTO "entries" VALUES(3,7,34,-40,543);
INSERT INTO "entries" VALUES(3,8,41,-40,503);
INSERT INTO "entries" VALUES(3,9,47,136,639);
INSERT INTO "entries" VALUES(3,10,58,-200,439);
INSERT INTO "entries" VALUES(3,11,65,-40,399);
INSERT INTO "entries" VALUES(4,1,3,500,500);
INSERT INTO "entries" VALUES(4,2,6,-200,300);
INSERT INTO "entries" VALUES(4,3,9,200,500);
INSERT INTO "entries" VALUES(4,4,10,-200,300);
INSERT INTO "entries" VALUES(4,5,14,200,500);
INSERT INTO "entries" VALUES(4,6,16,-10,490);
INSERT INTO "entries" VALUES(5,1,4,500,500);
INSERT INTO "entries" VALUES(5,2,7,-40,460);
INSERT INTO "entries" VALUES(5,3,11,-40,420);
INSERT INTO "entries" VALUES(5,4,23,1,421);
INSERT INTO "entries" VALUES(6,1,5,500,500);
INSERT INTO "entries" VALUES(6,2,20,-10,490);
INSERT INTO "entries" VALUES(6,3,31,10,500);
INSERT INTO "entries" VALUES(6,4,49,-10,490);
INSERT INTO "entries" VALUES(6,5,55,-40,450);
INSERT INTO "entries" VALUES(7,1,6,200,200);
INSERT INTO "entries" VALUES(7,2,9,-200,0);
INSERT INTO "entries" VALUES(8,1,7,40,40);
INSERT INTO "entries" VALUES(8,2,8,-40,0);
INSERT INTO "entries" VALUES(9,1,8,40,40);
INSERT INTO "entries" VALUES(9,2,13,40,80);
INSERT INTO "entries" VALUES(9,3,21,-49,31);
INSERT INTO "entries" VALUES(9,4,22,-30,1);
INSERT INTO "entries" VALUES(9,5,23,-1,0);
INSERT INTO "entries" VALUES(10,1,10,200,200);
INSERT INTO "entries" VALUES(10,2,14,-200,0);
INSERT INTO "entries" VALUES(11,1,11,40,40);
INSERT INTO "entries" VALUES(11,2,13,-40,0);
INSERT INTO "entries" VALUES(12,1,12,10,10);
INSERT INTO "entries" VALUES(12,2,15,-10,0);
INSERT INTO "entries" VALUES(13,1,16,10,10);
INSERT INTO "entries" VALUES(13,2,19,-10,0);
INSERT INTO "entries" VALUES(14,1,17,40,40);
INSERT INTO "entries" VALUES(14,2,18,-40,0);
INSERT INTO "entries" VALUES(15,1,18,40,40);
INSERT INTO "entries" VALUES(15,2,21,47,87);
INSERT INTO "entries" VALUES(15,3,22,36,123);
INSERT INTO "entries" VALUES(15,4,28,10,133);
INSERT INTO "entries" VALUES(15,5,29,-133,0);
INSERT INTO "entries" VALUES(16,1,19,10,10);
INSERT INTO "entries" VALUES(16,2,21,-1,9);
INSERT INTO "entries" VALUES(16,3,22,-9,0);
INSERT INTO "entries" VALUES(16,4,52,5,5);
INSERT INTO "entries" VALUES(16,5,54,-3,2);
INSERT INTO "entries" VALUES(16,6,59,-2,0);
INSERT INTO "entries" VALUES(17,1,20,10,10);
INSERT INTO "entries" VALUES(17,2,27,-10,0);
INSERT INTO "entries" VALUES(18,1,21,3,3);
INSERT INTO "entries" VALUES(18,2,22,3,6);
INSERT INTO "entries" VALUES(18,3,37,3,9);
INSERT INTO "entries" VALUES(18,4,38,3,12);
INSERT INTO "entries" VALUES(18,5,39,3,15);
INSERT INTO "entries" VALUES(18,6,40,3,18);
INSERT INTO "entries" VALUES(18,7,43,3,21);
INSERT INTO "entries" VALUES(18,8,44,3,24);
INSERT INTO "entries" VALUES(18,9,52,3,27);
INSERT INTO "entries" VALUES(18,10,54,3,30);
INSERT INTO "entries" VALUES(18,11,59,2,32);
INSERT INTO "entries" VALUES(18,12,63,3,35);
INSERT INTO "entries" VALUES(18,13,64,3,38);
INSERT INTO "entries" VALUES(19,1,24,10,10);
INSERT INTO "entries" VALUES(19,2,28,-10,0);
INSERT INTO "entries" VALUES(20,1,27,10,10);
INSERT INTO "entries" VALUES(20,2,31,-10,0);
INSERT INTO "entries" VALUES(21,1,30,10,10);
INSERT INTO "entries" VALUES(21,2,32,-10,0);
INSERT INTO "entries" VALUES(22,1,33,200,200);
INSERT INTO "entries" VALUES(22,2,36,-200,0);
INSERT INTO "entries" VALUES(23,1,34,40,40);
INSERT INTO "entries" VALUES(23,2,35,-40,0);
INSERT INTO "entries" VALUES(24,1,35,40,40);
INSERT INTO "entries" VALUES(24,2,37,18,58);
INSERT INTO "entries" VALUES(24,3,38,109,167);
INSERT INTO "entries" VALUES(24,4,39,57,224);
INSERT INTO "entries" VALUES(24,5,40,-126,98);
INSERT INTO "entries" VALUES(24,6,42,40,138);
INSERT INTO "entries" VALUES(24,7,43,-53,85);
INSERT INTO "entries" VALUES(24,8,44,51,136);
INSERT INTO "entries" VALUES(24,9,47,-136,0);
INSERT INTO "entries" VALUES(25,1,36,200,200);
INSERT INTO "entries" VALUES(25,2,37,-21,179);
INSERT INTO "entries" VALUES(25,3,38,-112,67);
INSERT INTO "entries" VALUES(25,4,39,-60,7);
INSERT INTO "entries" VALUES(25,5,40,123,130);
INSERT INTO "entries" VALUES(25,6,43,50,180);
INSERT INTO "entries" VALUES(25,7,44,-54,126);
INSERT INTO "entries" VALUES(25,8,46,-126,0);
INSERT INTO "entries" VALUES(26,1,41,40,40);
INSERT INTO "entries" VALUES(26,2,42,-40,0);
INSERT INTO "entries" VALUES(27,1,45,10,10);
INSERT INTO "entries" VALUES(27,2,48,-10,0);
INSERT INTO "entries" VALUES(28,1,49,10,10);
INSERT INTO "entries" VALUES(28,2,51,-10,0);
INSERT INTO "entries" VALUES(29,1,50,40,40);
INSERT INTO "entries" VALUES(29,2,53,-40,0);
INSERT INTO "entries" VALUES(30,1,51,10,10);
INSERT INTO "entries" VALUES(30,2,52,-8,2);
INSERT INTO "entries" VALUES(30,3,61,40,42);
INSERT INTO "entries" VALUES(30,4,63,-12,30);
INSERT INTO "entries" VALUES(30,5,64,84,114);
INSERT INTO "entries" VALUES(31,1,55,40,40);
INSERT INTO "entries" VALUES(31,2,61,-40,0);
INSERT INTO "entries" VALUES(32,1,58,200,200);
INSERT INTO "entries" VALUES(32,2,60,-200,0);
INSERT INTO "entries" VALUES(33,1,60,200,200);
INSERT INTO "entries" VALUES(33,2,63,9,209);
INSERT INTO "entries" VALUES(33,3,64,-87,122);
INSERT INTO "entries" VALUES(34,1,65,40,40);
INSERT INTO "entries" VALUES(35,1,66,200,200);
CREATE TABLE heads (
	table_id TEXT NOT NULL, 
	version BIGINT NOT NULL, 
	record TEXT NOT NULL, 
	currency TEXT NOT NULL, 
	rulebook TEXT NOT NULL, 
	PRIMARY KEY (table_id)
);
INSERT INTO "heads" VALUES('1.3',71,'dealer/1/76','EUR','standard');
CREATE TABLE keys (
	caller TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	posting INTEGER NOT NULL, 
	PRIMARY KEY (caller, "key"), 
	FOREIGN KEY(posting) REFERENCES postings (number)
);
INSERT INTO "keys" VALUES('till','ann','6718fd9cb78e12b53ac22e497abef525a4ce49f04ae08615d241889c57896c2b',1);
INSERT INTO "keys" VALUES('till','bob','b21eb1370322a06e349c89cb4b36f7ec04a7775017404e201982c0a03aea10df',2);
INSERT INTO "keys" VALUES('till','cem','c7045dabdf8501eef3a81af93bfadf2356562f8e0aa515aeeaec8fd6a80d662e',3);
INSERT INTO "keys" VALUES('till','dot','ed1fb0d3de12c92b77e70418d9c9d421cc85eca8ee844263e55ea90dc32c806a',4);
INSERT INTO "keys" VALUES('till','eve','bd12bdec3e7d00f751be44e75d12fa5bfeff8ac597fdcb8ac6a82fb706b62f67',5);
CREATE TABLE offsets (
	partition INTEGER NOT NULL, 
	next_offset BIGINT NOT NULL, 
	PRIMARY KEY (partition)
);
INSERT INTO "offsets" VALUES(3,77);
CREATE TABLE outbox (
	reservation TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	partition INTEGER NOT NULL, 
	PRIMARY KEY (reservation), 
	FOREIGN KEY(reservation) REFERENCES reservations (id)
);
INSERT INTO "outbox" VALUES('1.3:bob:19@190','1.3',3);
INSERT INTO "outbox" VALUES('1.3:ann:20@200','1.3',3);
CREATE TABLE postings (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	flag TEXT NOT NULL, 
	time_ms BIGINT NOT NULL, 
	table_id TEXT NOT NULL, 
	version BIGINT NOT NULL, 
	note TEXT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "postings" VALUES(1,'deposit:till:ann','',1,'',0,'');
INSERT INTO "postings" VALUES(2,'deposit:till:bob','',1,'',0,'');
INSERT INTO "postings" VALUES(3,'deposit:till:cem','',1,'',0,'');
INSERT INTO "postings" VALUES(4,'deposit:till:dot','',1,'',0,'');
INSERT INTO "postings" VALUES(5,'deposit:till:eve','',1,'',0,'');
INSERT INTO "postings" VALUES(6,'fund:1.3:cem:1@10','',1001,'1.3',2,'');
INSERT INTO "postings" VALUES(7,'fund:1.3:dot:2@20','',1003,'1.3',4,'');
INSERT INTO "postings" VALUES(8,'seat:1.3:dot:2@20','',1005,'1.3',5,'');
INSERT INTO "postings" VALUES(9,'seat:1.3:cem:1@10','',1006,'1.3',6,'');
INSERT INTO "postings" VALUES(10,'fund:1.3:cem:3@30','',1007,'1.3',7,'');
INSERT INTO "postings" VALUES(11,'fund:1.3:dot:4@40','',1009,'1.3',9,'');
INSERT INTO "postings" VALUES(12,'fund:1.3:bob:5@50','',1010,'1.3',10,'');
INSERT INTO "postings" VALUES(13,'seat:1.3:dot:4@40','',1012,'1.3',12,'');
INSERT INTO "postings" VALUES(14,'seat:1.3:cem:3@30','',1014,'1.3',14,'');
INSERT INTO "postings" VALUES(15,'seat:1.3:bob:5@50','',1015,'1.3',15,'');
INSERT INTO "postings" VALUES(16,'fund:1.3:cem:6@60','',1016,'1.3',16,'');
INSERT INTO "postings" VALUES(17,'fund:1.3:bob:7@70','',1017,'1.3',17,'');
INSERT INTO "postings" VALUES(18,'seat:1.3:bob:7@70','',1018,'1.3',18,'');
INSERT INTO "postings" VALUES(19,'seat:1.3:cem:6@60','',1020,'1.3',19,'');
INSERT INTO "postings" VALUES(20,'fund:1.3:eve:8@80','',1021,'1.3',20,'');
INSERT INTO "postings" VALUES(21,'hand:1.3-1','',1022,'1.3',21,'');
INSERT INTO "postings" VALUES(22,'hand:1.3-2','',1023,'1.3',22,'');
INSERT INTO "postings" VALUES(23,'out:1.3:dot:2@20','',1024,'1.3',23,'');
INSERT INTO "postings" VALUES(24,'fund:1.3:bob:9@90','',1025,'1.3',24,'');
INSERT INTO "postings" VALUES(25,'hand:1.3-3','',1026,'1.3',25,'');
INSERT INTO "postings" VALUES(26,'hand:1.3-5','',1028,'1.3',27,'');
INSERT INTO "postings" VALUES(27,'seat:1.3:eve:8@80','',1029,'1.3',28,'');
INSERT INTO "postings" VALUES(28,'seat:1.3:bob:9@90','',1030,'1.3',29,'');
INSERT INTO "postings" VALUES(29,'out:1.3:bob:7@70','',1031,'1.3',30,'');
INSERT INTO "postings" VALUES(30,'fund:1.3:ann:10@100','',1032,'1.3',31,'');
INSERT INTO "postings" VALUES(31,'out:1.3:eve:8@80','',1034,'1.3',33,'');
INSERT INTO "postings" VALUES(32,'seat:1.3:ann:10@100','',1035,'1.3',34,'');
INSERT INTO "postings" VALUES(33,'fund:1.3:ann:11@110','',1036,'1.3',35,'');
INSERT INTO "postings" VALUES(34,'fund:1.3:bob:12@120','',1037,'1.3',36,'');
INSERT INTO "postings" VALUES(35,'seat:1.3:bob:12@120','',1038,'1.3',37,'');
INSERT INTO "postings" VALUES(36,'seat:1.3:ann:11@110','',1039,'1.3',38,'');
INSERT INTO "postings" VALUES(37,'hand:1.3-6','',1040,'1.3',39,'');
INSERT INTO "postings" VALUES(38,'hand:1.3-7','',1041,'1.3',40,'');
INSERT INTO "postings" VALUES(39,'hand:1.3-8','',1042,'1.3',41,'');
INSERT INTO "postings" VALUES(40,'hand:1.3-9','',1044,'1.3',42,'');
INSERT INTO "postings" VALUES(41,'fund:1.3:bob:13@130','',1045,'1.3',43,'');
INSERT INTO "postings" VALUES(42,'seat:1.3:bob:13@130','',1048,'1.3',45,'');
INSERT INTO "postings" VALUES(43,'hand:1.3-11','',1049,'1.3',46,'');
INSERT INTO "postings" VALUES(44,'hand:1.3-12','',1050,'1.3',47,'');
INSERT INTO "postings" VALUES(45,'fund:1.3:ann:14@140','',1051,'1.3',48,'');
INSERT INTO "postings" VALUES(46,'out:1.3:ann:11@110','',1052,'1.3',49,'');
INSERT INTO "postings" VALUES(47,'out:1.3:bob:12@120','',1053,'1.3',50,'');
INSERT INTO "postings" VALUES(48,'seat:1.3:ann:14@140','',1054,'1.3',51,'');
INSERT INTO "postings" VALUES(49,'fund:1.3:eve:15@150','',1055,'1.3',52,'');
INSERT INTO "postings" VALUES(50,'fund:1.3:ann:16@160','',1058,'1.3',53,'');
INSERT INTO "postings" VALUES(51,'seat:1.3:eve:15@150','',1059,'1.3',54,'');
INSERT INTO "postings" VALUES(52,'hand:1.3-13','',1060,'1.3',55,'');
INSERT INTO "postings" VALUES(53,'seat:1.3:ann:16@160','',1062,'1.3',57,'');
INSERT INTO "postings" VALUES(54,'hand:1.3-14','',1063,'1.3',58,'');
INSERT INTO "postings" VALUES(55,'fund:1.3:eve:17@170','',1064,'1.3',59,'');
INSERT INTO "postings" VALUES(56,'hand:1.3-15','',1065,'1.3',60,'');
INSERT INTO "postings" VALUES(57,'hand:1.3-16','',1066,'1.3',61,'');
INSERT INTO "postings" VALUES(58,'fund:1.3:bob:18@180','',1067,'1.3',62,'');
INSERT INTO "postings" VALUES(59,'hand:1.3-17','',1068,'1.3',63,'');
INSERT INTO "postings" VALUES(60,'seat:1.3:bob:18@180','',1069,'1.3',64,'');
INSERT INTO "postings" VALUES(61,'seat:1.3:eve:17@170','',1070,'1.3',65,'');
INSERT INTO "postings" VALUES(62,'out:1.3:cem:6@60','',1071,'1.3',66,'');
INSERT INTO "postings" VALUES(63,'hand:1.3-18','',1072,'1.3',67,'');
INSERT INTO "postings" VALUES(64,'hand:1.3-20','',1074,'1.3',69,'');
INSERT INTO "postings" VALUES(65,'fund:1.3:bob:19@190','',1075,'1.3',70,'');
INSERT INTO "postings" VALUES(66,'fund:1.3:ann:20@200','',1076,'1.3',71,'');
CREATE TABLE reservations (
	id TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	player TEXT NOT NULL, 
	amount BIGINT NOT NULL, 
	currency TEXT NOT NULL, 
	sitting TEXT NOT NULL, 
	refused TEXT NOT NULL, 
	version BIGINT NOT NULL, 
	time_ms BIGINT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "reservations" VALUES('1.3:cem:1@10','1.3','cem',200,'EUR','1.3:cem:1@10','',2,1001);
INSERT INTO "reservations" VALUES('1.3:dot:2@20','1.3','dot',40,'EUR','1.3:dot:2@20','',4,1003);
INSERT INTO "reservations" VALUES('1.3:cem:3@30','1.3','cem',200,'EUR','1.3:cem:3@30','',7,1007);
INSERT INTO "reservations" VALUES('1.3:dot:4@40','1.3','dot',40,'EUR','1.3:dot:2@20','',9,1009);
INSERT INTO "reservations" VALUES('1.3:bob:5@50','1.3','bob',10,'EUR','1.3:bob:5@50','',10,1010);
INSERT INTO "reservations" VALUES('1.3:cem:6@60','1.3','cem',10,'EUR','1.3:cem:6@60','',16,1016);
INSERT INTO "reservations" VALUES('1.3:bob:7@70','1.3','bob',40,'EUR','1.3:bob:7@70','',17,1017);
INSERT INTO "reservations" VALUES('1.3:eve:8@80','1.3','eve',10,'EUR','1.3:eve:8@80','',20,1021);
INSERT INTO "reservations" VALUES('1.3:bob:9@90','1.3','bob',10,'EUR','1.3:bob:7@70','',24,1025);
INSERT INTO "reservations" VALUES('1.3:ann:10@100','1.3','ann',10,'EUR','1.3:ann:10@100','',31,1032);
INSERT INTO "reservations" VALUES('1.3:ann:11@110','1.3','ann',200,'EUR','1.3:ann:11@110','',35,1036);
INSERT INTO "reservations" VALUES('1.3:bob:12@120','1.3','bob',40,'EUR','1.3:bob:12@120','',36,1037);
INSERT INTO "reservations" VALUES('1.3:bob:13@130','1.3','bob',40,'EUR','1.3:bob:12@120','',43,1045);
INSERT INTO "reservations" VALUES('1.3:ann:14@140','1.3','ann',10,'EUR','1.3:ann:11@110','',48,1051);
INSERT INTO "reservations" VALUES('1.3:eve:15@150','1.3','eve',10,'EUR','1.3:eve:15@150','',52,1055);
INSERT INTO "reservations" VALUES('1.3:ann:16@160','1.3','ann',40,'EUR','1.3:ann:16@160','',53,1058);
INSERT INTO "reservations" VALUES('1.3:eve:17@170','1.3','eve',40,'EUR','1.3:eve:15@150','',59,1064);
INSERT INTO "reservations" VALUES('1.3:bob:18@180','1.3','bob',200,'EUR','1.3:bob:18@180','',62,1067);
INSERT INTO "reservations" VALUES('1.3:bob:19@190','1.3','bob',40,'EUR','1.3:bob:18@180','',70,1075);
INSERT INTO "reservations" VALUES('1.3:ann:20@200','1.3','ann',200,'EUR','1.3:ann:20@200','',71,1076);
CREATE TABLE stops (
	table_id TEXT NOT NULL, 
	partition INTEGER NOT NULL, 
	next_offset BIGINT NOT NULL, 
	why TEXT NOT NULL, 
	PRIMARY KEY (table_id)
);
CREATE INDEX accounts_of_player ON accounts (player);
CREATE TRIGGER accounts_stay BEFORE DELETE ON accounts BEGIN SELECT RAISE(ABORT, 'accounts: an account is never deleted'); END;
CREATE TRIGGER accounts_stand BEFORE UPDATE OF number, id, kind, currency, player ON accounts BEGIN SELECT RAISE(ABORT, 'accounts: an account keeps its name'); END;
CREATE TRIGGER accounts_add_up BEFORE UPDATE OF balance, entries ON accounts WHEN NEW.entries <= OLD.entries OR NEW.balance IS NOT (SELECT balance FROM entries WHERE account = NEW.number AND number = NEW.entries) BEGIN SELECT RAISE(ABORT, 'accounts: a balance is what its last entry says'); END;
CREATE TRIGGER postings_stay BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings: what is posted is never deleted'); END;
CREATE TRIGGER postings_stand BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings: what is posted is never changed'); END;
CREATE TRIGGER reservations_stay BEFORE DELETE ON reservations BEGIN SELECT RAISE(ABORT, 'reservations: what is posted is never deleted'); END;
CREATE TRIGGER reservations_stand BEFORE UPDATE ON reservations BEGIN SELECT RAISE(ABORT, 'reservations: what is posted is never changed'); END;
CREATE INDEX entries_of_posting ON entries (posting);
CREATE TRIGGER entries_stay BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries: what is posted is never deleted'); END;
CREATE TRIGGER entries_stand BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries: what is posted is never changed'); END;
CREATE TRIGGER keys_stay BEFORE DELETE ON keys BEGIN SELECT RAISE(ABORT, 'keys: what is posted is never deleted'); END;
CREATE TRIGGER keys_stand BEFORE UPDATE ON keys BEGIN SELECT RAISE(ABORT, 'keys: what is posted is never changed'); END;
COMMIT;
