"""The late wallet: that of one process, loaded while its tables play already.

Its database takes as long to load as all the rest of a process, and no hand waits for the wallet:
so it comes last, and who calls it before waits that long. It knows nothing of money.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from riverboat.log.log import Append, Log, Membership
from riverboat.runtime.calls import Call, handler_name
from riverboat.runtime.clock import Clock
from riverboat.runtime.config import Config
from riverboat.runtime.errors import unavailable
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.runtime.tasks import Tasks
from riverboat.wire.v1 import wallet_pb2
from services.cli import places

if TYPE_CHECKING:
    from services.wallet.correcting import CorrectionRpc
    from services.wallet.lateness import Lateness
    from services.wallet.loop import Loop
    from services.wallet.rpc import WalletRpc

logger = logging.getLogger(__name__)

LOOK_S: Final = 1.0  # between two looks for a database that is away
# As riverboat/runtime/calls.py looks for them.
HANDLERS: Final = frozenset(
    handler_name(method.name)
    for method in wallet_pb2.DESCRIPTOR.services_by_name["WalletService"].methods
)
PARTS: Final = tuple(f"services.wallet.{part}" for part in ("correcting", "loop", "rpc", "store"))

# Handled apart from the wallet's calls to players and cashiers.
CORRECTS: Final = frozenset({"correct", "list_postings"})

Send = Callable[[Sequence[Append]], "asyncio.Future[None]"]


class LateWallet:
    """One process's wallet, and the handlers of WalletService."""

    def __init__(
        self,
        config: Config,
        network: Log,
        send: Send,
        clock: Clock,
        metrics: Metrics,
        fatal: Callable[[BaseException], None],
    ) -> None:
        self._config = config
        self._log = network
        self._send = send
        self._clock = clock
        self._metrics = metrics
        self._fatal = fatal
        self._loop: Loop | None = None
        self._corrections: CorrectionRpc | None = None
        self.away = False  # no ledger was opened yet, for its database cannot be reached
        self._tasks = Tasks(fatal)
        self._rpc: asyncio.Future[WalletRpc] = asyncio.get_running_loop().create_future()

    @property
    def caught_up(self) -> bool:
        """Whether it has booked what the log held when it started."""
        return self._loop is not None and self._loop.caught_up.is_set()

    async def start(self) -> None:
        """Load it, and let it book from now on, or as soon as its database is there."""
        await asyncio.to_thread(load)
        if not await self._open():
            self._tasks.spawn(self._wait())

    async def _open(
        self, membership: Membership | None = None, lateness: Lateness | None = None
    ) -> bool:
        """Open the ledger; false while its database is away. Raises what only a person can mend."""
        from services.wallet.correcting import CorrectionRpc  # noqa: PLC0415
        from services.wallet.engines import LedgerAway  # noqa: PLC0415
        from services.wallet.loop import Loop  # noqa: PLC0415
        from services.wallet.rpc import WalletRpc  # noqa: PLC0415
        from services.wallet.store import Store  # noqa: PLC0415

        where, password = places.ledger(self._config), places.ledger_password(self._config)
        try:
            store = await asyncio.to_thread(Store, where, password=password)
        except LedgerAway as away:
            if not self.away:
                logger.error("the ledger's database is away", extra=facts(reason=str(away)))
            self.away = True
            return False
        member, fatal = self._config.instance, self._fatal
        self._loop = Loop(
            self._log,
            store,
            self._send,
            self._metrics,
            member=member,
            fatal=fatal,
            membership=membership,
            lateness=lateness,
        )
        await self._loop.start()
        self._corrections = CorrectionRpc(store, self._clock)
        self._rpc.set_result(WalletRpc(store, self._clock, faucet_most=self._config.faucet_most))
        self.away = False
        return True

    async def _wait(self) -> None:
        """Look for the database again and again, and let nobody wait for money at a table."""
        from services.wallet.lateness import Lateness  # noqa: PLC0415
        from services.wallet.loop import join  # noqa: PLC0415

        lateness = Lateness(self._config.instance)
        membership = await join(self._log, self._config.instance)
        try:
            opened = False
            while not opened:
                lateness.tell(self._send, membership.owned, membership.owned)
                await asyncio.sleep(LOOK_S)
                opened = await self._open(membership, lateness)
        finally:
            if self._loop is None:
                await membership.leave()

    async def stop(self) -> None:
        """Finish what is being booked."""
        await self._tasks.cancel()
        self._rpc.cancel()
        if self._loop is not None:
            await self._loop.stop()

    def __getattr__(self, name: str) -> Any:
        """The handler of that name: all of WalletService's are asked alike."""
        if name not in HANDLERS:
            raise AttributeError(name)
        return partial(self._ask, name)

    async def correct(self, request: Any, call: Call) -> Any:
        """See `CorrectionRpc`."""
        return await self._ask("correct", request, call)

    async def list_postings(self, request: Any, call: Call) -> Any:
        """See `CorrectionRpc`."""
        return await self._ask("list_postings", request, call)

    async def _ask(self, method: str, request: Any, call: Call) -> Any:
        if self.away:
            return unavailable("LEDGER_AWAY", "the ledger's database cannot be reached now")
        # A caller who gives up must not take it from those who wait with him.
        rpc = await asyncio.shield(self._rpc)
        handler = self._corrections if method in CORRECTS else rpc
        return await getattr(handler, method)(request, call)


def load() -> None:
    """Import all that a wallet needs."""
    for part in PARTS:
        import_module(part)
