"""Tables for tests: settings, players in their seats, and what a decision is given.

Holds no test. Decks here are open for all to see, as a test wants them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from riverboat.game.hand.events import Stakes
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.game.table.given import Decks, Given, Sealed, SealedHand
from riverboat.game.table.state import Sitting, Table

NOW_MS = 1_800_000_000_000

SETTINGS = Settings(
    name="Vilnius",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=5, big_blind=10),
    currency="EUR",
    seats=6,
    raked=True,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=0,
    buy_in_most=0,
    turn_ms=20_000,
    grace_ms=60_000,
    reserve_ms=15_000,
    pause_ms=2_000,
)


class OpenOrder:
    """A deck whose order everybody knows; it proves a card by naming it."""

    def __init__(self, order: Sequence[int]) -> None:
        self.order = tuple(order)

    def prove(self, places: Sequence[int]) -> bytes:
        return bytes(self.order[place] for place in places)


class OpenDecks:
    """Decks whose order follows from the table, the hand and the version."""

    def new(self, table: str, hand: str, version: int, cards: Sequence[int]) -> Sealed:
        def drawn(card: int) -> bytes:
            return hashlib.blake2b(f"{table} {hand} {version} {card}".encode()).digest()

        order = tuple(sorted(cards, key=drawn))
        return Sealed(bytes(order), "open", hashlib.blake2b(bytes(order)).digest(), order)

    def open(self, table: str, hand: SealedHand) -> OpenOrder:
        return OpenOrder(b"".join([hand.sealed, *(stub.sealed for stub in hand.stubs)]))


def given(
    now_ms: int = NOW_MS, offset: int = -1, drawn: int = 0, decks: Decks | None = None
) -> Given:
    """What a decision is given at `now_ms`; entropy that always says `drawn`."""
    return Given(now_ms, offset, lambda count: drawn.to_bytes(count, "big"), decks or OpenDecks())


def sitting(seat: int, stack: int = 1000, player: str = "", **rest: object) -> Sitting:
    """A player who has played here before and owes nothing."""
    made = Sitting(seat, player or f"p{seat}", f"r{seat}", stack, fresh=False)
    return replace(made, **rest)  # type: ignore[arg-type]


def table(*sittings: Sitting, **rest: object) -> Table:
    """A table that is open, between hands, with these players."""
    made = Table("1.0", version=7, head="dealer/1/7", time_ms=NOW_MS, settings=SETTINGS)
    made.sittings = {each.seat: each for each in sittings}
    made.bought_in = sum(each.stack + each.behind for each in sittings)
    for name, value in rest.items():
        setattr(made, name, value)
    return made
