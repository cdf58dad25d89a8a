"""The house: one process of the network, put together from services, a log and a clock.

The only place that knows all of them. All six services make a network in one process; some of
them, beside others like it, make one over Kafka: nothing but the log and the clock differs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from typing import Any, Final

from riverboat.game.record import Record
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.deck_keys import FileKeys
from riverboat.log.log import Append, Log
from riverboat.log.sealing import SealedDecks
from riverboat.runtime import entropy
from riverboat.runtime.auth import Verifier
from riverboat.runtime.calls import Gate
from riverboat.runtime.clock import LogClock
from riverboat.runtime.config import Config, ConfigError
from riverboat.runtime.grpc_server import GrpcServer, Tls
from riverboat.runtime.keys import KeyFile
from riverboat.runtime.limits import Limit
from riverboat.runtime.logs import facts
from riverboat.runtime.node import Edge, Node
from riverboat.runtime.observe import Metrics, Page
from riverboat.runtime.service import Manifest, Message
from riverboat.runtime.step import Step
from riverboat.runtime.tables import Follower
from riverboat.runtime.tasks import Tasks
from riverboat.wire.v1 import (
    corrections_pb2,
    dealer_pb2,
    operator_pb2,
    session_pb2,
    showdown_pb2,
    wallet_pb2,
)
from services import betting, dealer, showdown
from services.cli import places
from services.cli.issuing import make_issuer
from services.cli.late_wallet import LateWallet
from services.cli.network_log import ahead_ms, calendar_beside, clock_beside, open_network
from services.cli.telling import Telling
from services.cli.trouble import IN_USE, Trouble
from services.cli.upkeep import Upkeep
from services.cli.wallet_line import wallet_here, wallet_there
from services.dealer.rpc import DealerRpc
from services.operator.backroom import BackRoom
from services.operator.templates import read_templates
from services.session.chat import Chat
from services.session.floor import Floor
from services.session.notices import Notices
from services.session.rpc import Session
from services.session.words import BadWords, Words
from services.showdown.rpc import Showdown

logger = logging.getLogger(__name__)

DECIDERS: Final[dict[str, Manifest]] = {
    manifest.name: manifest for manifest in (dealer.MANIFEST, betting.MANIFEST, showdown.MANIFEST)
}
# How often readiness and the metrics are looked at.
LOOK_S: Final = 0.25


class Broken(Exception):
    """A part of this process broke, so that all of it ends; the text says what."""


class House:
    """The services of one process, over one log."""

    def __init__(self, config: Config, network: Log, clock: LogClock) -> None:
        self.config = config
        self.metrics = Metrics()
        self.ready = asyncio.Event()
        self._log = network
        self._clock = clock
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._partitions = network.partitions(topics.HAND_LOG)
        self._followers: list[Follower] = []
        self._edges: list[Edge] = []
        self._rpcs: list[tuple[Any, object]] = []
        self._telling = Telling(self.metrics, lines="dealer" in config.services)
        self._step = self._make_step()
        self._node: Node | None = None
        self._wallet: LateWallet | None = None
        self._backroom: BackRoom | None = None
        self._floor: Floor | None = None
        self._chat: Chat | None = None
        self._notices: Notices | None = None
        self._limit = Limit(clock, per_second=config.calls_per_second, burst=config.calls_burst)
        self._gate = self._make_gate()
        self._compose()
        self._server = self._make_server()
        self._page: Page | None = None
        self._tasks = Tasks(self._fatal)

    # Putting together.

    def _make_step(self) -> Step:
        self.decks = SealedDecks(
            FileKeys(places.deck_keys(self.config), entropy.system, self._clock.now_ms),
            entropy.system,
            self._clock.now_ms,
        )
        deciders = [
            (self._telling.timed(DECIDERS[name]), 0)
            for name in self.config.services
            if name in DECIDERS
        ]
        return Step(
            deciders, self._incarnation(), entropy.system, self.decks, followers=[self._saw]
        )

    def _saw(self, table: Table, record: Record, found: log.Record) -> None:
        for follower in self._followers:
            follower(table, record, found)

    def _incarnation(self) -> str:
        return f"{self.config.instance}-{entropy.system(6).hex()}"

    def _compose(self) -> None:
        """Each service that runs here: what follows the tables, what is told, what is called."""
        services = self.config.services
        self._followers.append(self._telling.saw)
        if "dealer" in services:
            orders = DealerRpc(self._step, self.submit, self._partitions, entropy.system)
            self._followers.append(orders.saw)
            self._edges.append(orders)
            self._serve(dealer_pb2, "DealerService", orders)
        if "showdown" in services:
            self._serve(showdown_pb2, "ShowdownService", Showdown())
        if "wallet" in services:
            self._wallet = self._make_wallet()
        if "session" in services:
            self._floor = self._make_floor()
        if "operator" in services:
            self._backroom = self._make_backroom()
        if services != ("wallet",):
            self._node = Node(
                self._log,
                self._step,
                self._clock,
                member=self.config.instance,
                incarnation=self._incarnation,
                metrics=self.metrics,
                snapshot_ms=self.config.snapshot_ms,
                edges=self._edges,
                # All fold along with all partitions: who stands by must know what it stands by for.
                follows=range(self._partitions),
                fatal=self._fatal,
            )
        if self._floor is not None and self._node is not None:
            self._floor.bind(self._step.tables.entries, self.submit, self._node.wake)

    def _make_wallet(self) -> LateWallet:
        wallet = LateWallet(
            self.config, self._log, self.submit, self._clock, self.metrics, self._fatal
        )
        self._serve(wallet_pb2, "WalletService", wallet)
        self._serve(corrections_pb2, "CorrectionService", wallet)
        return wallet

    def _make_floor(self) -> Floor:
        calendar = calendar_beside(self._log, self._clock)
        self._chat = Chat(self._log, self._words(), self._clock, entropy.system, calendar=calendar)
        self._notices = Notices(self._log, calendar)
        floor = Floor(
            identify=self._gate.identify,
            decks=self.decks,
            clock=self._clock,
            entropy=entropy.system,
            metrics=self.metrics,
            instance=self.config.instance,
            limit=self._limit,
            calendar=calendar,
            chat=self._chat,
            notices=self._notices,
        )
        self._followers.append(floor.hall.see)
        self._edges.append(floor.hall)
        self._serve(session_pb2, "SessionService", Session(floor))
        return floor

    def _words(self) -> Words:
        try:
            return Words.of(self.config.chat_words)
        except BadWords as wrong:
            raise ConfigError(f"chat_words: {wrong}") from None

    def _make_backroom(self) -> BackRoom:
        wallet = self._wallet
        backroom = BackRoom(
            self._log,
            self.submit,
            lambda: self.tables,
            self._find,
            self.decks.open,
            wallet_there(self.config) if wallet is None else wallet_here(wallet),
            templates=read_templates(self.config.table_templates),
            clock=self._clock,
            entropy=entropy.system,
            member=self.config.instance,
            fatal=self._fatal,
            alone=self.config.services == ("operator",),
        )
        self._followers.append(backroom.saw)
        self._serve(operator_pb2, "OperatorService", backroom.rpc)
        return backroom

    def _serve(self, module: Any, name: str, rpc: object) -> None:
        self._rpcs.append((module.DESCRIPTOR.services_by_name[name], rpc))

    def _make_gate(self) -> Gate:
        config = self.config
        calendar = calendar_beside(self._log, self._clock)
        verifier = Verifier(
            KeyFile(places.token_keys(config), calendar),
            issuer=config.token_issuer,
            audience=config.token_audience,
            clock=calendar,
            leeway_ms=config.token_leeway_ms,
        )
        return Gate(
            verifier,
            clock=calendar,
            entropy=entropy.system,
            metrics=self.metrics,
            limit=self._limit,
            unary_ms_max=config.unary_ms_max,
        )

    def _make_server(self) -> GrpcServer:
        config = self.config
        tls = None
        if config.tls_certificate is not None and config.tls_key is not None:
            tls = _checked(Tls(config.tls_certificate, config.tls_key))
        listen = config.listen
        return GrpcServer(self._gate, self._rpcs, host=listen.host, port=listen.port, tls=tls)

    # What the parts need of each other.

    def submit(
        self, appends: Sequence[Append], said: Sequence[Message] = ()
    ) -> asyncio.Future[None]:
        """Hand messages to the log, which say what is `said`; done when they are durable."""
        if self._node is None:
            return self._log.append(appends).durable
        return self._node.submit(appends, said)

    def _fatal(self, error: BaseException) -> None:
        if not isinstance(error, log.NameTaken):  # it is nobody's bug; its line comes at the end
            logger.error("a part of this process broke", exc_info=error)
        if not self._over.done():
            broken = Broken(f"{type(error).__name__}: {error}")
            broken.__cause__ = error
            self._over.set_exception(broken)

    def _end(self, _stopping: object) -> None:
        if not self._over.done():
            self._over.set_result(None)

    # Life.

    @property
    def port(self) -> int:
        """Where gRPC is served."""
        return self._server.port

    @property
    def metrics_port(self) -> int:
        """Where /metrics is served; 0 where it is not."""
        return self._page.port if self._page is not None else 0

    @property
    def tables(self) -> dict[str, Table]:
        """The tables that this process folds, by id, as they stand now."""
        return {name: entry.table for name, entry in self._step.tables.entries.items()}

    def _find(self, name: str) -> Table | None:
        entry = self._step.tables.entries.get(name)
        return None if entry is None else entry.table

    def follow(self, follower: Follower) -> None:
        """Tell this follower too of every record that is folded from now on."""
        self._followers.append(follower)

    async def start(self) -> None:
        """Serve at once, ready when caught up."""
        await self._server.start()
        if self.config.metrics_listen is not None:
            try:
                self._page = Page(self.metrics, *self.config.metrics_listen)
            except OSError:
                taken = f"{self.config.metrics_listen}: metrics cannot be served"
                again = "is the port taken? Another can be chosen by --metrics."
                raise Trouble(f"{taken}; {again}", IN_USE) from None
        if self._node is not None:
            await self._node.start()
        if self._wallet is not None:
            await self._wallet.start()
        if self._backroom is not None and self._node is not None:
            await self._backroom.start(self._node.caught_up)
        self._tasks.spawn(self._look())
        upkeep = Upkeep(self._log, self._step, self._clock, self.metrics)
        self._tasks.spawn(upkeep.run())
        if self._floor is not None:
            self._tasks.spawn(self._keep_floor(self._floor))
        if self._chat is not None:
            self._tasks.spawn(self._chat.run())
        if self._notices is not None:
            self._tasks.spawn(self._notices.run())

    async def stop(self) -> None:
        """Take no more calls, end what runs, keep what is durable."""
        await self._tasks.cancel()
        if self._floor is not None:
            self._floor.stop()  # or every stream would last as long as calls may take to end
        async with AsyncExitStack() as rest:
            rest.push_async_callback(self._log.close)
            if self._page is not None:
                rest.callback(self._page.close)
            if self._node is not None:
                rest.push_async_callback(self._node.stop)
            if self._wallet is not None:
                rest.push_async_callback(self._wallet.stop)
            if self._backroom is not None:
                rest.push_async_callback(self._backroom.stop)
            await self._server.stop(self.config.stop_ms / 1_000)

    async def run(self, stop: asyncio.Event) -> None:
        """Go on until told to stop; raises `Broken` when something breaks."""
        stopping = asyncio.ensure_future(stop.wait())
        stopping.add_done_callback(self._end)
        try:
            await self._over
        finally:
            stopping.cancel()

    async def _keep_floor(self, floor: Floor) -> None:
        await self.ready.wait()
        await floor.run()

    async def _look(self) -> None:
        """Say when this process is ready and when it is not; keep the metrics fresh."""
        said = False
        while True:
            ready = self._is_ready()
            if ready != said:
                said = ready
                self._telling.live = True
                logger.info("ready" if ready else "not ready", extra=facts(port=self.port))
                await self._server.set_ready(ready)
                (self.ready.set if ready else self.ready.clear)()
            self._telling.refresh(self._step, self._clock, ready, ahead_ms(self._log))
            await asyncio.sleep(LOOK_S)

    def _is_ready(self) -> bool:
        plays = self._node is None or self._node.caught_up.is_set()
        # Hands need no ledger: where one process does all, they wait for no database that is away.
        books = (
            self._wallet is None
            or self._wallet.caught_up
            or (self._node is not None and self._wallet.away)
        )
        knows = self._backroom is None or self._backroom.caught_up
        return self._clock.agrees and plays and books and knows


async def open_house(config: Config) -> House:
    """A process as configured, not started yet."""
    config.data.mkdir(parents=True, exist_ok=True)
    make_issuer(config)
    network = await open_network(config)
    try:
        return House(config, network, clock_beside(network))
    except BaseException:
        await network.close()
        raise


def _checked(tls: Tls) -> Tls:
    """The same pair; gRPC would say no more of a bad one than that the port cannot be had."""
    try:
        # A key behind a password is one that nobody is here to open.
        SSLContext(PROTOCOL_TLS_SERVER).load_cert_chain(tls.certificate, tls.key, password="")
    except OSError as wrong:
        files = f"{tls.certificate}, {tls.key}"
        raise ConfigError(f"tls_certificate, tls_key: {files}: {wrong.strerror}") from None
    return tls
