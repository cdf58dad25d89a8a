"""The tables of rules, held against the pages they stand for, and their mistakes against words."""

from __future__ import annotations

import pytest

from riverboat.game import rules
from riverboat.game.rules import RulesError, sites
from riverboat.game.rules.schema import Completion, Opener, Raise, RakeDue, ShowOpener

SEATS = {
    # variant: seats at most in lt, et, ro, standard; 0: not offered. [RULES 1]
    "holdem": (10, 10, 10, 10),
    "omaha": (8, 9, 8, 10),
    "omaha5": (8, 0, 8, 9),
    "omaha_hilo": (8, 9, 8, 10),
    "omaha5_hilo": (8, 0, 8, 9),
    "soko": (8, 8, 8, 8),
    "stud7": (8, 8, 8, 8),
    "stud7_hilo": (8, 8, 8, 8),
    "draw5": (6, 6, 6, 6),
    "triple_draw27": (6, 6, 6, 6),
    "americana": (6, 6, 6, 6),
    "telesina": (6, 0, 6, 6),
    "draw32": (5, 5, 0, 5),
}
RULEBOOKS = ("lt", "et", "ro", "standard")


@pytest.mark.parametrize("variant", SEATS)
def test_each_rulebook_offers_its_games_with_its_seats(variant):
    """RULES 1: "Seats at most, `-` = not offered in that rulebook"."""
    for rulebook, seats in zip(RULEBOOKS, SEATS[variant], strict=True):
        for limit in rules.HOUSE.limits:
            if seats:
                assert rules.game(rulebook, variant, limit).seats_most == seats
            else:
                with pytest.raises(RulesError, match=variant):
                    rules.game(rulebook, variant, limit)


def test_thirty_five_pairs_are_the_documents():
    """RULES 1: "35 pairs of rulebook and variant are offered (13 lt + 10 et + 12 ro)"."""
    assert [len(rules.HOUSE.variants(book)) for book in ("lt", "et", "ro")] == [13, 10, 12]


@pytest.mark.parametrize(
    ("variant", "limit", "lt", "et", "ro"),
    [
        ("soko", "fl", "lowest", "highest", "highest"),
        ("stud7", "fl", "lowest", "lowest", "lowest"),
        ("stud7", "sl", "lowest", "lowest", "lowest"),
        ("stud7", "pl", "highest", "highest", "highest"),
        ("stud7", "hpl", "highest", "highest", "highest"),
        ("stud7", "nl", "highest", "highest", "highest"),
        ("stud7_hilo", "pl", "lowest", "lowest", "lowest"),
        ("americana", "nl", "lowest", "highest", "highest"),
        ("telesina", "nl", "lowest", None, "highest"),
    ],
)
def test_who_brings_it_in(variant, limit, lt, et, ro):
    """RULES 4, the table of bring-ins."""
    for rulebook, which in (("lt", lt), ("et", et), ("ro", ro)):
        if which:
            opener = rules.game(rulebook, variant, limit).first_opener
            assert opener is Opener(f"bring_in_{which}")


@pytest.mark.parametrize(
    ("variant", "lt", "et", "ro"),
    [
        ("holdem", "left_of_button", "left_of_button", "left_of_button"),
        ("omaha", "left_of_button", "left_of_button", "left_of_button"),
        ("soko", "first_dealt", "best_open_hand", "best_open_hand"),
        ("stud7", "best_open_hand", "best_open_hand", "best_open_hand"),
        ("americana", "first_dealt", "first_dealt", "best_open_hand"),
        ("telesina", "first_dealt", None, "best_open_hand"),
        ("draw32", "left_of_big_blind", "left_of_big_blind", None),
    ],
)
def test_who_shows_first_when_nobody_bet(variant, lt, et, ro):
    """RULES 5, who shows first."""
    for rulebook, opener in (("lt", lt), ("et", et), ("ro", ro)):
        if opener:
            assert rules.game(rulebook, variant, "nl").show_opener is ShowOpener(opener)


@pytest.mark.parametrize(
    ("rulebook", "variant", "limit", "tiers"),
    [
        ("lt", "holdem", "fl", (0, 0, 1, 1)),
        ("lt", "draw5", "fl", (0, 1)),
        ("lt", "stud7", "fl", (0, 0, 1, 1, 1)),
        ("ro", "stud7", "sl", (0, 0, 1, 2, 2)),
        ("et", "stud7", "sl", (0, 0, 0, 1, 2)),
        ("lt", "draw32", "sl", (0, 2)),
        ("et", "holdem", "sl", (0, 0, 1, 2)),
        ("standard", "holdem", "sl", (1, 1, 1, 1)),
        ("lt", "holdem", "nl", ()),
    ],
)
def test_the_bets_of_each_round(rulebook, variant, limit, tiers):
    """RULES 3, fl and sl: which number each round takes."""
    assert rules.game(rulebook, variant, limit).tiers == tiers


def test_what_the_rulebooks_differ_in():
    """RULES 3, 5, 8: caps, dead blinds, and who must show."""
    for book, heads_up, dead, full in (
        ("lt", True, True, False),
        ("et", True, False, False),
        ("ro", True, True, False),
        ("standard", False, True, True),
    ):
        game = rules.game(book, "holdem", "fl")
        assert (game.bets_most, game.cap_heads_up) == (4, heads_up)
        assert game.half_bet_reopens
        assert (game.pot_counts_dead_blind, game.pot_counts_full_blinds) == (dead, full)
        assert rules.game(book, "draw5", "nl").all_show_checked_down is (book == "lt")
    assert rules.game("et", "draw32", "nl").later_openers == (Opener.LEFT_OF_BIG_BLIND,)
    assert rules.game("lt", "draw32", "nl").later_openers == (Opener.LEFT_OF_BUTTON,)
    assert rules.game("lt", "telesina", "nl").bring_in_suits == "shdc"
    assert rules.game("ro", "telesina", "nl").bring_in_suits == "hdcs"


def test_the_open_pair_is_fixed_limit_seven_card_stud_alone():
    """RULES 3: "an open pair on fourth street" ... "(Not in `stud7_hilo`.)"."""
    assert rules.game("lt", "stud7", "fl").open_pair_street == 1
    assert rules.game("lt", "stud7", "nl").open_pair_street == -1
    assert rules.game("lt", "stud7_hilo", "fl").open_pair_street == -1


@pytest.mark.parametrize(
    ("variant", "due"),
    [
        ("holdem", "flop"),
        ("omaha5_hilo", "flop"),
        ("soko", "third_card"),
        ("stud7_hilo", "fourth_card"),
        ("draw5", "draw"),
        ("triple_draw27", "draw"),
        ("americana", "never"),
        ("telesina", "never"),
        ("draw32", "never"),
    ],
)
def test_what_must_have_happened_before_a_pot_is_raked(variant, due):
    """RULES 6: "hold'em and omaha a flop; soko the third card; stud the fourth card"."""
    assert rules.game("lt", variant, "nl").rake_due is RakeDue(due)


def test_a_game_holds_the_rake_and_the_buy_ins_of_its_limit():
    """RULES 6 and 4, the tables by limits."""
    no_limit = rules.game("et", "holdem", "nl")
    fixed = rules.game("et", "holdem", "fl")
    assert [(row.step, row.fee) for row in no_limit.rake] == [(100, 5)]
    assert [row.big_blind_from for row in fixed.rake] == [10, 100, 200]
    assert no_limit.buy_in_listed == ()
    assert no_limit.buy_in_most_big_blinds == 100
    assert dict(fixed.buy_in_listed)[25] == 300  # of 0.25/0.50 the lower bet is the big blind
    assert (fixed.buy_in_least_big_blinds, fixed.buy_in_most_big_blinds) == (10, 0)


def test_a_game_is_one_object_with_one_digest():
    """ARCHITECTURE 2: a hand names "rulebook name, version and digest too"."""
    game = rules.game("lt", "holdem", "nl")
    assert rules.game("lt", "holdem", "nl") is game
    assert rules.game("lt", "holdem", "nl", game.digest) is game
    digests = {rules.game(*ids).digest for ids in rules.HOUSE.offered()}
    assert len(digests) == len(rules.HOUSE.offered())
    with pytest.raises(RulesError, match="digest"):
        rules.game("lt", "holdem", "nl", "0123456789abcdef")


def test_an_operator_adds_a_rulebook_and_a_variant_without_code():
    """RULES: "An operator can write a fourth rulebook without touching code"."""
    own = rules.load(
        {
            "variants.toml": """
                [pineapple]
                name = "Pineapple"
                deck = "52"
                forced = "blinds"
                first_opener = "after_blinds"
                later_openers = ["left_of_button"]
                high = "standard"
                select = "any_five"
                show_opener = "left_of_button"
                odd_unit = "left_of_button"
                rake_due = "flop"
                not_in.sl = "nobody spreads it"
                streets = [
                  { name = "all", down = 3 },
                  { name = "away", draw = 1, draw_least = 1, refill = false, bet = false },
                  { name = "board", board = 5 },
                ]
            """,
            "river.toml": """
                extends = "et"
                [limits.fl]
                completion = "next_multiple"
                [variants.pineapple]
                seats_most = 9
                [[rake]]
                step = 50
                fee = 1
            """,
        }
    )
    game = own.game("river", "pineapple", "fl")
    assert (game.name, game.rounds, game.tiers) == ("Pineapple", 2, (0, 1))
    assert game.completion is Completion.NEXT_MULTIPLE
    assert not game.pot_counts_dead_blind  # as et says
    assert [row.step for row in game.rake] == [50]
    assert own.game("river", "omaha", "nl").seats_most == 9
    with pytest.raises(RulesError, match="pineapple is not dealt in sl: nobody spreads it"):
        own.game("river", "pineapple", "sl")
    assert ("river", "pineapple", "sl") not in own.offered()
    assert own.game("et", "omaha", "nl") == rules.game("et", "omaha", "nl")
    with pytest.raises(RulesError):
        rules.game("river", "omaha", "nl")


def test_a_process_that_adopts_tables_finds_their_games_and_the_old_ones():
    """ARCHITECTURE 2: "Each hand runs to its end at the rules version that it names"."""
    before = rules.game("standard", "holdem", "fl")
    changed = rules.load({"standard.toml": PATCHED})
    rules.adopt(changed)
    try:
        now = rules.game("standard", "holdem", "fl")
        assert now.bets_most == 5
        assert rules.game("standard", "holdem", "fl", before.digest) is before
    finally:
        rules.drop(changed)
    assert rules.game("standard", "holdem", "fl") is before


PATCHED = """
extends = "standard"
[limits.fl]
bets_most = 5
"""

BOOK = "own.toml"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({BOOK: "extnds = 'lt'"}, "own.toml: extnds: no such key"),
        ({BOOK: "extends = 'lv'"}, "own.toml: extends: no rulebook 'lv'"),
        ({BOOK: "extends = "}, "own.toml: "),
        ({BOOK: "[every]\nbets = 3"}, "own.toml: every.bets: no such key"),
        ({BOOK: "[every]\nbets_most = -1"}, "own.toml: every.bets_most: must be a whole number"),
        ({BOOK: "[every]\nbets_most = true"}, "own.toml: every.bets_most: must be a whole number"),
        ({BOOK: "[every]\ncap_heads_up = 1"}, "own.toml: every.cap_heads_up: must be true or"),
        ({BOOK: "[every]\nname = 1"}, "own.toml: every.name: must be text"),
        ({BOOK: "[every]\nbring_in_suits = 'shd'"}, "every.bring_in_suits: must hold each of"),
        ({BOOK: "[every]\nlater_openers = []"}, "every.later_openers: must be a list of openers"),
        ({BOOK: "[every]\nfirst_opener = 'dealer'"}, "every.first_opener: must be one of"),
        ({BOOK: "[every]\npot_contestants_rule = 'all'"}, "must be hand or pot"),
        ({BOOK: "[limits.fl.tiers]\n4 = [0, 1]"}, "fl.tiers.4: must name one bet for each of 4"),
        ({BOOK: "[limits.fl.tiers]\n2 = [0, -1]"}, "fl.tiers.2: must be a whole number"),
        ({BOOK: "[limits.fl]\ntiers = 2"}, "fl.tiers: must be a table"),
        ({BOOK: "[variants.nothing]\nseats_most = 4"}, "variants.nothing: no table of variants"),
        ({BOOK: "[variants.holdem]\nname = 'x'"}, "seats_most: no table says it"),
        ({BOOK: "[[rake]]\nstep = 20"}, "own.toml: rake[0].fee: is missing"),
        (
            {BOOK: "[[rake]]\nstep = 20\nfee = 1\nsmall_below = 3"},
            "small_step and small_fee go together",
        ),
        ({BOOK: "[[rake]]\nstep = 20\nfee = 1\ncaps = 3"}, "rake[0].caps: must be a list"),
        ({BOOK: "[[rake]]\nstep = 20\nfee = 1\nlimits = [1]"}, "rake[0].limits: must be a list"),
        ({BOOK: "[[buy_in_listed]]\ntable = [[1]]"}, "buy_in_listed[0].table: must be a list of p"),
        ({"variants.toml": "[a]\nhihg = 'standard'"}, "variants.toml: a.hihg: no such key"),
        ({"variants.toml": "[a]\nhigh = 'best'"}, "variants.toml: a.high: must be one of"),
        ({"variants.toml": "[a]\ndeck = '48'"}, "variants.toml: a.deck: must be one of"),
        ({"variants.toml": "a = 1"}, "variants.toml: a: must be a table"),
        ({"variants.toml": "[a]\nstreets = 4"}, "variants.toml: a.streets: must be a list"),
        ({"variants.toml": "[a]\nstreets = [{down = 2}]"}, "a.streets[0].name: is missing"),
        ({"variants.toml": "[a]\nstreets = [{name = 'x'}]"}, "the first street deals cards"),
        ({"limits.toml": "[q]\nraise_rule = 'any'"}, "limits.toml: q.raise_rule: must be one of"),
    ],
)
def test_a_mistake_in_a_table_is_named_by_file_and_key(files, words):
    """STYLE 3: "Each table is validated when loaded; the error names file and key"."""
    with pytest.raises(RulesError) as wrong:
        rules.load(files)
    assert words in str(wrong.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seats_most": 10}, "seats_most: 10 players need 55 cards, more than the deck"),
        ({"select": "'own'"}, "select: own has no hand of high standard in 4 own cards"),
        ({"select": "'any_five'"}, "select: any_five has no hand of high standard"),
        ({"low": "'badugi'"}, "select: two_and_three has no hand of low badugi"),
        ({"not_in": "{ xl = 'why' }"}, "not_in: no limit 'xl'"),
        ({"not_in": "{ fl = '' }"}, "not_in: must be a table of limits and reasons"),
        ({"high": "''"}, "high: a game ranks hands by high, low or both"),
        ({"forced": "'bring_in'"}, "bring_in_suits: ties of the bring-in need an order of suits"),
    ],
)
def test_a_game_that_could_not_be_dealt_to_its_end_is_refused(change, words):
    values = {"seats_most": 9, **change}
    book = "extends = 'standard'\n[variants.omaha]\n"
    book += "\n".join(f"{key} = {value}" for key, value in values.items())
    book = book.replace("seats_most = 10", "seats_most = 10\n[variants.omaha5]\nseats_most = 10")
    with pytest.raises(RulesError) as wrong:
        rules.load({BOOK: book})
    assert words in str(wrong.value)


@pytest.mark.parametrize(
    ("street", "words"),
    [
        ("draw = 1, draw_least = 2, refill = false", "streets[1].draw_least: must be at most draw"),
        ("draw_least = 1, refill = false", "streets[1].draw_least: must be at most draw"),
        ("draw = 1, draw_least = 1", "streets[1].refill: must be false where cards must be thrown"),
        ("draw = 2, draw_least = 1, refill = false", "must be draw where no cards come back"),
        ("draw = 1, refill = false", "draw_least: must be draw where no cards come back"),
    ],
)
def test_what_must_be_thrown_may_be_thrown_and_does_not_come_back(street, words):
    text = "[a]\nstreets = [{name = 'x', down = 5}, {name = 'y', " + street + "}]"
    with pytest.raises(RulesError) as wrong:
        rules.load({"variants.toml": text})
    assert words in str(wrong.value)


@pytest.mark.parametrize("ids", [("xx", "holdem", "nl"), ("lt", "holdem", "xl")])
def test_an_unknown_id_is_an_error_that_lists_the_known(ids):
    with pytest.raises(RulesError, match=r"there are (lt, et|nl, pl)"):
        rules.game(*ids)


def test_each_limit_has_its_rule():
    """RULES 3, the table of limits."""
    rule_of = {limit: rules.game("lt", "holdem", limit).raise_rule for limit in rules.HOUSE.limits}
    assert rule_of == {
        "nl": Raise.NO_LIMIT,
        "pl": Raise.POT,
        "hpl": Raise.HALF_POT,
        "fl": Raise.FIXED,
        "sl": Raise.SPREAD,
    }


def test_what_a_limit_cannot_price_is_not_dealt_in_it():
    """RULES 1: "Each is played in every limit below that makes sense"; data says which not."""
    offered = set(rules.HOUSE.offered())
    every = {
        (book, variant, limit)
        for book in rules.HOUSE.rulebooks
        for variant in rules.HOUSE.variants(book)
        for limit in rules.HOUSE.limits
    }
    assert every - offered == {("standard", "short_deck", "fl"), ("standard", "short_deck", "sl")}
    for book, variant, limit in every - offered:
        assert rules.HOUSE.barred(book, variant, limit)
    # All 35 pairs of the documents in all five limits.
    assert len([ids for ids in offered if ids[0] != "standard"]) == 35 * 5


def test_the_sites_deal_what_the_rulebook_deals():
    assert sites.game_at("PokerStars", "stud", "FL") == sites.game_at("elsewhere", "stud", "FL")
    assert sites.game_at("PokerStars", "shortdeck", "FL") is None
    with pytest.raises(RulesError, match=r"sites.toml: variants.a: standard deals no 'b'"):
        sites.Sites("rulebook = 'standard'\nlimits = {}\nvariants = { a = 'b' }")
