"""The showdown's public call: hands in, values and winners out.

The same rankings that judge every hand that is played. Looks at no table and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.cards import DECKS, cards, text
from riverboat.game.hand.events import Half
from riverboat.game.ranking import Ranking, ranking, values
from riverboat.game.rules import RulesError, game, in_force
from riverboat.game.rules.schema import Game
from riverboat.runtime.calls import Call
from riverboat.runtime.errors import BadInput
from riverboat.wire.v1 import showdown_pb2


class Showdown:
    """Handles `ShowdownService`."""

    async def evaluate(
        self, request: showdown_pb2.EvaluateRequest, _call: Call
    ) -> showdown_pb2.EvaluateResponse | BadInput:
        """What these hands are worth on these boards, and which of them win."""
        try:
            # No limit changes what a hand is worth.
            limit = in_force().limits_of(request.rulebook, request.variant)[0]
            played = game(request.rulebook, request.variant, limit)
        except RulesError:
            known = request.rulebook in in_force().rulebooks
            return BadInput("variant" if known else "rulebook", "must be one that is offered")
        own = played.own_at_showdown
        least, most = _board_least(played, own), sum(street.board for street in played.streets)
        if least and not request.boards:
            return BadInput("boards", f"must hold a board of {least} to {most} cards")
        seen: set[int] = set()
        hands: list[Cards] = []
        for at, written in enumerate(request.hands):
            hand = _read(f"hands[{at}]", written, played, own, own, seen)
            if isinstance(hand, BadInput):
                return hand
            hands.append(hand)
            seen |= set(hand)
        boards: list[Cards] = []
        for at, written in enumerate(request.boards):
            board = _read(f"boards[{at}]", written, played, least, most, seen)
            if isinstance(board, BadInput):
                return board
            boards.append(board)
        found = [_board(played, board, hands) for board in boards or [()]]
        return showdown_pb2.EvaluateResponse(boards=found)


Cards = tuple[int, ...]


def _read(
    name: str, written: str, played: Game, least: int, most: int, seen: set[int]
) -> Cards | BadInput:
    """The cards of one hand or board, none of them among those `seen`."""
    try:
        found = cards(written)
    except ValueError:
        return BadInput(name, 'must be cards as in "AhKd"')
    deck = DECKS[played.deck]
    if not set(found) <= set(deck):
        return BadInput(name, f"must be cards of this game's deck, {text(deck[0])} and up")
    if not least <= len(found) <= most:
        size = f"{least} to {most}" if least < most else f"{most}"
        return BadInput(name, f"must be {size} cards")
    if len(set(found)) < len(found) or not seen.isdisjoint(found):
        return BadInput(name, "must not hold a card that is there already")
    return found


def _board_least(played: Game, own: int) -> int:
    """How many shared cards it takes to make every hand whole."""
    if played.select == "two_and_three":
        return 3
    return max(0, max(each.size for _, each in _rankings(played)) - own)


def _rankings(played: Game) -> list[tuple[str, Ranking]]:
    return [(name, ranking(name)) for name in (played.high, played.low) if name]


def _board(played: Game, board: Cards, hands: Sequence[Cards]) -> showdown_pb2.BoardValues:
    found = showdown_pb2.BoardValues()
    rankings = _rankings(played)
    halves = [Half.HIGH, Half.LOW] if len(rankings) > 1 else [Half.WHOLE]
    for half, (name, each) in zip(halves, rankings, strict=True):
        worth = values(name, played.select, board, hands)
        found.halves.add(
            half=half.value,
            values=worth,
            names=[each.describe(value) for value in worth],
            winners=each.winners(worth, len(hands)),
        )
    return found
