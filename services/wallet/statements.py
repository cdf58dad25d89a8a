"""The statements of a booking transaction, each built once: building one costs as much as its run.

Plain SQL of SQLAlchemy's core, in the order in which a transaction needs them. `:some` is a list.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from services.wallet import schema

_SOME: Final[sa.BindParameter[Any]] = sa.bindparam("some", expanding=True)
_OF: Final[sa.BindParameter[Any]] = sa.bindparam("of")


_at, _head, _stop = schema.offsets.c, schema.heads.c, schema.stops.c
_held, _post, _line = schema.accounts.c, schema.postings.c, schema.entries.c
_owed, _kept = schema.outbox.c, schema.reservations.c

OFFSETS: Final = (
    sa.select(_at.partition, _at.next_offset)
    .where(_at.partition.in_(_SOME))
    .order_by(_at.partition)
    .with_for_update()
)

HEADS: Final = sa.select(schema.heads).where(_head.table_id.in_(_SOME))

TABLES: Final = sa.select(schema.tables).where(schema.tables.c.table_id.in_(_SOME))

STOPS: Final = sa.select(_stop.table_id, _stop.next_offset).where(_stop.table_id.in_(_SOME))
NO_STOP: Final = sa.delete(schema.stops).where(_stop.table_id == _OF)

_PROTECTIONS: Final = sa.func.coalesce(schema.grants.c.protections, 0).label("protections")

RESERVATIONS: Final = (
    sa.select(schema.reservations, _PROTECTIONS)
    .outerjoin(schema.grants, schema.grants.c.reservation == _kept.id)
    .where(_kept.id.in_(_SOME))
)
SPENT: Final = sa.select(schema.spent).where(schema.spent.c.hand.in_(_SOME))
NO_ORDERS: Final = sa.delete(schema.outbox).where(_owed.reservation.in_(_SOME))
OWED: Final = (
    sa.select(_owed.table_id, _owed.reservation, _kept.refused, _PROTECTIONS)
    .join(schema.reservations, _kept.id == _owed.reservation)
    .outerjoin(schema.grants, schema.grants.c.reservation == _kept.id)
    .where(_owed.partition.in_(_SOME))
    .order_by(_kept.time_ms, _owed.reservation)
)

# For update, and always in the order of their ids: two transactions never wait for each other.
# Their keys stay, so that who only refers to an account need not wait either.
ACCOUNTS: Final = (
    sa.select(_held.id, _held.number, _held.balance, _held.entries)
    .where(_held.id.in_(_SOME))
    .order_by(_held.id)
    .with_for_update(key_share=True)
)
LAST_ACCOUNT: Final = sa.select(sa.func.max(_held.number))

# A posting without legs has no entries.
POSTINGS: Final = (
    sa.select(_post.id, _post.flag, _held.id.label("account"), _line.amount)
    .outerjoin(schema.entries, _line.posting == _post.number)
    .outerjoin(schema.accounts, _held.number == _line.account)
    .where(_post.id.in_(_SOME))
)
LAST_POSTING: Final = sa.select(sa.func.max(_post.number))

KEPT: Final = (
    sa.select(schema.keys.c.digest, _post.id, _post.number, _post.time_ms)
    .join(schema.postings, _post.number == schema.keys.c.posting)
    .where(schema.keys.c.caller == _OF, schema.keys.c.key == sa.bindparam("key"))
)
# The posting itself need not touch the account: then the line before it says how it stood.
BALANCE_AFTER: Final = (
    sa.select(_line.balance)
    .join(schema.accounts, _held.number == _line.account)
    .where(_line.posting <= _OF, _held.id == sa.bindparam("id"))
    .order_by(_line.number.desc())
    .limit(1)
)

_deed: Final = schema.deeds.c
DEED: Final = sa.select(_deed.digest).where(_deed.caller == _OF, _deed.key == sa.bindparam("key"))
LAST_DEED: Final = sa.select(sa.func.max(_deed.number))
OF_PLAYER: Final = (
    sa.select(_held.currency, _held.balance)
    .where(_held.player == _OF)
    .order_by(_held.id)
    .with_for_update(key_share=True)
)
WITHDRAWAL: Final = sa.select(schema.withdrawals).where(schema.withdrawals.c.id == _OF)
