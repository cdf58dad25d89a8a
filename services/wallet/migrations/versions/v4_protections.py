"""Version 4: which disconnect protections were used."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Bring a ledger up from version 3."""
    op.create_table(
        "protected",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("sitting", sa.Text, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("protected_player", "protected", ["player", "time_ms"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in triggers.SQLITE_4 if is_sqlite else triggers.POSTGRES_4:
        op.execute(statement)
