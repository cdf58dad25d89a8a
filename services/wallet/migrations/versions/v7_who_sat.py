"""Version 7: who sat at tables before version 3 kept it, as far as the books tell.

A sitting has an account of its own, named by the reservation that began it; one posting brought its
money there, another took all of it away again. What game it was no posting says: it is the table's,
where that is known.
"""

from alembic import op

revision = "7"
down_revision = "6"

_SITTINGS = """
INSERT INTO sittings
    (id, table_id, player, game, currency, seated_ms, left_ms, left_with)
SELECT
    asked.id, asked.table_id, asked.player,
    coalesce(
        played.rulebook || ' ' || played.variant || ' ' || played.limits || ' ' ||
        played.stakes || ' ' || played.currency,
        ''
    ),
    asked.currency, seat.time_ms, coalesce(went.time_ms, 0),
    coalesce(
        (SELECT -entries.amount FROM entries
            WHERE entries.posting = went.number AND entries.account = own.number),
        0
    )
FROM reservations asked
JOIN accounts own ON own.id = 'table:' || asked.id || ':' || asked.currency
JOIN postings seat ON seat.id = 'seat:' || asked.id
LEFT JOIN postings went ON went.id = 'out:' || asked.id
LEFT JOIN tables played ON played.table_id = asked.table_id
WHERE asked.sitting = asked.id
    AND NOT EXISTS (SELECT 1 FROM sittings kept WHERE kept.id = asked.id)
"""


def upgrade() -> None:
    """Bring a ledger up from version 6."""
    op.execute(_SITTINGS)
