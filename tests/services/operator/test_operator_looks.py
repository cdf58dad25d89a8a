"""Looks on a real network: tables at any moment, hands from each seat, players, and case files."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest

from riverboat.log.snapshots import decode_snapshot
from riverboat.wire.record import decode_record
from riverboat.wire.v1 import operator_pb2 as pb
from scripts.check_case import Broken, check, main
from services.cli.story import Narrator
from tests.cli.house import Network, network
from tests.services.operator.operating import Operator, measures, operators, running
from tests.waiting import until

M = pb.Measure
WITH = {"cards_key": "look", "cards_why": "a dispute"}


async def played(net: Network, hands: int = 6) -> str:
    """A table at which so many hands were played."""
    table = await net.open_table("Natchez")
    async with net.bots(table, 4, hands=hands) as crowd:
        await crowd.done.wait()
    await until(lambda: not net.house.tables[table].sittings)
    return table


async def test_a_table_is_shown_as_it_stood_at_every_version(tmp_path: Path) -> None:
    seen: dict[int, tuple[int, int]] = {}

    def follow(state, record, _found) -> None:
        seen[state.version] = (sum(one.stack for one in state.sittings.values()), state.hands)

    async with network(tmp_path) as net, operators(net, "ann", rights=()) as (ann,):
        net.house.follow(follow)
        table = await played(net, hands=3)
        # What is folded here is looked up once the disk has it.
        newest = (await ann.ask("LookUpTable", pb.LookUpTableRequest(table=table))).newest
        for version in (1, 2, newest // 3, newest // 2, newest):
            told = await ann.ask("LookUpTable", pb.LookUpTableRequest(table=table, version=version))
            assert (told.version, told.newest >= newest) == (version, True)
            assert told.hands == seen[version][1]
            if not told.HasField("hand"):
                assert sum(one.stack for one in told.seats) == seen[version][0]
        now = await ann.ask("LookUpTable", pb.LookUpTableRequest(table=table))
        assert now.version == now.newest >= newest
        first = await ann.ask("LookUpTable", pb.LookUpTableRequest(table=table, version=1))
        then = pb.LookUpTableRequest(table=table, time_ms=first.time_ms)
        assert (await ann.ask("LookUpTable", then)).version >= 1
        none = await ann.fault("LookUpTable", pb.LookUpTableRequest(table="9.0"))
        assert none == "FAILED_PRECONDITION: no table"


async def test_private_cards_are_for_the_right_and_once_the_hand_is_over(tmp_path: Path) -> None:
    """The look itself is in the log before anything is seen."""
    async with (
        network(tmp_path) as net,
        operators(net, "ann") as (ann,),
        operators(net, "bob", rights=("tables", "money")) as (bob,),
    ):
        table = await net.open_table()
        async with net.bots(table, 3, think_ms=60_000):
            await until(lambda: net.house.tables[table].hand is not None)
            hand = running(net, table)
            request = pb.LookUpHandRequest(hand=hand, **WITH)

            async def refused() -> str:
                said = await ann.fault("LookUpHand", request)
                return "" if "no such hand" in said else said  # not on the disk yet

            async with asyncio.timeout(20):
                while not (said := await refused()):
                    pass
            assert said.startswith("FAILED_PRECONDITION: hand runs")
            await ann.take(void=M.Void(hand=hand))
        assert not [one for one in await measures(net.house._log) if sees_cards(one)]
        said = await bob.fault("LookUpHand", request)
        assert said == "PERMISSION_DENIED: only with the right see-cards"
        plain = await bob.ask("LookUpHand", pb.LookUpHandRequest(hand=hand))
        assert [len(one.own) for one in plain.seats] == [0, 0, 0]
        assert [one.held for one in plain.seats] == [2, 2, 2]
        told = await ann.ask("LookUpHand", request)
        assert [len(set(one.own)) for one in told.seats] == [2, 2, 2]
        assert len({card for one in told.seats for card in one.own}) == 6
        (look,) = [one for one in await measures(net.house._log) if sees_cards(one)]
        assert (look.taken.by, look.taken.why) == ("ann", "a dispute")
        no_why = pb.LookUpHandRequest(hand=hand, cards_key="look")
        assert await ann.fault("LookUpHand", no_why) == "INVALID_ARGUMENT: cards_why: must be there"


def sees_cards(record: pb.OperatorRecord) -> bool:
    return record.taken.measure.HasField("see_cards")


async def test_a_hand_can_be_told_from_what_is_looked_up(tmp_path: Path) -> None:
    """A snapshot of the table before it and its records: enough to fold it anywhere."""
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await played(net)
        for number in (1, 3):
            found = await ann.ask("LookUpHand", pb.LookUpHandRequest(hand=f"{table}-{number}"))
            state, _ = decode_snapshot(found.before)
            narrator = Narrator(table, found.hand, state)
            for one in found.records:
                narrator.take(decode_record(one.value), one.time_ms)
            assert narrator.over
            assert narrator.lines[0].startswith(f"Hand {table}-{number} at Natchez")
            assert narrator.lines[-1].startswith(("Proved: all ", "No card was shown."))
        none = await ann.fault("LookUpHand", pb.LookUpHandRequest(hand=f"{table}-999"))
        assert none.startswith("FAILED_PRECONDITION: no such hand")


async def test_a_player_is_looked_up_across_a_restart(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await played(net)
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        player = f"bot1@{table}"
        await ann.take(warn=M.Warn(player=player, text="be nice"))
        told = await ann.ask("LookUpPlayer", pb.LookUpPlayerRequest(player=player))
        assert told.whole
        # Who went broke may have come again.
        for sitting in told.sittings:
            assert (sitting.table, sitting.bought_in >= 1_000) == (table, True)
            assert 0 < sitting.from_ms < sitting.to_ms
        sat = sum(sitting.hands for sitting in told.sittings)
        assert told.hands_count == len(told.hands) == sat > 0
        assert told.hands[-1] == f"{table}-1"
        assert [one.taken.measure.warn.player for one in told.measures] == [player]
        assert told.warnings == 1
        # What comes after the past was read is in it too.
        other = await played(net, hands=2)
        told = await ann.ask("LookUpPlayer", pb.LookUpPlayerRequest(player=f"bot2@{other}"))
        assert {one.table for one in told.sittings} == {other}


async def case_of(ann: Operator, hand: str, key: str, **more: Any) -> pb.MakeCaseResponse:
    request = pb.MakeCaseRequest(hand=hand, key=key, why="a dispute", **more)
    # Until the ledger has booked the hand there is no file of it, and whoever asks asks again.
    async with asyncio.timeout(20):
        while True:
            try:
                made: pb.MakeCaseResponse = await ann.ask("MakeCase", request)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)
            else:
                return made


async def test_a_case_file_holds_the_hand_from_every_seat(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await played(net)
        hand = f"{table}-2"
        await ann.take(say=M.Say(table=table, text="we look into it"))
        made = await case_of(ann, hand, "c1", cards=True)
        assert (await case_of(ann, hand, "c1", cards=True)) == made, "a retry makes the same file"
        closed = await case_of(ann, hand, "c2")
        kept = [one.case_made for one in await measures(net.house._log) if one.case_made.id]
        assert [one.digest for one in kept] == [made.digest, made.digest, closed.digest]
    found = check(made.file)
    assert hashlib.sha256(made.file).digest() == made.digest
    case = found["case"]
    assert (case["hand"], case["by"], case["why"]) == (hand, "ann", "a dispute")
    seats = found["seats"]["seats"]
    assert [one["player"] for one in seats] == case["players"]
    own = [one["own"][-1]["cards"] for one in seats]
    assert all(len(cards) == one["held"] == 2 for cards, one in zip(own, seats, strict=True))
    names = {event["is"] for one in found["seats"]["public"] for event in one["events"]}
    assert {"HandStarted", "Posted", "StreetDealt", "HandEnded"} <= names
    acts = [one for one in found["commands"]["records"] if one["command"]["is"] == "Act"]
    answered = [one for one in acts if one["answer"]]
    assert answered
    assert all(0 <= one["answer"]["latency_ms"] < 5_000 for one in answered)
    assert [one["says"]["taken"]["measure"] for one in found["operator-log"]["records"][:1]] == [
        {"say": {"table": table, "text": "we look into it"}}
    ]
    posted = {one["posting"]: one["legs"] for one in found["ledger"]["postings"]}
    assert sum(leg["amount"] for leg in posted[f"hand:{hand}"]) == 0
    assert sum(name.startswith("fund:") for name in posted) == len(case["players"])
    # Without the right nothing private is in the file.
    assert all(one["own"] == [] for one in check(closed.file)["seats"]["seats"])


async def test_a_changed_byte_breaks_a_case_file(tmp_path: Path, capsys) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await played(net, hands=2)
        file = (await case_of(ann, f"{table}-1", "c")).file
    rng = random.Random(7)
    last = file.rindex(b"\n", 0, -1)
    places = [*rng.sample(range(last), 150), *range(last, len(file))]
    for at in places:
        for other in {file[at] ^ 1, ord("0"), ord(" ")} - {file[at]}:
            with pytest.raises(Broken):
                check(file[:at] + bytes([other]) + file[at + 1 :])
    for cut in (file[:-1], file[1:], file + b"\n", file.replace(b"\n", b"\r\n"), b""):
        with pytest.raises(Broken):
            check(cut)
    # Nor does it help to make the links anew: what a record says of itself is in its own bytes.
    lines = [json.loads(line) for line in file.splitlines()]
    lines[1]["body"]["records"][1]["version"] += 1
    with pytest.raises(Broken, match="another version than its bytes"):
        check(linked(lines))
    lines = [json.loads(line) for line in file.splitlines()]
    del lines[1]["body"]["records"][1]
    with pytest.raises(Broken, match="does not follow"):
        check(linked(lines))
    path = tmp_path / "case.jsonl"
    path.write_bytes(file)
    digest = hashlib.sha256(file).hexdigest()
    alone = [sys.executable, "-I", "scripts/check_case.py", str(path), digest]
    process = await asyncio.create_subprocess_exec(*alone, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    assert (process.returncode, said.decode().splitlines()[-1]) == (0, f"whole; SHA-256 {digest}")
    assert main([str(path), "0" * 64]) == 1
    assert "not the file of this digest" in capsys.readouterr().out


def linked(lines: list[dict[str, Any]]) -> bytes:
    """These sections, sealed as if they had been so from the beginning."""
    from services.operator.cases import sealed

    return sealed([(line["section"], line["body"]) for line in lines[:-1]])
