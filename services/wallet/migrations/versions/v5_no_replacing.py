"""Version 5: SQLite refuses to replace what is posted, as it refuses to delete it."""

from alembic import op

from services.wallet import triggers

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Bring a ledger up from version 4. On PostgreSQL nothing is missing."""
    if op.get_bind().dialect.name == "sqlite":
        for statement in triggers.SQLITE_5:
            op.execute(statement)
