"""Version 3: what is played at tables, who sat there, and how players' accounts stand."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "3"
down_revision = "2"

Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _column(name: str, kind: type[sa.Text | sa.BigInteger | sa.Integer]) -> "sa.Column[object]":
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    """Bring a ledger up from version 2."""
    _tables()
    _players()
    op.create_index("postings_of_time", "postings", ["time_ms"])
    if op.get_bind().dialect.name == "sqlite":
        statements = triggers.SQLITE_3
    else:
        statements = triggers.POSTGRES_3
        op.execute(sa.schema.CreateSequence(sa.Sequence("deed_numbers")))
    for statement in statements:
        op.execute(statement)


def _tables() -> None:
    op.create_table(
        "tables",
        sa.Column("table_id", sa.Text, primary_key=True),
        *(_column(name, sa.Text) for name in ("currency", "rulebook", "variant")),
        *(_column(name, sa.Text) for name in ("limits", "stakes")),
        _column("south_ms", sa.BigInteger),
        _column("protections", sa.Integer),
    )
    op.create_table(
        "sittings",
        sa.Column("id", sa.Text, primary_key=True),
        *(_column(name, sa.Text) for name in ("table_id", "player", "game", "currency")),
        *(_column(name, sa.BigInteger) for name in ("seated_ms", "left_ms", "left_with")),
    )
    op.create_index("sittings_of_player", "sittings", ["player", "left_ms"])
    op.create_table(
        "grants",
        sa.Column("reservation", sa.Text, sa.ForeignKey("reservations.id"), primary_key=True),
        _column("protections", sa.Integer),
    )


def _players() -> None:
    op.create_table(
        "deeds",
        sa.Column("number", Number, primary_key=True, autoincrement=False),
        *(_column(name, sa.Text) for name in ("caller", "key", "digest", "player", "what", "why")),
        *(_column(name, sa.BigInteger) for name in ("time_ms", "from_ms", "until_ms")),
        *(_column(name, sa.Text) for name in ("kind", "period", "currency")),
        _column("amount", sa.BigInteger),
        sa.UniqueConstraint("caller", "key"),
    )
    op.create_index("deeds_of_player", "deeds", ["player"])
    op.create_table(
        "withdrawals",
        sa.Column("id", sa.Text, primary_key=True),
        *(_column(name, sa.Text) for name in ("player", "currency")),
        _column("amount", sa.BigInteger),
        _column("note", sa.Text),
        _column("asked_ms", sa.BigInteger),
        _column("state", sa.Text),
        _column("ended_ms", sa.BigInteger),
    )
    op.create_index("withdrawals_of_state", "withdrawals", ["state", "asked_ms"])
