"""A whole table for the session's tests: real deciders on a real log, a bank that always pays."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from riverboat.game.commands import Funded, NotFunded, OpenTable, Ordered
from riverboat.game.hand.events import Stakes
from riverboat.game.record import Record
from riverboat.game.table.events import ButtonRule, SeatReserved, Settings
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.deck_keys import FileKeys
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append
from riverboat.log.sealing import SealedDecks
from riverboat.log.topics import TABLE_ORDERS, topics_with
from riverboat.runtime.auth import RIGHT_NAMES, Issuer, Verifier
from riverboat.runtime.calls import Gate, Method, methods
from riverboat.runtime.clock import LogClock, SystemClock
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.errors import Fault
from riverboat.runtime.keys import KeyFile
from riverboat.runtime.node import Node
from riverboat.runtime.observe import Metrics
from riverboat.runtime.step import Step
from riverboat.runtime.tables import Follower
from riverboat.wire.beats import decode_beat
from riverboat.wire.record import encode_ordered
from riverboat.wire.v1 import session_pb2 as pb
from services import betting, dealer, showdown
from services.session.chat import Chat
from services.session.floor import Floor
from services.session.notices import Notices
from services.session.rpc import Session
from services.session.words import Words

TABLE = "1.0"
SETTINGS = Settings(
    name="Danube",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=5, big_blind=10),
    currency="PLAY",
    seats=3,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=100,
    buy_in_most=2_000,
    turn_ms=60_000,
    grace_ms=60_000,
    reserve_ms=60_000,
    pause_ms=0,
)
WAIT_S = 20


class Room:
    """One process: dealer, betting, showdown and session over one embedded log."""

    def __init__(self, folder: Path, *, seed: int = 1, instance: str = "s1") -> None:
        self.folder = folder
        self.seed = seed
        self.clock = LogClock(SystemClock())
        self.metrics = Metrics()
        self.poor: set[str] = set()  # players whose money is not to be had
        self.unary_ms_max = 20_000
        self.loses = False  # true: what the session writes is acknowledged and absent
        self.rights: tuple[str, ...] = RIGHT_NAMES  # of the operators that a test speaks for
        self.paid = True  # false: the bank does not answer
        self.records: list[Record] = []
        self.sent: list[Append] = []  # what players asked
        self.beats: list[Append] = []
        self.followers: list[Follower] = []  # of a test, told of each record first
        self.stirred = asyncio.Event()  # something was folded, or a client was told something
        self.broke: list[BaseException] = []
        self._instance = instance
        self._issuer = Issuer.open(
            folder, issuer="home", audience="riverboat", clock=self.clock, entropy=Seeded(3)
        )

    async def start(self) -> None:
        """Begin, or begin again on the same folder."""
        self.decks = SealedDecks(
            FileKeys(self.folder / "deck.keys", Seeded(f"keys{self.seed}")),
            Seeded(f"decks{self.seed}"),
            self.clock.now_ms,
        )
        verifier = Verifier(
            KeyFile(self.folder / Issuer.KEYS, self.clock),
            issuer="home",
            audience="riverboat",
            clock=self.clock,
        )
        self.gate = Gate(
            verifier,
            clock=self.clock,
            entropy=Seeded(f"calls{self.seed}"),
            metrics=self.metrics,
            unary_ms_max=self.unary_ms_max,
        )
        self.log = await EmbeddedLog.open(self.folder, topics_with(1), clock=SystemClock().now_ms)
        self._make_floor()
        manifests = [dealer.MANIFEST, betting.MANIFEST, showdown.MANIFEST]
        self.step = Step(
            [(manifest, 0) for manifest in manifests],
            f"life{self.seed}",
            Seeded(f"step{self.seed}"),
            self.decks,
            followers=[*self.followers, self._bank, self.floor.hall.see],
        )
        self.node = Node(
            self.log,
            self.step,
            self.clock,
            member="m1",
            incarnation=lambda: f"life{self.seed}",
            edges=[self.floor.hall],
            follows=[0],
            fatal=self.broke.append,
        )
        self.floor.bind(self.step.tables.entries, self.send, self.node.wake)
        await self.node.start()
        await self.node.caught_up.wait()
        rpc = Session(self.floor)
        service = pb.DESCRIPTOR.services_by_name["SessionService"]
        self.methods: dict[str, Method] = {
            one.path.rpartition("/")[2]: one for one in methods(service, rpc)
        }
        self.gate.open = True
        self._house = asyncio.create_task(self.floor.run())
        self._hearing = [asyncio.create_task(one.run()) for one in (self.chat, self.notices)]
        await self.chat.caught_up.wait()
        await self.notices.caught_up.wait()

    def _make_floor(self) -> None:
        self.chat = Chat(
            self.log,
            Words.of(None),
            self.clock,
            Seeded(f"chat{self.seed}"),
            calendar=self.clock,
        )
        self.notices = Notices(self.log, self.clock)
        self.floor = Floor(
            identify=self.gate.identify,
            decks=self.decks,
            clock=self.clock,
            entropy=Seeded(f"numbers{self.seed}"),
            metrics=self.metrics,
            instance=self._instance,
            chat=self.chat,
            notices=self.notices,
        )

    async def stop(self) -> None:
        """End as a process does that is told to."""
        self._house.cancel()
        for task in self._hearing:
            task.cancel()
        await asyncio.wait(self._hearing)
        await self.node.stop()
        await self.log.close()
        assert self.broke == []

    async def again(self) -> None:
        """Stop, and begin another life on the same folder."""
        await self.stop()
        self.seed += 1
        await self.start()

    def send(self, batch: Any, said: Any = ()) -> asyncio.Future[None]:
        """The session's way into the log, which the tests can look at."""
        for one in batch:
            (self.beats if decode_beat(one.value) else self.sent).append(one)
        if self.loses:
            lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            lost.set_result(None)
            return lost
        return self.node.submit(batch, said)

    def order(self, order: Any, table: str = TABLE) -> None:
        """Write an order of the house."""
        ordered = Ordered(table, f"o{len(self.records)}", "test", order)
        self.node.submit([Append(TABLE_ORDERS, 0, table, encode_ordered(ordered))])

    def _bank(self, table: Table, record: Record, _found: log.Record) -> None:
        self.records.append(record)
        self.stirred.set()
        for event in record.events:
            if isinstance(event, SeatReserved) and self.paid:
                asked = Funded(event.reservation)
                if event.player in self.poor:
                    asked = NotFunded(event.reservation, "NOT_ENOUGH")  # type: ignore[assignment]
                asyncio.get_running_loop().call_soon(self.order, asked, table.id)

    # What tests look at.

    @property
    def table(self) -> Table:
        return self.step.tables.entries[TABLE].table

    async def until(self, true: Callable[[], object]) -> Any:
        """Wait until this is so, and give what it gave."""
        async with asyncio.timeout(WAIT_S):
            while not (found := true()):
                self.stirred.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.stirred.wait(), 0.02)
            return found

    async def opened(self, settings: Settings = SETTINGS) -> None:
        """Open the table."""
        self.order(OpenTable(settings))
        await self.until(lambda: TABLE in self.step.tables.entries and self.table.settings)

    def bearer(self, player: str, *roles: str) -> str:
        return f"Bearer {self.token(player, *roles)}"

    def token(self, player: str, *roles: str, lifetime_ms: int = 3_600_000) -> str:
        return self._issuer.token(player, roles or ("player",), lifetime_ms, self.rights)

    async def call(self, name: str, player: str, request: Any, *roles: str) -> Any:
        """A unary call: its response, or the fault."""
        method = self.methods[name]
        data = request.SerializeToString()
        outcome = await self.gate.unary(method, self.bearer(player, *roles), data)
        return outcome if isinstance(outcome, Fault) else method.response.FromString(outcome)

    def play(self, player: str) -> Client:
        """A Play stream."""
        return Client(self, "Play", player)

    def watch(self, player: str, *tables: pb.Follow, role: str = "player") -> Client:
        """A Watch stream."""
        return Client(self, "Watch", player, pb.WatchRequest(tables=tables), role=role)


class Client:
    """One stream, its asks and all that it brought."""

    def __init__(
        self, room: Room, name: str, player: str, request: Any = None, role: str = "player"
    ) -> None:
        self.room = room
        self.player = player
        self.items: list[pb.Item] = []
        self.messages: list[bytes] = []
        self.reads = asyncio.Event()  # unset: the client reads nothing
        self.reads.set()
        self._up: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._ids = 0
        method = room.methods[name]
        up: Any = self._incoming() if request is None else request.SerializeToString()
        self.task = asyncio.create_task(
            room.gate.stream(method, room.bearer(player, role), up, self._write)
        )

    async def _incoming(self) -> Any:
        while (data := await self._up.get()) is not None:
            yield data

    async def _write(self, data: bytes) -> None:
        await self.reads.wait()
        self.messages.append(data)
        self.items += pb.PlayResponse.FromString(data).items
        self.room.stirred.set()

    def ask(self, player: int = 0, **asked: Any) -> int:
        """Send one ask; its id."""
        return self.asks((player, asked))[0]

    def asks(self, *many: tuple[int, dict[str, Any]]) -> list[int]:
        """Send asks in one message; their ids."""
        ids = list(range(self._ids + 1, self._ids + 1 + len(many)))
        self._ids = ids[-1]
        asks = [
            pb.Ask(id=at, player=player, **asked)
            for at, (player, asked) in zip(ids, many, strict=True)
        ]
        self._up.put_nowait(pb.PlayRequest(asks=asks).SerializeToString())
        return ids

    def raw(self, data: bytes) -> None:
        self._up.put_nowait(data)

    def half_close(self) -> None:
        self._up.put_nowait(None)

    async def answer(self, ask: int) -> pb.Answer:
        """The answer to this ask, once it is there."""
        found = await self.room.until(
            lambda: [one.answer for one in self.items if one.answer.ask == ask]
        )
        return found[0]  # type: ignore[no-any-return]

    async def asked(self, player: int = 0, **asked: Any) -> pb.Answer:
        """Ask and wait for the answer."""
        return await self.answer(self.ask(player, **asked))

    def of(self, kind: str) -> list[Any]:
        """The items of one kind so far."""
        return [getattr(item, kind) for item in self.items if item.WhichOneof("item") == kind]

    def events(self, kind: str) -> list[Any]:
        """The events of one kind so far."""
        return [
            getattr(event, kind)
            for change in self.of("change")
            for event in change.events
            if event.WhichOneof("event") == kind
        ]

    async def close(self) -> None:
        """Go away, as a client that hangs up."""
        self.task.cancel()
        await asyncio.wait([self.task])
