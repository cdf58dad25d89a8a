"""The embedded network, simulated: one process, its log and its ledger, which die together.

The players, the chaos and the laws are those of the network of many processes. Beside them stands
that nothing may be told before it is durable. [ARCHITECTURE 6, the log]
"""

from __future__ import annotations

from functools import partial

from riverboat.sim.network import PARTITIONS, Network
from riverboat.sim.plan import Mortal, Plan
from riverboat.sim.process import Process
from riverboat.sim.sole import SOLE, SoleLog


class EmbeddedNetwork(Network):
    """One run of a network that is one process, its log and its ledger."""

    log: SoleLog
    instances = 1

    def _log(self) -> SoleLog:
        return SoleLog(self.world, self.order.faults, self._landed)

    def _staff(self) -> None:
        plan = Plan(
            SOLE,
            self.house.manifests,
            0,
            PARTITIONS,
            self.entropy.child(SOLE),
            self.decks,
            step=self.house.step,
            snapshots=self.house.snapshots,
            owns=partial(self._owned, 0),
            decided=self._decided,
            committed=self._committed,
            missing=self._missing,
            audience=self.house.audience,
            told=self._told,
        )
        sole = self.house.sole(self.world, self.log, plan)
        sole.fell = self._fell
        self.processes.append(sole)
        self.sessions.append(self._session(0))
        self.wallets.append(self._wallet(0))

    def _fell(self) -> None:
        parts: list[Mortal] = [*self.sessions, *self.wallets]
        for part in parts:
            if part.alive:
                part.die()

    def _look(self, session: Process, viewer: str, table: str) -> None:
        """Whoever looks, looks through the one process; what the session read is durable."""
        super()._look(self.processes[0], viewer, table)

    def _settled(self) -> bool:
        return self.log.settled and super()._settled()
