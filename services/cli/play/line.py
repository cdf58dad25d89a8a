"""The line: a player's connection to the network, for everything that the terminal client needs.

One stream for all tables that are looked at; after a cut it comes back with what it saw last. It
draws nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import grpc

from riverboat.bots.client import PlayStream, Shut
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1 import wallet_pb2
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from services.cli.play.mirror import Mirror
from services.cli.tables import listed
from services.cli.words import PLAY

# Whoever has less than this is given play money when he comes.
POOR: Final = 10_000
GIFT: Final = 20_000

Heard = Callable[[Mirror, str, Any], None]


class Line:
    """One player's connection."""

    def __init__(self, where: Mapping[str, str], player: str, token: str) -> None:
        self.player = player
        self.heard: Heard = _unheard  # told of every event, after its mirror
        self.up = False
        self._metadata = reach.bearer(token)
        self._session = reach.channel(where, "session")
        self._wallet_channel = reach.channel(where, "wallet")
        self._wallet = WalletServiceStub(self._wallet_channel)
        self._mirrors: dict[str, Mirror] = {}
        self._listed: dict[str, Any] = {}  # the tables' options, as they were listed last
        self._answers: dict[int, asyncio.Future[pb.Answer | None]] = {}
        self._followed: dict[int, Mirror] = {}  # looks that are not answered yet
        self._asks = 0
        self._stream = PlayStream(
            self._session, token, heard=self._take, began=self._began, ended=self._ended
        )

    async def run(self) -> None:
        """Keep the connection until cancelled; raises `Shut` where there is no way in."""
        await self._stream.run()

    async def close(self) -> None:
        """Hang up."""
        await self._session.close()
        await self._wallet_channel.close()

    # --- Asking.

    async def tables(self) -> list[pb.TableLine]:
        """The tables that stand."""
        found = await listed(self._session, self._metadata)
        self._listed = {line.table: line.settings for line in found}
        return found

    async def account(self) -> int:
        """Play money on the account, and some more for whoever has little."""
        balance = await self._wallet.Balance(wallet_pb2.BalanceRequest(), metadata=self._metadata)
        held = next((one for one in balance.holdings if one.currency == PLAY), None)
        have = held.account if held is not None else 0
        # What is at tables counts: nobody is given money for sitting down with what he had.
        if have + (held.at_tables + held.in_transit if held is not None else 0) >= POOR:
            return have
        request = wallet_pb2.DepositRequest(currency=PLAY, amount=GIFT, key=secrets.token_hex(12))
        with suppress(grpc.aio.AioRpcError):  # this network may give none away
            return (await self._wallet.Deposit(request, metadata=self._metadata)).balance
        return have

    def look(self, table: str) -> Mirror:
        """Look at this table from now on."""
        mirror = self._mirrors.get(table)
        if mirror is None:
            mirror = self._mirrors[table] = Mirror(table, self.player)
            if table in self._listed:
                # All that is known of a table that is closed to view.
                mirror.settings = self._listed[table]
            self._follow(mirror)
        return mirror

    def look_away(self, table: str) -> None:
        """Look at it no longer: whoever sits there has lost his line to it."""
        if self._mirrors.pop(table, None) is not None:
            self._send(unfollow=pb.Unfollow(table=table))

    async def ask(self, **what: Any) -> str:
        """Ask for this; why it was not done, or nothing where it was."""
        number = self._send(**what)
        answer: asyncio.Future[pb.Answer | None] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        found = await answer
        if found is None:
            return "the line was cut; look at the table to see what became of it"
        if not found.HasField("fault"):
            # Who sits or waits there now may see what was hidden from him before.
            for mirror in self._mirrors.values():
                if mirror.hidden:
                    self._follow(mirror)
            return ""
        return found.fault.message or found.fault.reason.lower().replace("_", " ")

    def _send(self, **what: Any) -> int:
        self._asks += 1
        self._stream.ask(pb.Ask(id=self._asks, **what))
        return self._asks

    def _follow(self, mirror: Mirror) -> None:
        number = self._send(follow=pb.Follow(table=mirror.table, seen=mirror.version))
        self._followed[number] = mirror

    # --- Hearing.

    def _began(self) -> None:
        self._nobody_answers()  # what was asked while there was no stream
        self._followed.clear()
        for mirror in self._mirrors.values():
            self._follow(mirror)
        # A stream that looks at nothing still tells whether it stands.
        if not self._mirrors:
            self._send(unfollow=pb.Unfollow(table="0.0"))

    def _ended(self) -> None:
        self.up = False
        self._nobody_answers()

    def _nobody_answers(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(None)
        self._answers.clear()

    def _take(self, item: pb.Item) -> None:
        self.up = True
        kind = item.WhichOneof("item")
        if kind == "answer":
            mirror = self._followed.pop(item.answer.ask, None)
            if mirror is not None and item.answer.fault.reason == "CLOSED_TO_VIEW":
                mirror.hide()
                self.heard(mirror, "change", item.answer.fault)
            waiting = self._answers.pop(item.answer.ask, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(item.answer)
        elif kind == "snapshot":
            mirror = self._mirrors.get(item.snapshot.table)
            if mirror is not None:
                mirror.snapshot(item.snapshot)
                self.heard(mirror, "snapshot", item.snapshot)
        elif kind == "change":
            mirror = self._mirrors.get(item.change.table)
            if mirror is not None:
                self._changed(mirror, item.change)
        elif kind == "private":
            mirror = self._mirrors.get(item.private.table)
            if mirror is not None:
                mirror.private(item.private)
                self.heard(mirror, "private", item.private)
        elif kind == "said":
            mirror = self._mirrors.get(item.said.table)
            if mirror is not None:
                self.heard(mirror, "said", item.said)
        elif kind == "notice":
            for mirror in self._mirrors.values():
                if item.notice.table in ("", mirror.table):
                    self.heard(mirror, "notice", item.notice)
        elif kind == "hidden":
            mirror = self._mirrors.get(item.hidden.table)
            if mirror is not None:
                mirror.hide()
                self.heard(mirror, "change", item.hidden)

    def _changed(self, mirror: Mirror, change: pb.Change) -> None:
        mirror.change(change)
        for event in change.events:
            kind = event.WhichOneof("event")
            if kind is not None:
                self.heard(mirror, kind, getattr(event, kind))
        self.heard(mirror, "change", change)


def _unheard(_mirror: Mirror, _kind: str, _event: Any) -> None:
    """Nobody listens yet."""


__all__ = ["Line", "Shut"]
