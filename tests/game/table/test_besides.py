"""What a table may have besides its game: each option's bounds, and what contradicts what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.hand.events import Stakes
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import Apart
from riverboat.game.table.settings import fault
from tests.game.table.tables import SETTINGS

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
STRADDLED = Stakes(small_blind=5, big_blind=10, straddles=(20, 40))
STUD = replace(
    SETTINGS,
    variant="stud7",
    limit="fl",
    stakes=Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20),
)
FIXED = replace(SETTINGS, limit="fl")


def bad(name, reason):
    return Refusal(TableCode.BAD_SETTING, field=name, reason=reason)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"buy_in_default": 200},
        {"buy_in_default": 1000},
        {"south_ms": DAY_MS},
        {"away_ms": 1_000, "away_rounds": 100},
        {"hold_ms": 1_000, "offer_ms": DAY_MS},
        {"auto_top_up": True},
        {"bank_ms": 30_000, "bank_refill_ms": 30_000, "bank_refill_hands": 1},
        {"bank_ms": 30_000},
        {"street_ms": (20_000, 25_000, 30_000, 40_000)},
        {"runs": 2, "runs_asked": True},
        {"stakes": STRADDLED, "straddles_asked": True},
        {
            "stakes": Stakes(small_blind=5, big_blind=10, button_straddle=20),
            "straddles_asked": True,
        },
        {"stakes": STRADDLED, "cap": 40},
        {"cap": 300},
        {"bomb_every": 10, "bomb_ante": 50},
        {"bomb_every": 10, "bomb_ante": 50, "cap": 50},
        {"invited": ("ann", "bob")},
        {"code_digest": bytes(32)},
        {"apart": (Apart(("ann", "bob")), Apart(("cas", "dan", "eve")))},
        {"closed_to_view": True},
        {"view_delay_ms": HOUR_MS},
        {"onlookers_speak": True},
        {"closed_to_view": True, "view_delay_ms": 1, "onlookers_speak": True},
        {"gateway_ms": 1_000},
        {"gateway_ms": 600_000},
    ],
)
def test_a_table_may_have(options):
    assert fault(replace(SETTINGS, **options)) is None


@pytest.mark.parametrize("limit", ["fl", "sl"])
def test_protections_are_for_fixed_and_spread_limit_and_real_money(limit):
    """RULES 7: "Only in fixed and spread limit, only at real-money cash tables"."""
    stakes = replace(SETTINGS.stakes, spread=(10, 20, 30))
    real = replace(SETTINGS, limit=limit, stakes=stakes, protections=2)
    assert fault(real) is None
    wrong = bad("protections", "are for real money")
    assert fault(replace(real, currency="PLAY")) == wrong


@pytest.mark.parametrize(
    ("options", "name", "reason"),
    [
        ({"buy_in_default": 199}, "buy_in_default", "must be 0, or from 200 to 1000"),
        ({"buy_in_default": 1001}, "buy_in_default", "must be 0, or from 200 to 1000"),
        ({"buy_in_default": -1}, "buy_in_default", "must be 0, or from 200 to 1000"),
        ({"south_ms": -1}, "south_ms", f"must be from 0 to {DAY_MS}"),
        ({"south_ms": DAY_MS + 1}, "south_ms", f"must be from 0 to {DAY_MS}"),
        ({"away_ms": 999}, "away_ms", f"must be 0, or from 1000 to {DAY_MS}"),
        ({"away_ms": DAY_MS + 1}, "away_ms", f"must be 0, or from 1000 to {DAY_MS}"),
        ({"away_ms": -1}, "away_ms", f"must be 0, or from 1000 to {DAY_MS}"),
        ({"away_rounds": -1}, "away_rounds", "must be from 0 to 100"),
        ({"away_rounds": 101}, "away_rounds", "must be from 0 to 100"),
        ({"hold_ms": 1}, "hold_ms", f"must be 0, or from 1000 to {DAY_MS}"),
        ({"offer_ms": 1}, "offer_ms", f"must be 0, or from 1000 to {DAY_MS}"),
        ({"bank_ms": -1}, "bank_ms", f"must be from 0 to {SETTINGS.grace_ms}"),
        ({"bank_ms": SETTINGS.grace_ms + 1}, "bank_ms", f"must be from 0 to {SETTINGS.grace_ms}"),
        ({"bank_refill_ms": 1, "bank_refill_hands": 1}, "bank_refill_ms", "must be from 0 to 0"),
        (
            {"bank_ms": 10, "bank_refill_ms": 10},
            "bank_refill_hands",
            "goes with bank_refill_ms, and not without",
        ),
        (
            {"bank_ms": 10, "bank_refill_hands": 10},
            "bank_refill_hands",
            "goes with bank_refill_ms, and not without",
        ),
        ({"bank_refill_hands": 1_001}, "bank_refill_hands", "must be from 0 to 1000"),
        ({"street_ms": (20_000,) * 5}, "street_ms", "must hold from 0 to 4"),
        ({"street_ms": (20_000, 999)}, "street_ms", f"each must be from 1000 to {DAY_MS}"),
        ({"runs_asked": True}, "runs_asked", "there is nothing to agree on where runs is 1"),
        ({"straddles_asked": True}, "straddles_asked", "stakes name no straddle"),
        ({"cap": 9}, "cap", "must be 0, or at least 10: nobody may owe more"),
        ({"cap": -1}, "cap", "must be from 0 to 1000000000000"),
        (
            {"stakes": STRADDLED, "cap": 39},
            "cap",
            "must be 0, or at least 40: nobody may owe more",
        ),
        ({"bomb_every": 10}, "bomb_ante", "must be at least 1 where there are bomb pots"),
        (
            {"bomb_ante": 10},
            "bomb_every",
            "must be at least 1 where there is an ante for bomb pots",
        ),
        ({"bomb_every": 1_001, "bomb_ante": 1}, "bomb_every", "must be from 0 to 1000"),
        ({"bomb_every": 1, "bomb_ante": -1}, "bomb_ante", "must be from 0 to 1000000000000"),
        (
            {"bomb_every": 10, "bomb_ante": 50, "cap": 49},
            "cap",
            "must be 0, or at least 50: nobody may owe more",
        ),
        ({"invited": ("ann", "ann")}, "invited", "must hold ids of players, none twice"),
        ({"invited": ("",)}, "invited", "must hold ids of players, none twice"),
        (
            {"invited": tuple(f"p{at}" for at in range(501))},
            "invited",
            "must hold 500 players at most",
        ),
        ({"code_digest": bytes(31)}, "code_digest", "must be empty, or 32 bytes"),
        ({"code_digest": bytes(33)}, "code_digest", "must be empty, or 32 bytes"),
        (
            {"apart": (Apart(("ann",)),)},
            "apart",
            "each must hold from 2 to 500 players, none twice",
        ),
        (
            {"apart": (Apart(("ann", "ann")),)},
            "apart",
            "each must hold from 2 to 500 players, none twice",
        ),
        ({"apart": (Apart(("ann", "bob")),) * 101}, "apart", "must hold 100 groups at most"),
        ({"view_delay_ms": HOUR_MS + 1}, "view_delay_ms", f"must be from 0 to {HOUR_MS}"),
        ({"protections": 2}, "protections", "are for fixed and spread limit"),
        ({"protections": 11}, "protections", "must be from 0 to 10"),
        ({"gateway_ms": 999}, "gateway_ms", "must be 0, or from 1000 to 600000"),
        ({"gateway_ms": 600_001}, "gateway_ms", "must be 0, or from 1000 to 600000"),
    ],
)
def test_a_table_may_not_have(options, name, reason):
    assert fault(replace(SETTINGS, **options)) == bad(name, reason)


def test_a_cap_is_no_less_than_an_ante_and_a_bring_in():
    assert fault(replace(STUD, cap=3)) is None
    assert fault(replace(STUD, cap=2)) == bad(
        "cap", "must be 0, or at least 3: nobody may owe more"
    )


def test_bomb_pots_are_for_games_with_blinds():
    wrong = bad("bomb_every", "must be 0 but in games with blinds and a board")
    assert fault(replace(STUD, bomb_every=5, bomb_ante=5)) == wrong


def test_no_more_players_are_kept_apart_than_a_record_may_hold():
    many = tuple(Apart(tuple(f"p{group}.{each}" for each in range(250))) for group in range(3))
    assert fault(replace(SETTINGS, apart=many[:2])) is None
    wrong = bad("apart", "must hold 500 players at most, all groups together")
    assert fault(replace(SETTINGS, apart=many)) == wrong
