"""Known cards: what a recorded hand tells of them, as a deck that deals just these.

Every card that nobody saw is a blank, and no two blanks are the same. Plays nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from riverboat.game.cards import DECKS
from riverboat.game.replay.recorded import UNKNOWN, Recorded, Step
from riverboat.game.rules.schema import Game, Opener


class Known:
    """The cards of a recorded hand; seats are the record's own, `order` is that of dealing."""

    def __init__(self, then: Recorded, order: Sequence[int], game: Game) -> None:
        self.deck: list[int] = []
        self.hands: dict[int, list[int]] = {seat: [] for seat in order}
        # By street: how many cards each seat got, down and up; stud and draw only.
        self.deals: list[dict[int, tuple[int, int]]] = []
        self._blanks = count(-1, -1)
        self._order = order
        self._streets = game.streets
        self._unseen_up = _last_to_open(then, game)
        self._guessed: set[int] = set()
        if any(step.kind == "deal" for step in then.steps):
            self._by_steps(then)
        else:
            self._by_holes(then)

    def _filled(self, cards: Sequence[int]) -> list[int]:
        return [next(self._blanks) if card == UNKNOWN else card for card in cards]

    def _filled_up(self, cards: Sequence[int]) -> list[int]:
        """An up card that no camera saw did not open: it becomes one that opens last of all."""
        up = list(cards)
        for at, card in enumerate(up):
            if card == UNKNOWN:
                up[at] = self._unseen_up.pop() if self._unseen_up else next(self._blanks)
                self._guessed.add(up[at])
        return up

    def _round(self, hands: dict[int, list[int]]) -> None:
        """Cards go one at a time, clockwise."""
        most = max((len(cards) for cards in hands.values()), default=0)
        dealt_in = [seat for seat in self._order if seat in hands]
        self.deck += [
            hands[seat][at] for at in range(most) for seat in dealt_in if at < len(hands[seat])
        ]
        for seat, cards in hands.items():
            self.hands[seat] += cards

    def _by_holes(self, then: Recorded) -> None:
        """Games with a board: the hands at once, then board by board."""
        blanks = (UNKNOWN,) * self._streets[0].down
        self._round({chair.seat: self._filled(chair.hole or blanks) for chair in then.seats})
        whole = sum(street.board for street in self._streets)
        for run in range(then.runs):
            steps = [step for step in then.steps if step.kind == "street" and step.run == run]
            board = [card for step in steps for card in step.cards]
            # Only the first board can end early, and only by folds.
            short = 0 if run else whole - len(board)
            self.deck += self._filled([*board, *[UNKNOWN] * short])

    def _by_steps(self, then: Recorded) -> None:
        """Stud and draw: the deals of each street, and what came in draws."""
        down: dict[int, list[int]] = {}
        up: dict[int, list[int]] = {}
        for step in [*then.steps, Step("street")]:
            match step.kind:
                case "street":
                    self._round(down)
                    self._round(up)
                    down, up = {}, {}
                    self.deals.append({})
                    self.deck += self._filled(step.cards)
                case "deal" if self.deals:
                    self.deals[-1][step.seat] = len(step.down), len(step.up)
                    down[step.seat] = self._filled(step.down)
                    up[step.seat] = self._filled_up(step.up)
                case "draw":
                    self._round(down)
                    down = {}
                    self._draw(step)

    def _draw(self, step: Step) -> None:
        own = self.hands[step.seat]
        came = self._filled(step.cards)
        self.deck += came
        for at, card in zip(thrown(own, step), came, strict=False):
            own[at] = card

    def final(self, seat: int) -> tuple[int, ...]:
        """The seat's last hand as it was dealt; none where some of it was never seen."""
        own = self.hands[seat]
        seen = all(card >= 0 and card not in self._guessed for card in own)
        return tuple(own) if seen else ()


def _last_to_open(then: Recorded, game: Game) -> list[int]:
    """The cards that the record never names, those that open first of all first."""
    named = {
        card for step in then.steps for card in (*step.cards, *step.down, *step.up, *step.thrown)
    }
    unseen = [card for card in DECKS[game.deck] if card not in named]
    ace_low = game.bring_in_ace_low
    unseen.sort(key=lambda card: ((card >> 2) + ace_low) % 13)
    return unseen[::-1] if game.first_opener is Opener.BRING_IN_HIGHEST else unseen


def thrown(own: Sequence[int], step: Step) -> list[int]:
    """Which of the seat's own cards a draw threw, by place: those named, then any unseen."""
    named = [own.index(card) for card in step.thrown if card in own]
    unseen = [at for at, card in enumerate(own) if card < 0]
    rest = [at for at in range(len(own)) if at not in named and at not in unseen]
    return sorted([*named, *unseen, *rest][: step.count])
