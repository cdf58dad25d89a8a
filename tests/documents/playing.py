"""Hands of the house rules, played by the product itself with cards that a test names.

Arranges decks and stakes and plays passively where a test does not care. Decides nothing: every
act goes through the same options, decisions and folds as at a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from riverboat.game import rules
from riverboat.game.cards import DECKS, cards
from riverboat.game.commands import Action, SitDown
from riverboat.game.hand.events import HandMucked, HandShown, Stakes
from riverboat.game.hand.options import Options, options
from riverboat.game.hand.state import Baton, Phase
from riverboat.game.refusals import Refusal
from riverboat.game.rules.schema import Forced, Game
from riverboat.game.table.events import ButtonRule, Settings
from tests.game.hand.dealt import Dealt
from tests.game.table.house import House

# Euros 5/10: the big blind is the lower bet. A spread of 1-2-3, its big blind the first number.
BLINDS: Final = {"small_blind": 250, "big_blind": 500}
ANTES: Final = {"ante": 100, "bring_in": 200}
FIXED: Final = {"small_bet": 500, "big_bet": 1000}
SPREAD: Final = {"spread": (100, 200, 300)}
SPREAD_BLINDS: Final = {"small_blind": 50, "big_blind": 100}
SPREAD_ANTES: Final = {"ante": 20, "bring_in": 40}


def stakes_of(game: Game, **other: Any) -> Stakes:
    """The usual stakes of these tests, or what a test says instead."""
    blinds = game.forced is Forced.BLINDS
    if game.limit == "sl":
        usual: dict[str, Any] = {**SPREAD, **(SPREAD_BLINDS if blinds else SPREAD_ANTES)}
    else:
        usual = {**(BLINDS if blinds else ANTES), **(FIXED if game.limit == "fl" else {})}
    return Stakes(**{**usual, **other})


def own_cards(game: Game) -> int:
    """How many cards a player gets without drawing."""
    return sum(street.down + street.up for street in game.streets)


def sit(
    book: str,
    variant: str,
    limit: str = "nl",
    holes: Mapping[int, str] | int = 3,
    then: str = "",
    stacks: Mapping[int, int] | None = None,
    raked: bool = False,
    **stakes: Any,
) -> Dealt:
    """A hand at its start: seats with these cards in the order they get them, or so many seats.

    `then` comes from the deck behind all own cards: the board, the Vela, the cards drawn. The
    last seat has the button, where the game has one.
    """
    named = dict.fromkeys(range(1, holes + 1), "") if isinstance(holes, int) else dict(holes)
    game = rules.game(book, variant, limit)
    many = len(named)
    blinds = (0, 0)
    if game.forced is Forced.BLINDS:
        blinds = (min(named), sorted(named)[1]) if many > 2 else (max(named), min(named))
    debts = stakes.pop("debts", None)
    dealt = Dealt(
        (book, variant, limit),
        {seat: (stacks or {}).get(seat, 100_000) for seat in named},
        stakes_of(game, **stakes),
        deck_of(game, named, then),
        button=max(named) if game.has_button else 0,
        blinds=blinds,
        debts=debts,
    )
    dealt.hand.raked = raked
    return dealt


def deck_of(game: Game, holes: Mapping[int, str], then: str) -> list[int]:
    """A deck that gives the seats these cards, one at a time, with any others behind them."""
    own = {seat: list(cards(letters)) for seat, letters in holes.items()}
    following = list(cards(then))
    named = {card for hand in own.values() for card in hand} | set(following)
    rest = [card for card in DECKS[game.deck] if card not in named]
    size = min(own_cards(game), len(DECKS[game.deck]) // len(own))  # eight at stud: six each
    for hand in own.values():
        while len(hand) < size:
            hand.append(rest.pop())
    longest = max(map(len, own.values()))
    dealt = [hand[at] for at in range(longest) for hand in own.values() if at < len(hand)]
    return [*dealt, *following, *rest]


def passes(dealt: Dealt) -> None:
    """The seat on turn does what costs least without folding."""
    offered = dealt.offered
    dealt.does(offered.seat, passive(offered))


def passive(offered: Options) -> Action:
    """What costs least without folding."""
    if offered.draw_most >= 0:
        return Action.DRAW
    if offered.bring_in:
        return Action.BRING_IN
    if offered.refuse_split:
        return Action.REFUSE_SPLIT
    return Action.CALL if offered.call else Action.CHECK


def plays(dealt: Dealt, *acts: tuple[Any, ...]) -> Dealt:
    """Each act in its turn; streets are dealt as soon as they are owed."""
    for act in acts:
        deals_on(dealt)
        dealt.does(*act)
    deals_on(dealt)
    return dealt


def deals_on(dealt: Dealt) -> None:
    """Every street that is owed now."""
    while dealt.hand.phase is Phase.DEAL:
        dealt.deals()


def to_round(dealt: Dealt, number: int) -> Dealt:
    """Passively into the round of betting of that number, from 0; drawing nothing."""
    deals_on(dealt)
    while dealt.hand.round < number or dealt.hand.phase is Phase.DRAW:
        passes(dealt)
        deals_on(dealt)
    assert dealt.hand.round == number and dealt.hand.baton is Baton.BETTING
    return dealt


def to_the_end(dealt: Dealt) -> Dealt:
    """Passively to the hand's end."""
    deals_on(dealt)
    while dealt.hand.turn:
        passes(dealt)
        deals_on(dealt)
    if dealt.hand.baton is Baton.SHOWDOWN:
        dealt.ends()
    assert dealt.hand.phase is Phase.OVER
    return dealt


def to_the_draw(dealt: Dealt) -> Dealt:
    """Passively to the next draw."""
    while dealt.hand.phase is not Phase.DRAW:
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        else:
            passes(dealt)
    return dealt


def to_the_bets(dealt: Dealt) -> Dealt:
    """Everybody left stands pat; on to the round of betting."""
    while dealt.hand.phase is Phase.DRAW:
        dealt.does(dealt.hand.turn, Action.DRAW)
    return dealt


def won(book: str, variant: str, holes: Mapping[int, str], then: str = "") -> dict[int, int]:
    """What each seat wins when everybody stays in to the end and nobody raises."""
    return to_the_end(sit(book, variant, holes=holes, then=then)).won()


def winners(book: str, variant: str, holes: Mapping[int, str], then: str = "") -> set[int]:
    """Who wins something, likewise."""
    return set(won(book, variant, holes, then))


def beats(book: str, variant: str, better: str, worse: str, then: str = "") -> bool:
    """Whether the better hand takes the pot from the worse, dealt first or dealt second."""
    return winners(book, variant, {1: better, 2: worse}, then) == {1} and winners(
        book, variant, {1: worse, 2: better}, then
    ) == {2}


def showing_order(dealt: Dealt) -> list[int]:
    """The seats as they showed or mucked."""
    return [e.seat for e in dealt.events if isinstance(e, (HandShown, HandMucked))]


# Tables.


def settings_of(book: str, variant: str, limit: str = "nl", **other: Any) -> Settings:
    """A table of the house rules with as many seats as the rulebook allows."""
    game = rules.game(book, variant, limit)
    values: dict[str, Any] = {
        "name": "Table",
        "rulebook": book,
        "variant": variant,
        "limit": limit,
        "stakes": stakes_of(game),
        "currency": "EUR",
        "seats": game.seats_most,
        "raked": False,
        "button_rule": ButtonRule.MOVING,
        "runs": 1,
        "buy_in_least": 0,
        "buy_in_most": 0,
        "turn_ms": 20_000,
        "grace_ms": 60_000,
        "reserve_ms": 15_000,
        "pause_ms": 2_000,
    }
    return Settings(**{**values, **other})


def table_of(settings: Settings, *players: str, stack: int = 10_000) -> House:
    """An open table with these players on its first seats."""
    house = House.opened(settings)
    for player in players:
        house.seat(player, stack)
    return house


def asks_to_sit(house: House, player: str, amount: int) -> Refusal | None:
    """Why the player may not sit down with this amount; None when he may."""
    decision = house.ask(player, SitDown(0, amount, True, f"line of {player}"))
    return decision if isinstance(decision, Refusal) else None


def starts(house: House) -> None:
    """The next hand begins, when its pause is over."""
    house.wait(3_000)
    house.run()
    assert house.playing()


def plays_out(house: House) -> None:
    """Everybody stays in to the end of the hand that is being played."""
    deal = house.table.deal
    while house.table.deal is not None and house.table.deal is deal:
        offered = options(house.hand)
        assert offered is not None
        house.act(passive(offered))
