"""The calls about how an account stands, and the limits that players set themselves. See rpc.py."""

from __future__ import annotations

from typing import Any, Final

from riverboat.game.refusals import Refusal
from riverboat.ledger.standing import PERIOD_MS, Limit, LimitKey, LimitKind, Period, Standing
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import BadInput, Fault
from riverboat.wire.v1 import wallet_pb2 as pb
from services.wallet.asking import HOUSE, OPERATOR, PLAYERS, done, whose, wrong_currency
from services.wallet.conduct import Conduct, Said
from services.wallet.store import Store

_KINDS: Final = {
    pb.LIMIT_KIND_DEPOSIT: LimitKind.DEPOSIT,
    pb.LIMIT_KIND_LOSS: LimitKind.LOSS,
    pb.LIMIT_KIND_SESSION: LimitKind.SESSION,
}
_PERIODS: Final = {
    pb.LIMIT_PERIOD_DAY: Period.DAY,
    pb.LIMIT_PERIOD_WEEK: Period.WEEK,
    pb.LIMIT_PERIOD_MONTH: Period.MONTH,
}
_KIND_NAMES: Final = {kind: number for number, kind in _KINDS.items()}
_PERIOD_NAMES: Final = {period: number for number, period in _PERIODS.items()}


class ConductRpc:
    """Handlers of WalletService, a part of them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._conduct = Conduct(store)
        self._time = clock

    async def freeze_account(
        self, request: pb.FreezeAccountRequest, call: Call
    ) -> pb.FreezeAccountResponse | Refusal | BadInput | Fault:
        """Nothing moves on the account."""
        said = self._said(request, call, request.reason)
        if not isinstance(said, Said):
            return said
        found = await done(self._conduct.freeze, said)
        if isinstance(found, Refusal | Fault):
            return found
        return pb.FreezeAccountResponse(standing=self._standing(found))

    async def unfreeze_account(
        self, request: pb.UnfreezeAccountRequest, call: Call
    ) -> pb.UnfreezeAccountResponse | Refusal | BadInput | Fault:
        """As it was before."""
        said = self._said(request, call, request.reason)
        if not isinstance(said, Said):
            return said
        found = await done(self._conduct.unfreeze, said)
        if isinstance(found, Refusal | Fault):
            return found
        return pb.UnfreezeAccountResponse(standing=self._standing(found))

    async def close_account(
        self, request: pb.CloseAccountRequest, call: Call
    ) -> pb.CloseAccountResponse | Refusal | BadInput | Fault:
        """For ever."""
        said = self._said(request, call, request.reason)
        if not isinstance(said, Said):
            return said
        found = await done(self._conduct.close, said)
        if isinstance(found, Refusal | Fault):
            return found
        return pb.CloseAccountResponse(standing=self._standing(found))

    async def self_exclude(
        self, request: pb.SelfExcludeRequest, call: Call
    ) -> pb.SelfExcludeResponse | Refusal | BadInput | Fault:
        """The player plays no more until then."""
        said = self._said(request, call)
        if not isinstance(said, Said):
            return said
        if 0 < request.until_ms <= said.now_ms:
            return BadInput("until_ms", "must be a time to come, or 0 for ever")
        found = await done(self._conduct.exclude, said, request.until_ms)
        if isinstance(found, Refusal | Fault):
            return found
        return pb.SelfExcludeResponse(standing=self._standing(found))

    async def set_limit(
        self, request: pb.SetLimitRequest, call: Call
    ) -> pb.SetLimitResponse | Refusal | BadInput | Fault:
        """One of the player's own limits is set or lifted."""
        said = self._said(request, call)
        if not isinstance(said, Said):
            return said
        key = _key(request)
        if not isinstance(key, LimitKey):
            return key
        amount = request.amount if request.HasField("amount") else None
        if key.kind is LimitKind.SESSION and (amount or 0) > PERIOD_MS[Period.MONTH]:
            return BadInput("amount", "must be at most 30 days")
        found = await done(self._conduct.set_limit, said, key, amount)
        if isinstance(found, Refusal | Fault):
            return found
        return pb.SetLimitResponse(limit=_limit(key, found))

    async def get_standing(
        self, request: pb.GetStandingRequest, call: Call
    ) -> pb.GetStandingResponse | BadInput | Fault:
        """How the account stands."""
        player = whose(request.player, call.caller, HOUSE)
        if not isinstance(player, str):
            return player
        found = await done(self._conduct.standing, player)
        if isinstance(found, Fault):
            return found
        return pb.GetStandingResponse(standing=self._standing(found))

    async def list_removals(
        self, _request: pb.ListRemovalsRequest, _call: Call
    ) -> pb.ListRemovalsResponse | Fault:
        """Who sits somewhere and may not."""
        found = await done(self._conduct.players_to_remove, self._time.now_ms())
        if isinstance(found, Fault):
            return found
        return pb.ListRemovalsResponse(
            removals=[
                pb.PendingRemoval(
                    player=one.player, table=one.table, sitting=one.sitting, reason=one.why.name
                )
                for one in found
            ]
        )

    def _said(self, request: Any, call: Call, why: str = "") -> Said | BadInput | Fault:
        player = whose(request.player, call.caller, OPERATOR, PLAYERS)
        if not isinstance(player, str):
            return player
        return Said(call.caller.id, request.key, player, self._time.now_ms(), why)

    def _standing(self, found: Standing) -> pb.AccountStanding:
        now_ms = self._time.now_ms()
        return pb.AccountStanding(
            frozen=found.frozen,
            closed=found.closed,
            excluded_until_ms=found.excluded_until_ms if found.excluded_until_ms > now_ms else 0,
            limits=[_limit(key, found.limit(key, now_ms)) for key in sorted(found.limits)],
        )


def _key(request: pb.SetLimitRequest) -> LimitKey | BadInput:
    kind, period = _KINDS.get(request.kind), _PERIODS.get(request.period)
    if kind is None or period is None:
        return BadInput("period" if kind else "kind", "must be one of those that there are")
    if kind is LimitKind.SESSION:
        if request.currency:
            return BadInput("currency", "must be empty: time has none")
        return LimitKey(kind, period, "")
    return wrong_currency(request.currency) or LimitKey(kind, period, request.currency)


def _limit(key: LimitKey, found: Limit) -> pb.PlayerLimit:
    told = pb.PlayerLimit(
        kind=_KIND_NAMES[key.kind],
        period=_PERIOD_NAMES[key.period],
        currency=key.currency,
        amount=found.amount,
    )
    if found.coming is not None:
        told.next_from_ms = found.coming.from_ms
        if found.coming.amount is not None:
            told.next_amount = found.coming.amount
    return told
