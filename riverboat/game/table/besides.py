"""Besides: whether what a table has besides its game makes sense, field by field.

Tells what is wrong with the first field that is; opens nothing. What the game itself asks of the
settings stands in `settings.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from riverboat.game.hand.events import Stakes
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.rules.schema import Forced, Raise
from riverboat.game.table.events import Settings
from riverboat.game.table.mixed import Turn

TURN_MS_LEAST: Final = 1_000  # nobody can read a board in less
DAY_MS: Final = 86_400_000  # no clock of a table is longer than a day
# Far more than anybody has, and far less than what a sum of a table's chips could overflow.
AMOUNT_MOST: Final = 1_000_000_000_000
PLAY: Final = "PLAY"  # the currency of play money
WORD_MOST: Final = 80  # characters of a name or a reason
ROUNDS_MOST: Final = 100  # rounds of the button; more is for ever
HANDS_MOST: Final = 1_000  # between two of the same; more is never
INVITED_MOST: Final = 500  # the list is told with the table's options, and a table has ten chairs
GROUPS_MOST: Final = 100
DIGEST_BYTES: Final = 32  # of a word: more than anybody finds by trying
VIEW_DELAY_MS_MOST: Final = 3_600_000  # who sees it an hour later learns nothing of use
# Ten minutes: who is not back by then plays on without his line, as anybody whose line is lost.
GATEWAY_MS_MOST: Final = 600_000
PROTECTIONS_MOST: Final = 10  # "a set number in any 24 hours (default 2)" [RULES 7]


def bad(name: str, reason: str) -> Refusal:
    """The field is not as it must be."""
    return Refusal(TableCode.BAD_SETTING, field=name, reason=reason)


def bad_word(name: str, word: str, other_than: str = "") -> Refusal | None:
    """What is wrong with a short text that people read."""
    if not 1 <= len(word) <= WORD_MOST or not word.isprintable():
        return bad(name, f"must be from 1 to {WORD_MOST} characters that can be printed")
    if word == other_than:
        return bad(name, f"must not be {other_than}")
    return None


def options_fault(
    settings: Settings, games: Sequence[Turn], least: int, most: int
) -> Refusal | None:
    """What is wrong with the options; `least` and `most` bound its buy-ins, the latter by 0 not."""
    rounds = max(sum(street.bet for street in turn.game.streets) for turn in games)
    numbers = (
        ("south_ms", settings.south_ms, DAY_MS),
        ("away_rounds", settings.away_rounds, ROUNDS_MOST),
        # What is longer would hide an outage: a clock that runs tells of none.
        ("bank_ms", settings.bank_ms, settings.grace_ms),
        ("bank_refill_ms", settings.bank_refill_ms, settings.bank_ms),
        ("bank_refill_hands", settings.bank_refill_hands, HANDS_MOST),
        ("cap", settings.cap, AMOUNT_MOST),
        ("bomb_every", settings.bomb_every, HANDS_MOST),
        ("bomb_ante", settings.bomb_ante, AMOUNT_MOST),
        ("view_delay_ms", settings.view_delay_ms, VIEW_DELAY_MS_MOST),
        ("protections", settings.protections, PROTECTIONS_MOST),
        ("street_ms", len(settings.street_ms), rounds),
    )
    for name, value, top in numbers:
        if not 0 <= value <= top:
            what = "hold" if name == "street_ms" else "be"
            return bad(name, f"must {what} from 0 to {top}")
    times = (
        ("away_ms", settings.away_ms, DAY_MS),
        ("hold_ms", settings.hold_ms, DAY_MS),
        ("offer_ms", settings.offer_ms, DAY_MS),
        ("gateway_ms", settings.gateway_ms, GATEWAY_MS_MOST),
    )
    for name, value, top in times:
        if value and not TURN_MS_LEAST <= value <= top:
            return bad(name, f"must be 0, or from {TURN_MS_LEAST} to {top}")
    if any(not TURN_MS_LEAST <= each <= DAY_MS for each in settings.street_ms):
        return bad("street_ms", f"each must be from {TURN_MS_LEAST} to {DAY_MS}")
    offered = settings.buy_in_default
    if offered and not least <= offered <= (most or AMOUNT_MOST):
        return bad("buy_in_default", f"must be 0, or from {least} to {most or AMOUNT_MOST}")
    for check in (_bank_fault, _stakes_fault, _bomb_fault, _door_fault, _protections_fault):
        wrong = check(settings, games)
        if wrong is not None:
            return wrong
    return None


def _bank_fault(settings: Settings, _games: Sequence[Turn]) -> Refusal | None:
    if bool(settings.bank_refill_ms) != bool(settings.bank_refill_hands):
        return bad("bank_refill_hands", "goes with bank_refill_ms, and not without")
    if settings.runs_asked and settings.runs < 2:
        return bad("runs_asked", "there is nothing to agree on where runs is 1")
    return None


def _stakes_fault(settings: Settings, games: Sequence[Turn]) -> Refusal | None:
    straddled = settings.stakes.straddles or settings.stakes.button_straddle
    if settings.straddles_asked and not straddled:
        return bad("straddles_asked", "stakes name no straddle")
    dues = [_dues(turn.stakes) for turn in games]
    if settings.cap and settings.cap < max(dues):
        return bad("cap", f"must be 0, or at least {max(dues)}: nobody may owe more")
    return None


def _dues(stakes: Stakes) -> int:
    """The most that one player can have to put in before the cards, or as the bring-in."""
    blind = max(
        stakes.big_blind + stakes.big_blind_ante,
        stakes.button_straddle,
        stakes.button_blind,
        stakes.bring_in,
        *stakes.straddles,
    )
    return stakes.ante + blind


def _bomb_fault(settings: Settings, games: Sequence[Turn]) -> Refusal | None:
    if not settings.bomb_every and not settings.bomb_ante:
        return None
    if not settings.bomb_every:
        return bad("bomb_every", "must be at least 1 where there is an ante for bomb pots")
    if not settings.bomb_ante:
        return bad("bomb_ante", "must be at least 1 where there are bomb pots")
    # It skips the first round of a game whose next street is shared by all.
    for turn in games:
        if turn.game.forced is not Forced.BLINDS or not turn.game.streets[1].board:
            return bad("bomb_every", "must be 0 but in games with blinds and a board")
    if settings.cap and settings.cap < settings.bomb_ante:
        return bad("cap", f"must be 0, or at least {settings.bomb_ante}: nobody may owe more")
    return None


def _door_fault(settings: Settings, _games: Sequence[Turn]) -> Refusal | None:
    if len(settings.invited) > INVITED_MOST:
        return bad("invited", f"must hold {INVITED_MOST} players at most")
    if not _are_names(settings.invited):
        return bad("invited", "must hold ids of players, none twice")
    if settings.code_digest and len(settings.code_digest) != DIGEST_BYTES:
        return bad("code_digest", f"must be empty, or {DIGEST_BYTES} bytes")
    if len(settings.apart) > GROUPS_MOST:
        return bad("apart", f"must hold {GROUPS_MOST} groups at most")
    if sum(len(group.players) for group in settings.apart) > INVITED_MOST:
        return bad("apart", f"must hold {INVITED_MOST} players at most, all groups together")
    if any(
        not 2 <= len(group.players) <= INVITED_MOST or not _are_names(group.players)
        for group in settings.apart
    ):
        return bad("apart", f"each must hold from 2 to {INVITED_MOST} players, none twice")
    return None


def _are_names(players: Sequence[str]) -> bool:
    return len(set(players)) == len(players) and all(
        bad_word("", player) is None for player in players
    )


def _protections_fault(settings: Settings, games: Sequence[Turn]) -> Refusal | None:
    """[RULES 7, disconnect protection]"""
    if not settings.protections:
        return None
    if any(turn.game.raise_rule not in (Raise.FIXED, Raise.SPREAD) for turn in games):
        return bad("protections", "are for fixed and spread limit")
    if settings.currency == PLAY:
        return bad("protections", "are for real money")
    return None
