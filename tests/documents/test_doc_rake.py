"""The documents' rake: what is raked, when, by how much, and at most how much."""

from __future__ import annotations

import pytest

from riverboat.game import rules
from riverboat.game.commands import Action, SitOut
from riverboat.game.hand.events import PotsMade, Stakes
from riverboat.game.hand.judge import judge
from tests.documents.playing import (
    plays,
    plays_out,
    settings_of,
    sit,
    starts,
    table_of,
    to_round,
    to_the_end,
)
from tests.documents.quoting import by_book, by_game, says
from tests.game.hand.dealt import Dealt
from tests.game.hand.judged import DRY, hand, hole

FOLD, RAISE = Action.FOLD, Action.RAISE


def rake_of(dealt: Dealt) -> int:
    """What the house took from the hand."""
    return sum(pot.rake for pot in dealt.hand.pots)


def raked(book: str, limit: str, lower: int, pot: int, players: int) -> int:
    """The rake of a hold'em pot of that size, where so many were dealt cards."""
    game = rules.game(book, "holdem", limit)
    puts = dict.fromkeys(range(1, players + 1), 0)
    puts[1] = pot
    # The last bettor is alone in the end: whose chips they are does not matter to the rake.
    given = hand(puts, DRY, of=game, folded=range(2, players + 1), raked=True)
    given.stakes = Stakes(small_blind=lower // 2, big_blind=lower)
    events = judge(given, hole(p1="AhAd"))
    (made,) = [event for event in events if isinstance(event, PotsMade)]
    return sum(each.rake for each in made.pots)


# How much.


LT = "€0.01 už kiekvienus €0.20 ir daugiausiai €0.75 2 žaidėjams, €2.00 3 žaidėjams ir € 3,00 4-10"
ET_NL = "€ 0.05 iga € 1.00 kohta, ülempiiriga € 0.75 kui on 2 mängijat, € 2.00 kui on 3-4 mängijat"
ET_LOW = "€ 0.05 iga € 1.00 kohta, ülempiiriga € 0.75 kui on 2-3 mängijat ja € 1.00 kui on 4-10"
ET_ONE = "€ 0.25 iga € 5.00 kohta, ülepiiriga € 0.75 kui on 2-3 mängijat ja € 2.00 kui on 4-10"
ET_TWO = "€ 0.50 iga € 10.00 kohta, ülempiiriga € 0.75 kui on 2-3 mängijat ja € 2.00 kui on 4-10"
RO_NL = "€ 0.05 per € 1.00 si capped la € 0.75 pentru 2-3 jucatori, € 2.00 pentru 3 jucatori"
RO_LOW = "€ 0.05 per € 1.00 si capped la € 0.75 pentru 2-3 jucatori si € 1.00 pentru 4-10"
RO_ONE = "€ 0.25 per € 5.00 si capped la € 0.75 for 2-3 jucatori si € 2.00 pentru 4-10"
RO_TWO = "€ 0.50 per € 10.00 si capped la € 0.75 pentru 2-3 jucatori si € 2.00 pentru 4-10"
RO_SMALL_NL = "Pot-urile mai mici decat€ 2.00 vor avea un rake de € 0.01 per € 0.20"
RO_SMALL_FL = "Pot-urile mai mici decat € 2.00 vor avea un rake de € 0.01 per € 0.20"

# Book, paragraph, words, limits and lower limits that the row serves, its fee for one step, its
# step, and its caps for 2, 3, 4, 5 and 10 players.
SCHEDULE = [
    ("lt", "3.1", LT, "nl fl pl hpl sl", (2, 100, 10_000), 1, 20, (75, 200, 300, 300, 300)),
    ("et", "3.1", ET_NL, "nl pl hpl", (2, 100, 10_000), 5, 100, (75, 200, 200, 300, 300)),
    ("et", "3.2", ET_LOW, "fl sl", (10, 25, 50), 5, 100, (75, 75, 100, 100, 100)),
    ("et", "3.3", ET_ONE, "fl sl", (100,), 25, 500, (75, 75, 200, 200, 200)),
    ("et", "3.4", ET_TWO, "fl sl", (200, 500, 3_000), 50, 1000, (75, 75, 200, 200, 200)),
    ("ro", "3.1", RO_NL, "nl pl hpl", (2, 100, 10_000), 5, 100, (75, 200, 300, 300, 300)),
    ("ro", "3.2", RO_LOW, "fl sl", (2, 10, 25, 50), 5, 100, (75, 75, 100, 100, 100)),
    ("ro", "3.3", RO_ONE, "fl sl", (100,), 25, 500, (75, 75, 200, 200, 200)),
    ("ro", "3.4", RO_TWO, "fl sl", (200, 500, 3_000), 50, 1000, (75, 75, 200, 200, 200)),
]


@pytest.mark.parametrize(
    ("book", "limits", "stakes", "fee", "step", "caps"),
    [
        pytest.param(
            *(book, limits, stakes, fee, step, caps),
            marks=says(book, number, words, "so much for each so much, at most by players dealt"),
            id=f"{book} {number}",
        )
        for book, number, words, limits, stakes, fee, step, caps in SCHEDULE
    ],
)
def test_the_rake_by_steps_and_caps(book, limits, stakes, fee, step, caps):
    for limit in limits.split():
        for lower in stakes:
            whole = 4 * step if step >= 100 else 20 * step  # from two euros on
            assert raked(book, limit, lower, whole, 10) == min(whole // step * fee, caps[-1])
            assert raked(book, limit, lower, whole - 1, 10) == (whole // step - 1) * fee
            assert raked(book, limit, lower, whole + step - 1, 10) == whole // step * fee
            for players, cap in zip((2, 3, 4, 5, 10), caps, strict=True):
                assert raked(book, limit, lower, 1_000_000, players) == cap
                reached = -(-cap // fee) * step
                assert raked(book, limit, lower, reached, players) == cap
                assert (
                    raked(book, limit, lower, reached - 1, players) == reached // step * fee - fee
                )


@pytest.mark.parametrize(
    ("limits", "lower"),
    [
        pytest.param(
            "nl pl hpl", 50, marks=says("ro", "3.1", RO_SMALL_NL, "pots under 2.00"), id="no limit"
        ),
        pytest.param(
            "fl sl", 50, marks=says("ro", "3.2", RO_SMALL_FL, "pots under 2.00"), id="fixed limit"
        ),
    ],
)
def test_small_pots_of_ro_pay_a_cent_for_each_twenty(limits, lower):
    for limit in limits.split():
        found = {pot: raked("ro", limit, lower, pot, 5) for pot in (19, 20, 99, 100, 199, 200, 299)}
        assert found == {19: 0, 20: 1, 99: 4, 100: 5, 199: 9, 200: 10, 299: 10}


@says("ro", "3.3", RO_ONE, "no smaller step is named for these stakes")
@says("ro", "3.4", RO_TWO, "no smaller step is named for these stakes")
def test_small_pots_of_ro_at_larger_stakes_pay_by_their_own_step():
    assert raked("ro", "fl", 100, 499, 5) == 0
    assert raked("ro", "fl", 100, 199, 5) == 0
    assert raked("ro", "fl", 200, 999, 5) == 0


@pytest.mark.parametrize(
    "book",
    by_book(
        "only those who were dealt cards count as players",
        lt=("3.0", "Tik žaidėjai, kurie padalinimo metu gavo kortas (aktyvūs žaidėjai)"),
        et=("3.0", "loetakse vaid neid mängijaid, kellele jaotati kaardid"),
        ro=("3.0", "Doar jucatorii care primesc carti (jucatori activi) vor fi considerati"),
    ),
)
def test_players_are_those_who_were_dealt_cards(book):
    for away, cap in ((False, 200), (True, 75)):
        house = table_of(settings_of(book, "holdem", raked=True), "a", "b", "c", stack=50_000)
        if away:
            house.ask("c", SitOut())
        starts(house)
        house.act(RAISE, 20_000)
        before = house.table.raked
        plays_out(house)
        assert house.table.raked - before == cap


# When.


WHEN_LT = "atvertus bendras kortas, išdalinus trečią kortą Soko žaidime, ketvirtą kortą 7-stud"
WHEN_ET = "kui Flop on laual Texases või Omahas, kolmas kaart on jagatud Sökös või neljas kaart on"
WHEN_RO = "Doar din poturile unde se vede un flop in Texas sau Omaha, a treia carte este impartita"
RAKED = (
    *("holdem", "omaha", "omaha5", "omaha_hilo", "omaha5_hilo", "soko", "stud7", "stud7_hilo"),
    *("draw5", "triple_draw27"),
)


@pytest.mark.parametrize(
    "book",
    by_book(
        "only with a flop in hold'em and Omaha, the third card in Soko, the fourth in stud, a draw",
        lt=("3.0", WHEN_LT),
        et=("3.0", WHEN_ET),
        ro=("3.0", WHEN_RO),
    ),
)
def test_no_rake_before_its_time(book):
    for variant in (each for each in RAKED if each in rules.HOUSE.variants(book)):
        fees = []
        for number in (0, 1):  # the round of the first cards, and the one behind the next street
            dealt = to_round(sit(book, variant, "nl", raked=True), number)
            first = dealt.hand.turn
            dealt.does(first, RAISE, 10_000)
            dealt.does(dealt.hand.turn, RAISE, 30_000)
            dealt.does(dealt.hand.turn, FOLD)
            dealt.does(first, FOLD)
            to_the_end(dealt)
            assert dealt.hand.street == number  # no further card came
            assert dealt.hand.pots[0].amount > 20_000
            fees.append(rake_of(dealt))
        assert fees == [0, 200]


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the documents name the games that are raked, and these are not among them",
        ("lt", "14.0", 'Americana yra žaidžiama su "Prancuziška" kalade'),
        ("lt", "15.0", "Telesina žaidimas yra žaidžiamas"),
        ("lt", "16.0", "32-Card Draw žaidimas yra žaidžiamas su 32 kortu kalade"),
        ("et", "12.0", "Americanat mängitakse kaardipakiga, kus on kolmekümmend kaks (32) kaarti"),
        ("et", "13.0", "mängitakse kolmekümne kahe (32) kaardiga"),
        ("ro", "14.0", "Americana se joaca cu 32 de carti"),
        ("ro", "15.0", "Telesina se joaca cu un pachet “Frantuzesc” de 32 de carti"),
    ),
)
def test_the_games_of_32_cards_are_not_raked(book, variant):
    dealt = to_round(sit(book, variant, "nl", raked=True), 1)
    dealt.does(dealt.hand.turn, RAISE, 20_000)
    dealt = to_the_end(dealt)
    assert sum(dealt.won().values()) > 40_000
    assert rake_of(dealt) == 0


@pytest.mark.parametrize(
    "book",
    by_book(
        "play-money games are free",
        lt=("3.0", "Mūsų FunMoney žaidimai yra nemokami"),
        et=("3.0", "Kõik meie FunMoney mängud on täiesti tasuta"),
        ro=("3.0", "Toate jocurile noastre pe FunMoney sunt gratuite"),
    ),
)
def test_play_money_is_not_raked(book):
    for currency, cap in (("PLAY", 0), ("EUR", 75)):
        settings = settings_of(book, "holdem", currency=currency, raked=True)
        house = table_of(settings, "a", "b", stack=50_000)
        starts(house)
        house.act(RAISE, 20_000)
        plays_out(house)
        assert house.table.raked == cap


@says("lt", "3.1", LT, "a hand played through: 60.00 in the middle, three players dealt in")
def test_a_raked_hand_played_through():
    dealt = sit("lt", "holdem", "nl", raked=True)
    plays(dealt, (3, RAISE, 2_000))
    dealt = to_the_end(dealt)
    assert [pot.amount for pot in dealt.hand.pots] == [6_000]
    assert rake_of(dealt) == 200
    assert sum(dealt.won().values()) == 5_800
