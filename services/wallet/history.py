"""What players did before: their deeds, what they used up of their limits, and where they sat.

Reads within a transaction that books, or beside it. Decides nothing: what follows of it stands in
riverboat/ledger (standing.py, gate.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from riverboat.ledger.accounts import Kind, account_of
from riverboat.ledger.gate import Gate, Went
from riverboat.ledger.standing import (
    DAY_MS,
    PERIOD_MS,
    Deed,
    LimitKey,
    LimitKind,
    Period,
    Standing,
    What,
    standing_of,
)
from services.wallet import schema

_SOME: Final[sa.BindParameter[Any]] = sa.bindparam("some", expanding=True)
_deed, _sat, _kept = schema.deeds.c, schema.sittings.c, schema.reservations.c
_held, _line, _post = schema.accounts.c, schema.entries.c, schema.postings.c

_DEEDS: Final = (
    sa.select(schema.deeds).where(_deed.player.in_(_SOME)).order_by(_deed.player, _deed.number)
)
_ELSEWHERE: Final = (Kind.AT_TABLE.value, Kind.IN_TRANSIT.value, Kind.WITHDRAWING.value)
# Whoever left so long ago has nothing to do with any table's rule, nor with any limit of time.
_SAT: Final = (
    sa.select(schema.sittings, _kept.time_ms.label("asked_ms"))
    .join(schema.reservations, _kept.id == _sat.id)
    .where(_sat.player.in_(_SOME))
    .where(sa.or_(_sat.left_ms == 0, _sat.left_ms > sa.bindparam("since")))
    .order_by(_sat.seated_ms, _sat.id)
)


def standings(connection: sa.Connection, players: Collection[str]) -> dict[str, Standing]:
    """How these players' accounts stand, of those to whose anything was ever done."""
    deeds: dict[str, list[Deed]] = {}
    for row in connection.execute(_DEEDS, {"some": list(players)}):
        deeds.setdefault(row.player, []).append(_deed_of(row))
    return {player: standing_of(done) for player, done in deeds.items()}


def _deed_of(row: Any) -> Deed:
    key = None
    if row.kind:
        key = LimitKey(LimitKind(row.kind), Period(row.period), row.currency)
    amount = row.amount if row.amount >= 0 else None
    return Deed(What(row.what), row.time_ms, row.from_ms, row.until_ms, key, amount)


def load_protections(
    connection: sa.Connection, gate: Gate, players: Collection[str], now_ms: int
) -> None:
    """The disconnect protections that these players used within a day, or hold at tables."""
    used, granted = schema.spent.c, schema.grants.c
    # What was used in a hand that was called off has not been used. [RULES 7, server failure]
    counts = ~sa.exists().where(schema.voided.c.hand == used.hand)
    rows = (
        sa.select(used.player, sa.func.count())
        .where(used.player.in_(list(players)), used.time_ms > now_ms - DAY_MS, counts)
        .group_by(used.player)
    )
    gate.used = {player: count for player, count in connection.execute(rows)}  # noqa: C416
    spent = sa.select(sa.func.count()).where(used.sitting == granted.reservation, counts)
    seated = sa.exists().where(_sat.id == granted.reservation, _sat.left_ms == 0)
    coming = sa.exists().where(schema.outbox.c.reservation == granted.reservation)
    rest = (
        sa.select(_kept.player, _kept.id, granted.protections, spent.scalar_subquery())
        .join(schema.grants, granted.reservation == _kept.id)
        .where(_kept.player.in_(list(players)), sa.or_(seated, coming))
    )
    for player, sitting, count, gone in connection.execute(rest):
        gate.granted(player, sitting, max(count - gone, 0))


def load_gate(
    connection: sa.Connection,
    gate: Gate,
    askers: Mapping[str, Collection[tuple[str, str]]],
    now_ms: int,
) -> None:
    """What the gate must know of these players, each with the games and currencies asked for."""
    if not askers:
        return
    gate.standings = standings(connection, askers)
    sat = _sittings(connection, askers, now_ms)
    for player, asked in askers.items():
        mine = sat.get(player, ())
        for game, _ in asked:
            gate.went[player, game] = _went(mine, game)
        standing = gate.standings.get(player)
        if standing is None or not standing.limits:
            continue
        gate.played_ms[player] = {
            period: _played_ms(mine, now_ms - long, now_ms) for period, long in PERIOD_MS.items()
        }
        for _, currency in asked:
            if standing.amounts(LimitKind.LOSS, currency, now_ms):
                gate.at_risk[player, currency] = at_risk(connection, player, currency, now_ms)


def load_elsewhere(
    connection: sa.Connection, gate: Gate, askers: Mapping[str, Collection[tuple[str, str]]]
) -> None:
    """What these players have besides their accounts."""
    for player, asked in askers.items():
        gate.elsewhere |= {(player, currency): 0 for _, currency in asked}
    rows = sa.select(_held.id, _held.player, _held.currency, _held.kind, _held.balance).where(
        _held.player.in_(_SOME), _held.kind.in_(_ELSEWHERE), _held.balance != 0
    )
    for account, player, currency, kind, balance in connection.execute(
        rows, {"some": list(askers)}
    ):
        if (player, currency) not in gate.elsewhere:
            continue
        gate.elsewhere[player, currency] += balance
        if kind == Kind.AT_TABLE.value:
            gate.sits[account_of(account).owner] = player, currency


def _sittings(
    connection: sa.Connection, players: Iterable[str], now_ms: int
) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    since = now_ms - max(PERIOD_MS.values())
    for row in connection.execute(_SAT, {"some": list(players), "since": since}):
        found.setdefault(row.player, []).append(row)
    return found


def _went(sat: Sequence[Any], game: str) -> list[Went]:
    """With what the player left the game since he last asked for a seat in it, and got it."""
    mine = [row for row in sat if row.game == game]
    if not mine:
        return []
    last = max(mine, key=lambda row: (row.asked_ms, row.seated_ms, row.id))
    return [
        Went(row.left_ms, row.left_with)
        for row in mine
        if row.left_ms and (row.left_ms > last.asked_ms or row is last)
    ]


def _played_ms(sat: Sequence[Any], start_ms: int, now_ms: int) -> int:
    """How long the player sat somewhere in that time; two tables at once count once."""
    played, upto = 0, start_ms
    for row in sat:  # in the order of sitting down
        begin, end = max(row.seated_ms, upto), min(row.left_ms or now_ms, now_ms)
        if end > begin:
            played += end - begin
            upto = end
    return played


def played_ms(connection: sa.Connection, player: str, period: Period, now_ms: int) -> int:
    """How long the player sat somewhere in the last so long."""
    sat = _sittings(connection, [player], now_ms).get(player, [])
    return _played_ms(sat, now_ms - PERIOD_MS[period], now_ms)


def at_risk(
    connection: sa.Connection, player: str, currency: str, now_ms: int
) -> dict[Period, int]:
    """What the player has lost in hands, has at tables and on its way: what he could lose."""
    mine = sa.and_(_held.player == player, _held.currency == currency)
    there = sa.select(sa.func.coalesce(sa.func.sum(_held.balance), 0)).where(
        mine, _held.kind.in_((Kind.AT_TABLE.value, Kind.IN_TRANSIT.value))
    )
    standing = int(connection.scalar(there) or 0)
    found = {}
    for period, long in PERIOD_MS.items():
        won = (
            sa.select(sa.func.coalesce(sa.func.sum(_line.amount), 0))
            .join(schema.accounts, _held.number == _line.account)
            .join(schema.postings, _post.number == _line.posting)
            .where(mine, _held.kind == Kind.AT_TABLE.value)
            .where(_post.time_ms > now_ms - long, _post.id.like("hand:%"))
        )
        found[period] = standing - int(connection.scalar(won) or 0)
    return found


def deposited(
    connection: sa.Connection, player: str, currency: str, long_ms: int, now_ms: int
) -> tuple[int, int]:
    """How much the player brought in within the last so long, and how often."""
    rows = (
        sa.select(sa.func.coalesce(sa.func.sum(_line.amount), 0), sa.func.count())
        .select_from(schema.entries)
        .join(schema.accounts, _held.number == _line.account)
        .join(schema.postings, _post.number == _line.posting)
        .where(_held.id == f"{Kind.PLAYER}:{player}:{currency}")
        .where(_post.time_ms > now_ms - long_ms, _post.id.like("deposit:%"))
    )
    amount, times = connection.execute(rows).one()
    return int(amount), int(times)
