"""Levers at tables that are played at: each shown by the table, each done once."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from riverboat.game.commands import (
    Act,
    Action,
    Asked,
    LoseLine,
    RegainLine,
    SitDown,
    SitIn,
)
from riverboat.game.ids import partition_of
from riverboat.game.table.events import Settings
from riverboat.game.table.seats import sitting_of
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.wire.record import CODEC, encode_asked
from riverboat.wire.v1 import operator_pb2 as pb
from riverboat.wire.v1 import wallet_pb2
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from tests.cli.house import Network, network
from tests.services.operator.operating import operators, options, orders, templates
from tests.waiting import until

M = pb.Measure
PROTECTED = """
[fixed]
limit = "fl"
currency = "EUR"
turn_ms = 1_000
pause_ms = 300
protections = 2
"""


async def test_a_table_waits_and_goes_on(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table()
        async with net.bots(table, 3):
            await until(lambda: net.house.tables[table].hands > 1)
            await ann.take(key="p", pause=M.Pause(table=table))
            state = net.house.tables[table]
            assert state.paused == "operator"
            said = await ann.refusal(pause=M.Pause(table=table))
            assert said == "FAILED_PRECONDITION: already paused"
            await until(lambda: state.deal is None)
            hands = state.hands
            await ann.take(key="r", resume=M.Resume(table=table))
            await until(lambda: net.house.tables[table].hands > hands)
            # A retry of the first order does not stop play again.
            await ann.take(key="p", pause=M.Pause(table=table))
            assert not net.house.tables[table].paused
            said = await ann.refusal(resume=M.Resume(table=table))
            assert said == "FAILED_PRECONDITION: not paused"
            await ann.take(pause=M.Pause(table=table, for_ms=200))
            await until(lambda: not net.house.tables[table].paused)


async def test_options_change_between_hands(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table("Natchez")

        def change(**other: Any) -> pb.Measure.Change:
            settings: Any = CODEC.encoder(Settings)(options(net, table))
            for name, value in other.items():
                setattr(settings, name, value)
            return M.Change(table=table, settings=settings)

        async with net.bots(table, 3):
            await ann.take(change=change(name="Memphis", turn_ms=30_000))
            await until(lambda: options(net, table).name == "Memphis")
            assert options(net, table).turn_ms == 30_000
            # What is so already is done.
            await ann.take(change=change())
            said = await ann.refusal(change=change(seats=1))
            assert said.startswith("FAILED_PRECONDITION: bad setting (field seats")
            said = await ann.refusal(change=change(button_rule=0))
            assert said.startswith("INVALID_ARGUMENT: measure.change.settings.button_rule")
            said = await ann.refusal(change=change(currency="EUR"))
            assert said.startswith("FAILED_PRECONDITION: bad setting (field currency")


async def test_a_player_is_removed_when_his_hand_is_over(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table()
        player = f"bot1@{table}"
        async with net.bots(table, 3, think_ms=50):
            await until(lambda: net.house.tables[table].hands > 0)
            await ann.take(key="x", remove=M.Remove(table=table, player=player))
            await until(lambda: sitting_of(net.house.tables[table], player) is None)
            await ann.take(key="x", remove=M.Remove(table=table, player=player))
        sent = await orders(net.house._log)
        assert len(sent) == 1
        said = await ann.refusal(remove=M.Remove(table=table, player="nobody"))
        assert said == "FAILED_PRECONDITION: not seated"
        said = await ann.refusal(remove=M.Remove(table=table, player="no body"))
        assert said == "INVALID_ARGUMENT: measure.remove.player: must be a player's id"


async def test_empty_tables_beyond_what_is_wanted_are_drained(tmp_path: Path) -> None:
    """The first that were opened stay."""
    text = '[evening]\nname = "Natchez"\nkeep = 3\n'
    async with (
        network(tmp_path, table_templates=templates(tmp_path, text)) as net,
        operators(net, "ann") as (ann,),
    ):
        await until(lambda: len(net.house.tables) == 3)
        first = min(net.house.tables.values(), key=lambda table: options(net, table.id).name)
        await ann.take(keep=M.Keep(template="evening", tables=1))
        await until(lambda: sum(table.closed for table in net.house.tables.values()) == 2)
        assert not first.closed
        assert options(net, first.id).name == "Natchez 1"
        lines = (await ann.ask("ListMeasures", pb.ListMeasuresRequest(by="house"))).measures
        drained = {one.taken.measure.drain.table for one in lines if one.taken.measure.drain.table}
        assert drained == net.house.tables.keys() - {first.id}


async def test_a_table_is_opened_with_options_of_its_own(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table("Natchez")
        settings: Any = CODEC.encoder(Settings)(options(net, table))
        first = await ann.take(key="o", open=M.Open(settings=settings))
        assert await ann.take(key="o", open=M.Open(settings=settings)) == first
        assert net.house.tables.keys() == {table, first.table}
        settings.seats = 99
        said = await ann.refusal(open=M.Open(settings=settings))
        assert said.startswith("FAILED_PRECONDITION: bad setting (field seats")
        said = await ann.refusal(open=M.Open())
        assert said.startswith("INVALID_ARGUMENT: measure.open: must name a template or have")


class Seats:
    """Players at a table, who speak by the log as their session would."""

    def __init__(self, net: Network, table: str) -> None:
        self.net = net
        self.table = table
        self.numbers: dict[str, int] = {}

    @property
    def state(self) -> Any:
        return self.net.house.tables[self.table]

    async def ask(self, player: str, command: Any) -> None:
        number = self.numbers[player] = self.numbers.get(player, 0) + 1
        value = encode_asked(Asked(self.table, player, number, command))
        where = partition_of(self.table)
        await self.net.house.submit([Append(topics.TABLE_COMMANDS, where, self.table, value)])

    async def sit(self, player: str) -> None:
        async with reach.channel(self.net.where, "wallet") as channel:
            request = wallet_pb2.DepositRequest(
                player=player, currency="EUR", amount=100_000, key=player
            )
            await WalletServiceStub(channel).Deposit(request, metadata=self.net.operator)
        await self.ask(player, SitDown(0, 5_000, True, f"one.{player}"))
        await until(lambda: sitting_of(self.state, player) is not None)

    async def until_faces(self, player: str) -> None:
        """Call and check for everybody until it is this player's turn to answer a bet."""
        async with asyncio.timeout(20):
            while True:
                hand = self.state.hand
                if hand is None or not hand.turn or hand.late_turn == hand.turn_number:
                    await asyncio.sleep(0.005)
                    continue
                seat, number = hand.seats[hand.turn], hand.turn_number
                if seat.player == player and hand.price > seat.bet:
                    return
                action = Action.CALL if hand.price > seat.bet else Action.CHECK
                await self.ask(seat.player, Act(hand.id, number, hand.price, action, 0, ()))
                await until(partial(self.moved, hand.id, number))

    def moved(self, hand: str, number: int) -> bool:
        """Whether that turn is over."""
        now = self.state.hand
        return now is None or now.id != hand or now.turn_number != number


async def test_lost_lines_that_look_deliberate_are_flagged(tmp_path: Path) -> None:
    """RULES 7: disconnected only when facing a bet; back within seconds after the hand."""
    async with (
        network(tmp_path, table_templates=templates(tmp_path, PROTECTED)) as net,
        operators(net, "ann") as (ann,),
    ):
        table = (await ann.take(open=M.Open(template="fixed"))).table
        seats = Seats(net, table)
        await seats.sit("huck")
        await seats.sit("jim")
        hands = []
        for _ in range(2):
            await seats.until_faces("huck")
            hands.append(seats.state.deal.hand)
            await seats.ask("huck", LoseLine("one.huck", False))
            await until(lambda: seats.state.deal is None or seats.state.deal.hand != hands[-1])
            await seats.ask("huck", RegainLine("one.huck"))
            sitting = sitting_of(seats.state, "huck")
            if sitting is not None and sitting.away:
                await seats.ask("huck", SitIn(True))

        async def flagged(**more: Any) -> Any:
            return (await ann.ask("ListFlags", pb.ListFlagsRequest(**more))).players

        async with asyncio.timeout(20):
            while not (found := await flagged()) or len(found[0].flags) < 3:
                pass
        (huck,) = found
        assert huck.player == "huck"
        kinds = [(one.flagged.kind, one.flagged.hand) for one in reversed(huck.flags)]
        assert sorted(kinds) == sorted(
            [
                (pb.FLAG_KIND_BACK_SOON, hands[0]),
                (pb.FLAG_KIND_ONLY_FACING, hands[1]),
                (pb.FLAG_KIND_BACK_SOON, hands[1]),
            ]
        )
        # "Management warns the first time, closes the account the second."
        assert huck.next == "warn"
        await ann.take(warn=M.Warn(player="huck", text="do not do that"))
        assert list(await flagged()) == []
        assert [one.next for one in await flagged(all=True)] == [""]
        told = await ann.ask("LookUpPlayer", pb.LookUpPlayerRequest(player="huck"))
        what = [(one.what, one.facing) for one in told.incidents if one.what != "timed_out"]
        lost = [("line_back", False), ("protected", True), ("line_lost", True)]
        assert what == [*lost, *lost]
