"""The ledger's database: what it refuses, what it survives, and its backups."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, OperationalError

from riverboat.ledger import accounts
from services.wallet import schema
from services.wallet.book import Booker
from services.wallet.check import faults, imbalance, positions
from services.wallet.conduct import Conduct, Said
from services.wallet.store import LedgerAway, Store, WrongLedger
from services.wallet.teller import Teller
from tests.services.wallet.hand_log import (
    PARTITION,
    HandLog,
    assert_sound,
    balances,
    book,
    funded_store,
)

ROOT = Path(__file__).parents[3]


def played(store: Store) -> tuple[Store, HandLog]:
    log = HandLog(5, "1.3")
    funded_store(store)
    booker = Booker(store)
    for _ in range(12):
        log.play(8)
        log.answer(book(booker, log).orders)
    return store, log


FORGED_LINE = (
    "INSERT INTO entries SELECT number, entries + 1, 1, 5, balance + {} FROM accounts "
    "WHERE id = 'player:ann:EUR'"
)
FORGED_BALANCE = "UPDATE accounts SET balance = 7 WHERE id = 'player:ann:EUR'"
FORGED_ACCOUNT = "INSERT INTO accounts VALUES (999, 'player:eve:RON', 'player', 'RON', 'eve', 7, 0)"
CROSSING = (
    "INSERT INTO accounts VALUES (999, 'player:eve:RON', 'player', 'RON', 'eve', 0, 0);"
    "INSERT INTO postings VALUES (900, 'swap', '', 1, '', 0, '');"
    "INSERT INTO entries SELECT 999, 1, 900, -5, -5 UNION ALL "
    "SELECT number, entries + 1, 900, 5, balance + 5 FROM accounts WHERE id = 'player:ann:EUR'"
)


def run(store: Store, statements: str) -> None:
    """These statements, past all of our code."""
    with store.connection(write=True) as connection:
        for statement in statements.split(";"):
            connection.execute(sa.text(statement))


TAMPERING = [
    ("UPDATE postings SET note = 'x'", "never changed"),
    ("DELETE FROM postings", "never deleted"),
    ("UPDATE entries SET amount = amount + 1", "never changed"),
    ("DELETE FROM entries", "never deleted"),
    ("UPDATE reservations SET refused = ''", "never changed"),
    ("DELETE FROM reservations", "never deleted"),
    ("UPDATE keys SET digest = ''", "never changed"),
    ("DELETE FROM keys", "never deleted"),
    ("DELETE FROM accounts", "never deleted"),
    ("UPDATE accounts SET player = 'eve'", "keeps its name"),
    ("UPDATE accounts SET id = id || 'x'", "keeps its name"),
    (FORGED_LINE.format(6), "the one before and the amount"),
    (FORGED_ACCOUNT, "begins with nothing"),
    (CROSSING, "crosses currencies"),
    ("UPDATE accounts SET balance = balance + 1", "what its last entry says"),
    ("UPDATE accounts SET balance = balance + 1, entries = entries + 1", "what its last entry"),
    ("UPDATE accounts SET entries = entries - 1", "what its last entry says"),
]


@pytest.mark.parametrize(("statement", "why"), TAMPERING)
def test_the_database_refuses_to_change_what_is_posted(arm, statement, why):
    store, log = played(arm.store())
    with pytest.raises(IntegrityError, match=why):
        run(store, statement)
    assert_sound(store, log)


# Rows that have a key of one that stands: by its name, by its number, by the row's own number.
REPLACING = [
    "INTO postings SELECT number, id, flag, 1, table_id, version, 'x' FROM postings",
    "INTO postings SELECT 900, id, flag, 1, table_id, version, 'x' FROM postings LIMIT 1",
    "INTO postings SELECT number, 'x', flag, 1, table_id, version, 'x' FROM postings LIMIT 1",
    "INTO entries SELECT account, number, posting, 0, balance - amount FROM entries",
    "INTO accounts SELECT number, id, kind, currency, player, 0, 0 FROM accounts",
    "INTO accounts SELECT 900, id, kind, currency, player, 0, 0 FROM accounts LIMIT 1",
    (
        "INTO reservations SELECT id, table_id, player, 1, currency, sitting, 'X', 1, 1 FROM "
        "reservations"
    ),
    (
        "INTO reservations (rowid, id, table_id, player, amount, currency, sitting, refused, "
        "version, time_ms) SELECT rowid, 'x', table_id, player, 1, currency, sitting, '', 1, 1 "
        "FROM reservations LIMIT 1"
    ),
    "INTO keys SELECT caller, key, '', posting FROM keys",
    "INTO keys (rowid, caller, key, digest, posting) SELECT rowid, 'x', key, '', posting FROM keys",
    "INTO deeds SELECT number, 'x', key, '', player, what, why, 1, 1, 1, '', '', '', 0 FROM deeds",
    "INTO deeds SELECT 900, caller, key, '', player, what, why, 1, 1, 1, '', '', '', 0 FROM deeds",
    "INTO grants SELECT reservation, 9 FROM grants",
    "INTO spent SELECT table_id, version, player, '', '', 0 FROM spent",
    "INTO games SELECT table_id, version, currency, rulebook, 'x', limits, stakes FROM games",
    "INTO contributions SELECT posting, account, 9 FROM contributions",
    "INTO voided SELECT hand, table_id, 0, 0 FROM voided",
]


@pytest.mark.parametrize("statement", REPLACING)
def test_nothing_that_is_posted_is_replaced(statement):
    """SQLite asks no trigger about the row that goes."""
    store, log = played(Store())
    Conduct(store).freeze(Said("boss", "f", "ann", 1, "why"))
    run(store, "INSERT INTO grants SELECT id, 1 FROM reservations LIMIT 1")
    run(store, "INSERT INTO spent VALUES ('1.3', 1, 'ann', 's', '1.3-1', 1)")
    run(store, "INSERT INTO contributions VALUES (1, 1, 5)")
    run(store, "INSERT INTO voided VALUES ('1.3-1', '1.3', 2, 1)")
    for verb in ("REPLACE ", "INSERT OR REPLACE "):
        with pytest.raises(IntegrityError, match="never replaced"):
            run(store, verb + statement)
    assert_sound(store, log)


FORGERIES = [
    (
        "{FREE}" + FORGED_LINE.format(5),
        ["posting deposit:till:ann sums to 5 EUR", "account player:ann:EUR stands at"],
    ),
    (
        "DROP TRIGGER entries_add_up{ON_ENTRIES};" + FORGED_LINE.format(6),
        ["account player:ann:EUR line"],
    ),
    (
        "DROP TRIGGER accounts_add_up{ON_ACCOUNTS};" + FORGED_BALANCE,
        ["the accounts in EUR sum to", "account player:ann:EUR stands at 7"],
    ),
]


@pytest.mark.parametrize(("statements", "told"), FORGERIES)
def test_the_audit_tells_what_was_forged_past_the_database(arm, statements, told):
    store, _ = played(arm.store())
    of = {
        "ON_ENTRIES": " ON entries",
        "ON_ACCOUNTS": " ON accounts",
        "FREE": "ALTER TABLE entries DISABLE TRIGGER entries_add_up;",
    }
    statements = statements.format(**of if arm.name == "postgres" else dict.fromkeys(of, ""))
    assert faults(store) == []
    run(store, statements)
    found = "\n".join(faults(store))
    for part in told:
        assert part in found


BALANCED_LINES = (
    "INSERT INTO entries SELECT number, entries + 1, 1, 5 * sign, balance + 5 * sign FROM "
    "accounts JOIN (VALUES ('player:ann:EUR', 1), ('player:bob:EUR', -1)) legs (name, sign) "
    "ON id = name"
)
HALF = [
    (FORGED_LINE.format(5), "a posting sums to nothing"),
    (BALANCED_LINES, "a posting is told whole, and once"),
    (FORGED_LINE.format(5).replace("1, 5,", "77777, 5,"), "an entry is of a posting"),
]


@pytest.mark.parametrize(("statement", "why"), HALF)
def test_a_server_takes_no_posting_but_whole(postgres_arm, statement, why):
    """What SQLite's audit finds, PostgreSQL refuses at once: it sees all of a statement's rows."""
    store, log = played(postgres_arm.store())
    with pytest.raises(IntegrityError, match=why):
        run(store, statement)
    assert_sound(store, log)


def test_every_currency_sums_to_nothing(arm):
    store, _ = played(arm.store())
    Teller(store).deposit("till", "other", "ann", "PLAY", 5, "", 1)
    assert imbalance(store) == {"EUR": 0, "PLAY": 0}


def test_a_ledger_is_opened_again_as_it_was(arm):
    path = arm.place()
    store, log = played(Store(path))
    before = balances(store), positions(store), store.owed([PARTITION])
    store.close()
    again = Store(path)
    assert (balances(again), positions(again), again.owed([PARTITION])) == before
    assert_sound(again, log)


def test_a_commit_is_on_the_disk_before_it_is_told(tmp_path):
    store = Store(tmp_path / "ledger.db")
    with store.connection(write=False) as connection:
        assert connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(sa.text("PRAGMA synchronous")) == 2  # FULL
        assert connection.scalar(sa.text("PRAGMA foreign_keys")) == 1


def test_a_ledger_of_another_schema_is_refused(arm):
    path = arm.place()
    store = Store(path)
    with store.connection(write=True) as connection:
        connection.execute(sa.update(schema.about).values(value="99"))
    store.close()
    with pytest.raises(WrongLedger, match=f"is a ledger of schema 99, not {schema.SCHEMA_VERSION}"):
        Store(path)


def test_an_audit_reads_a_ledger_that_is_in_use_and_changes_nothing(arm):
    place = arm.place()
    store, log = played(Store(place))
    audit = Store(place, read_only=True)
    assert_sound(audit, log)
    refused = pytest.raises((OperationalError, LedgerAway), match=r"read-?only")
    with refused, audit.writing() as writing:
        writing.move({PARTITION: 0})
    log.play(20)
    book(Booker(store), log)
    assert positions(audit) == positions(store)


@pytest.mark.parametrize(("name", "why"), [("none.db", "there is no"), ("text.db", "is no ledger")])
def test_an_audit_makes_no_ledger(tmp_path, name, why):
    (tmp_path / "text.db").touch()
    with pytest.raises(WrongLedger, match=why):
        Store(tmp_path / name, read_only=True)
    assert not (tmp_path / "none.db").exists()


def test_a_backup_is_the_ledger_as_of_its_last_commit(tmp_path):
    store, log = played(Store(tmp_path / "ledger.db"))
    backup = store.copy(tmp_path / "backup.db")
    at, before = log.end, balances(store)
    log.play(40)
    book(Booker(store), log)
    assert backup.offsets([PARTITION]) == {PARTITION: at}
    assert balances(backup) == before
    book(Booker(backup), log)
    assert balances(backup) == balances(store)


BOOK_FOR_EVER = """
import sys
from services.wallet.book import Booker
from services.wallet.store import Store
from tests.services.wallet.hand_log import HandLog, book
log, booker = HandLog(5, "1.3", "2.3"), Booker(Store(sys.argv[1]))
while True:
    log.play(5)
    done = book(booker, log)
    log.answer(done.orders)
    print(*done.next_offsets.values(), flush=True)
"""


def test_a_wallet_that_is_killed_leaves_whole_batches(arm):
    """ARCHITECTURE 3, law 8, on the ledger's own database and a real `kill -9`."""
    path = arm.place()
    funded_store(Store(path)).close()
    with subprocess.Popen(
        [sys.executable, "-c", BOOK_FOR_EVER, path], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(30)]
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.stdout if line.endswith("\n")]
    log, reference = HandLog(5, "1.3", "2.3"), Booker(funded_store())
    store = Store(path)
    (stands,) = store.offsets([PARTITION]).values()
    while log.end < stands:
        log.play(5)
        log.answer(book(reference, log).orders)
    # What was told is there, whole; the one batch after it is there whole or not at all.
    assert log.end == stands >= told[-1]
    assert_sound(store, log)
    assert {table: position[:3] for table, position in positions(store).items()} == {
        table: (version, record, log.stacks.get((table, version), {}))
        for table, (version, record) in log.heads.items()
    }


def test_a_ledger_does_not_lose_count_of_an_account(arm):
    """Each line of an account says its number and the balance after it."""
    store, _ = played(arm.store())
    account = accounts.player_account("ann", "EUR")
    lines = store.statement(account, 10_000, 10_000)
    assert [line.number for line in lines] == list(range(len(lines), 0, -1))
    stood = 0
    for line in reversed(lines):
        stood += line.amount
        assert line.balance == stood
    assert store.balance(account) == stood
