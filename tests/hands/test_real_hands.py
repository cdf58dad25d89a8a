"""Nearly five thousand real hands, played again to the chip; and no lie about one goes unseen."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from riverboat.game.replay import Malformed, recorded, replay
from tests.hands.real_hands import hands

Case = dict[str, Any]

# By file: how many hands of each limit, and how many ran two boards.
KEPT = {
    "holdem": ({"NL": 1770, "FL": 375, "PL": 8}, 72),
    "omaha": ({"PL": 1107, "FL": 7, "NL": 2}, 50),
    "omaha_hilo": ({"PL": 1052, "FL": 60, "NL": 46}, 0),
    "stud": ({"FL": 172}, 0),
    "draw": ({"FL": 218, "NL": 15, "PL": 4}, 0),
    "further": ({"NL": 5, "PL": 1}, 0),
}
# Kinds of which there are few are named, so that none is lost from its file.
VARIANTS = {
    "stud": {"stud": 123, "stud_hilo": 27, "razz": 22},
    "draw": {"badugi": 120, "td27": 69, "draw5": 32, "single27": 14, "tda5": 2},
    "further": {"shortdeck": 5, "omaha6": 1},
}


@pytest.mark.parametrize("name", KEPT)
def test_every_hand_goes_as_it_went(name: str) -> None:
    """RULES 9: "the real hands for `standard`": turns, sizes, pots, winners, payouts, stacks."""
    limits, two_boards = KEPT[name]
    assert Counter(hand["limit"] for hand in hands(name)) == limits
    assert sum("boards" in hand for hand in hands(name)) == two_boards
    told = {hand["id"]: replay(recorded(hand)) for hand in hands(name)}
    assert {hand: differences for hand, differences in told.items() if differences != []} == {}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_kind_of_game_is_there(name: str) -> None:
    assert Counter(hand["variant"] for hand in hands(name)) == VARIANTS[name]


# Every kind of intricacy that the hands must hold, so that replaying them proves something.
INTRICATE = """side_pots_1 side_pots_2 side_pots_3 short_all_in_call short_all_in_raise odd_chip
split_high dead_blind extra_blind straddle dead_button no_small_blind all_in_on_blind all_in_on_ante
raise_beyond_effective fl_over_4_bets_heads_up fl_over_4_bets_multiway heads_up raked muck uncalled
run_it_twice quartered split_low scoop no_low raise_war complete stud_4th_street_big_bet
seven_plus_stud stud_tie_to_act pat draw_4_or_5 button_blind fl_completes_short_bet"""


def test_the_hands_hold_every_intricacy() -> None:
    held = {tag for name in KEPT for hand in hands(name) for tag in hand["tags"]}
    assert set(INTRICATE.split()) <= held


def _tagged(*tags: str) -> Case:
    found = next(h for name in KEPT for h in hands(name) if set(tags) <= set(h["tags"]))
    return copy.deepcopy(found)


def _acts(hand: Case, *kinds: str) -> list[Case]:
    return [action for action in hand["actions"] if action["type"] in kinds]


def _collected(hand: Case) -> None:
    collected = hand["expected"]["collected"]
    one, other = list(collected)[:2]
    collected[one], collected[other] = collected[one] - 1, collected[other] + 1


def _finishing(hand: Case) -> None:
    seat = next(iter(hand["expected"]["finishing"]))
    hand["expected"]["finishing"][seat] += 1


def _total(hand: Case) -> None:
    hand["expected"]["total"] += 1


def _rake(hand: Case) -> None:
    hand["expected"]["rake"] -= 1


def _pot(hand: Case) -> None:
    main, side = hand["expected"]["pots"][:2]
    main["amount"] -= 1
    side["amount"] += 1


def _eligible(hand: Case) -> None:
    hand["expected"]["pots"][1]["eligible"] = hand["expected"]["pots"][0]["eligible"]


def _high(hand: Case) -> None:
    pot = hand["expected"]["pots"][0]
    pot["high"] = [seat for seat in pot["eligible"] if seat not in pot["high"]]


def _low(hand: Case) -> None:
    hand["expected"]["pots"][0]["low"] = []


def _run_amount(hand: Case) -> None:
    for run, more in zip(hand["expected"]["runs"], (1, -1), strict=True):
        run["pots"][0]["amount"] += more


def _run_winner(hand: Case) -> None:
    pots = hand["expected"]["runs"][1]["pots"]
    eligible = hand["expected"]["pots"][0]["eligible"]
    pots[0]["high"] = [seat for seat in eligible if seat not in pots[0]["high"]]


def _uncalled(hand: Case) -> None:
    _acts(hand, "uncalled")[0]["amount"] += 1


def _turn(hand: Case) -> None:
    folds = _acts(hand, "fold", "call", "raise")
    folds[0]["seat"], folds[1]["seat"] = folds[1]["seat"], folds[0]["seat"]


def _call(hand: Case) -> None:
    _acts(hand, "call")[0]["to"] += 1


def _raise(hand: Case) -> None:
    _acts(hand, "raise")[0]["to"] = 1


def _check(hand: Case) -> None:
    first = _acts(hand, "call", "fold", "raise")[0]
    first["type"] = "check"


def _end(hand: Case) -> None:
    while hand["actions"][-1]["type"] not in ("call", "fold", "check"):
        hand["actions"].pop()
    hand["actions"].pop()


def _street(hand: Case) -> None:
    first = next(at for at, a in enumerate(hand["actions"]) if a["type"] == "call")
    hand["actions"].insert(first, {"type": "street", "name": "flop", "cards": ["2c", "2d", "2h"]})


def _door(hand: Case) -> None:
    """Another up card of the seat that brings in, which it does not show in the end."""
    seat = _acts(hand, "bring_in")[0]["seat"]
    deal = next(deal for deal in _acts(hand, "deal") if deal["seat"] == seat)
    used = str(_acts(hand, "deal"))
    deal["up"] = [next(card for card in ("As", "Ah", "Ad", "Ks", "Kh") if card not in used)]


def _dealt(hand: Case) -> None:
    hand["actions"].remove(_acts(hand, "deal")[-1])


def _bring_in(hand: Case) -> None:
    _acts(hand, "bring_in")[0]["to"] += 1


def _drew(hand: Case) -> None:
    first, second = [at for at, act in enumerate(hand["actions"]) if act["type"] == "draw"][:2]
    hand["actions"][first : second + 1] = hand["actions"][first : second + 1][::-1]


def _post(hand: Case) -> None:
    _acts(hand, "bb")[0]["amount"] = 10**9


@pytest.mark.parametrize(
    ("lie", "tags", "said"),
    [
        (_collected, ("odd_chip",), "collected"),
        (_finishing, ("raked",), "finishing"),
        (_total, ("raked",), "total"),
        (_rake, ("raked",), "rake"),
        (_pot, ("side_pots_1",), "pots"),
        (_eligible, ("side_pots_1",), "pots"),
        (_high, ("showdown", "raked"), "pot 0: high"),
        (_low, ("quartered",), "pot 0: low"),
        (_run_amount, ("run_it_twice",), "pot 0 of board 0: amount"),
        (_run_winner, ("run_it_twice",), "pot 0 of board 1: high"),
        (_uncalled, ("uncalled",), "uncalled"),
        (_turn, ("raise_war",), "turn"),
        (_call, ("raise_war",), "call of seat"),
        (_raise, ("raise_war",), "act of seat"),
        (_check, ("raise_war",), "act of seat"),
        (_end, ("showdown",), "end"),
        (_street, ("showdown",), "street 1"),
        (_post, ("raked",), "bb of seat"),
        (_door, ("complete", "showdown"), "cards of seat"),
        (_dealt, ("complete", "uncalled"), "deal of street"),
        (_bring_in, ("complete",), "bring_in of seat"),
        (_drew, ("pat",), "turn"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_lie_about_a_hand_is_told(
    lie: Callable[[Case], None], tags: tuple[str, ...], said: str
) -> None:
    hand = _tagged(*tags)
    assert replay(recorded(hand)) == []
    lie(hand)
    differences = replay(recorded(hand))
    assert differences
    assert differences[0].hand == hand["id"]
    assert any(difference.what.startswith(said) for difference in differences), differences


def test_what_the_source_leaves_open_is_held_to_its_bounds() -> None:
    """A site's own spread of the rake: each collects between his gross share and that less rake."""
    loose = [
        copy.deepcopy(hand)
        for name in KEPT
        for hand in hands(name)
        if hand["expected"]["payout_check"] == "exact_up_to_rake_split"
    ]
    assert len(loose) >= 20
    for hand in loose:
        collected = hand["expected"]["collected"]
        seat = next(iter(collected))
        collected[seat] += hand["expected"]["rake"] + 1
        assert any(d.what == f"collected by seat {seat}" for d in replay(recorded(hand)) or ())


def test_a_lone_big_blind_that_nobody_called_comes_back() -> None:
    """Nothing is left to win then: no pot, or an empty one as some sources write it."""
    hand = copy.deepcopy(next(h for h in hands("holdem") if "no_small_blind" in h["tags"]))
    (blind,) = _acts(hand, "bb")
    folds = [{"type": "fold", "seat": s["seat"]} for s in hand["seats"]]
    last = next(at for at, fold in enumerate(folds) if fold["seat"] == blind["seat"])
    hand["actions"] = [
        blind,
        {"type": "street", "name": "preflop"},
        *folds[last + 1 :],
        *folds[:last],
        {"type": "uncalled", "seat": blind["seat"], "amount": blind["amount"]},
    ]
    empty = {"amount": 0, "eligible": [blind["seat"]], "high": [blind["seat"]]}
    finishing = {str(seat["seat"]): seat["stack"] for seat in hand["seats"]}
    for pots in ([], [empty]):
        hand["expected"].update(pots=pots, total=0, rake=0, collected={}, finishing=finishing)
        assert replay(recorded(hand)) == []


def test_a_game_that_is_not_offered_is_none() -> None:
    hand = copy.deepcopy(hands("holdem")[0])
    hand["variant"] = "tiddlywinks"
    assert replay(recorded(hand)) is None


def test_hands_that_nobody_saw_are_not_needed() -> None:
    """Blank cards of a hand that folded or mucked change nothing."""
    seen = 0
    for hand in hands("holdem")[:400]:
        gone = {a["seat"] for a in hand["actions"] if a["type"] in ("fold", "muck")}
        bare = copy.deepcopy(hand)
        for seat in bare["seats"]:
            if seat["seat"] in gone:
                seen += bool(seat.pop("hole", None))
        assert replay(recorded(bare)) == []
    assert seen > 100


JUNK = [None, -1, 0, 1, 10**6, 2**70, "", "x", [], {}, True, 1.5, "??", "As", [1], {"a": 1}]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value where another could stand."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _spoiled(hand: Case, chance: Random) -> Case:
    """The hand with something in it replaced, missing, twice or a little more."""
    spoiled = copy.deepcopy(hand)
    place, key = chance.choice(list(_places(spoiled)))
    how = chance.randrange(4)
    if how == 0:
        del place[key]
    elif how == 1 and isinstance(place, list):
        place.insert(key, copy.deepcopy(place[key]))
    elif how == 2 and type(place[key]) is int:
        place[key] += chance.choice((-100, -1, 1, 100))
    else:
        place[key] = chance.choice(JUNK)
    return spoiled


def test_whatever_is_wrong_with_a_hand_is_told_and_never_raised() -> None:
    """A line of nonsense is that line's fault: it is malformed, or it differs."""
    chance = Random(7)
    came_to: Counter[str] = Counter()
    for _ in range(2_000):
        hand = _spoiled(chance.choice(hands(chance.choice(list(KEPT)))), chance)
        try:
            differences = replay(recorded(hand))
        except Malformed:
            came_to["malformed"] += 1
        else:
            came_to["differs" if differences else "goes on"] += 1
    assert min(came_to["malformed"], came_to["differs"], came_to["goes on"]) > 100
