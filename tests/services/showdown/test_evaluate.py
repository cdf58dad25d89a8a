"""The public call: what hands are worth, and what is wrong with a request."""

from __future__ import annotations

import pytest

from riverboat.game.hand.events import Half
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call, methods
from riverboat.runtime.errors import BadInput
from riverboat.wire.v1 import showdown_pb2
from services.showdown.rpc import Showdown

CALL = Call(Caller("ann", frozenset(), 0), "c1")
HILO = "omaha_hilo"


async def evaluate(variant, boards, hands, rulebook="standard"):
    request = showdown_pb2.EvaluateRequest(
        rulebook=rulebook, variant=variant, boards=boards, hands=hands
    )
    return await Showdown().evaluate(request, CALL)


async def test_the_best_of_two_hands_on_a_board():
    found = await evaluate("holdem", ["2s7d9hJcQc"], ["AhAd", "KhKd"])
    (half,) = found.boards[0].halves
    assert half.half == Half.WHOLE
    assert list(half.winners) == [0]
    assert half.values[0] > half.values[1] > 0
    assert list(half.names) == [
        "one pair, aces, queen-jack-nine kickers",
        "one pair, kings, queen-jack-nine kickers",
    ]


async def test_each_run_has_its_own_winners():
    found = await evaluate("holdem", ["2s7d9hJcQc", "2s7d9hKcQc"], ["AhAd", "KhKd"])
    assert [list(board.halves[0].winners) for board in found.boards] == [[0], [1]]


async def test_equal_hands_share():
    """RULES 5: "Ties split equally." """
    found = await evaluate("holdem", ["AsKsQsJsTs"], ["2h3h", "4d5d", "6c7c"])
    assert list(found.boards[0].halves[0].winners) == [0, 1, 2]


async def test_high_and_low_are_judged_apart():
    """RULES 2: "low is ace-to-five, eight or better"; "No qualifying low: the high hand takes
    all."
    """
    found = await evaluate(HILO, ["2s3d7hKcQc"], ["AhAd8c9c", "4h5dTcJs"])
    high, low = found.boards[0].halves
    assert (high.half, low.half) == (Half.HIGH, Half.LOW)
    assert (list(high.winners), list(low.winners)) == ([0], [1])
    found = await evaluate(HILO, ["9s3d7hKcQc"], ["AhAd8c9c", "4h5dTcJs"])
    assert list(found.boards[0].halves[1].values) == [0, 0]
    assert list(found.boards[0].halves[1].winners) == []


async def test_games_without_a_board_and_with_another_deck():
    """RULES 2: "a flush beats a full house" with 32 cards."""
    found = await evaluate("americana", [], ["7h8hTh Qh Ah", "KsKdKcAsAc"], "lt")
    assert list(found.boards[0].halves[0].winners) == [0]


@pytest.mark.parametrize(
    ("request_of", "field", "reason"),
    [
        (("holdem", ["2s7d9hJcQc"], ["AhAd"], "lv"), "rulebook", "must be one that is offered"),
        (("snap", ["2s7d9hJcQc"], ["AhAd"]), "variant", "must be one that is offered"),
        (("holdem", [], ["AhAd"]), "boards", "must hold a board of 3 to 5 cards"),
        (("holdem", ["2s7d9h"], ["AhAx"]), "hands[0]", 'must be cards as in "AhKd"'),
        (("holdem", ["2s7d9h"], ["AhA"]), "hands[0]", 'must be cards as in "AhKd"'),
        (("holdem", ["2s7d9h"], ["AhAd", "Kh"]), "hands[1]", "must be 2 cards"),
        (
            ("holdem", ["2s7d9h"], ["AhAd", "KhAd"]),
            "hands[1]",
            "must not hold a card that is there already",
        ),
        (
            ("holdem", ["2s7d9h"], ["AhAh"]),
            "hands[0]",
            "must not hold a card that is there already",
        ),
        (("holdem", ["2s7d"], ["AhAd"]), "boards[0]", "must be 3 to 5 cards"),
        (("holdem", ["2s7d9hJcQc2h"], ["AhAd"]), "boards[0]", "must be 3 to 5 cards"),
        (
            ("holdem", ["2s7d9h", "2s7dAd"], ["AhAd"]),
            "boards[1]",
            "must not hold a card that is there already",
        ),
        (
            ("americana", [], ["2h8hThQhAh"], "lt"),
            "hands[0]",
            "must be cards of this game's deck, 7c and up",
        ),
        (("soko", ["2s"], ["AhAdAcKsKd"]), "boards[0]", "must be 0 cards"),
    ],
)
async def test_a_request_that_makes_no_sense_names_its_field(request_of, field, reason):
    assert await evaluate(*request_of) == BadInput(field, reason)


def test_every_method_is_handled():
    service = showdown_pb2.DESCRIPTOR.services_by_name["ShowdownService"]
    (method,) = methods(service, Showdown())
    assert method.path == "/riverboat.wire.v1.ShowdownService/Evaluate"
