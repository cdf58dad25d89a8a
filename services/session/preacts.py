"""Pre-acts: what a player wants done when his turn comes, kept until it does.

Each is made for one hand, one street and one price. When the turn comes it goes to the log as an
ordinary act that names hand, turn and price, so it can never act on a changed one; or it is
dropped. Kept in this process alone, for as long as the player looks on here, and never written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from riverboat.game.commands import Act, Action, Command
from riverboat.game.hand.options import Options, options
from riverboat.game.hand.state import Hand
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.table.state import Table
from riverboat.runtime import errors
from riverboat.runtime.errors import Fault
from riverboat.wire.v1.seats_pb2 import Intent, PreActRequest
from services.session.desk import Outcome, Tell
from services.session.views import seat_of

# These name a price and die with it; the others were made for whatever it would be.
BOUND: Final = frozenset({Intent.INTENT_CHECK, Intent.INTENT_CALL})

Ask = Callable[[str, str, Command, int, Tell], None]


class PreAct(NamedTuple):
    """What one player wants done at one table, and what it was made for."""

    hand: str
    street: int
    price: int
    intent: Intent.ValueType


class PreActs:
    """All that are kept in this process."""

    def __init__(self, ask: Ask) -> None:
        """`ask` takes a command to the log: the desk's."""
        self._ask = ask
        self._kept: dict[tuple[str, str], PreAct] = {}  # by table and player

    def __len__(self) -> int:
        return len(self._kept)

    def intent(self, table: str, player: str) -> Intent.ValueType:
        """What is kept for the player's next turn there."""
        kept = self._kept.get((table, player))
        return Intent.INTENT_UNSPECIFIED if kept is None else kept.intent

    def keep(self, table: Table, player: str, request: PreActRequest) -> Fault | None:
        """Keep this, in place of what was kept before; or why it makes no sense any more."""
        key = (table.id, player)
        self._kept.pop(key, None)  # whatever becomes of this one, that one was not meant any more
        if request.intent == Intent.INTENT_NOTHING:
            return None
        wanted = PreAct(request.hand, request.street, request.price, request.intent)
        hand = table.hand
        if hand is None:
            return errors.refused(Refusal(HandCode.NO_HAND))
        if wanted.hand != hand.id:
            return errors.refused(Refusal(HandCode.ANOTHER_HAND, hand=hand.id))
        seat = seat_of(hand, player)
        if seat is None:
            return errors.refused(Refusal(HandCode.NOT_IN_HAND))
        if wanted.street != hand.street:
            return errors.Fault(errors.ABORTED, "STREET_PASSED", "another street was dealt")
        if wanted.intent in BOUND and wanted.price != hand.price:
            return errors.refused(Refusal(HandCode.PRICE_CHANGED, price=hand.price))
        if hand.turn == seat.seat:
            return errors.Fault(errors.ABORTED, "YOUR_TURN", "the turn has come: act on it")
        if seat.folded or not seat.stack:
            message = "no turn comes any more"
            return errors.Fault(errors.FAILED_PRECONDITION, "NO_TURN", message)
        self._kept[key] = wanted
        return None

    def turned(self, table: Table, player: str) -> None:
        """The player's turn has come: do what is kept for it, or drop that."""
        kept = self._kept.pop((table.id, player), None)
        hand = table.hand
        if kept is None or hand is None or (kept.hand, kept.street) != (hand.id, hand.street):
            return
        action = chosen(kept, hand)
        if action is not None:
            act = Act(hand.id, hand.turn_number, hand.price, action, 0, ())
            self._ask(table.id, player, act, 0, _unheard)

    def forget(self, table: str, player: str) -> None:
        """The player looks on here no longer."""
        self._kept.pop((table, player), None)


def chosen(kept: PreAct, hand: Hand) -> Action | None:
    """What the intent comes to on this turn, whose player it is; None: nothing, it is dropped."""
    offered = options(hand)
    if offered is None or (kept.intent in BOUND and kept.price != hand.price):
        return None
    for action, is_open in _CHOICES[kept.intent]:
        if is_open(offered):
            return action
    return None


def _fold(offered: Options) -> bool:
    return offered.fold


def _check(offered: Options) -> bool:
    return offered.check


def _call(offered: Options) -> bool:
    return offered.call > 0


# In this order: the first that is open is done.
_CHOICES: Final = {
    Intent.INTENT_FOLD: ((Action.FOLD, _fold),),
    Intent.INTENT_CHECK_FOLD: ((Action.CHECK, _check), (Action.FOLD, _fold)),
    Intent.INTENT_CHECK: ((Action.CHECK, _check),),
    Intent.INTENT_CALL: ((Action.CALL, _call),),
    Intent.INTENT_CALL_ANY: ((Action.CALL, _call), (Action.CHECK, _check)),
}


def _unheard(_outcome: Outcome) -> None:
    """Nobody waits: what came of it, the table tells."""
