"""The documents' limits: how much may be bet, in their own examples."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action
from riverboat.game.refusals import HandCode, Refusal
from tests.documents.playing import passes, plays, sit, to_round
from tests.documents.quoting import by_book
from tests.game.hand.dealt import Dealt

CHECK, CALL, RAISE, BRING_IN = Action.CHECK, Action.CALL, Action.RAISE, Action.BRING_IN
BOOKS = ("lt", "et", "ro")


def sizes(dealt: Dealt) -> tuple[int, int]:
    """The least and the greatest total to which the seat on turn may bet or raise."""
    offered = dealt.offered
    return offered.raise_least, offered.raise_most


def raised_to_the_cap(dealt: Dealt) -> list[int]:
    """Everybody raises as little as he may until nobody may any more: the totals."""
    totals = []
    while dealt.offered.raise_least:
        totals.append(dealt.offered.raise_least)
        dealt.does(dealt.hand.turn, RAISE, totals[-1])
    assert dealt.offered.no_raise == "cap"
    return totals


@pytest.mark.parametrize(
    "book",
    by_book(
        "a raise is not smaller than the bet or raise before it, unless the player is all-in",
        lt=("2.1", "turi būti ne mažesnis už prieš tai buvusį statymą/statymo kėlimą"),
        et=("2.1", "peab panuse tõstmine olema vähemalt sama suur kui eelmine Bet/Raise"),
        ro=("2.1", "o plusare poate sa fie cel putin egala cu un Pariu/Plusare anterior"),
    ),
)
def test_a_raise_is_not_smaller_than_the_one_before(book):
    dealt = sit(book, "holdem", "nl", stacks={2: 2_600})
    plays(dealt, (3, RAISE, 1_700))  # by 1200
    assert dealt.tries(dealt.the_act(RAISE, 2_899)) == Refusal(
        HandCode.BELOW_LEAST_RAISE, least=2_900
    )
    plays(dealt, (1, CALL))
    assert sizes(dealt) == (2_600, 2_600)  # all he has, though it is less than a raise


# Fixed limit.


@pytest.mark.parametrize(
    "book",
    by_book(
        "at 5/10 the big blind is 5; the lower limit in the first two rounds, then the higher",
        lt=("2.2", "pavyzdžiui € 5/10 limito žaidime didysis nematomas statymas yra € 5"),
        et=("2.2", "lauas €5/10 on suur blaind €5"),
        ro=("2.2", "daca limita este € 5/10 atunci marele blind este € 5"),
    ),
)
def test_fixed_limit_of_five_and_ten(book):
    dealt = sit(book, "holdem", "fl")
    assert dealt.hand.price == 500
    bets = []
    for number in range(4):
        to_round(dealt, number)
        assert len(set(sizes(dealt))) == 1
        bets.append(sizes(dealt)[0] - dealt.hand.price)
    assert bets == [500, 500, 1000, 1000]


@pytest.mark.parametrize("many", [2, 3])
@pytest.mark.parametrize(
    "book",
    by_book(
        "at most four bets in a round: a bet and three raises",
        lt=("2.2", "Maksimalus statymų skaičius viename statymų rate yra 4 (statymas + 3 kėlimai)"),
        et=("2.2", "mida saa teha ühel panustamise ringil, on 4 (panus + 3 tõstmist)"),
        ro=("2.2", "Numarul maxim de pariere intr-o runda este 4 (pariu + 3 plusare)"),
    ),
)
def test_fixed_limit_has_four_bets_a_round(book, many):
    first = sit(book, "holdem", "fl", holes=many)
    assert raised_to_the_cap(first) == [1000, 1500, 2000]  # the big blind was the bet
    last = to_round(sit(book, "holdem", "fl", holes=many), 3)
    assert raised_to_the_cap(last) == [1000, 2000, 3000, 4000]


@pytest.mark.parametrize(
    "book",
    by_book(
        "the lower limit in the first two rounds, the higher in the last two; five rounds too",
        lt=("2.2", "Mažesnis limitas yra naudojamas pirmuose dviejuose statymų ratuose"),
        et=("2.2", "Madalamat limiiti kasutatakse kahel esimesel panustamise ringil"),
        ro=("2.2", "Cea mai mica limita este folosita in primele doua runde de pariere"),
    ),
)
def test_fixed_limit_by_the_number_of_rounds(book):
    bets = {}
    for variant in ("draw5", "triple_draw27", "soko", "stud7_hilo"):
        rounds = []
        for number in range(sit(book, variant, "fl").game.rounds):
            dealt = to_round(sit(book, variant, "fl"), number)
            if number == 0 and not dealt.hand.big_blind:
                passes(dealt)  # the bring-in; the raise over it completes the bet
            rounds.append(sizes(dealt)[0] - (dealt.hand.price if dealt.hand.big_blind else 0))
        bets[variant] = rounds
    assert bets == {
        "draw5": [500, 1000],
        "triple_draw27": [500, 500, 1000, 1000],
        "soko": [500, 500, 1000, 1000],
        "stud7_hilo": [500, 500, 1000, 1000, 1000],
    }


# Spread limit.


@pytest.mark.parametrize(
    "book",
    by_book(
        "1-2-3: the least bet is the big blind; the greatest 1 in two rounds, then 2, then 3",
        lt=(
            "2.3",
            "pirmuose dviejuose statymų ratuose lygus € 1, trečiajame - € 2 ir ketvirtajame",
        ),
        et=("2.3", "on maksimum panus kahel esimesel ringil €1, eelviimasel €2 ja viimasel €3"),
        ro=("2.3", "in primele doua runde este € 1, la fourth street € 2 si la fifth street €3"),
    ),
)
def test_spread_limit_of_one_two_three(book):
    greatest = []
    for number in range(1, 4):
        dealt = to_round(sit(book, "holdem", "sl"), number)
        least, most = sizes(dealt)
        assert least == 100
        greatest.append(most)
    assert greatest == [100, 200, 300]


@pytest.mark.parametrize(
    "book",
    by_book(
        "all raises equal the bet before them, up to three times the limit",
        lt=("2.3", "Visi kėlimai turi būti lygūs praėjusiam statymui"),
        et=("2.3", "Kõik tõstmised peavad vastama eelmisele, v.a. siis kui tõstmise lagi on ees"),
        ro=("2.3", "Toate plusarile trebuie sa fie la fel"),
    ),
)
@pytest.mark.parametrize(
    ("number", "bet", "totals"),
    [
        (1, 100, [200, 300]),
        (2, 200, [400, 600]),
        (2, 100, [200, 300, 400, 500, 600]),
        (2, 150, [300, 450, 600]),
        (3, 300, [600, 900]),
        (3, 200, [400, 600, 800, 900]),  # the last one is smaller: it reaches the cap
    ],
)
def test_spread_limit_raises_equal_the_bet_up_to_three_limits(book, number, bet, totals):
    dealt = to_round(sit(book, "holdem", "sl"), number)
    dealt.does(dealt.hand.turn, RAISE, bet)
    assert len(set(sizes(dealt))) == 1
    assert raised_to_the_cap(dealt) == totals


@pytest.mark.parametrize(
    "book",
    by_book(
        "the number of bets is bounded by three times the limit",
        lt=("2.3", "kol nepasiekiamas leistinas statymų skaičius, kuris yra lygus 3 x limitas"),
        et=("2.3", "Tõstmise lagi on igal ringil kolme kordne limiit"),
        ro=("2.3", "Acesta este 3 x limita"),
    ),
)
def test_spread_limit_caps_the_first_round_too(book):
    assert raised_to_the_cap(sit(book, "holdem", "sl")) == [200, 300]


SPREAD_OF_FIVE = {
    "lt": [100, 100, 200, 300, 300],  # "the third 2 and the fourth 3", and so on
    "et": [100, 100, 100, 200, 300],  # "the last but one 2 and the last 3"
    "ro": [100, 100, 200, 300, 300],
}


@pytest.mark.parametrize(
    "book",
    by_book(
        "lt: the third and the fourth round; et: the last but one and the last",
        lt=("2.3", "trečiajame - € 2 ir ketvirtajame - €3"),
        et=("2.3", "eelviimasel €2 ja viimasel €3"),
        ro=("2.3", "la fourth street € 2 si la fifth street €3"),
    ),
)
def test_spread_limit_in_games_of_five_and_of_two_rounds(book):
    def greatest(variant: str) -> list[int]:
        rounds = []
        for number in range(sit(book, variant, "sl").game.rounds):
            dealt = to_round(sit(book, variant, "sl"), number)
            rounds.append(sizes(dealt)[1] - dealt.hand.price)
        return rounds

    assert greatest("stud7_hilo") == SPREAD_OF_FIVE[book]
    assert greatest("draw5") == [100, 300]


# No limit, pot limit, half pot limit.


@pytest.mark.parametrize(
    "book",
    by_book(
        "any amount; the one bound is the chips on the table, the least bet the big blind",
        lt=("2.4", "Vienintelis ribojimas yra prie stalo turimas žetonų skaičius"),
        et=(
            "2.4",
            "Ainus piirang on laual olevate žetoonide hulk. Minimaalne panus on suur blaind",
        ),
        ro=("2.4", "jucatorii pot paria orice suma si oricand"),
    ),
)
def test_no_limit(book):
    dealt = to_round(sit(book, "holdem", "nl", stacks={1: 7_654, 2: 9_000, 3: 9_000}), 1)
    assert dealt.hand.turn == 1
    assert sizes(dealt) == (500, 7_154)
    for total in (500, 501, 6_000, 7_154):
        assert not isinstance(dealt.tries(dealt.the_act(RAISE, total)), Refusal)
    assert dealt.tries(dealt.the_act(RAISE, 499)) == Refusal(HandCode.BELOW_LEAST_RAISE, least=500)


@pytest.mark.parametrize(
    "book",
    by_book(
        "bets up to the size of the pot; the least is the big blind",
        lt=("2.5", "žaidėjai gali atlikti iki puodo dydžio statymus"),
        et=("2.5", "panuseid ükskõik mis suuruses kuni panga summa ulatuses"),
        ro=("2.5", "trebuie sa fie egala cu marimea potului"),
    ),
)
def test_pot_limit(book):
    dealt = sit(book, "holdem", "pl")
    assert sizes(dealt) == (1000, 1750)  # 500 to call, then a pot of 250 + 500 + 500
    plays(dealt, (3, RAISE, 1750))
    # 1500 more to call, then 250 + 500 + 1750 + 1500 in the middle.
    assert sizes(dealt) == (3000, 1750 + 250 + 500 + 1750 + 1500)
    plays(dealt, (1, CALL), (2, CALL))
    assert sizes(dealt) == (500, 3 * 1750)
    plays(dealt, (1, RAISE, 5250))
    assert sizes(dealt) == (10_500, 5250 + 5250 + 5250 + 5250)


@pytest.mark.parametrize(
    "book",
    by_book(
        "the least bet is the bring-in where there are no blinds",
        lt=("2.5", "lygus didžiajam nematomam statymui arba įsinešamai sumai („bring-in“)"),
        et=("2.5", "Minimaalne panus on suur blaind või bring-in"),
        ro=("2.5", "Pariul minim este egal cu marele blind sau cu bring-in-ul"),
    ),
)
def test_the_least_bet_of_pot_limit_without_blinds(book):
    dealt = to_round(sit(book, "soko", "pl"), 1)
    assert sizes(dealt) == (200, 300 + 600)  # three antes of 100, three bring-ins of 200


@pytest.mark.parametrize(
    "book",
    by_book(
        "bets up to half the pot",
        lt=("2.6", "žaidėjai gali atlikti iki 50% puodo dydžio statymus"),
        et=("2.6", "mis suuruses kuni poole panga summa ulatuses"),
        ro=("2.6", "oricand si oricat in limita a 50% din marimea pot-ului"),
    ),
)
def test_half_pot_limit(book):
    dealt = sit(book, "holdem", "hpl", small_blind=251, big_blind=500)
    # Half of 251 + 500 + 500 is 625 and a half: rounded down.
    assert sizes(dealt) == (1000, 1125)
    plays(dealt, (3, RAISE, 1125), (1, CALL), (2, CALL))
    assert sizes(dealt) == (500, 1687)  # half of 3375


@pytest.mark.parametrize(
    "book",
    by_book(
        "the least bet is the big blind or the bring-in",
        lt=("2.6", "Minimalus statymas yra lygus didžiajam nematomam statymui arba įsinešamai"),
        et=("2.6", "Minimaalne panus on suur blaind või bring-in"),
        ro=("2.6", "Pariul minim este egal cu marele blind sau cu bring-in-ul"),
    ),
)
def test_half_the_pot_is_never_less_than_the_least_raise(book):
    dealt = sit(book, "holdem", "hpl", holes=2)
    assert sizes(dealt) == (1000, 1000)  # half of 1000 over 500 would be no more either
    stud = to_round(sit(book, "soko", "hpl", holes=2, ante=1, bring_in=200), 1)
    assert sizes(stud) == (200, 201)
