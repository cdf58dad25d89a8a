"""The command `bots`: tables full of bots, over the same calls that everybody uses.

They play at tables that stand, or at tables of their own that are closed when they go. The last
line is one JSON object that says how fast it went.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
import grpc

from riverboat.bots.bot import Bot, Tally, style_of
from riverboat.bots.client import Shut
from riverboat.bots.crowd import Crowd
from riverboat.bots.policy import STYLES, TIGHT
from riverboat.game.table.events import Settings
from riverboat.runtime.config import Config
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import dealer_pb2, session_pb2, wallet_pb2
from riverboat.wire.v1.dealer_pb2_grpc import DealerServiceStub
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from services.cli.first_tables import lively, open_request, table_settings
from services.cli.options import (
    TABLES_MOST,
    config_option,
    data_option,
    server_option,
    settings,
)
from services.cli.running import run, set_up_logs, stop_on_signals
from services.cli.tables import listed
from services.cli.trouble import Trouble
from services.cli.words import PLAY, usual_buy_in

# A name says that it is a bot's; what follows the sign says at which table.
NAMES: Final = ("huck", "tom", "jim", "becky", "polly", "sid", "amy", "joe", "ben")
_STYLES: Final = {style.name: style for style in (*STYLES, TIGHT)}
# Money for so many buy-ins at a time.
PURSE: Final = 1_000
# As many players as one stream takes, and a table is never split.
STREAM_SEATS: Final = 1_000


@click.command("bots", short_help="Let bots play, and measure it.")
@click.option("--tables", default=1, show_default=True, type=click.IntRange(1, TABLES_MOST))
@click.option(
    "--think",
    "think_ms",
    default=0,
    type=click.IntRange(0),
    metavar="MS",
    help="How long a bot thinks.",
)
@click.option(
    "--hands",
    default=0,
    type=click.IntRange(0),
    metavar="N",
    help="Stop after so many. [default: never]",
)
@click.option(
    "--leave",
    default=0,
    type=click.IntRange(0),
    metavar="SEATS",
    help="Chairs left free at each table.",
)
@click.option("--own", is_flag=True, help="At tables of their own, closed when they go.")
@click.option("--seats", default=6, show_default=True, type=click.IntRange(2, 10))
@click.option("--variant", default="holdem", show_default=True, help="Of tables of their own.")
@click.option("--limit", default="nl", show_default=True, help="Of tables of their own.")
@click.option("--rulebook", default="standard", show_default=True)
@click.option("--style", type=click.Choice(list(_STYLES)), help="How all play. [default: mixed]")
@click.option("--seed", default=0, help="Of what they choose. [default: another each time]")
@data_option
@config_option
@server_option
def command(data: Path | None, file: Path | None, server: str | None, **named: Any) -> None:
    """Let bots play at TABLES tables: those that stand, then further ones of their own."""
    run(_Company(settings(file, data=data), server, **named).play())


class _Company:
    """All that the command does."""

    def __init__(
        self,
        config: Config,
        server: str | None,
        *,
        tables: int,
        think_ms: int,
        hands: int,
        leave: int,
        own: bool,
        seats: int,
        variant: str,
        limit: str,
        rulebook: str,
        style: str | None,
        seed: int,
    ) -> None:
        self._config = config
        self._where = reach.addresses(config, server)
        self._tables = tables
        self._think_ms = (think_ms // 2, think_ms + think_ms // 2)
        self._hands = hands
        self._leave = leave
        self._own = own
        self._seats = seats
        self._variant, self._limit, self._rulebook = variant, limit, rulebook
        self._style = _STYLES.get(style or "")
        self._seed = seed or secrets.randbits(32)
        self._opened: list[str] = []
        # Opened once: a start would wait long for as many keys as there are bots.
        self._issuer = reach.issuer(config)
        roles = ["operator", "service"]
        self._metadata = reach.bearer(self._issuer.token("bots", roles, reach.DAY_MS))

    async def play(self) -> None:
        """Play until enough is played, or until a signal."""
        set_up_logs(self._config)
        stop = stop_on_signals()
        async with (
            reach.channel(self._where, "session") as session,
            reach.channel(self._where, "dealer") as dealer,
            reach.channel(self._where, "wallet") as wallet,
        ):
            tables = await self._choose(session, DealerServiceStub(dealer))
            bots = [bot for id_, one in tables for bot in self._bots(id_, one)]
            purse = _Purse(WalletServiceStub(wallet), self._metadata)
            await asyncio.gather(*(purse.fund(bot) for bot in bots))
            crowds = [
                Crowd(session, some, purse.fund, think_ms=self._think_ms, hands=share)
                for some, share in self._shares(bots)
            ]
            click.echo(json.dumps({"bots": len(bots), "tables": len(tables)}))
            await _until(crowds, stop)
            for table in self._opened:
                request = dealer_pb2.CloseTableRequest(table=table, reason="bots")
                await DealerServiceStub(dealer).CloseTable(request, metadata=self._metadata)
        click.echo(json.dumps(_figures(crowds, len(tables), len(bots))))

    async def _choose(
        self, session: grpc.aio.Channel, dealer: DealerServiceStub
    ) -> list[tuple[str, Settings]]:
        """The tables to play at: those that stand first, then new ones."""
        decode = CODEC.decoder(Settings)
        standing: Sequence[session_pb2.TableLine] = ()
        if not self._own:
            standing = await listed(session, self._metadata)
        chosen = [
            (line.table, decode(line.settings))
            for line in standing
            if not line.closing and line.settings.currency == PLAY
        ]
        # In the order of their opening, as far as ids tell it: the first tables first.
        chosen = sorted(chosen, key=lambda pair: int(pair[0].partition(".")[2]))[: self._tables]
        for number in range(len(chosen), self._tables):
            one = table_settings(
                name=f"Bots {number + 1}",
                small=5,
                big=10,
                seats=self._seats,
                pause_ms=0 if self._own else self._think_ms[1],
                variant=self._variant,
                limit=self._limit,
                rulebook=self._rulebook,
            )
            one = one if self._own else lively(one)
            opened = await dealer.OpenTable(open_request(one), metadata=self._metadata)
            self._opened.append(opened.table)
            chosen.append((opened.table, one))
        return chosen

    def _bots(self, table: str, one: Settings) -> list[Bot]:
        buy_in = usual_buy_in(one)
        found = []
        for number in range(max(2, one.seats - self._leave)):
            player = f"{NAMES[number % len(NAMES)]}@{table}"
            found.append(
                Bot(
                    player,
                    self._issuer.token(player, ["player"], reach.DAY_MS),
                    table,
                    buy_in,
                    self._style or style_of(number),
                    random.Random(f"{self._seed} {player}"),
                )
            )
        return found

    def _shares(self, bots: Sequence[Bot]) -> list[tuple[list[Bot], int]]:
        """The bots by stream, and how many hands each of these plays."""
        shares: list[list[Bot]] = [[]]
        for bot in bots:
            if len(shares[-1]) >= STREAM_SEATS and shares[-1][-1].table != bot.table:
                shares.append([])
            shares[-1].append(bot)
        each = -(-self._hands // len(shares))
        return [(share, each) for share in shares]


class _Purse:
    """Brings play money to bots' accounts."""

    def __init__(self, wallet: WalletServiceStub, metadata: Any) -> None:
        self._wallet = wallet
        self._metadata = metadata

    async def fund(self, bot: Bot) -> None:
        """A thousand buy-ins for the bot."""
        request = wallet_pb2.DepositRequest(
            player=bot.player,
            currency=PLAY,
            amount=bot.buy_in * PURSE,
            key=secrets.token_hex(12),
            note="for a bot",
        )
        await self._wallet.Deposit(request, metadata=self._metadata)


async def _until(crowds: Sequence[Crowd], stop: asyncio.Event) -> None:
    """Let them play until each has played enough, or all are told to stop."""
    playing = [asyncio.create_task(crowd.run()) for crowd in crowds]

    async def stop_all() -> None:
        await stop.wait()
        for crowd in crowds:
            crowd.done.set()

    stopping = asyncio.create_task(stop_all())
    try:
        await asyncio.gather(*playing)
    except Shut as shut:
        for crowd in crowds:
            crowd.done.set()
        await asyncio.wait(playing)
        raise Trouble(f"the bots cannot play: {shut}") from shut
    finally:
        stopping.cancel()


def _figures(crowds: Sequence[Crowd], tables: int, bots: int) -> dict[str, Any]:
    """How fast it went."""
    tallies: list[Tally] = [crowd.tally for crowd in crowds]
    began = min((tally.began_s for tally in tallies if tally.began_s), default=0.0)
    seconds = max(tally.ended_s for tally in tallies) - began
    waits = [wait for tally in tallies for wait in tally.waits_s]
    hands = sum(tally.hands for tally in tallies)
    actions = sum(tally.actions for tally in tallies)
    cuts = statistics.quantiles(waits, n=100) if len(waits) > 1 else [0.0] * 99
    return {
        "tables": tables,
        "bots": bots,
        "hands": hands,
        "actions": actions,
        "seconds": round(seconds, 2),
        "hands_per_second": round(hands / seconds, 1) if seconds > 0 else 0.0,
        "actions_per_second": round(actions / seconds, 1) if seconds > 0 else 0.0,
        "action_p50_ms": round(cuts[49] * 1_000, 2),
        "action_p99_ms": round(cuts[98] * 1_000, 2),
        "refused": dict(sum((tally.refused for tally in tallies), Counter())),
        "voided": sum(tally.voided for tally in tallies),
        "reconnects": sum(crowd.stream.cuts for crowd in crowds),
    }
