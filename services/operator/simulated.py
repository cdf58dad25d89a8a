"""The operator's service for the simulator: the real back room, without a process around it.

The simulator cuts it off between any two of its steps and asks measures of it, as its calls do.
Nothing of the back room itself is simulated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from riverboat.game.record import Record
from riverboat.game.refusals import Refusal
from riverboat.game.table.given import OpenDeck
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.runtime.auth import RIGHT_NAMES, Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import BadInput, Fault, fault_of
from riverboat.sim.asynclog import AsyncLog
from riverboat.wire.v1 import operator_pb2 as pb
from riverboat.wire.v1.access_pb2 import Role
from services.operator.backroom import BackRoom
from services.operator.bank import PASSING, Wallet

ROLES: Final = frozenset({Role.ROLE_OPERATOR})


class SimulatedRoom:
    """See `Room` in riverboat/sim/operating.py."""

    def __init__(
        self,
        network: AsyncLog,
        tables: Callable[[], Mapping[str, Table]],
        wallet: Wallet,
        clock: Clock,
        entropy: Entropy,
        member: str,
        fatal: Callable[[BaseException], None],
        room: type[BackRoom] = BackRoom,
    ) -> None:
        self._ready = asyncio.Event()
        self._room = room(
            network,
            network.submit,
            tables,
            lambda name: tables().get(name),
            _no_deck,
            wallet,
            templates={},
            clock=clock,
            entropy=entropy,
            member=member,
            fatal=fatal,
        )

    async def start(self) -> None:
        """Read the logs on, and act."""
        self._ready.set()
        await self._room.start(self._ready)

    def saw(self, table: Table, record: Record, found: log.Record) -> None:
        """A record was folded."""
        self._room.saw(table, record, found)

    @property
    def open(self) -> int:
        """How many measures have no end yet, as far as is known here."""
        return len(self._room.office.book.open)

    async def take(self, by: str, key: str, why: str, measure: pb.Measure) -> tuple[str, bool]:
        """Take a measure: what was answered, and whether the same may be asked again for another
        answer.
        """
        caller = Caller(by, ROLES, 1 << 62, frozenset(RIGHT_NAMES))
        request = pb.TakeRequest(key=key, why=why, measure=measure)
        answer = await self._room.rpc.take(request, Call(caller, key))
        if isinstance(answer, Refusal | BadInput | Fault):
            fault = fault_of(answer)
            return f"{fault.reason} {sorted(fault.facts.items())}", fault.code in PASSING
        return answer.SerializeToString(deterministic=True).hex(), False


def _no_deck(_table: str, _hand: object) -> OpenDeck:
    raise AssertionError("nobody looks at cards here")
