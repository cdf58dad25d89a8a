"""A ledger of an older schema becomes one of today, in place, and loses nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from riverboat.game.table.events import OptionsChanged
from riverboat.ledger import accounts
from services.wallet import bulk, schema, upgrade
from services.wallet.book import Batch, Booker, Read
from services.wallet.check import faults, positions
from services.wallet.reports import Span, earned
from services.wallet.store import Store, WrongLedger
from tests.ledger.toy_table import settings
from tests.services.wallet.arms import Arm
from tests.services.wallet.hand_log import (
    PARTITION,
    HandLog,
    balances,
    book,
    close_down,
    funded_store,
)

# A ledger as version 1 left it, after 77 records of one table of chance.
OLD = Path(__file__).with_name("ledger_schema_1.sql")

SHAPES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'",
    "postgresql": """
        SELECT table_name || '.' || column_name, data_type || is_nullable || ordinal_position
          FROM information_schema.columns WHERE table_schema = 'public'
        UNION SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        UNION SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
              WHERE connamespace = 'public'::regnamespace
        UNION SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION SELECT sequencename, start_value::text FROM pg_sequences""",
}


# The tables of version 2, in an order in which their rows can be put in.
AT_FIRST = (
    "accounts",
    "postings",
    "entries",
    "reservations",
    "outbox",
    "heads",
    "offsets",
    "stops",
    "keys",
)


def old_ledger(path: Path) -> Path:
    with sqlite3.connect(path) as file:
        file.executescript(OLD.read_text())
    file.close()
    return path


def shape(store: Store) -> dict[str, str]:
    with store.connection(write=False) as connection:
        rows = connection.exec_driver_sql(SHAPES[connection.dialect.name])
        return {name: " ".join((what or "").split()) for name, what in rows}


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(path) as file:
        tables = ("accounts", "postings", "entries", "reservations", "outbox", "heads", "keys")
        return {name: file.execute(f"SELECT * FROM {name}").fetchall() for name in tables}


def test_a_ledger_of_version_1_is_upgraded_in_place_and_loses_nothing(tmp_path):
    path = old_ledger(tmp_path / "ledger.sqlite")
    before = rows_of(path)
    store = Store(path)
    assert rows_of(path) == before
    assert faults(store) == []
    assert balances(store) == {"ann": 226, "bob": 399, "cem": 490, "dot": 421, "eve": 450}
    assert store.balance(accounts.rake("standard", "EUR")) == 38
    store.close()
    # What was upgraded is opened as any other.
    assert faults(Store(path)) == []


def test_an_upgraded_ledger_books_on_from_where_it_stood(tmp_path):
    """The log that version 1 was reading goes on, and so does the ledger."""
    log, alone = HandLog(5, "1.3"), Booker(funded_store())
    store = Store(old_ledger(tmp_path / "ledger.sqlite"))
    for _ in range(12):
        log.play(8)
        log.answer(book(alone, log).orders)
    booker = Booker(store)
    assert booker.offsets([PARTITION]) == {PARTITION: 77}
    log.play(40)
    book(booker, log)
    close_down(booker, log)
    assert faults(store) == []
    assert not any(positions(store)["1.3"].at_table.values())


def old_store(arm: Arm, tmp_path: Path) -> Store:
    """The old ledger as version 2 had it, in this database, and then brought up."""
    with sqlite3.connect(old_ledger(tmp_path / "old.sqlite")) as file:
        file.row_factory = sqlite3.Row
        kept = {
            table.name: [dict(row) for row in file.execute(f"SELECT * FROM {table.name}")]
            for table in schema.metadata.sorted_tables
            if table.name in AT_FIRST
        }
    file.close()
    store = arm.store()
    with store.connection(write=True) as connection:
        clear(connection)
        upgrade.migrate(connection, 0, 2)
        stood = kept["accounts"]
        kept["accounts"] = [row | {"balance": 0, "entries": 0} for row in stood]
        for name in AT_FIRST:
            bulk.insert(connection, schema.metadata.tables[name], kept[name])
        stands = [{name: row[name] for name in ("number", "balance", "entries")} for row in stood]
        bulk.update(connection, schema.accounts, "number", stands)
        upgrade.migrate(connection, 2)
    return store


def sittings(store: Store) -> list[tuple[object, ...]]:
    sat = schema.sittings.c
    columns = (sat.id, sat.table_id, sat.player, sat.currency, sat.seated_ms, sat.left_ms)
    with store.connection(write=False) as connection:
        rows = connection.execute(sa.select(*columns, sat.left_with).order_by(sat.id))
        return [tuple(row) for row in rows]


def test_an_upgraded_ledger_knows_who_sits_and_who_sat(arm, tmp_path):
    """As one does that kept it from the beginning."""
    log, alone = HandLog(5, "1.3"), funded_store(arm.store())
    for _ in range(12):
        log.play(8)
        log.answer(book(Booker(alone), log).orders)
    store = old_store(arm, tmp_path)
    assert faults(store) == []
    told = sittings(store)
    assert told
    assert {row[0] for row in told if not row[5]} >= set(positions(store)["1.3"].at_table)
    assert told == sittings(alone)


def test_what_was_played_before_an_upgrade_stays_told_as_it_was(arm, tmp_path):
    store = old_store(arm, tmp_path)
    span = Span(0, 2**62)
    told = earned(store, span)
    assert [(one.rulebook, one.variant, one.currency) for one in told] == [("standard", "", "EUR")]
    log = HandLog(5, "1.3")
    log.heads["1.3"] = positions(store)["1.3"].version, head_of(store, "1.3")
    changed = log.append("1.3", OptionsChanged(settings()))
    booker = Booker(store)
    start = booker.offsets([PARTITION])[PARTITION]
    booker.book([Batch(PARTITION, start, [Read(start, 1, changed)], start + 1)])
    assert earned(store, span) == told


def head_of(store: Store, table: str) -> str:
    with store.connection(write=False) as connection:
        head = schema.heads.c
        return str(connection.scalar(sa.select(head.record).where(head.table_id == table)))


def clear(connection: sa.Connection) -> None:
    """Leave nothing of a ledger there."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
        return
    everything = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    for (name,) in everything.all():
        connection.exec_driver_sql(f"DROP TABLE {name}")


def test_a_migrated_ledger_is_the_same_as_a_new_one(arm):
    """Each migration, from nothing on, ends at what `schema.py` makes at once."""
    new = arm.store()
    migrated = Store(arm.place())
    with migrated.connection(write=True) as connection:
        clear(connection)
        upgrade.migrate(connection, 0)
    assert shape(migrated) == shape(new)


def test_what_an_upgraded_ledger_refuses_is_what_a_new_one_does(tmp_path):
    store = Store(old_ledger(tmp_path / "ledger.sqlite"))
    for statement in (
        "UPDATE entries SET amount = amount + 1",
        "REPLACE INTO keys SELECT caller, key, '', posting FROM keys",
        "INSERT INTO accounts VALUES (999, 'player:x:EUR', 'player', 'EUR', 'x', 7, 0)",
    ):
        with pytest.raises(IntegrityError), store.connection(write=True) as connection:
            connection.execute(sa.text(statement))


def test_who_only_reads_upgrades_nothing(tmp_path):
    path = old_ledger(tmp_path / "ledger.sqlite")
    with pytest.raises(WrongLedger, match=f"of schema 1, not {schema.SCHEMA_VERSION}"):
        Store(path, read_only=True)


def test_an_upgrade_that_is_cut_off_has_not_been(tmp_path):
    path = old_ledger(tmp_path / "ledger.sqlite")
    with sqlite3.connect(path) as file:
        # What the upgrade makes is there already, so that it fails midway.
        file.execute(
            "CREATE TRIGGER entries_keep_currency BEFORE INSERT ON entries BEGIN SELECT 1; END"
        )
    before = rows_of(path)
    with pytest.raises(sa.exc.OperationalError, match="already exists"):
        Store(path)
    assert rows_of(path) == before
    with sqlite3.connect(path) as file:
        names = {name for (name,) in file.execute("SELECT name FROM sqlite_master")}
        assert file.execute("SELECT value FROM about").fetchall() == [("1",)]
    assert "entries_add_up" not in names
    assert "alembic_version" not in names
