"""A table that deals a list of games in turn: which comes when, and what each costs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from riverboat.game import rules
from riverboat.game.commands import Action, Leave, SitOut
from riverboat.game.hand.events import HandStarted, Post, Posted, Stakes
from riverboat.game.hand.state import Phase
from riverboat.game.rules import MIXED, Rules, RulesError
from riverboat.game.table.events import Settings
from riverboat.game.table.settings import buy_in_bounds, fault
from tests.game.table.house import House, folded
from tests.game.table.tables import SETTINGS

COSTS = Stakes(small_blind=50, big_blind=100, ante=10, bring_in=20, small_bet=100, big_bet=200)


def mixed(name: str, **changes: object) -> Settings:
    return replace(SETTINGS, variant=name, limit=MIXED, stakes=COSTS, **changes)  # type: ignore[arg-type]


GAMES = (
    "{variant='holdem', limit='nl'}",
    "{variant='stud7', limit='fl'}",
    "{variant='draw5', limit='pl'}",
)


@contextmanager
def own_mix(keys: str, *games: str) -> Iterator[Rules]:
    """An operator's mix of these keys and games, while it is in force."""
    text = f"[own]\nname='Own'\n{keys}\ngames=[{', '.join(games or GAMES)}]"
    own = rules.load({"mixes.toml": text, "own.toml": "extends='standard'\nmixes=['own']"})
    rules.adopt(own)
    try:
        yield own
    finally:
        rules.drop(own)


def everybody_folds(house: House) -> None:
    """To the last one, who takes what is there."""
    while house.playing():
        if house.hand.phase is Phase.BRING_IN:
            house.act(Action.BRING_IN)
        else:
            house.act(Action.FOLD)


def dealt(house: House, hands: int, drawn: int = 0) -> list[HandStarted]:
    """So many hands, one after the other."""
    for _ in range(hands):
        house.now_ms += 10_000
        house.run(drawn)
        everybody_folds(house)
    return [e for record, _ in house.log for e in record.events if isinstance(e, HandStarted)]


def four_at(settings: Settings) -> House:
    return House.opened(settings, ann=20_000, bob=20_000, cid=20_000, dan=20_000)


def test_horse_is_dealt_by_orbits():
    """RULES 8: "mixed rotations (HORSE, 8-game, dealer's choice) as a list of games"."""
    house = four_at(mixed("horse"))
    hands = dealt(house, 24)
    names = ["holdem", "omaha_hilo", "razz", "stud7", "stud7_hilo", "holdem"]
    assert [hand.variant for hand in hands] == [name for name in names for _ in range(4)]
    assert {hand.limit for hand in hands} == {"fl"}
    assert [(hand.game_at, hand.game_left) for hand in hands[3:6]] == [(0, 0), (1, 3), (1, 2)]
    # Every reader comes to the same, and the rules found are those of the game dealt.
    assert folded(house) == house.table
    assert hands[8].rules_digest == rules.game("standard", "razz", "fl").digest


def test_the_button_waits_while_games_have_none():
    house = four_at(mixed("horse"))
    hands = dealt(house, 24)
    with_button = [hand.button for hand in hands if hand.button]
    assert [hand.button for hand in hands[8:20]] == [0] * 12
    # One seat on at each hand that has one, whatever came between.
    first = with_button[0]
    assert with_button == [(first - 1 + at) % 4 + 1 for at in range(12)]


def test_an_orbit_is_as_long_as_there_are_players_at_its_first_hand():
    house = House.opened(mixed("horse"), ann=20_000, bob=20_000)
    dealt(house, 1)
    house.seat("cid", 20_000)
    hands = dealt(house, 4)
    assert [hand.variant for hand in hands] == ["holdem"] * 2 + ["omaha_hilo"] * 3
    assert [hand.game_left for hand in hands] == [1, 0, 2, 1, 0]


def test_eight_games_of_six_hands():
    hands = dealt(four_at(mixed("eight_game")), 49)
    games = list(dict.fromkeys((hand.game_at, hand.variant, hand.limit) for hand in hands))
    assert games == [
        (0, "triple_draw27", "fl"),
        (1, "holdem", "fl"),
        (2, "omaha_hilo", "fl"),
        (3, "razz", "fl"),
        (4, "stud7", "fl"),
        (5, "stud7_hilo", "fl"),
        (6, "holdem", "nl"),
        (7, "omaha", "pl"),
    ]
    assert [hand.game_at for hand in hands] == [at for at in range(8) for _ in range(6)] + [0]


def test_each_game_takes_what_it_needs_of_the_stakes():
    house = four_at(mixed("eight_game"))
    hands = {hand.game_at: hand.stakes for hand in dealt(house, 48)}
    assert hands[0] == Stakes(small_blind=50, big_blind=100, small_bet=100, big_bet=200)
    assert hands[3] == Stakes(ante=10, bring_in=20, small_bet=100, big_bet=200)
    # No limit and pot limit for half the blinds.
    assert (hands[6].small_blind, hands[6].big_blind, hands[6].ante) == (25, 50, 0)
    posts = [e for record, _ in house.log for e in record.events if isinstance(e, Posted)]
    assert {post.amount for post in posts if post.post is Post.ANTE} == {10}
    assert {post.amount for post in posts if post.post is Post.BIG_BLIND} == {100, 50}


def test_the_house_draws_the_next_game_where_the_mix_says_so():
    with own_mix("rotation='orbits'\ndrawn=true"):
        house = four_at(mixed("own", rulebook="own"))
        hands = dealt(house, 4, drawn=1) + dealt(house, 4, drawn=5)[4:]
        hands += dealt(house, 1, drawn=3)[8:]
        games = rules.mix("own", "own").games
    assert [hand.game_at for hand in hands] == [1] * 4 + [2] * 4 + [0]
    assert [hand.variant for hand in hands] == [games[hand.game_at].variant for hand in hands]


def test_a_list_that_an_operator_made_shorter_stops_no_table():
    with own_mix("rotation='orbits'"):
        house = four_at(mixed("own", rulebook="own"))
        assert [hand.variant for hand in dealt(house, 9)][8:] == ["draw5"]
    with own_mix("rotation='orbits'", *GAMES[:2]):
        assert [hand.variant for hand in dealt(house, 5)][9:] == ["holdem"] * 3 + ["stud7"] * 2


def test_a_debt_outlasts_games_without_blinds():
    """RULES 4, missed blinds: only posting or the big blind clears what is owed."""
    house = four_at(mixed("horse"))
    dealt(house, 8)
    next(iter(house.table.sittings.values())).owes_big = True
    dealt(house, 12)
    assert next(iter(house.table.sittings.values())).owes_big
    dealt(house, 4)
    assert not next(iter(house.table.sittings.values())).owes_big


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"variant": "horses"}, "variant"),
        ({"limit": "fl"}, "variant"),
        ({"seats": 9}, "seats"),
        ({"stakes": Stakes(small_blind=50, big_blind=100)}, "stakes.ante"),
        ({"stakes": Stakes(ante=10, bring_in=20, small_bet=100)}, "stakes.big_blind"),
    ],
)
def test_a_table_of_a_mix_needs_what_each_of_its_games_needs(changes, field):
    good = mixed("horse")
    assert fault(good) is None
    wrong = fault(replace(good, **changes))
    assert wrong is not None
    assert wrong.facts["field"] == field


def test_the_buy_in_is_that_of_the_game_that_asks_for_most():
    """RULES 4, buy-in: fixed limit names a least alone, no limit a least and a greatest."""
    assert buy_in_bounds(mixed("horse")) == (1_000, 0)
    assert buy_in_bounds(mixed("eight_game")) == (2_000, 0)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"mixes.toml": "[a]\nname = 'A'"}, "mixes.toml: a.rotation: is missing"),
        ({"mixes.toml": "[a]\nrotation = 'days'"}, "mixes.toml: a.rotation: must be one of hands"),
        (
            {"mixes.toml": "[a]\nname = 'A'\nrotation = 'hands'"},
            "mixes.toml: a.games: must be a list",
        ),
        (
            {"mixes.toml": "[a]\nname='A'\nrotation='hands'\ngames=[{variant='holdem'}]"},
            "mixes.toml: a.games[0].limit: is missing",
        ),
        (
            {"mixes.toml": "[a]\nrotation='hands'\nchooser='cook'"},
            "mixes.toml: a.chooser: must be one of button, plaque, not 'cook'",
        ),
        (
            {"mixes.toml": "[a]\nrotation='hands'\nname='A'\nchooser='button'\ndrawn=true"},
            "mixes.toml: a.drawn: goes with no chooser",
        ),
        (
            {"mixes.toml": "[a]\nrotation='hands'\nname='A'\nunchosen='same'"},
            "mixes.toml: a.unchosen: goes with a chooser",
        ),
        (
            {"mixes.toml": "[a]\nrotation='hands'\nname='A'\nchoose_ms=20000"},
            "mixes.toml: a.choose_ms: goes with a chooser",
        ),
        (
            {"mixes.toml": "[a]\nrotation='hands'\nchoose_ms=999"},
            "mixes.toml: a.choose_ms: must be a whole number from 1000 to 86400000, not 999",
        ),
        (
            {
                "mixes.toml": "[a]\nname='A'\nrotation='hands'\nchooser='button'\n"
                "games=[{variant='stud7', limit='fl'}]",
                "own.toml": "extends = 'et'\nmixes = ['a']",
            },
            "mixes.toml: a.chooser: no game of the list has a button",
        ),
        ({"own.toml": "mixes = ['a']"}, "own.toml: mixes: no table of mixes knows 'a'"),
        ({"own.toml": "mixes = 3"}, "own.toml.mixes: must be a list of names"),
        (
            {
                "mixes.toml": "[a]\nname='A'\nrotation='hands'\n"
                "games=[{variant='omaha5', limit='pl'}]",
                "own.toml": "extends = 'et'\nmixes = ['a']",
            },
            "mixes.toml: a.games[0]: own deals no omaha5 in pl",
        ),
    ],
)
def test_a_mistake_in_a_mix_is_named(files, words):
    with pytest.raises(RulesError) as wrong:
        rules.load(files)
    assert words in str(wrong.value)


def test_an_operator_adds_a_mix():
    own = rules.load(
        {
            "mixes.toml": "[a]\nname='A'\nrotation='hands'\nevery=3\n"
            "games=[{variant='soko', limit='fl'}, {variant='draw32', limit='pl', ante=true}]",
            "own.toml": "extends = 'lt'\nmixes = ['a']",
        }
    )
    assert own.mix("own", "a").hands(5) == 3
    assert [ids for ids in own.mixed() if ids[0] == "own"] == [("own", "a", MIXED)]
    with pytest.raises(RulesError, match="lt: no mix 'a'"):
        own.mix("lt", "a")


def at_the_end_of_stud() -> tuple[House, int]:
    """HORSE before its hold'em comes back; another has taken the chair of the last big blind."""
    house = four_at(mixed("horse"))
    dealt(house, 8)
    seat = house.table.big_blind
    house.ask(house.table.sittings[seat].player, Leave())
    house.seat("eve", 20_000, seat=seat)
    assert seat in {each.seat for each in dealt(house, 12)[-1].seats}
    return house, seat


def test_who_came_in_between_the_blinds_owes_the_big_one_that_a_new_player_posts():
    """`et`, new player: "Mängija, kes tahab liituda mänguga, kus kasutatakse blainde, peab tulema
    lauda kas sel ajal, kui on tema kord maksta suur blaind või muult positsioonilt alustades peab
    asetama suure blaindiga võrdse summa" (joins at his big blind, or posts as much): antes of games
    without blinds are no such post.
    """
    house, seat = at_the_end_of_stud()
    assert house.table.sittings[seat].owes_big
    assert [hand.variant for hand in dealt(house, 1)][-1] == "holdem"
    # He would be the small blind: there nobody comes in.
    assert house.table.sittings[seat].owes_big
    hands = dealt(house, 2)[-2:]
    posts = [e for record, _ in house.log for e in record.events if isinstance(e, Posted)]
    mine = [(one.post, one.amount) for one in posts if one.seat == seat and one.due > 20][-1:]
    assert mine == [(Post.EXTRA_BLIND, 100)]
    assert seat in [dealt_in.seat for dealt_in in hands[-1].seats]
    assert not house.table.sittings[seat].owes_big


def test_the_big_blind_of_whoever_sat_there_before_is_not_his():
    """`ro`, missed blinds: "Jucatorii care au ratat blind-ul mic" (those who missed the small
    blind): who never had that big blind missed no small one as it came to the chair.
    """
    house, seat = at_the_end_of_stud()
    house.ask("eve", SitOut())
    dealt(house, 3)
    sitting = house.table.sittings[seat]
    assert (sitting.owes_big, sitting.owes_small) == (True, False)


def test_where_no_blinds_were_posted_yet_nobody_owes_them():
    """RULES 4, new player: the first hand with blinds is everybody's first."""
    with own_mix("rotation='hands'\nevery=2", *reversed(GAMES[:2])):
        house = four_at(mixed("own", rulebook="own"))
        hands = dealt(house, 3)
        assert [hand.variant for hand in hands] == ["stud7", "stud7", "holdem"]
        assert len(hands[-1].seats) == 4
        assert not any(sitting.owes_big for sitting in house.table.sittings.values())
