"""The documents' general rules of buy-ins, new players, missed blinds and all-in players."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action, Funded, SitIn, SitOut, TopUp
from riverboat.game.hand.events import (
    HandStarted,
    Post,
    Posted,
    Stakes,
)
from riverboat.game.hand.forced import Debt
from riverboat.game.refusals import HandCode, Refusal, TableCode
from riverboat.game.table.events import ButtonRule
from riverboat.game.table.settings import buy_in_bounds
from tests.documents.playing import (
    asks_to_sit,
    plays,
    plays_out,
    settings_of,
    sit,
    starts,
    table_of,
    to_the_end,
)
from tests.documents.quoting import by_book, says
from tests.game.table.house import House

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BOOKS = ("lt", "et", "ro")


# Buy-ins.


BUY_INS = [(25, 300), (100, 1000), (200, 2000), (300, 3000), (500, 5000)]


def said_buy_ins(lower: int) -> list[pytest.MarkDecorator]:
    """The row of each document's table for this lower limit."""
    row = {
        25: "| € 0,25/0,50 | € 3 |",
        100: "| € 1/2 | € 10 |",
        200: "| € 2/4 | € 20 |",
        300: "| € 3/6 | € 30 |",
        500: "| € 5/10 | € 50 |",
    }[lower]
    most = {"lt": " Neribojama |", "et": " kogu raha |", "ro": ""}
    return [says(book, "1.3", row + most[book], "least and greatest buy-in") for book in BOOKS]


@pytest.mark.parametrize("variant", ["holdem", "omaha"])
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("lower", "least"), [pytest.param(*row, marks=said_buy_ins(row[0])) for row in BUY_INS]
)
def test_the_least_buy_ins_of_fixed_limit(book, variant, lower, least):
    stakes = Stakes(small_blind=lower // 2, big_blind=lower, small_bet=lower, big_bet=2 * lower)
    house = table_of(settings_of(book, variant, "fl", stakes=stakes))
    assert asks_to_sit(house, "a", least - 1) == Refusal(TableCode.BELOW_LEAST_BUY_IN, least=least)
    assert asks_to_sit(house, "a", least) is None
    assert asks_to_sit(house, "b", 1_000_000 * least) is None


@pytest.mark.parametrize("limit", ["pl", "nl"])
@pytest.mark.parametrize(
    "book",
    by_book(
        "every table has a least buy-in; in pot and no limit a greatest too",
        lt=("1.2", "taip pat PL ir NL žaidimuose ir maksimalus išsipirkimo dydis"),
        et=("1.2", "PL ja NL laudades on määratud ka sisseostu ülemine piir"),
        ro=("1.2", "Este un buy-in minim la fiecare masa si la PL si NL este si un buy-in maxim"),
    ),
)
def test_pot_and_no_limit_have_a_greatest_buy_in(book, limit):
    for each in ("fl", "sl", "hpl", limit):
        least = buy_in_bounds(settings_of(book, "holdem", each))[0]
        assert least > 0
        assert asks_to_sit(table_of(settings_of(book, "holdem", each)), "a", least - 1) == Refusal(
            TableCode.BELOW_LEAST_BUY_IN, least=least
        )
    house = table_of(settings_of(book, "holdem", limit))  # a big blind of 500
    most = 100 * 500
    assert asks_to_sit(house, "a", most + 1) == Refusal(TableCode.ABOVE_MOST_BUY_IN, most=most)
    assert asks_to_sit(house, "a", most) is None


@pytest.mark.parametrize(
    "book",
    by_book(
        "table stakes: only the chips on the table play",
        lt=("1.2", "žaidimo metu galite naudoti tik ant stalo jau išpirktus žetonus"),
        et=("1.2", "te mängite vaid nende žetoonidega, mis on teie ees laual"),
        ro=("1.2", "poti sa joci doar jetoanele pe care le ai in fata ta la masa"),
    ),
)
def test_only_chips_on_the_table_play(book):
    dealt = sit(book, "holdem", holes=3, stacks={3: 5_000})
    outcome = dealt.tries(dealt.the_act(RAISE, 5_001))
    assert outcome == Refusal(HandCode.MORE_THAN_STACK, most=5_000)

    house = table_of(settings_of(book, "holdem"), "a", "b", stack=10_000)
    starts(house)
    house.ask("a", TopUp(20_000))
    house.order(_funded(house, "a"))
    assert house.hand.seats[1].start == 10_000
    assert house.table.sittings[1].behind == 20_000
    plays_out(house)
    starts(house)
    assert house.hand.seats[1].start > 20_000


def _funded(house: House, player: str):
    (held,) = [held for held in house.table.reservations.values() if held.player == player]
    return Funded(held.id)


# New players, missed blinds.


def posts_of(house: House, player: str) -> list[tuple[Post, int]]:
    """What the player posted in the hand that runs."""
    (seat,) = [at for at, sitting in house.table.sittings.items() if sitting.player == player]
    record = next(
        record for record, _ in reversed(house.log) if isinstance(record.events[0], HandStarted)
    )
    return [
        (event.post, event.amount)
        for event in record.events
        if isinstance(event, Posted) and event.seat == seat
    ]


def dealt_in(house: House) -> list[str]:
    return [seat.player for seat in house.hand.seats.values()]


@pytest.mark.parametrize(
    "book",
    by_book(
        "a new player posts a big blind, or waits until it is his turn to",
        lt=("1.4", "turi pradėti žaisti sumokėdamas didžiojo nematomo statymo"),
        et=("1.4", "muult positsioonilt alustades peab asetama suure blaindiga võrdse summa"),
        ro=("1.4", "fie va intra la masa ca blind mare sau va fi obligat sa posteze aceeasi suma"),
    ),
)
def test_a_new_player_posts_a_big_blind_or_waits_for_it(book):
    for post in (True, False):
        house = table_of(settings_of(book, "holdem"), "a", "b", "c", "d")
        starts(house)
        plays_out(house)
        house.seat("new", 10_000, post=post)
        for _ in range(10):
            starts(house)
            if "new" in dealt_in(house):
                break
            plays_out(house)
        kind = Post.EXTRA_BLIND if post else Post.BIG_BLIND
        assert posts_of(house, "new") == [(kind, 500)]
        assert house.hand.seats[5].bet == 500  # it is live


def away_until(book: str, post: Post) -> House:
    """Four have played; player d, the next big blind, is away until that blind has passed him."""
    house = table_of(settings_of(book, "holdem"), "a", "b", "c", "d")
    starts(house)
    while house.hand.big_blind != 3:
        plays_out(house)
        starts(house)
    house.ask("d", SitOut())
    plays_out(house)
    starts(house)
    if post is Post.SMALL_BLIND:
        plays_out(house)
        starts(house)
    plays_out(house)
    house.ask("d", SitIn(True))
    for _ in range(4):
        starts(house)
        if "d" in dealt_in(house):
            return house
        plays_out(house)
    raise AssertionError("d has posted and is not dealt in")


@pytest.mark.parametrize(
    "book",
    by_book(
        "who missed the big blind comes back by paying its amount",
        lt=(
            "1.5",
            "sumokėti didžiajam nematomam statymui lygią sumą ir iš karto vėl tęsti žaidimą",
        ),
        et=("1.5", "asetama sama suure panuse (live bet) mänguga liitumiseks"),
        ro=(
            "1.5",
            "Un jucator care a pierdut marele blind poate sa revina in joc doar daca posteaza",
        ),
    ),
)
def test_a_missed_big_blind_is_posted_live(book):
    house = away_until(book, Post.BIG_BLIND)
    posts = dict(posts_of(house, "d"))
    assert posts[Post.EXTRA_BLIND] == 500
    assert house.hand.seats[4].bet == 500


@pytest.mark.parametrize(
    "book",
    by_book(
        "who missed the small blind too pays it as well, dead, straight into the pot",
        lt=("1.5", "kuri keliauja tiesiai į puodą ir yra laikoma „mirusi“"),
        et=("1.5", "peavad lisaks suurele blaindile asetama väikese blaindiga võrdse summa"),
        ro=("1.5", 'Acesti bani sunt numiti "dead money" si merg direct in pot'),
    ),
)
def test_both_blinds_missed_cost_the_small_one_dead(book):
    house = away_until(book, Post.SMALL_BLIND)
    assert posts_of(house, "d") == [(Post.EXTRA_BLIND, 500), (Post.DEAD_BLIND, 250)]
    seat = house.hand.seats[4]
    assert (seat.bet, seat.dead) == (500, 250)


@pytest.mark.parametrize(
    "book",
    by_book(
        "or he waits for the big blind, and owes nothing more",
        lt=("1.5", "į žaidimą gali sugrįžti kito statymo metu"),
        et=("1.5", "või siis ära ootama oma järjekorra suure suure blaindi maksmiseks"),
        ro=("1.5", "sau in pozitia de blind mare"),
    ),
)
def test_waiting_for_the_big_blind_clears_every_debt(book):
    house = table_of(settings_of(book, "holdem"), "a", "b", "c", "d")
    starts(house)
    while house.hand.big_blind != 3:
        plays_out(house)
        starts(house)
    house.ask("d", SitOut())
    for _ in range(3):
        plays_out(house)
        starts(house)
    plays_out(house)
    house.ask("d", SitIn(False))
    for _ in range(5):
        starts(house)
        if "d" in dealt_in(house):
            break
        plays_out(house)
    assert posts_of(house, "d") == [(Post.BIG_BLIND, 500)]


@says(
    "ro",
    "1.5",
    "Jucatorii care au ratat blind-ul mic, poate sa revina in joc doar daca posteaza suma",
    "who missed the small blind alone comes back by posting its amount",
)
@pytest.mark.parametrize("hands", [1, 2])
@pytest.mark.parametrize("rule", list(ButtonRule))
def test_a_small_blind_missed_alone_is_dead(rule, hands):
    house = table_of(settings_of("ro", "holdem", button_rule=rule), "a", "b", "c", "d")
    starts(house)
    while house.hand.big_blind != 4:
        plays_out(house)
        starts(house)
    house.ask("d", SitOut())  # he has paid the big blind; the small one passes him
    plays_out(house)
    for _ in range(hands):
        starts(house)
        plays_out(house)
    house.ask("d", SitIn(True))
    for _ in range(3):
        starts(house)
        if "d" in dealt_in(house):
            break
        plays_out(house)
    assert posts_of(house, "d") == [(Post.DEAD_BLIND, 250)]


@says(
    "et",
    "1.5",
    "mis läheb otse panka ja mida ei loeta sel hetkel panga osaks",
    "it goes straight into the pot and is not counted as part of the pot at that moment",
)
def test_a_dead_blind_is_no_part_of_the_pot_in_its_round():
    greatest = {}
    for book in BOOKS:
        dealt = sit(book, "holdem", "pl", holes=4, debts={3: Debt(live=500, dead=250)})
        greatest[book] = dealt.offered.raise_most
        assert dealt.hand.pot == 250 + 500 + 500 + 250
    # 500 to match, and the pot after the call: 1250 with seat 3's live chips, 250 more if counted.
    assert greatest == {"lt": 500 + 1500, "et": 500 + 1250, "ro": 500 + 1500}


# All-in.


@pytest.mark.parametrize(
    "book",
    by_book(
        "who is all-in stays to the showdown and wins from each at most what he put in",
        lt=("1.6", "Visus pinigus pastatęs žaidėjas gali iš kitų žaidėjų laimėti tik tokią"),
        et=("1.6", "saab võita igalt mängijalt niipalju raha, kui oli tal enne jaotuse algust"),
        ro=("1.6", "poate sa castige doar atatea jetoane cate a pus in pot"),
    ),
)
def test_an_all_in_player_wins_from_each_what_he_put_in(book):
    holes = {1: "AhAd", 2: "KhKd", 3: "QhQd"}
    dealt = sit(book, "holdem", holes=holes, then="2c3s7d8hJs", stacks={1: 1_000})
    plays(dealt, (3, RAISE, 3_000), (1, CALL), (2, CALL), (2, RAISE, 5_000), (3, FOLD))
    assert dealt.hand.turn == 0  # nobody asks him any more
    assert to_the_end(dealt).won() == {1: 3_000, 2: 4_000}


@pytest.mark.parametrize(
    "book",
    by_book(
        "larger bets make a side pot, and further all-ins further ones",
        lt=("1.6", "Šoninių puodų gali būti ir daugiau"),
        et=("1.6", "moodustub kolmas, neljas jne. pank"),
        ro=("1.6", "Pot sa fie mai multe poturi side daca mai multi jucatori sunt all-in"),
    ),
)
def test_as_many_side_pots_as_all_ins(book):
    holes = {1: "AhAd", 2: "KhKd", 3: "QhQd", 4: "JhJd"}
    stacks = {1: 1_000, 2: 2_000, 3: 3_000, 4: 4_000}
    dealt = sit(book, "holdem", holes=holes, then="2c3s7d8h9s", stacks=stacks)
    plays(dealt, (3, RAISE, 3_000), (4, RAISE, 4_000), (1, CALL), (2, CALL))
    to_the_end(dealt)
    assert [pot.amount for pot in dealt.hand.pots] == [4_000, 3_000, 2_000]
    assert dealt.hand.returned == 1_000
    assert dealt.won() == {1: 4_000, 2: 3_000, 3: 2_000}
