"""The first tables: what a network opens when it starts for the first time, and nothing later.

Which of them were opened stands in the data folder, so that a start that was cut off goes on where
it was, and a table that an operator closed stays closed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from riverboat.game.hand.events import Stakes
from riverboat.game.rules import RulesError
from riverboat.game.table.costs import with_usual_stakes
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.runtime.config import Config
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import dealer_pb2, dealer_pb2_grpc, table_events_pb2
from services.cli import places, reach
from services.cli.words import PLAY

TURN_MS: Final = 20_000
# RULES 7, server failure: a restart or fail-over shorter than this resumes the hand.
GRACE_MS: Final = 60_000
RESERVE_MS: Final = 10_000
PAUSE_MS: Final = 2_000  # long enough to see who won
BANK_MS: Final = 15_000
OFFER_MS: Final = 60_000  # long enough to notice that a chair is free, and to buy in
AWAY_MS: Final = 15 * 60_000


def table_settings(
    *,
    name: str,
    variant: str = "holdem",
    limit: str = "nl",
    rulebook: str = "standard",
    small: int,
    big: int,
    seats: int = 6,
    currency: str = PLAY,
    runs: int = 1,
    raked: bool = False,
    turn_ms: int = TURN_MS,
    pause_ms: int = PAUSE_MS,
) -> Settings:
    """The settings of a table for people, all but what is named as usual."""
    settings = Settings(
        name=name,
        rulebook=rulebook,
        variant=variant,
        limit=limit,
        stakes=Stakes(small_blind=small, big_blind=big),
        currency=currency,
        seats=seats,
        raked=raked,
        button_rule=ButtonRule.MOVING,
        runs=runs,
        buy_in_least=0,
        buy_in_most=0,
        turn_ms=turn_ms,
        grace_ms=GRACE_MS,
        reserve_ms=RESERVE_MS,
        pause_ms=pause_ms,
    )
    try:
        return with_usual_stakes(settings, small, big)
    except RulesError:
        return settings  # a game that this process was not given: the network knows it, or refuses


def lively(settings: Settings) -> Settings:
    """The same table with what people expect of one: a time bank, chairs kept, a list."""
    return replace(
        settings,
        bank_ms=BANK_MS,
        bank_refill_ms=BANK_MS // 5,
        bank_refill_hands=10,
        hold_ms=OFFER_MS,
        offer_ms=OFFER_MS,
        away_ms=AWAY_MS,
        auto_top_up=True,
    )


# Few, for a laptop, and of every kind: each rulebook and limit, blinds and bring-in, high and low,
# boards, up cards and draws, and a mix. Bots come to the first of them first.
_FIRST: Final = (
    table_settings(name="Natchez", small=5, big=10),
    table_settings(name="Memphis", variant="omaha", limit="pl", small=5, big=10),
    table_settings(
        name="Emajogi", variant="stud7_hilo", limit="fl", rulebook="et", small=5, big=10
    ),
    table_settings(name="Ohio", variant="dealers_choice", limit="mixed", small=5, big=10),
    table_settings(name="Nemunas", rulebook="lt", small=5, big=10, runs=2),
    table_settings(name="Vicksburg", limit="fl", small=10, big=20, seats=8),
    table_settings(name="Dunarea", variant="omaha5", limit="hpl", rulebook="ro", small=5, big=10),
    table_settings(name="Neris", variant="soko", limit="sl", rulebook="lt", small=5, big=10),
    table_settings(name="Siret", variant="telesina", limit="pl", rulebook="ro", small=5, big=10),
    table_settings(
        name="Venta", variant="draw32", limit="pl", rulebook="lt", seats=5, small=5, big=10
    ),
)
FIRST: Final[Sequence[Settings]] = tuple(map(lively, _FIRST))


async def open_first(config: Config, where: dict[str, str]) -> None:
    """Open what was not opened yet."""
    opened: list[str] = []
    with suppress(OSError, ValueError):
        opened = list(json.loads(places.opened(config).read_text()))
    due = [one for one in FIRST if one.name not in opened]
    if not due:
        return
    metadata = reach.bearer(reach.token(config, "up", ["service"], 60_000))
    async with reach.channel(where, "dealer") as channel:
        dealer = dealer_pb2_grpc.DealerServiceStub(channel)
        for settings in due:
            await dealer.OpenTable(open_request(settings), metadata=metadata)
            opened.append(settings.name)
            reach.write_down(places.opened(config), opened)


def open_request(settings: Settings) -> dealer_pb2.OpenTableRequest:
    """The call that opens such a table."""
    return dealer_pb2.OpenTableRequest(settings=settings_message(settings))


def settings_message(settings: Settings) -> table_events_pb2.Settings:
    """The settings as the wire has them."""
    encoded = CODEC.encoder(Settings)(settings)
    assert isinstance(encoded, table_events_pb2.Settings), "a value's message has its name"
    return encoded
