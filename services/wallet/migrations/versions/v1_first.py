"""Version 1: accounts, postings and entries, and how far the hand log was read."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "1"
down_revision = None

Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make a ledger where there is none."""
    _books()
    _hand_log()
    op.create_table(
        "keys",
        sa.Column("caller", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("posting", Number, sa.ForeignKey("postings.number"), nullable=False),
    )
    op.execute("INSERT INTO about VALUES ('schema', '1')")
    if op.get_bind().dialect.name == "sqlite":
        for statement in triggers.SQLITE_1:
            op.execute(statement)


def _books() -> None:
    op.create_table(
        "about",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "accounts",
        sa.Column("number", Number, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.Column("entries", sa.BigInteger, nullable=False),
    )
    op.create_index("accounts_of_player", "accounts", ["player"])
    op.create_table(
        "postings",
        sa.Column("number", Number, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("flag", sa.Text, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )
    op.create_table(
        "entries",
        sa.Column("account", Number, sa.ForeignKey("accounts.number"), primary_key=True),
        sa.Column("number", Number, primary_key=True),
        sa.Column("posting", Number, sa.ForeignKey("postings.number"), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("entries_of_posting", "entries", ["posting"])


def _hand_log() -> None:
    op.create_table(
        "reservations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("sitting", sa.Text, nullable=False),
        sa.Column("refused", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("reservation", sa.Text, sa.ForeignKey("reservations.id"), primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("partition", sa.Integer, nullable=False),
    )
    op.create_table(
        "heads",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("rulebook", sa.Text, nullable=False),
    )
    op.create_table(
        "offsets",
        sa.Column("partition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("next_offset", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "stops",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("partition", sa.Integer, nullable=False),
        sa.Column("next_offset", sa.BigInteger, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )
