"""The games with open cards: the bring-in, open pairs on fourth street, decks that run short."""

from __future__ import annotations

from itertools import pairwise

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.events import RoundClosed, StreetDealt
from riverboat.game.refusals import HandCode, Refusal
from tests.documents.playing import passes, plays, sit, to_round, to_the_end, won
from tests.documents.quoting import by_book, by_game
from tests.game.hand.dealt import Dealt

CHECK, CALL, RAISE, BRING_IN = Action.CHECK, Action.CALL, Action.RAISE, Action.BRING_IN


def with_doors(book: str, variant: str, limit: str, *doors: str) -> Dealt:
    """A hand whose first open cards are these, for seats from 1."""
    hidden = iter(("Jc", "Qc", "Jd", "Qd", "Js", "Qs", "Jh", "Qh"))
    many = 2 if variant.startswith("stud7") else 1
    holes = {
        seat: "".join(next(hidden) for _ in range(many)) + door
        for seat, door in enumerate(doors, 1)
    }
    return sit(book, variant, limit, holes=holes)


LOWEST, HIGHEST = 1, 3  # who brings it in with 8, 9 and K showing
RESTRICTED, FREE = ("fl", "sl"), ("pl", "hpl", "nl")


def expected(book: str, variant: str, limit: str) -> int:
    """Who brings it in, as the quoted sentences have it."""
    if variant == "stud7":
        return LOWEST if limit in RESTRICTED else HIGHEST
    if variant == "stud7_hilo" or book == "lt":
        return LOWEST
    return HIGHEST


LOW_LT = "Žaidejas po išdalinimo turintis žemiausią kortą turi atlikti priverstini statymą"
WHO = by_game(
    "the lowest card brings it in, or the highest; in stud the lowest in fixed limit, else highest",
    ("lt", "9.5 11.4 14.5 15.5", LOW_LT),
    ("lt", "10.4", "turintis žemiausią kortą riboto limito žaidime ir aukščiausią kortą puodo"),
    ("et", "7.4", "kõige kõrgema lahtise kaardiga mängija tegema kohustusliku avapanuse"),
    ("et", "8.4", "The player showing the lowest card in fixed limit and the highest card in pot"),
    ("et", "9.4", "The player showing the lowest card after the deal must make a forced bet"),
    ("et", "12.5", "kellel on peale kaartide jagamist suurim kaart, on sunnitud tegema esimese"),
    ("ro", "9.5", "care are cea mai mare carte cu fata in sus este fortat sa faca un pariu"),
    ("ro", "10.4", "cea mai mica dintre carti la fixed limit si cel cu cea mai mare la pot limit"),
    ("ro", "11.4", "Jucatorul care are cea mai mica, carte este obligat la un pariu fortat"),
    ("ro", "14.5", "Jucatorul care are cea mai mare carte este fortat sa puna un pariu(bring-in)"),
    ("ro", "15.5", "care arata cea mai mare carte dupa impartirea cartilor trebuie sa faca un"),
)


@pytest.mark.parametrize("limit", [*RESTRICTED, *FREE])
@pytest.mark.parametrize(("book", "variant"), WHO)
def test_who_brings_it_in(book, variant, limit):
    dealt = with_doors(book, variant, limit, "8h", "9h", "Kh")
    assert dealt.hand.turn == expected(book, variant, limit)
    assert dealt.offered.bring_in > 0
    assert not dealt.offered.check
    # The ace is high, in high/low too.
    dealt = with_doors(book, variant, limit, "8h", "9h", "Ah")
    assert dealt.hand.turn == expected(book, variant, limit)


SPADES = "shdc"
SUITS = by_game(
    "equal cards are told apart by suit: spades, hearts, diamonds, clubs; ro's Telesina: h d c s",
    ("lt", "9.5 10.4 11.4 14.5 15.5", "tvarka yra tokia: vynai, širdys, bugnai ir kryžiai"),
    ("et", "7.4", "(nõrgenevas järjekorras): poti, ärtu, ruutu, risti"),
    (
        "et",
        "8.4 9.4",
        "with the order being spades, hearts, diamonds and clubs (in descending",
    ),
    ("et", "12.5", "järjekorras: poti, ärtu, ruutu ja risti (vähenevas järjekorras)"),
    ("ro", "9.5 10.4 11.4 14.5", "anume pica, cupe, romb si trefle (in ordine descrescatoare)"),
    ("ro", "15.5", "ordinea acestora fiind Cupa, Romb, Trefla si Pica (in ordine descrescatoare)"),
)


@pytest.mark.parametrize("limit", ["fl", "pl"])
@pytest.mark.parametrize(("book", "variant"), SUITS)
def test_ties_of_the_bring_in(book, variant, limit):
    order = "hdcs" if (book, variant) == ("ro", "telesina") else SPADES
    for higher, lower in pairwise(order):
        dealt = with_doors(book, variant, limit, "9" + higher, "9" + lower)
        low, high = 2, 1
        assert dealt.hand.turn == (low if expected(book, variant, limit) == LOWEST else high)


HOW_MUCH = by_game(
    "usually twice the ante, or a larger bet where the limit allows it",
    ("lt", "9.5 10.4 11.4 14.5 15.5", "dažniausiai siekia 2 x 'Ante' dydžio, arba pastatyti dar"),
    ("et", "7.4", "mis on tavaliselt 2x algpanus või siis tegema kohe sellest suurema panuse"),
    (
        "et",
        "8.4 9.4",
        "usually amounts to 2 x the ante or make a bet higher than that if the",
    ),
    ("et", "12.5", "mis on tavaliselt 2 korda suurem kui algpanus, või kui limiit seda lubab"),
    ("ro", "9.5", "care este de obicei de 2 x cat antele sau sa faca un pariu mai mare"),
    ("ro", "10.4", "care este de obicei de 2 x ante sau poate fi mai mare daca limita permite"),
    ("ro", "11.4 14.5", "care de obicei este de 2 x ante sau mai mare daca limita"),
    ("ro", "15.5", "este in mod obisnuit dublul ante-ului sau poate face un pariu mai mare"),
)


@pytest.mark.parametrize(("book", "variant"), HOW_MUCH)
def test_the_bring_in_is_twice_the_ante_or_a_larger_bet(book, variant):
    dealt = sit(book, variant, "nl")  # an ante of 100
    opener = dealt.hand.turn
    assert dealt.offered.bring_in == 200
    assert dealt.tries(dealt.the_act(RAISE, 200)) == Refusal(HandCode.BELOW_LEAST_RAISE, least=201)
    dealt.does(opener, RAISE, 700)
    assert dealt.offered.call == 700

    fixed = sit(book, variant, "fl")  # the lower bet is 500
    assert (fixed.offered.raise_least, fixed.offered.raise_most) == (500, 500)
    fixed.does(fixed.hand.turn, BRING_IN)
    assert fixed.hand.pot == 300 + 200
    assert (fixed.offered.call, fixed.offered.raise_least) == (200, 500)  # completes the bet


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "who owes the bring-in must make it: he may not fold instead, nor let his time run out",
        ("lt", "9.5 10.4 11.4 14.5 15.5", "turi atlikti priverstini statymą (bring-in)"),
        ("et", "7.4", "mängija tegema kohustusliku avapanuse (bring - in)"),
        ("et", "8.4 9.4", "must make a forced bet (bring-in)"),
        ("et", "12.5", "on sunnitud tegema esimese panuse (bring-in)"),
        ("ro", "9.5", "este fortat sa faca un pariu (bring-in)"),
        ("ro", "10.4", "trebuie sa plateasca un pariu fortat (bring-in)"),
        ("ro", "11.4", "este obligat la un pariu fortat (bring-in)"),
        ("ro", "14.5", "este fortat sa puna un pariu(bring-in)"),
        ("ro", "15.5", "trebuie sa faca un pariu fortat (bring-in)"),
    ),
)
def test_the_bring_in_must_be_made(book, variant):
    for limit in ("fl", "nl"):
        dealt = sit(book, variant, limit)
        opener = dealt.hand.turn
        assert not dealt.offered.fold
        assert dealt.tries(dealt.the_act(Action.FOLD)) == Refusal(HandCode.NOT_OFFERED)
        dealt.times_out()
        assert (dealt.hand.seats[opener].bet, dealt.hand.seats[opener].folded) == (200, False)
        assert dealt.offered.fold  # nobody else is forced


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "after the bring-in it is the turn of the next clockwise",
        ("lt", "9.5 10.4 11.4 14.5 15.5", "atlikusio žaidejo sekantis žaidejas turi priimti"),
        ("et", "7.4", "Peale avapanust või tavalist panust jätkub panustamine päripäeva"),
        ("et", "8.4 9.4", "After the initial bring-in or bet is made action continuous clockwise"),
        ("et", "12.5", "jätkatakse samamoodi kellaosuti liikumise suunas"),
        ("ro", "9.5 10.4", "Dupa bring-in-ul initial se va continua ruda de pariere in sensul"),
        ("ro", "11.4", "Dupa bring-in se va face parierea in sensul acelor de ceasornic"),
        ("ro", "14.5", "Dupa bring-in-ul initial se va continua cu runda de pariere pana la"),
        ("ro", "15.5", "actiunea continua in sensul acelor de ceasornic"),
    ),
)
def test_the_next_clockwise_follows(book, variant):
    for doors in (("8h", "9h", "Kh"), ("9h", "Kh", "8h"), ("Kh", "8h", "9h")):
        dealt = with_doors(book, variant, "fl", *doors)
        opener = dealt.hand.turn
        passes(dealt)
        assert dealt.hand.turn == opener % 3 + 1
        passes(dealt)
        assert dealt.hand.turn == (opener + 1) % 3 + 1
        passes(dealt)
        assert dealt.happened(RoundClosed)  # nobody asks him again: he has opened


# An open pair on fourth street.


PAIR = {1: "2c3cKsKd", 2: "4h5h7h9c", 3: "6c7c4d3s"}


@pytest.mark.parametrize(
    "book",
    by_book(
        "who shows a pair on fourth street: everybody may bet or raise double the limit",
        lt=("10.7", "yra imanomą statyti/kelti dvigubai daugiau nei limitas"),
        et=("8.7", "it is possible to bet/raise double the limit in Fixed Limit games"),
        ro=("10.7", "Daca un jucator arata o pereche pe 4th street atunci poate sa parieze"),
    ),
)
def test_an_open_pair_doubles_the_limit(book):
    dealt = to_round(sit(book, "stud7", "fl", holes=PAIR), 1)
    assert dealt.hand.turn == 1
    assert dealt.offered.sizes == (500, 1000)
    dealt.does(1, CHECK)
    assert dealt.offered.sizes == (500, 1000)  # not only who has the pair
    dealt.does(2, RAISE, 500)
    assert dealt.offered.sizes == (1000, 1500)
    without = to_round(sit(book, "stud7", "fl", holes={**PAIR, 1: "2c3cKsQd"}), 1)
    assert (without.offered.raise_least, without.offered.raise_most) == (500, 500)
    fifth = to_round(sit(book, "stud7", "fl", holes=PAIR), 2)
    assert (fifth.offered.raise_least, fifth.offered.raise_most) == (1000, 1000)
    high_low = to_round(sit(book, "stud7_hilo", "fl", holes=PAIR), 1)
    assert (high_low.offered.raise_least, high_low.offered.raise_most) == (500, 500)


@pytest.mark.parametrize(
    "book",
    by_book(
        "at most three raises, whatever the size of each",
        lt=("10.7", "daugiausiai leidžiama atlikti tik 3 kelimus, nepaisant kokio dydžio jie yra"),
        et=("8.7", "A maximum of 3 raises is allowed, no matter the size of each raise"),
        ro=("10.7", "Se pot face 3 plusari indiferent de marimea lor"),
    ),
)
@pytest.mark.parametrize(
    "totals", [(500, 1000, 1500, 2000), (500, 1500, 2500, 3500), (1000, 2000, 3000, 4000)]
)
def test_three_raises_whatever_their_size(book, totals):
    dealt = to_round(sit(book, "stud7", "fl", holes=PAIR), 1)
    for total in totals:
        dealt.does(dealt.hand.turn, RAISE, total)
    assert dealt.offered.no_raise == "cap"


# Too few cards for a seventh each.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "too few cards for a seventh each: one in the middle is everybody's seventh",
        ("lt", "10.7 11.7", "vietoje jos ant stalo bus atversta viena bendra korta"),
        (
            "et",
            "8.7",
            "If there are not enough cards left in the deck to deal every player his",
        ),
        ("et", "9.7", "If there is not enough cards left in the deck to deal every player his"),
        ("ro", "10.7", "a 7-a carte comunitara va fi cu fata in sus pe masa"),
        ("ro", "11.7", "cartea a 7- a comunitara va fi cu fata in sus si in mijlocul mesei"),
    ),
)
def test_one_card_is_everybodys_seventh(book, variant):
    # Eight players have 48 cards after sixth street: four are left.
    dealt = to_the_end(sit(book, variant, holes=8))
    last = dealt.happened(StreetDealt)[-1]
    assert last.to == ()
    assert [len(board.cards) for board in last.board] == [1]
    assert all(len(seat.places) == 6 for seat in dealt.hand.seats.values())
    # Seven players need 49: everybody gets his own.
    dealt = to_the_end(sit(book, variant, holes=7))
    assert [len(to.down) for to in dealt.happened(StreetDealt)[-1].to] == [1] * 7


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "and no betting is allowed in that round",
        ("lt", "10.7 11.7", "tačiau joks statymas nebus leidžiamas"),
        ("et", "8.7 9.7", "no betting is allowed on this round"),
        ("ro", "10.7", "nu se mai fac parieri"),
        ("ro", "11.7", "nu se vro face pariuri"),
    ),
)
def test_no_betting_over_a_shared_seventh(book, variant):
    dealt = to_round(sit(book, variant, holes=8), 3)
    while dealt.hand.turn:
        dealt.does(dealt.hand.turn, CHECK)
    dealt.deals()
    assert dealt.hand.turn == 0
    dealt.ends()
    assert dealt.happened(RoundClosed)[-1].round == 3


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "all may use that card",
        ("lt", "10.7 11.7", "visi žaidejai gali panaudoti šią kortą sudaryti kuo aukštesnei kortu"),
        ("et", "8.7 9.7", "all the players use the same card as their 7th card"),
        ("ro", "10.7", "jucatorii folosesc acea carte ca fiind perosnala"),
        ("ro", "11.7", "toti jucatorii vor folosi acesta carte ca cea de-a 7-a a lor"),
    ),
)
def test_everybody_uses_the_shared_seventh(book, variant):
    holes = {
        1: "KhKdKs9c9dTs",
        2: "QhQdQsJcJdTh",  # with the last queen in the middle: four of a kind
        3: "Ah",
        4: "Ad",
        5: "As",
        6: "Ac",
        7: "",
        8: "",
    }
    paid = won(book, variant, holes, then="Qc")
    assert max(paid, key=paid.__getitem__) == 2
    assert 1 not in paid


def test_a_bring_in_by_who_cannot_pay_it_whole():
    """RULES 4: a short stack brings in what it has; the price is the bring-in in full."""
    dealt = sit("lt", "soko", "fl", holes={1: "KcQc", 2: "Jc2c"}, stacks={2: 150})
    plays(dealt, (2, BRING_IN))
    assert (dealt.hand.seats[2].bet, dealt.hand.price) == (50, 200)
