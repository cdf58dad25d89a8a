"""The wallet's calls: who may move whose money, and the answer in the words of the wire.

A player acts for himself alone. What the accounts allow is the teller's business; which role may
call at all stands in wallet.proto. Nothing here knows a transport.
"""

from __future__ import annotations

from riverboat.game.refusals import Refusal
from riverboat.ledger.accounts import Kind
from riverboat.ledger.currencies import is_play
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import BadInput, Fault, denied
from riverboat.wire.v1 import wallet_pb2 as pb
from services.wallet.asking import HOUSE, MONEY, OPERATOR, PAGE, done, whose, wrong_currency
from services.wallet.rpc_cashier import CashierRpc
from services.wallet.rpc_conduct import ConductRpc
from services.wallet.store import Holding, Store
from services.wallet.teller import Teller


class WalletRpc(CashierRpc, ConductRpc):
    """Handlers of WalletService."""

    def __init__(self, store: Store, clock: Clock, *, faucet_most: int = 0) -> None:
        """With `faucet_most` a player may fill his own play money up to it; 0 shuts the faucet."""
        CashierRpc.__init__(self, store, clock)
        ConductRpc.__init__(self, store, clock)
        self._store = store
        self._teller = Teller(store)
        self._clock = clock
        self._faucet_most = faucet_most

    async def deposit(
        self, request: pb.DepositRequest, call: Call
    ) -> pb.DepositResponse | Refusal | BadInput | Fault:
        """Money comes in."""
        player = whose(request.player, call.caller, HOUSE, MONEY)
        if not isinstance(player, str):
            return player
        wrong = wrong_currency(request.currency)
        if wrong is not None:
            return wrong
        most = None if call.caller.holds(HOUSE) else self._faucet_most
        if most is not None and (most == 0 or not is_play(request.currency)):
            return denied("NO_FAUCET", "a player cannot bring this money in himself")
        booked = await done(
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
        player = whose(request.player, call.caller, OPERATOR, MONEY)
        if not isinstance(player, str):
            return player
        wrong = wrong_currency(request.currency)
        if wrong is not None:
            return wrong
        booked = await done(
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
        player = whose(request.player, call.caller, HOUSE)
        if not isinstance(player, str):
            return player
        found = await done(self._store.holdings, player)
        if isinstance(found, Fault):
            return found
        return pb.BalanceResponse(holdings=_holdings(found))

    async def balance_at(
        self, request: pb.BalanceAtRequest, call: Call
    ) -> pb.BalanceAtResponse | BadInput | Fault:
        """What a player had, and where, at a moment past."""
        player = whose(request.player, call.caller, OPERATOR)
        if not isinstance(player, str):
            return player
        found = await done(self._store.holdings_at, player, request.time_ms)
        if isinstance(found, Fault):
            return found
        return pb.BalanceAtResponse(holdings=_holdings(found))

    async def statement(
        self, request: pb.StatementRequest, call: Call
    ) -> pb.StatementResponse | BadInput | Fault:
        """What became of a player's account."""
        player = whose(request.player, call.caller, OPERATOR)
        if not isinstance(player, str):
            return player
        wrong = wrong_currency(request.currency)
        if wrong is not None:
            return wrong
        page = await done(
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


def _holdings(found: list[Holding]) -> list[pb.Holding]:
    holdings: dict[str, pb.Holding] = {}
    for kind, currency, balance in found:
        held = holdings.setdefault(currency, pb.Holding(currency=currency))
        if kind == Kind.PLAYER:
            held.account = balance
        elif kind == Kind.IN_TRANSIT:
            held.in_transit = balance
        elif kind == Kind.AT_TABLE:
            held.at_tables = balance
        elif kind == Kind.WITHDRAWING:
            held.withdrawing = balance
        elif kind == Kind.BONUS:
            held.bonus = balance
        elif kind == Kind.RECEIVABLE:
            held.owed = -balance
    return list(holdings.values())
