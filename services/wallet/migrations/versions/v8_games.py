"""Version 8: what was played at each table from which version on, so that reports never change."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "8"
down_revision = "7"


def upgrade() -> None:
    """Bring a ledger up from version 7. What was played so far is told as it was until now."""
    op.create_table(
        "games",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        *(
            sa.Column(name, sa.Text, nullable=False)
            for name in ("currency", "rulebook", "variant", "limits", "stakes")
        ),
    )
    op.execute(
        "INSERT INTO games SELECT heads.table_id, 0, heads.currency, heads.rulebook, "
        "coalesce(tables.variant, ''), coalesce(tables.limits, ''), coalesce(tables.stakes, '') "
        "FROM heads LEFT JOIN tables ON tables.table_id = heads.table_id "
        "WHERE heads.currency <> ''"
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for statement in triggers.SQLITE_8 if is_sqlite else triggers.POSTGRES_8:
        op.execute(statement)
