"""The counter for the simulator: the real cashier and the real conduct, asked without a wire.

Says what each call was answered; judges nothing.
"""

from __future__ import annotations

from riverboat.game.refusals import Refusal
from riverboat.ledger.standing import LimitKey, LimitKind, Period
from riverboat.sim.cashiers import Call, Said
from services.wallet.cashier import Cashier
from services.wallet.conduct import Conduct
from services.wallet.conduct import Said as Deed
from services.wallet.once import Receipt, cause
from services.wallet.store import Store

DESK = "cage"  # who asks for whom


def called(store: Store, currency: str, call: Call, now_ms: int) -> Said:
    """What came of the call."""
    cashier, conduct = Cashier(store), Conduct(store)
    deed = Deed(DESK, call.key, call.player, now_ms)
    found: object
    match call.what:
        case "withdraw":
            found = cashier.request_withdrawal(
                DESK, call.key, call.player, currency, call.amount, "", now_ms
            )
        case "settle":
            found = cashier.settle(DESK, call.key, call.about, "", now_ms)
        case "cancel":
            found = cashier.cancel(DESK, call.key, call.about, "", now_ms)
        case "charge_back":
            found = cashier.charge_back(DESK, call.key, call.about, "", now_ms)
        case "exclude":
            found = conduct.exclude(deed, call.amount)
        case _:
            found = conduct.set_limit(
                deed, LimitKey(LimitKind.LOSS, Period.DAY, currency), call.amount
            )
    if isinstance(found, Refusal):
        return Said(repr(found), refused=True)
    # How an account stands may have changed since; what was booked may not.
    said = found.posting if isinstance(found, Receipt) else "done"
    return Said(said, refused=False, name=cause(DESK, call.key))
