"""Version 2: PostgreSQL beside SQLite, and both refuse lines that do not add up."""

import sqlalchemy as sa
from alembic import op

from services.wallet import triggers

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Bring a ledger up from version 1."""
    if op.get_bind().dialect.name == "sqlite":
        statements: tuple[str, ...] = triggers.SQLITE_2
    else:
        statements = triggers.POSTGRES_2
        for name, table in (("posting_numbers", "postings"), ("account_numbers", "accounts")):
            op.execute(sa.schema.CreateSequence(sa.Sequence(name)))
            op.execute(f"SELECT setval('{name}', coalesce(max(number), 0) + 1, false) FROM {table}")
    for statement in statements:
        op.execute(statement)
