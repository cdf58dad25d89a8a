"""Corrections and accounts on a real network: two operators, one posting, no cent lost."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from riverboat.game.table.seats import sitting_of
from riverboat.ledger import accounts
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.wire.v1 import operator_pb2 as pb
from riverboat.wire.v1 import wallet_pb2
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from services.cli.network_log import open_network
from services.operator.book import Book, refusal_of
from services.operator.measures import measure_id, partition_for
from services.operator.refusals import OperatorCode
from services.wallet.check import faults
from services.wallet.corrections import Corrections
from services.wallet.store import Store
from tests.cli.house import Network, network
from tests.services.operator.operating import measures, operators, running
from tests.waiting import until

M = pb.Measure
Leg = pb.CorrectionLeg


async def played(net: Network) -> tuple[str, str, str]:
    """A hand that is over, and two who were in it."""
    table = await net.open_table()
    async with net.bots(table, 3, hands=2) as crowd:
        await crowd.done.wait()
    await until(lambda: not net.house.tables[table].sittings)
    for number in range(3):
        await _cashed_out(net, f"bot{number}@{table}")
    return f"{table}-1", f"bot0@{table}", f"bot1@{table}"


async def _cashed_out(net: Network, player: str) -> None:
    """The ledger books a moment after the log."""
    async with asyncio.timeout(20):
        while (await balance(net, player)).at_tables:
            pass


async def balance(net: Network, player: str) -> Any:
    async with reach.channel(net.where, "wallet") as channel:
        request = wallet_pb2.BalanceRequest(player=player)
        told = await WalletServiceStub(channel).Balance(request, metadata=net.operator)
        return next(one for one in told.holdings if one.currency == "PLAY")


async def test_a_correction_takes_two_and_is_booked_once(tmp_path: Path) -> None:
    """RULES 7, disputes: correct balances with a named, logged, balanced ledger entry."""
    async with network(tmp_path) as net, operators(net, "ann", "bob", "cat") as (ann, bob, cat):
        hand, huck, jim = await played(net)
        had = [(await balance(net, player)).account for player in (huck, jim)]
        legs = [Leg(player=huck, amount=-50), Leg(player=jim, amount=45), Leg(amount=5)]
        proposed = await ann.take(
            why="the pot was pushed wrongly", key="p", propose=M.Propose(hand=hand, legs=legs)
        )
        again = await ann.take(
            why="the pot was pushed wrongly", key="p", propose=M.Propose(hand=hand, legs=legs)
        )
        assert again == proposed
        approve = M.Approve(correction=proposed.id)
        assert await ann.reason(approve=approve) == OperatorCode.OWN_CORRECTION.name
        assert [(await balance(net, player)).account for player in (huck, jim)] == had
        calls = [bob.take(key="a", approve=approve) for _ in range(5)]
        booked = await asyncio.gather(*calls)
        assert {one.posting for one in booked} == {f"correct:operator:{proposed.id}"}
        assert await cat.reason(approve=approve) == OperatorCode.ALREADY_DECIDED.name
        reject = M.Reject(correction=proposed.id)
        assert await cat.reason(reject=reject) == OperatorCode.ALREADY_DECIDED.name
        now = [(await balance(net, player)).account for player in (huck, jim)]
        assert now == [had[0] - 50, had[1] + 45]
        found = (await cat.ask("ListCorrections", pb.ListCorrectionsRequest())).corrections
        (one,) = found
        assert (one.proposed_by, one.decided_by, one.currency) == ("ann", "bob", "PLAY")
        assert (one.why, one.hand) == ("the pot was pushed wrongly", hand)
        assert one.state == pb.CORRECTION_STATE_BOOKED
        waiting = pb.ListCorrectionsRequest(state=pb.CORRECTION_STATE_PROPOSED)
        assert list((await cat.ask("ListCorrections", waiting)).corrections) == []
    store = Store(tmp_path / "ledger.sqlite")
    assert faults(store) == []
    assert store.balance(accounts.house("PLAY")) == 5
    store.close()


async def test_who_has_spent_it_owes_it_to_the_house(tmp_path: Path) -> None:
    """A corrected past hand whose winner has withdrawn."""
    async with network(tmp_path) as net, operators(net, "ann", "bob") as (ann, bob):
        hand, huck, jim = await played(net)
        async with reach.channel(net.where, "wallet") as channel:
            all_of = (await balance(net, huck)).account
            request = wallet_pb2.WithdrawRequest(
                player=huck, currency="PLAY", amount=all_of - 20, key="gone"
            )
            await WalletServiceStub(channel).Withdraw(request, metadata=net.operator)
        had = (await balance(net, jim)).account
        legs = [Leg(player=huck, amount=-50), Leg(player=jim, amount=50)]
        proposed = await ann.take(propose=M.Propose(hand=hand, legs=legs))
        await bob.take(approve=M.Approve(correction=proposed.id))
        held = await balance(net, huck)
        assert (held.account, held.owed) == (0, 30)
        assert (await balance(net, jim)).account == had + 50


@pytest.mark.parametrize(
    ("legs", "code"),
    [
        ([("", -50), ("", 50)], OperatorCode.NOT_BALANCED),  # no account stands twice
        ([("huck", -50), ("", 49)], OperatorCode.NOT_BALANCED),
        ([("huck", 0), ("", 0)], OperatorCode.NOT_BALANCED),
        ([("huck", -50), ("", 50)], None),
    ],
)
def test_a_correction_sums_to_zero(legs, code) -> None:
    moved = [Leg(player=player, amount=amount) for player, amount in legs]
    taken = pb.MeasureTaken(measure=M(propose=M.Propose(hand="1.0-1", legs=moved)))
    refusal = refusal_of(Book(), taken)
    assert (refusal and refusal.code) == code


async def test_a_correction_is_of_a_hand_that_is_over_and_of_who_was_in_it(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        hand, huck, _ = await played(net)
        legs = [Leg(player=huck, amount=-50), Leg(player="stranger", amount=50)]
        propose = M.Propose(hand=hand, legs=legs)
        assert await ann.reason(propose=propose) == OperatorCode.NOT_IN_THE_HAND.name
        none = M.Propose(hand=hand + "9", legs=legs)
        assert await ann.reason(propose=none) == "NO_SUCH_HAND"
        assert await ann.reason(approve=M.Approve(correction="x")) == "NO_CORRECTION"
        table = await net.open_table()
        async with net.bots(table, 3, think_ms=60_000):
            await until(lambda: net.house.tables[table].deal is not None)
            runs = M.Propose(hand=running(net, table), legs=[Leg(player=huck, amount=1)])
            async with asyncio.timeout(20):
                while (code := await ann.reason(propose=runs)) == "NO_SUCH_HAND":
                    pass  # the disk has not its beginning yet
            assert code == OperatorCode.HAND_RUNS.name


async def test_a_refund_is_paid_by_the_house_once(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        refund = M.Refund(player="huck", currency="PLAY", amount=70)
        first = await ann.take(key="r", refund=refund)
        assert await ann.take(key="r", refund=refund) == first
        assert (await balance(net, "huck")).account == 70
    store = Store(tmp_path / "ledger.sqlite")
    assert store.balance(accounts.house("PLAY")) == -70
    store.close()


async def test_an_account_is_frozen_unfrozen_and_closed(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        async with reach.channel(net.where, "wallet") as channel:
            deposit = wallet_pb2.DepositRequest(player="huck", currency="EUR", amount=1, key="d")
            await WalletServiceStub(channel).Deposit(deposit, metadata=net.operator)
        await ann.take(freeze=M.Freeze(player="huck"))
        told = await ann.ask("LookUpPlayer", pb.LookUpPlayerRequest(player="huck"))
        assert (told.frozen, told.closed) == (True, False)
        assert await ann.reason(close_account=M.CloseAccount(player="huck")) == "NOT_EMPTY"
        await ann.take(thaw=M.Thaw(player="huck"))
        await ann.take(close_account=M.CloseAccount(player="jim"))
        told = await ann.ask("LookUpPlayer", pb.LookUpPlayerRequest(player="jim"))
        assert (told.frozen, told.closed) == (False, True)
        kinds = [one.taken.measure.WhichOneof("measure") for one in told.measures]
        assert kinds == ["close_account"]


async def test_who_may_not_play_any_more_is_removed_by_the_house(tmp_path: Path) -> None:
    """The wallet tells who sits and may not; each sitting is removed once."""
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table()
        async with net.bots(table, 3, think_ms=30):
            await until(lambda: net.house.tables[table].hands > 0)
            player = f"bot2@{table}"
            await ann.take(freeze=M.Freeze(player=player))
            await until(lambda: sitting_of(net.house.tables[table], player) is None)
        lines = (await ann.ask("ListMeasures", pb.ListMeasuresRequest(by="house"))).measures
        removed = [one.taken.measure.remove for one in lines]
        assert removed == [M.Remove(table=table, player=player)]
        assert lines[0].taken.why == "ACCOUNT_FROZEN"


async def test_a_crash_after_the_posting_books_nothing_twice(tmp_path: Path) -> None:
    """The log has the measure, the ledger its posting, and nobody wrote that it ended."""
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        refund = M.Refund(player="huck", currency="PLAY", amount=70)
        await ann.take(key="r", refund=refund)
        config = net.config
    # As if the end had been lost with the process: the same measure in a log of its own.
    taken = pb.MeasureTaken(
        id=measure_id("ann", "r"),
        by="ann",
        key="r",
        why="as the test wants",
        subject="player:huck",
        measure=M(refund=refund),
    )
    (tmp_path / "again").mkdir()
    for name in os.listdir(tmp_path):
        if name.startswith(("ledger.sqlite", "tokens")):
            (tmp_path / name).rename(tmp_path / "again" / name)
    log = await open_network(replace(config, data=tmp_path / "again"))
    record = pb.OperatorRecord(taken=taken).SerializeToString()
    where = partition_for(taken.subject, 4)
    await log.append([Append(topics.OPERATOR_LOG, where, taken.subject, record)]).durable
    await log.close()
    async with network(tmp_path / "again") as net, operators(net, "ann") as (ann,):
        done = await ann.take(key="r", refund=refund)
        assert done.posting == f"correct:operator:{taken.id}"
        assert (await balance(net, "huck")).account == 70
        kept = await measures(net.house._log)
        assert [one.WhichOneof("event") for one in kept] == ["taken", "ended"]


async def test_what_was_booked_before_a_crash_is_told_as_booked(tmp_path: Path) -> None:
    """Of an approval and a rejection the first in the log counts, whatever their ids are."""
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        hand, huck, jim = await played(net)
        legs = [Leg(player=huck, amount=-50), Leg(player=jim, amount=50)]
        proposed = (await ann.take(propose=M.Propose(hand=hand, legs=legs))).id
        config = net.config
    approves = next(key for key in map(str, count()) if measure_id("bob", key) > "8")
    rejects = next(key for key in map(str, count()) if measure_id("cat", key) < "8")
    subject = f"correction:{proposed}"
    log = await open_network(config)
    place = partition_for(subject, log.partitions(topics.OPERATOR_LOG))
    for by, key, measure in (
        ("bob", approves, M(approve=M.Approve(correction=proposed))),
        ("cat", rejects, M(reject=M.Reject(correction=proposed))),
    ):
        taken = pb.MeasureTaken(
            id=measure_id(by, key), by=by, key=key, why="w", subject=subject, measure=measure
        )
        record = pb.OperatorRecord(taken=taken).SerializeToString()
        await log.append([Append(topics.OPERATOR_LOG, place, subject, record)]).durable
    await log.close()
    store = Store(tmp_path / "ledger.sqlite")
    moved = [(huck, -50), (jim, 50)]
    Corrections(store).correct("operator", proposed, "PLAY", moved, f"hand {hand}", 5)
    store.close()
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        async with asyncio.timeout(20):
            while True:
                asked = await ann.ask("ListCorrections", pb.ListCorrectionsRequest())
                (told,) = asked.corrections
                if told.state != pb.CORRECTION_STATE_PROPOSED:
                    break
    assert (told.state, told.decided_by) == (pb.CORRECTION_STATE_BOOKED, "bob")
    assert told.posting == f"correct:operator:{proposed}"
