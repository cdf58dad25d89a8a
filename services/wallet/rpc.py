"""The wallet's calls: who may move whose money, and the answer in the words of the wire.

A player acts for himself alone. What the accounts allow is the teller's business; which role may
call at all stands in wallet.proto. Nothing here knows a transport.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

from riverboat.game.refusals import Refusal
from riverboat.ledger.accounts import Kind
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import BadInput, Fault, denied, unavailable
from riverboat.wire.v1 import wallet_pb2 as pb
from riverboat.wire.v1.access_pb2 import Role
from services.wallet.engines import LedgerAway
from services.wallet.store import Holding, Store
from services.wallet.teller import Teller

_T = TypeVar("_T")

PLAY_MONEY: Final = "PLAY"
PAGE: Final = 50  # lines of a statement, where the caller does not say how many

# As a token's subject: what became an id in the log once must be one here.
_PLAYER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}")
_CURRENCY: Final = re.compile(r"[A-Z]{3}|PLAY")

# Who may act for any player; whoever else may call acts for himself.
_OPERATOR: Final = frozenset({Role.ROLE_OPERATOR})
_HOUSE: Final = frozenset({Role.ROLE_OPERATOR, Role.ROLE_SERVICE})


class WalletRpc:
    """Handlers of WalletService."""

    def __init__(self, store: Store, clock: Clock, *, faucet_most: int = 0) -> None:
        """With `faucet_most` a player may fill his own play money up to it; 0 shuts the faucet."""
        self._store = store
        self._teller = Teller(store)
        self._clock = clock
        self._faucet_most = faucet_most

    async def deposit(
        self, request: pb.DepositRequest, call: Call
    ) -> pb.DepositResponse | Refusal | BadInput | Fault:
        """Money comes in."""
        player = _player(request.player, call.caller, _HOUSE)
        if not isinstance(player, str):
            return player
        wrong = _currency(request.currency)
        if wrong is not None:
            return wrong
        most = None if call.caller.holds(_HOUSE) else self._faucet_most
        if most is not None and (most == 0 or request.currency != PLAY_MONEY):
            return denied("NO_FAUCET", "a player cannot bring this money in himself")
        booked = await _done(
            self._teller.deposit,
            call.caller.id,
            request.key,
            player,
            request.currency,
            request.amount,
            request.note,
            self._clock.now_ms(),
            most,
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        posting, balance, time_ms = booked
        return pb.DepositResponse(posting=posting, balance=balance, time_ms=time_ms)

    async def withdraw(
        self, request: pb.WithdrawRequest, call: Call
    ) -> pb.WithdrawResponse | Refusal | BadInput | Fault:
        """Money goes out."""
        player = _player(request.player, call.caller, _OPERATOR)
        if not isinstance(player, str):
            return player
        wrong = _currency(request.currency)
        if wrong is not None:
            return wrong
        booked = await _done(
            self._teller.withdraw,
            call.caller.id,
            request.key,
            player,
            request.currency,
            request.amount,
            request.note,
            self._clock.now_ms(),
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        posting, balance, time_ms = booked
        return pb.WithdrawResponse(posting=posting, balance=balance, time_ms=time_ms)

    async def balance(
        self, request: pb.BalanceRequest, call: Call
    ) -> pb.BalanceResponse | BadInput | Fault:
        """What a player has, and where."""
        player = _player(request.player, call.caller, _HOUSE)
        if not isinstance(player, str):
            return player
        found = await _done(self._store.holdings, player)
        return found if isinstance(found, Fault) else _balance(found)

    async def statement(
        self, request: pb.StatementRequest, call: Call
    ) -> pb.StatementResponse | BadInput | Fault:
        """What became of a player's account."""
        player = _player(request.player, call.caller, _OPERATOR)
        if not isinstance(player, str):
            return player
        wrong = _currency(request.currency)
        if wrong is not None:
            return wrong
        page = await _done(
            self._teller.statement, player, request.currency, request.before, request.most or PAGE
        )
        if isinstance(page, Fault):
            return page
        lines = [
            pb.StatementLine(
                number=line.number,
                posting=line.posting,
                amount=line.amount,
                balance=line.balance,
                time_ms=line.time_ms,
                table=line.table,
                note=line.note,
                flagged=bool(line.flag),
            )
            for line in page.lines
        ]
        return pb.StatementResponse(lines=lines, next_before=page.next_before)


async def _done(work: Callable[..., _T], *arguments: Any) -> _T | Fault:
    """What `work` gives, in a thread of its own; a fault while the database is away.

    What was cut off may be booked or not. A call that moves money has a key: sent again with it, it
    is answered by what was booked.
    """
    try:
        return await asyncio.to_thread(work, *arguments)
    except LedgerAway:
        return unavailable("LEDGER_AWAY", "the ledger's database cannot be reached now")


def _player(
    named: str, caller: Caller, for_others: frozenset[Role.ValueType]
) -> str | BadInput | Fault:
    """Whose money it is about."""
    if not caller.holds(for_others):
        if named not in ("", caller.id):
            return denied("NOT_YOURS", "a player acts for himself")
        return caller.id
    if not _PLAYER.fullmatch(named):
        return BadInput("player", "must be a player's id")
    return named


def _currency(code: str) -> BadInput | None:
    if _CURRENCY.fullmatch(code):
        return None
    return BadInput("currency", "must be three capital letters, or PLAY")


def _balance(found: list[Holding]) -> pb.BalanceResponse:
    holdings: dict[str, pb.Holding] = {}
    for kind, currency, balance in found:
        held = holdings.setdefault(currency, pb.Holding(currency=currency))
        if kind == Kind.PLAYER:
            held.account = balance
        elif kind == Kind.IN_TRANSIT:
            held.in_transit = balance
        elif kind == Kind.AT_TABLE:
            held.at_tables = balance
    return pb.BalanceResponse(holdings=holdings.values())
