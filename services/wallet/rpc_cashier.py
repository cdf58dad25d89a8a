"""The calls about withdrawals, deposits that are taken back, and debts. See rpc.py."""

from __future__ import annotations

from riverboat.game.refusals import Refusal
from riverboat.ledger import accounts
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import BadInput, Fault
from riverboat.wire.v1 import wallet_pb2 as pb
from services.wallet.asking import (
    APPROVE,
    HOUSE,
    MONEY,
    OPERATOR,
    PAGE,
    done,
    may,
    whose,
    wrong_currency,
)
from services.wallet.cashier import Cashier
from services.wallet.once import cause
from services.wallet.store import Store
from services.wallet.writing import Withdrawal


class CashierRpc:
    """Handlers of WalletService, a part of them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._cashier = Cashier(store)
        self._balances = store
        self._now = clock

    async def request_withdrawal(
        self, request: pb.RequestWithdrawalRequest, call: Call
    ) -> pb.RequestWithdrawalResponse | Refusal | BadInput | Fault:
        """Money is put aside, to be paid out when an operator has looked."""
        player = whose(request.player, call.caller, OPERATOR, MONEY)
        if not isinstance(player, str):
            return player
        wrong = wrong_currency(request.currency)
        if wrong is not None:
            return wrong
        booked = await done(
            self._cashier.request_withdrawal,
            call.caller.id,
            request.key,
            player,
            request.currency,
            request.amount,
            request.note,
            self._now.now_ms(),
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        found = await self._told(cause(call.caller.id, request.key))
        if isinstance(found, Fault):
            return found
        return pb.RequestWithdrawalResponse(withdrawal=found, balance=booked.balance)

    async def approve_withdrawal(
        self, request: pb.ApproveWithdrawalRequest, call: Call
    ) -> pb.ApproveWithdrawalResponse | Refusal | BadInput | Fault:
        """The money leaves the network."""
        missing = may(call.caller, APPROVE)
        if missing is not None:
            return missing
        booked = await done(
            self._cashier.settle,
            call.caller.id,
            request.key,
            request.withdrawal,
            request.note,
            self._now.now_ms(),
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        found = await self._told(request.withdrawal)
        return found if isinstance(found, Fault) else pb.ApproveWithdrawalResponse(withdrawal=found)

    async def cancel_withdrawal(
        self, request: pb.CancelWithdrawalRequest, call: Call
    ) -> pb.CancelWithdrawalResponse | Refusal | BadInput | Fault:
        """The money is the player's again."""
        missing = may(call.caller, MONEY) if call.caller.holds(OPERATOR) else None
        if missing is not None:
            return missing
        booked = await done(
            self._cashier.cancel,
            call.caller.id,
            request.key,
            request.withdrawal,
            request.note,
            self._now.now_ms(),
            # Another player's withdrawal is none that he could know of.
            "" if call.caller.holds(OPERATOR) else call.caller.id,
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        found = await self._told(request.withdrawal)
        return found if isinstance(found, Fault) else pb.CancelWithdrawalResponse(withdrawal=found)

    async def list_withdrawals(
        self, request: pb.ListWithdrawalsRequest, _call: Call
    ) -> pb.ListWithdrawalsResponse | Fault:
        """What waits for an operator."""
        most = request.most or PAGE
        found = await done(self._cashier.waiting, request.after, most + 1)
        if isinstance(found, Fault):
            return found
        page = found[:most]
        return pb.ListWithdrawalsResponse(
            withdrawals=map(_withdrawal, page),
            next_after=page[-1].id if len(found) > most else "",
        )

    async def charge_back(
        self, request: pb.ChargeBackRequest, call: Call
    ) -> pb.ChargeBackResponse | Refusal | BadInput | Fault:
        """A deposit is taken back."""
        missing = may(call.caller, MONEY)
        if missing is not None:
            return missing
        booked = await done(
            self._cashier.charge_back,
            call.caller.id,
            request.key,
            request.deposit,
            request.note,
            self._now.now_ms(),
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        owed = await done(self._cashier.owed_by, booked.posting)
        if isinstance(owed, Fault):
            return owed
        return pb.ChargeBackResponse(
            posting=booked.posting, balance=booked.balance, owed=owed, time_ms=booked.time_ms
        )

    async def settle_debt(
        self, request: pb.SettleDebtRequest, call: Call
    ) -> pb.SettleDebtResponse | Refusal | BadInput | Fault:
        """A debt is paid, or given up."""
        player = whose(request.player, call.caller, HOUSE, MONEY)
        if not isinstance(player, str):
            return player
        wrong = wrong_currency(request.currency)
        if wrong is not None:
            return wrong
        booked = await done(
            self._cashier.settle_debt,
            call.caller.id,
            request.key,
            player,
            request.currency,
            request.amount,
            request.note,
            self._now.now_ms(),
            request.write_off,
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        debt = accounts.receivable(player, request.currency)
        owed = await done(self._balances.balance, debt)
        if isinstance(owed, Fault):
            return owed
        return pb.SettleDebtResponse(
            posting=booked.posting, balance=booked.balance, owed=-owed, time_ms=booked.time_ms
        )

    async def _told(self, name: str) -> pb.Withdrawal | Fault:
        found = await done(self._cashier.withdrawal, name)
        if isinstance(found, Fault):
            return found
        assert found is not None, "a withdrawal that was booked is there"
        return _withdrawal(found)


def _withdrawal(found: Withdrawal) -> pb.Withdrawal:
    return pb.Withdrawal(**found._asdict())
