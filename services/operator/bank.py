"""The bank: the wallet as the operator's service speaks to it, by its own calls and keys.

Every call carries the measure's id as its key, so that the wallet does it once. Knows no account
and decides nothing about money.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message
from google.rpc import code_pb2

from riverboat.game.table.events import Fact
from riverboat.ledger import money_at_table as money
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import corrections_pb2, wallet_pb2
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator import OPERATOR
from services.operator.history import HandHistory
from services.operator.office import NotNow

# Calls a method of the wallet's services by its name: an answer, or why not.
Wallet = Callable[[str, Message], Awaitable[Message | Fault]]

# What says nothing of the request: the same may be asked again.
PASSING: Final = frozenset(
    {
        code_pb2.UNAVAILABLE,
        code_pb2.DEADLINE_EXCEEDED,
        code_pb2.RESOURCE_EXHAUSTED,
        code_pb2.INTERNAL,
        code_pb2.UNKNOWN,
        code_pb2.CANCELLED,
        code_pb2.UNAUTHENTICATED,
    }
)
# How often, and how far apart, the ledger is asked for a hand that it has not booked yet.
LOOKS: Final = 12
LOOK_S: Final = 0.25


class Refused(NamedTuple):
    """Why the wallet did not do it, and never will under this key."""

    reason: str
    facts: Sequence[Fact] = ()


class Removal(NamedTuple):
    """A player who sits at a table and may not any more."""

    player: str
    table: str
    sitting: str
    reason: str


class Bank:
    """The wallet's calls that measures need."""

    def __init__(self, wallet: Wallet) -> None:
        self._wallet = wallet

    async def hold(self, kind: str, key: str, player: str, why: str) -> Refused | None:
        """Freeze an account, unfreeze it, or close it."""
        method, request = _HOLDS[kind]
        answer = await self._ask(method, request(player=player, key=key, reason=why))
        return answer if isinstance(answer, Refused) else None

    async def correct(
        self, key: str, currency: str, legs: Iterable[pb.CorrectionLeg], note: str
    ) -> str | Refused:
        """Book what was decided; the posting's id."""
        moved = [
            corrections_pb2.CorrectedAccount(player=leg.player, amount=leg.amount) for leg in legs
        ]
        request = corrections_pb2.CorrectRequest(currency=currency, legs=moved, key=key, note=note)
        answer = await self._ask("Correct", request)
        return answer if isinstance(answer, Refused) else str(answer.posting)

    async def removals(self) -> list[Removal]:
        """Those who sit somewhere and may not."""
        answer = await self._ask("ListRemovals", wallet_pb2.ListRemovalsRequest())
        if isinstance(answer, Refused):
            return []
        return [Removal(one.player, one.table, one.sitting, one.reason) for one in answer.removals]

    async def trail(self, hand: HandHistory) -> list[dict[str, Any]]:
        """What the ledger has of a hand: its result, the sittings of its players, corrections."""
        corrected = [f"correct:{OPERATOR}:{one}" for one in hand.corrections]
        ids = [money.result_id(hand.hand), *corrected]
        for sitting in hand.sittings:
            ids += [money.fund_id(sitting), money.seat_id(sitting), money.out_id(sitting)]
        request = corrections_pb2.ListPostingsRequest(postings=ids)
        for _ in range(LOOKS):
            answer = await self._ask("ListPostings", request)
            if isinstance(answer, Refused):
                raise NotNow(f"the wallet: {answer.reason}")
            if not hand.ended or any(one.posting == ids[0] for one in answer.postings):
                break
            await asyncio.sleep(LOOK_S)  # the ledger books a hand a moment after its end
        else:
            # A file that lacked the hand's money would prove nothing.
            raise NotNow("the ledger has not booked the hand yet")
        return [
            {
                "posting": one.posting,
                "number": one.number,
                "time_ms": one.time_ms,
                "flag": one.flag,
                "note": one.note,
                "legs": [
                    {"account": leg.account, "amount": leg.amount, "balance": leg.balance}
                    for leg in one.legs
                ],
            }
            for one in answer.postings
        ]

    async def _ask(self, method: str, request: Message) -> Any:
        """The answer; `Refused`; or `NotNow` where the wallet cannot be asked."""
        answer = await self._wallet(method, request)
        if not isinstance(answer, Fault):
            return answer
        if answer.code in PASSING:
            raise NotNow(f"the wallet: {answer.reason}")
        return Refused(answer.reason, _facts(answer.facts))


_HOLDS: Final[dict[str, tuple[str, type[Message]]]] = {
    "freeze": ("FreezeAccount", wallet_pb2.FreezeAccountRequest),
    "thaw": ("UnfreezeAccount", wallet_pb2.UnfreezeAccountRequest),
    "close_account": ("CloseAccount", wallet_pb2.CloseAccountRequest),
}


def _facts(told: Mapping[str, str]) -> list[Fact]:
    return [
        Fact(name, int(value), "") if value.lstrip("-").isdecimal() else Fact(name, 0, value)
        for name, value in told.items()
    ]
