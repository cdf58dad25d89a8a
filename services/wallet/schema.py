"""The ledger's tables as they are today. Nothing here reads or writes a row.

What is posted is never changed: the databases themselves refuse it (triggers.py). What moves is
where an account stands, where each table and each partition has been read to, and what is still to
be told. A new ledger is made from here; an older one becomes the same by its migrations.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Sequence,
    Table,
    Text,
    UniqueConstraint,
    event,
)

from services.wallet import triggers

# Raised with every change of the tables, which has a migration of this number. An older ledger is
# brought up when a wallet opens it; a newer one is refused.
SCHEMA_VERSION = 9

# Numbers that the ledger gives itself. SQLite makes only a column named INTEGER its row id.
Number = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData()

about = Table(
    "about",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("player", Text, nullable=False),  # whose money it is; empty for the house's
    Column("balance", BigInteger, nullable=False),  # what its last entry says
    Column("entries", BigInteger, nullable=False),
)
Index("accounts_of_player", accounts.c.player)

postings = Table(
    "postings",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),  # in the order of booking
    Column("id", Text, nullable=False, unique=True),  # from cause and purpose
    Column("flag", Text, nullable=False),
    Column("time_ms", BigInteger, nullable=False),  # the record's append time, or the call's
    Column("table_id", Text, nullable=False),  # empty when it came by a call
    Column("version", BigInteger, nullable=False),  # of the table; 0 when it came by a call
    Column("note", Text, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    Column("account", Number, ForeignKey(accounts.c.number), primary_key=True),
    Column("number", Number, primary_key=True),  # of the account, from 1 without a gap
    Column("posting", Number, ForeignKey(postings.c.number), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("balance", BigInteger, nullable=False),  # of the account, after it
    sqlite_with_rowid=False,
)
Index("entries_of_posting", entries.c.posting)

# What each sitting put into a hand that was raked, where the hand's record said it.
contributions = Table(
    "contributions",
    metadata,
    Column("posting", Number, ForeignKey(postings.c.number), primary_key=True, autoincrement=False),
    Column("account", Number, ForeignKey(accounts.c.number), primary_key=True, autoincrement=False),
    Column("amount", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

reservations = Table(
    "reservations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("sitting", Text, nullable=False),
    Column("refused", Text, nullable=False),  # why not funded; empty when it was
    Column("version", BigInteger, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    Column("reservation", Text, ForeignKey(reservations.c.id), primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("partition", Integer, nullable=False),
)

heads = Table(
    "heads",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("record", Text, nullable=False),  # id of the last record applied
    Column("currency", Text, nullable=False),
    Column("rulebook", Text, nullable=False),
)

offsets = Table(
    "offsets",
    metadata,
    Column("partition", Integer, primary_key=True, autoincrement=False),
    Column("next_offset", BigInteger, nullable=False),
)

# Tables whose next record could not be booked; each is read on from here, apart from the others.
stops = Table(
    "stops",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("partition", Integer, nullable=False),
    Column("next_offset", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("caller", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("digest", Text, nullable=False),  # of the whole request
    Column("posting", Number, ForeignKey(postings.c.number), nullable=False),
)

# What is played at a table, as its options said last. Tables that were opened before this was kept
# have no row until their options change.
tables = Table(
    "tables",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("currency", Text, nullable=False),
    Column("rulebook", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("limits", Text, nullable=False),
    Column("stakes", Text, nullable=False),
    Column("south_ms", BigInteger, nullable=False),
    Column("protections", Integer, nullable=False),
)

# What was played there from a version of the table on: what a hand was dealt under stays told,
# whatever the table's options become.
games = Table(
    "games",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("currency", Text, nullable=False),
    Column("rulebook", Text, nullable=False),
    Column("variant", Text, nullable=False),  # empty, as the next two, where it is not known
    Column("limits", Text, nullable=False),
    Column("stakes", Text, nullable=False),
)

sittings = Table(
    "sittings",
    metadata,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("seated_ms", BigInteger, nullable=False),
    Column("left_ms", BigInteger, nullable=False),  # 0 while he sits there
    Column("left_with", BigInteger, nullable=False),
)
Index("sittings_of_player", sittings.c.player, sittings.c.left_ms)

# What was granted with a reservation besides its money; no row: nothing.
grants = Table(
    "grants",
    metadata,
    Column("reservation", Text, ForeignKey(reservations.c.id), primary_key=True),
    Column("protections", Integer, nullable=False),
)

# Disconnect protections that were used.
spent = Table(
    "spent",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("player", Text, primary_key=True),
    Column("sitting", Text, nullable=False),
    Column("hand", Text, nullable=False),  # empty where that was not kept yet
    Column("time_ms", BigInteger, nullable=False),
)
Index("spent_by_player", spent.c.player, spent.c.time_ms)
Index("spent_in_hand", spent.c.hand)

# Hands called off in which some were used: those have not been.
voided = Table(
    "voided",
    metadata,
    Column("hand", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
)

# What was done to a player's account that moved no money, in order; how it stands is their fold.
deeds = Table(
    "deeds",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=False),
    Column("caller", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("digest", Text, nullable=False),  # of the whole request
    Column("player", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("time_ms", BigInteger, nullable=False),
    Column("from_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),  # of a limit, as the next three
    Column("period", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),  # below zero: the limit is lifted
    UniqueConstraint("caller", "key"),
)
Index("deeds_of_player", deeds.c.player)

withdrawals = Table(
    "withdrawals",
    metadata,
    Column("id", Text, primary_key=True),  # of its postings too
    Column("player", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("state", Text, nullable=False),  # asked, settled or cancelled
    Column("ended_ms", BigInteger, nullable=False),  # 0 until it is over
)
Index("withdrawals_of_state", withdrawals.c.state, withdrawals.c.asked_ms)

Index("postings_of_time", postings.c.time_ms)

# Numbers that PostgreSQL gives, however many wallets write: two never draw the same, and nobody
# waits for another's transaction. SQLite has one writer, who counts on from the last.
POSTING_NUMBERS = Sequence("posting_numbers", metadata=metadata)
ACCOUNT_NUMBERS = Sequence("account_numbers", metadata=metadata)
DEED_NUMBERS = Sequence("deed_numbers", metadata=metadata)


def _make_triggers(_: MetaData, connection: Connection, **_how: object) -> None:
    for statement in triggers.TODAY[connection.dialect.name]:
        connection.exec_driver_sql(statement)


event.listen(metadata, "after_create", _make_triggers)
