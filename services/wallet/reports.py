"""Reports: what the ledger tells an operator of his business. Reads only, from either database.

Days are UTC. A hand belongs to the day on which it ended, and to the game that its table's options
named when it was dealt: what was told of a day past is told of it for ever. Hands of before this
was kept are told without a game, or with the one that their table had when the ledger was upgraded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from riverboat.game.money import share_in_proportion
from riverboat.ledger.accounts import LIABILITIES, Kind
from riverboat.ledger.standing import DAY_MS
from services.wallet import schema
from services.wallet.store import Line, Store
from services.wallet.teller import Teller

# Rows that are fetched at once, where there may be millions.
FETCH: Final = 5_000
PAGE: Final = 500

_post, _line, _held = schema.postings.c, schema.entries.c, schema.accounts.c
_game, _put = schema.games.c, schema.contributions.c


class Span(NamedTuple):
    """From `from_ms` on, and before `until_ms`."""

    from_ms: int
    until_ms: int


class Earned(NamedTuple):
    """What one game brought in on one day."""

    day: int  # since the epoch
    rulebook: str
    variant: str
    limit: str
    stakes: str
    currency: str
    hands: int
    players: int  # who won or lost in them
    rake: int


class Contributed(NamedTuple):
    """What one player contributed to the rake in one currency."""

    player: str
    currency: str
    hands: int  # that were raked, and he put something into
    rake: int


class Kept(NamedTuple):
    """All accounts of one kind, in one currency."""

    currency: str
    kind: Kind
    balance: int

    @property
    def is_liability(self) -> bool:
        """Whether it is owed to players."""
        return self.kind in LIABILITIES


def _hands(span: Span) -> sa.ColumnElement[bool]:
    return sa.and_(
        _post.time_ms >= span.from_ms, _post.time_ms < span.until_ms, _post.id.like("hand:%")
    )


def earned(store: Store, span: Span) -> list[Earned]:
    """Rake, hands and players by day, rulebook, game and currency."""
    group = [
        (_post.time_ms // DAY_MS).label("day"),
        _game.rulebook,
        _game.variant,
        _game.limits,
        _game.stakes,
        _game.currency,
    ]
    told = schema.games.alias("told")
    # Options change between hands alone: what they said last before its end, it was dealt under.
    since = (
        sa.select(sa.func.max(told.c.version))
        .where(told.c.table_id == _post.table_id, told.c.version <= _post.version)
        .scalar_subquery()
    )
    rake, seat = _held.kind == Kind.RAKE.value, _held.kind == Kind.AT_TABLE.value
    rows = (
        sa.select(
            *group,
            sa.func.count(_post.number.distinct()),
            sa.func.count(sa.case((seat, _held.player)).distinct()),
            sa.cast(
                sa.func.coalesce(sa.func.sum(sa.case((rake, _line.amount), else_=0)), 0),
                sa.BigInteger,
            ),
        )
        .select_from(schema.postings)
        .join(schema.games, sa.and_(_game.table_id == _post.table_id, _game.version == since))
        .outerjoin(schema.entries, _line.posting == _post.number)
        .outerjoin(schema.accounts, _held.number == _line.account)
        .where(_hands(span))
        .group_by(*group)
        .order_by(*group)
    )
    with store.connection(write=False) as connection:
        return [Earned._make(row) for row in connection.execute(rows)]


def contributed(store: Store, span: Span) -> list[Contributed]:
    """Rake by the player who contributed it, for rakeback.

    A hand's rake is shared in proportion to what each put into its pots, as its record says. Older
    records say results alone: there a loser counts for what he lost; a winner, whose own chips came
    back, for as much as the one who lost most, for so much he had to match. The shares of a hand
    sum to its rake, to the unit.
    """
    hands: dict[tuple[str, str], int] = defaultdict(int)
    shares: dict[tuple[str, str], int] = defaultdict(int)
    for rake, currency, weighed in chain(_put_in(store, span), _by_results(store, span)):
        weights = [weight for _, weight in weighed]
        if not sum(weights):
            continue
        for (player, _), share in zip(weighed, share_in_proportion(rake, weights), strict=True):
            hands[player, currency] += 1
            shares[player, currency] += share
    return [
        Contributed(player, currency, hands[player, currency], rake)
        for (player, currency), rake in sorted(shares.items())
    ]


# A raked hand: the rake, its currency, and a number for each player.
_Hand = tuple[int, str, list[tuple[str, int]]]


def _put_in(store: Store, span: Span) -> Iterator[_Hand]:
    """The raked hands whose records say what each put in."""
    raked = _raked(span)
    rows = (
        sa.select(raked.c.posting, raked.c.amount, raked.c.currency, _held.player, _put.amount)
        .join(schema.contributions, _put.posting == raked.c.posting)
        .join(schema.accounts, _held.number == _put.account)
        .order_by(raked.c.posting, _held.player, _held.number)
    )
    return _hand_by_hand(store, rows)


def _by_results(store: Store, span: Span) -> Iterator[_Hand]:
    """The others, each player weighed by what he won or lost."""
    raked = _raked(span)
    rows = (
        sa.select(raked.c.posting, raked.c.amount, raked.c.currency, _held.player, _line.amount)
        .join(schema.entries, _line.posting == raked.c.posting)
        .join(schema.accounts, _held.number == _line.account)
        .where(_held.kind == Kind.AT_TABLE.value)
        .where(~sa.exists().where(_put.posting == raked.c.posting))
        .order_by(raked.c.posting, _held.player, _held.number)
    )
    for rake, currency, results in _hand_by_hand(store, rows):
        most_lost = max((-amount for _, amount in results if amount < 0), default=0)
        weighed = [(who, -amount if amount < 0 else most_lost) for who, amount in results]
        yield rake, currency, weighed


def _raked(span: Span) -> sa.Subquery:
    return (
        sa.select(_line.posting, _line.amount, _held.currency)
        .join(schema.accounts, _held.number == _line.account)
        .join(schema.postings, _post.number == _line.posting)
        .where(_held.kind == Kind.RAKE.value, _line.amount > 0, _hands(span))
        .subquery()
    )


def _hand_by_hand(store: Store, rows: sa.Select[Any]) -> Iterator[_Hand]:
    hand: tuple[Any, ...] = ()
    told: list[tuple[str, int]] = []
    with store.connection(write=False) as connection:
        found = connection.execution_options(yield_per=FETCH).execute(rows)
        for posting, rake, currency, player, amount in found:
            if hand and hand[0] != posting:
                yield hand[1], hand[2], told
                told = []
            hand = (posting, rake, currency)
            told.append((player, amount))
    if hand:
        yield hand[1], hand[2], told


def kept(store: Store, until_ms: int) -> list[Kept]:
    """What stood on all accounts of each kind when everything before `until_ms` was booked."""
    rows = (
        sa.select(_held.currency, _held.kind, sa.cast(sa.func.sum(_line.amount), sa.BigInteger))
        .join(schema.entries, _line.account == _held.number)
        .join(schema.postings, _post.number == _line.posting)
        .where(_post.time_ms < until_ms)
        .group_by(_held.currency, _held.kind)
        .order_by(_held.currency, _held.kind)
    )
    with store.connection(write=False) as connection:
        return [
            Kept(currency, Kind(kind), balance)
            for currency, kind, balance in connection.execute(rows)
        ]


def statement(store: Store, player: str, currency: str) -> Iterator[Line]:
    """All lines of a player's account, newest first, a page at a time."""
    teller, before = Teller(store), 0
    while True:
        page = teller.statement(player, currency, before, PAGE)
        yield from page.lines
        before = page.next_before
        if not before:
            return
