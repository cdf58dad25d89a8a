"""The digest of a table's state: equal where two readers agree, different where they do not.

It covers every field but what one reader alone knows, or does not: that it has stopped a hand, what
was held in the last one, which a reader that stopped it cannot tell, and which orders had effect,
which a release before drops from its snapshots. It looks at values only, never at how they came
about. A change of the state's fields, or of what an event makes of them, changes `LAYOUT`, with
which every digest begins: digests of different layouts say nothing to each other.
"""

from __future__ import annotations

from dataclasses import fields
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final

from riverboat.game.hand.events import Pot, PotAwarded, Reshuffled, Share, Stakes
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.table.events import GameOffered, OfferedGame, Settings
from riverboat.game.table.state import (
    Answer,
    Deal,
    Hold,
    Reservation,
    Sitting,
    Table,
    Waiter,
)

LAYOUT: Final = b"\x07"

# What one reader alone knows, and what stands elsewhere in the digest by its parts.
_OWN: Final = ("stopped", "stopped_at", "lost", "last", "orders")
_PARTS: Final = (
    "settings",
    "coming",
    "holds",
    "waiters",
    "sittings",
    "reservations",
    "deal",
    "hand",
    "choice",
    "offsets",
    "answers",
)
_HAND_PARTS: Final = ("game", "stakes", "seats", "baton", "phase", "stubs", "pots", "awards")


def _values(kind: type, *apart: str) -> attrgetter[tuple[Any, ...]]:
    return attrgetter(*[field.name for field in fields(kind) if field.name not in apart])


_table = _values(Table, *_OWN, *_PARTS)
_settings = _values(Settings, "stakes", "button_rule", "apart")
_stakes = _values(Stakes)
_sitting = _values(Sitting)
_reservation = _values(Reservation)
_answer = _values(Answer)
_deal = _values(Deal)
_hold = _values(Hold)
_waiter = _values(Waiter)
_choice = _values(GameOffered, "games")
_offered = _values(OfferedGame, "stakes")
_hand = _values(Hand, *_HAND_PARTS)
_game = attrgetter("rulebook", "variant", "limit", "digest")
_seat = _values(Seat)
_stub = _values(Reshuffled)
_pot = _values(Pot)
_award = _values(PotAwarded, "half", "shares")
_share = _values(Share)


def digest(table: Table) -> bytes:
    """The layout, and sixteen bytes that stand for the whole state of `table`."""
    settings, deal, hand = table.settings, table.deal, table.hand
    sittings, held, answers = table.sittings, table.reservations, table.answers
    parts = (
        _table(table),
        settings and _of_settings(settings),
        table.coming and _of_settings(table.coming),
        [_hold(table.holds[player]) for player in sorted(table.holds)] if table.holds else (),
        [_waiter(each) for each in table.waiters] if table.waiters else (),
        [_sitting(sittings[seat]) for seat in sorted(sittings)],
        [_reservation(held[name]) for name in sorted(held)] if held else (),
        deal and _deal(deal),
        hand and _of_hand(hand),
        table.choice and _of_choice(table.choice),
        sorted(table.offsets.items()),
        [(name, _answer(answers[name])) for name in sorted(answers)],
    )
    # `ascii` of numbers, text, bytes and None is exact, and the same in every process; `repr` is
    # not, for which characters it escapes depends on the Unicode tables of the day.
    return LAYOUT + blake2b(ascii(parts).encode(), digest_size=16).digest()


def _of_settings(settings: Settings) -> tuple[Any, ...]:
    apart = [each.players for each in settings.apart]
    return _settings(settings), int(settings.button_rule), _stakes(settings.stakes), apart


def _of_choice(choice: GameOffered) -> tuple[Any, ...]:
    return _choice(choice), [(_offered(each), _stakes(each.stakes)) for each in choice.games]


def _of_hand(hand: Hand) -> tuple[Any, ...]:
    return (
        _hand(hand),
        _game(hand.game),  # its own digest stands for all the rest of it
        _stakes(hand.stakes),
        [_seat(seat) for seat in hand.seats.values()],  # in dealing order
        int(hand.baton),
        int(hand.phase),
        [_stub(stub) for stub in hand.stubs],
        [_pot(pot) for pot in hand.pots],
        [
            (_award(award), int(award.half), [_share(share) for share in award.shares])
            for award in hand.awards
        ],
    )
