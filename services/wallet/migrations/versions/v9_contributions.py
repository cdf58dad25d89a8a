"""Version 9: what each put into a hand that was raked."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "9"
down_revision = "8"

Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _number(name: str, of: str) -> "sa.Column[int]":
    return sa.Column(name, Number, sa.ForeignKey(of), primary_key=True, autoincrement=False)


def upgrade() -> None:
    """Bring a ledger up from version 8."""
    op.create_table(
        "contributions",
        _number("posting", "postings.number"),
        _number("account", "accounts.number"),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in triggers.SQLITE_9 if is_sqlite else triggers.POSTGRES_9:
        op.execute(statement)
