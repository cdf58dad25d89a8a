"""What a simulated player does on his turn: any of his options, weighted.

The weights only give hands a shape: some are folded early, many are contested to the end. Chance
comes from the run's seed. No skill is meant.
"""

from __future__ import annotations

from random import Random

from riverboat.game.commands import Action
from riverboat.game.hand.options import Options

# How much a seat likes each: hands should be contested, and often go to the showdown.
LIKES = {
    Action.FOLD: 12,
    Action.CHECK: 40,
    Action.CALL: 45,
    Action.RAISE: 15,
    Action.BRING_IN: 40,
    Action.DRAW: 40,
    Action.SPLIT: 20,
    Action.REFUSE_SPLIT: 10,
}
ALL_IN = 0.12  # how often a raise is of everything


def pick(rng: Random, offered: Options, cards: int) -> tuple[Action, int, tuple[int, ...]]:
    """An action, its total and the cards to throw; `cards` is how many the seat holds."""
    open_to = []
    if offered.fold:
        open_to.append(Action.FOLD)
    if offered.check:
        open_to.append(Action.CHECK)
    if offered.call:
        open_to.append(Action.CALL)
    if offered.raise_least:
        open_to.append(Action.RAISE)
    if offered.bring_in:
        open_to.append(Action.BRING_IN)
    if offered.draw_most >= 0:
        open_to.append(Action.DRAW)
    if offered.split:
        open_to.append(Action.SPLIT)
    if offered.refuse_split:
        open_to.append(Action.REFUSE_SPLIT)
    action = rng.choices(open_to, [LIKES[each] for each in open_to])[0]
    if action is Action.RAISE:
        return action, _total(rng, offered), ()
    if action is Action.DRAW:
        count = rng.randint(offered.draw_least, min(offered.draw_most, cards))
        return action, 0, tuple(sorted(rng.sample(range(cards), count)))
    return action, 0, ()


def _total(rng: Random, offered: Options) -> int:
    if offered.sizes:
        return rng.choice(offered.sizes)
    least, most = offered.raise_least, offered.raise_most
    if rng.random() < ALL_IN:
        return most
    if rng.random() < 0.5:
        return least
    return rng.randint(least, min(most, 4 * least) if least < most else most)
