"""The edge: acts through gRPC, coalesced on one Play stream against one unary call for each.

A whole embedded network in a process of its own; heads-up tables, one act outstanding at each; what
comes down travels by the same Play stream in both runs. Once with all of the network behind it, and
once the edge alone: the same server, tokens, limits, checks and session, asked again and again for
acts that were answered before, under their numbers. Their outcome is told from the table's memory,
on both sides alike, and neither log nor step is asked. Prints acts a second, their latency, the
server's CPU for each, and the ratio of the two.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import grpc
import uvloop

from benchmarks.network import Network, network
from riverboat.game.hand.events import Stakes
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.runtime import entropy
from riverboat.runtime.auth import Issuer
from riverboat.runtime.clock import SystemClock
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import dealer_pb2, wallet_pb2
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action

TABLES: Final = 64
BUY_IN: Final = 100_000
HOUR_MS: Final = 3_600_000
SECONDS: Final = 2.0
NUMBER: Final = 1 << 40
SETTINGS: Final = Settings(
    name="edge",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=1, big_blind=2),
    currency="PLAY",
    seats=2,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=40,
    buy_in_most=BUY_IN,
    turn_ms=600_000,
    grace_ms=60_000,
    reserve_ms=60_000,
    pause_ms=0,
)


class Way(NamedTuple):
    """One way to act."""

    acts_per_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float  # of the server, for each act


class Edge:
    """All players of all tables, in one client."""

    def __init__(self, net: Network) -> None:
        self._channels: dict[str, Any] = {
            service: grpc.aio.insecure_channel(where) for service, where in net.where().items()
        }
        self.session = self._channels["session"]
        self._issuer = Issuer.open(
            net.folder / "tokens",
            issuer="riverboat",
            audience="riverboat",
            clock=SystemClock(),
            entropy=entropy.system,
        )
        self.players: list[str] = []
        self.tables: list[str] = []
        self.waits: list[float] = []
        self.unary = False
        self._bearers: dict[int, Any] = {}
        self._began: dict[int, float] = {}
        self._hands: dict[str, str] = {}
        self._asks: list[pb.Ask] = []
        self._ids = 0
        self._due = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._held: list[pb.Private] | None = None  # turns that came while it pauses
        self._act: Any = self.session.unary_unary(
            "/riverboat.wire.v1.SessionService/Act",
            request_serializer=pb.ActRequest.SerializeToString,
        )
        self._play: Any = None

    def bearer(self, name: str, *roles: str) -> Any:
        return (("authorization", f"Bearer {self._issuer.token(name, roles, HOUR_MS)}"),)

    async def _call(self, path: str, request: Any, bearer: Any) -> bytes:
        channel = self._channels[path.partition("Service")[0].lower()]
        call = channel.unary_unary(f"/riverboat.wire.v1.{path}")
        return bytes(await call(request.SerializeToString(), metadata=bearer))

    async def open(self) -> None:
        """Open the tables, bring the money and seat two players at each."""
        settings: Any = CODEC.encoder(Settings)(SETTINGS)
        operator = self.bearer("bench", "operator", "service")
        for _ in range(TABLES):
            request = dealer_pb2.OpenTableRequest(settings=settings)
            answer = await self._call("DealerService/OpenTable", request, operator)
            self.tables.append(dealer_pb2.OpenTableResponse.FromString(answer).table)
        self.players = [f"{table}p{seat}" for table in self.tables for seat in (1, 2)]
        for name in self.players:
            money = wallet_pb2.DepositRequest(
                player=name, currency="PLAY", amount=2 * BUY_IN, key=f"bench-{name}"
            )
            await self._call("WalletService/Deposit", money, operator)
        first = self.bearer(self.players[0], "player")
        self._play = self.session.stream_stream("/riverboat.wire.v1.SessionService/Play")(
            metadata=first
        )
        for index, name in enumerate(self.players):
            self._bearers[index] = self.bearer(name, "player")
            if index:
                token = self._bearers[index][0][1].removeprefix("Bearer ")
                self._ask(join=pb.Join(token=token))
        for index in range(len(self.players)):
            self._ask(player=index, follow=pb.Follow(table=self.tables[index // 2]))
        for index in range(len(self.players)):
            sit = pb.SitDownRequest(table=self.tables[index // 2], amount=BUY_IN, post=True)
            self._ask(player=index, sit_down=sit)
        for work in (self._write(), self._read()):
            self._spawn(work)

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _ask(self, **what: Any) -> int:
        self._ids += 1
        self._asks.append(pb.Ask(id=self._ids, **what))
        self._due.set()
        return self._ids

    async def _write(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            while self._asks:
                part, self._asks = self._asks[:1_024], self._asks[1_024:]
                await self._play.write(pb.PlayRequest(asks=part).SerializeToString())

    async def _read(self) -> None:
        while (message := await self._play.read()) is not grpc.aio.EOF:
            for item in pb.PlayResponse.FromString(message).items:
                self._heard(item)

    def _heard(self, item: pb.Item) -> None:
        kind = item.WhichOneof("item")
        if kind == "change":
            self._hands[item.change.table] = item.change.hand
        elif kind == "answer":
            began = self._began.pop(item.answer.ask, None)
            if began is not None:
                self.waits.append(time.perf_counter() - began)
        elif kind == "private" and item.private.HasField("options"):
            if self._held is None:
                self._on_turn(item.private)
            else:
                self._held.append(item.private)

    def pause(self) -> None:
        """Let nobody act until `go_on`."""
        self._held = self._held or []

    def go_on(self) -> None:
        """Act on the turns that came meanwhile."""
        held, self._held = self._held or [], None
        for seen in held:
            self._on_turn(seen)

    def _on_turn(self, seen: pb.Private) -> None:
        request = self._request(seen)
        if self.unary:
            self._spawn(self._call_act(request, self._bearers[seen.player]))
        else:
            self._began[self._ask(player=seen.player, act=request)] = time.perf_counter()

    def _request(self, seen: pb.Private) -> pb.ActRequest:
        options = seen.options
        action = Action.ACTION_CHECK if options.check else Action.ACTION_CALL
        on = pb.ActOn(
            hand=self._hands[seen.table], turn=options.turn, price=options.price, action=action
        )
        return pb.ActRequest(table=seen.table, act=on)

    async def _call_act(self, request: pb.ActRequest, bearer: Any) -> None:
        began = time.perf_counter()
        await self._act(request, metadata=bearer)
        self.waits.append(time.perf_counter() - began)

    async def measure(self, net: Network, *, unary: bool) -> Way:
        """Act one way for a while."""
        self.unary = unary
        await asyncio.sleep(1.0)
        self.waits.clear()
        began = net.read()
        await asyncio.sleep(SECONDS)
        ended = net.read()
        waits = sorted(self.waits)
        p50, p99 = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
        used = (ended.cpu_s - began.cpu_s) / len(waits) * 1e6
        return Way(len(waits) / (ended.at_s - began.at_s), p50 * 1e3, p99 * 1e3, used)

    async def close(self) -> None:
        """Hang up."""
        for task in list(self._tasks):
            task.cancel()
        for channel in self._channels.values():
            await channel.close()


class Again(Edge):
    """One act a table, and then the same one for ever: its second time it has no effect."""

    def __init__(self, net: Network) -> None:
        super().__init__(net)
        self._acted: set[str] = set()
        self._asked: dict[int, pb.Private] = {}

    def _on_turn(self, seen: pb.Private) -> None:
        if seen.table not in self._acted:
            self._acted.add(seen.table)
            self._again(seen)

    def _again(self, seen: pb.Private) -> None:
        request = self._request(seen)
        # Above all numbers that a session gives by itself at a table so young.
        request.number = NUMBER
        if self.unary:
            self._spawn(self._call_again(seen, request))
        else:
            ask = self._ask(player=seen.player, act=request)
            self._began[ask] = time.perf_counter()
            self._asked[ask] = seen

    async def _call_again(self, seen: pb.Private, request: pb.ActRequest) -> None:
        await self._call_act(request, self._bearers[seen.player])
        self._again(seen)

    def _heard(self, item: pb.Item) -> None:
        super()._heard(item)
        if item.WhichOneof("item") == "answer":
            seen = self._asked.pop(item.answer.ask, None)
            if seen is not None:
                assert item.answer.HasField("done"), item.answer
                self._again(seen)


async def compare(net: Network, edge: Edge, turns: int = 3) -> tuple[Way, Way, float]:
    """Coalesced and unary in turns: medians, and the median of the turns' ratios of rates."""
    await edge.open()
    unary, coalesced = [], []
    for _ in range(turns):
        unary.append(await edge.measure(net, unary=True))
        coalesced.append(await edge.measure(net, unary=False))
    await edge.close()
    ratio = median([b.acts_per_s / a.acts_per_s for a, b in zip(unary, coalesced, strict=True)])
    one, other = (Way(*map(median, zip(*ways, strict=True))) for ways in (coalesced, unary))
    return one, other, ratio


def rows() -> Iterator[tuple[str, Way, Way, float]]:
    """What stands behind the edge, both ways, and their ratio."""
    for name, kind in (("the whole network behind it", Edge), ("the edge alone", Again)):
        with tempfile.TemporaryDirectory() as folder, network(Path(folder)) as net:
            yield name, *uvloop.run(_compare(net, kind))


async def _compare(net: Network, kind: type[Edge]) -> tuple[Way, Way, float]:
    return await compare(net, kind(net))


def main() -> None:
    """Print the figures."""
    for behind, coalesced, unary, ratio in rows():
        for name, way in (("coalesced", coalesced), ("unary", unary)):
            print(
                f"{name:10s} {way.acts_per_s:8.0f} acts/s  p50 {way.p50_ms:6.1f} ms"
                f"  p99 {way.p99_ms:6.1f} ms  server {way.cpu_us:6.0f} us an act"
            )
        print(f"{behind}: coalesced / unary: {ratio:.1f} x")


if __name__ == "__main__":
    main()
