"""Version 6: in which hand a disconnect protection was used, and which hands were called off."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "6"
down_revision = "5"


def upgrade() -> None:
    """Bring a ledger up from version 5."""
    op.create_table(
        "spent",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("sitting", sa.Text, nullable=False),
        sa.Column("hand", sa.Text, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("spent_by_player", "spent", ["player", "time_ms"])
    op.create_index("spent_in_hand", "spent", ["hand"])
    op.execute(
        "INSERT INTO spent SELECT table_id, version, player, sitting, '', time_ms FROM protected"
    )
    op.drop_table("protected")
    op.create_table(
        "voided",
        sa.Column("hand", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("time_ms", sa.BigInteger, nullable=False),
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in triggers.SQLITE_6 if is_sqlite else triggers.POSTGRES_6:
        op.execute(statement)
