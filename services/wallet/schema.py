"""The ledger's tables. Nothing here reads or writes a row.

What is posted is never changed: the database itself refuses it. What moves is where an
account stands, where each table and each partition has been read to, and what is still to be told.
Plain SQL that PostgreSQL takes as it stands; the triggers alone are written for SQLite.
"""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    event,
)

# Raised with every change of the tables; a ledger of another version is refused when opened.
SCHEMA_VERSION = 1

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

FOR_EVER = (postings, entries, reservations, keys)


def _refuse(name: str, table: Table, when: str, why: str) -> None:
    trigger = DDL(  # type: ignore[no-untyped-call]
        f"CREATE TRIGGER {table.name}_{name} BEFORE {when} "
        f"BEGIN SELECT RAISE(ABORT, '{table.name}: {why}'); END"
    )
    event.listen(table, "after_create", trigger.execute_if(dialect="sqlite"))


for _table in FOR_EVER:
    _refuse("stay", _table, f"DELETE ON {_table.name}", "what is posted is never deleted")
    _refuse("stand", _table, f"UPDATE ON {_table.name}", "what is posted is never changed")

_refuse("stay", accounts, "DELETE ON accounts", "an account is never deleted")
_refuse(
    "stand",
    accounts,
    "UPDATE OF number, id, kind, currency, player ON accounts",
    "an account keeps its name",
)
_refuse(
    "add_up",
    accounts,
    "UPDATE OF balance, entries ON accounts WHEN NEW.entries <= OLD.entries OR NEW.balance IS NOT "
    "(SELECT balance FROM entries WHERE account = NEW.number AND number = NEW.entries)",
    "a balance is what its last entry says",
)
