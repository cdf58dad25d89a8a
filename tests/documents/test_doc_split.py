"""The 32-card draw: the choice to split the pot, and hands that are never equal."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.events import (
    HandMucked,
    HandShown,
    PotAwarded,
)
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.documents.playing import (
    beats,
    passes,
    plays,
    sit,
    to_the_bets,
    to_the_draw,
    to_the_end,
)
from tests.documents.quoting import by_game
from tests.game.hand.dealt import Dealt

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
DRAW, SPLIT, REFUSE = Action.DRAW, Action.SPLIT, Action.REFUSE_SPLIT
DRAWS = {"draw5": (5, 1), "triple_draw27": (5, 3), "draw32": (4, 1)}  # most cards, how often


# The choice to split.


HANDS = {1: "AhAdAcKhKd", 2: "7h8c9dJsQh", 3: "7d8d9hJhQd"}


def after_the_draw(book: str, **more) -> Dealt:
    return to_the_bets(to_the_draw(sit(book, "draw32", holes=HANDS, **more)))


def in_turn(dealt: Dealt) -> list[int]:
    """Seats in the order in which they act after the draw."""
    first = dealt.hand.turn
    return [(first - 1 + step) % 3 + 1 for step in range(3)]


ALL_SPLIT = by_game(
    "SPLIT stands beside fold, check and bet for the first to act; if all choose it, all share",
    (
        "lt",
        "16.8",
        "Jeigu visi žaidejai pasirenka „SPLIT“ mygtuką, puodas yra padalinamas",
    ),
    ("et", "13.8", "Kui kõik jaotuses osalevad mängijad valivad poolitamise, jagatakse potis olev"),
)


@pytest.mark.parametrize(("book", "variant"), ALL_SPLIT)
def test_all_who_choose_split_share_the_pot(book, variant):
    dealt = after_the_draw(book)
    for seat in in_turn(dealt):
        offered = dealt.offered
        assert (offered.seat, offered.split) == (seat, True)
        assert offered.fold and offered.check and offered.raise_least
        dealt.does(seat, SPLIT)
    dealt.ends()
    assert dealt.won() == {1: 500, 2: 500, 3: 500}
    # et: hands are shown all the same, from behind the big blind.
    shown = [event.seat for event in dealt.happened(HandShown)]
    assert shown == ([3, 1, 2] if book == "et" else [])
    assert not dealt.happened(HandMucked)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "each has the choice only if all before him chose to split",
        ("lt", "16.8", "jam atlikus statymą, kitas žaidejas jau šio pasirinkimo netures"),
        ("et", "13.8", "muu tegevuse kui poolitamine, siis ülejäänud mängijad seda nuppu ei näe"),
    ),
)
@pytest.mark.parametrize("other", [CHECK, RAISE, FOLD])
def test_another_choice_ends_the_splitting(book, variant, other):
    dealt = after_the_draw(book)
    first, second, third = in_turn(dealt)
    dealt.does(first, SPLIT)
    assert dealt.offered.split
    dealt.does(second, other, 1_000 if other is RAISE else 0)
    assert (dealt.offered.seat, dealt.offered.split) == (third, False)
    refused = dealt.tries(dealt.the_act(SPLIT))
    assert refused == Refusal(HandCode.NOT_OFFERED)
    passes(dealt)
    if other is RAISE:
        # What he chose before stands as a check: he may still call.
        offered = dealt.offered
        assert (offered.seat, offered.split, offered.call) == (first, False, 1_000)
        passes(dealt)
    assert len(to_the_end(dealt).won()) == 1  # the cards decide


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "who is all-in may refuse, for the pot that he is in",
        ("lt", "16.8", "visus pinigus pastatęs žaidejas turi teisę atsisakyti dalinimosi"),
        ("et", "13.8", "on mängijal alati õigus poolitus tagasi lükata"),
    ),
)
def test_an_all_in_player_may_refuse_for_his_pot(book, variant):
    for answer in (SPLIT, REFUSE):
        # Seat 3 is all-in with 500: a main pot of 1500 and a side pot of 1000.
        dealt = sit(book, "draw32", holes=HANDS, stacks={3: 500})
        plays(dealt, (3, CALL), (1, RAISE, 1_000), (2, CALL))
        to_the_bets(to_the_draw(dealt))
        while dealt.hand.phase is Phase.BET:
            dealt.does(dealt.hand.turn, SPLIT)
        assert (dealt.hand.turn, dealt.hand.phase) == (3, Phase.SPLIT)
        dealt.does(3, answer)
        dealt.ends()
        paid = {
            event.pot: {share.seat: share.amount for share in event.shares}
            for event in dealt.happened(PotAwarded)
        }
        assert paid[1] == {1: 500, 2: 500}  # the side pot is split either way
        assert paid[0] == ({1: 500, 2: 500, 3: 500} if answer is SPLIT else {1: 1_500})


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the pot is not split of itself: suits make every hand different",
        ("lt", "16.7", "nera imanomas pagrindinio puodo pasidalinimas"),
        (
            "et",
            "13.7",
            "Kuna selles mängus loevad ka mastid, ei toimu poti automaatset",
        ),
    ),
)
def test_suits_leave_no_tie(book, variant):
    assert beats(book, variant, "KhQhJh9h8h", "AdKdJd9d8d") is False  # flushes go by rank
    assert beats(book, variant, "AhKdQsJc9d", "AdKhQhJh9c")
    assert beats(book, variant, "AsAdKhQd8d", "AhAcKdQh8h")


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the same holds with side pots and all-in players",
        ("lt", "16.7", "Ta pati taisykle galioja ir kai žaidime susidaro šoninis puodas"),
        ("et", "13.7", "Sama reegel kehtib ka juhul kui lauas on kõrvalpotid"),
    ),
)
def test_the_order_of_showing_holds_with_side_pots(book, variant):
    dealt = sit(book, variant, holes=4, stacks={4: 500})
    to_the_end(dealt)
    shown = [e.seat for e in dealt.events if isinstance(e, (HandShown, HandMucked))]
    assert shown[0] == 3
