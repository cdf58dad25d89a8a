"""Corrections in the ledger: once for each key, by other services alone, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import code_pb2

from riverboat.ledger import accounts
from riverboat.ledger.refusals import LedgerCode
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call, methods, roles_of
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.errors import Fault, fault_of
from riverboat.wire.v1 import corrections_pb2 as pb
from riverboat.wire.v1.access_pb2 import Role
from services.wallet.check import faults
from services.wallet.correcting import CorrectionRpc
from services.wallet.store import Store
from services.wallet.teller import Teller

SERVICE = Caller("operator", frozenset({Role.ROLE_SERVICE}), 0)
SERVED = pb.DESCRIPTOR.services_by_name["CorrectionService"]


class Desk:
    """The handlers, over a ledger in which huck has 30 and jim nothing."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.rpc = CorrectionRpc(store, ManualClock(5_000))
        Teller(store).deposit("till", "d", "huck", "EUR", 30, "", 1_000)

    async def correct(self, key: str, *legs: tuple[str, int], currency: str = "EUR") -> Any:
        moved = [pb.CorrectedAccount(player=player, amount=amount) for player, amount in legs]
        request = pb.CorrectRequest(key=key, currency=currency, legs=moved, note="hand 1.0-1")
        outcome = await self.rpc.correct(request, Call(SERVICE, "c"))
        return outcome if isinstance(outcome, pb.CorrectResponse) else fault_of(outcome)

    def balances(self) -> list[int]:
        held = [accounts.player_account(player, "EUR") for player in ("huck", "jim")]
        held += [accounts.receivable("huck", "EUR"), accounts.house("EUR")]
        return [self.store.balance(account) for account in held]


@pytest.fixture
def desk(arm):
    return Desk(arm.store())


async def test_a_correction_is_booked_once(desk):
    legs = [("huck", -20), ("jim", 15), ("", 5)]
    first = await desk.correct("k", *legs)
    assert first == pb.CorrectResponse(posting="correct:operator:k", time_ms=5_000)
    assert await desk.correct("k", *legs) == first
    assert desk.balances() == [10, 15, 0, 5]
    other = await desk.correct("k", ("huck", -1), ("jim", 1))
    assert isinstance(other, Fault)
    assert other.reason == LedgerCode.KEY_REUSED.name
    assert faults(desk.store) == []


async def test_what_is_not_there_is_owed(desk):
    await desk.correct("k", ("huck", -50), ("jim", 50))
    assert desk.balances() == [0, 50, -20, 0]
    await desk.correct("again", ("huck", -5), ("jim", 5))
    assert desk.balances() == [0, 55, -25, 0]
    assert faults(desk.store) == []


@pytest.mark.parametrize(
    "legs",
    [
        [("huck", -20), ("jim", 19)],
        [("huck", 0), ("jim", 0)],
        [("huck", -20), ("huck", 20)],
        [("", -20), ("", 20)],
    ],
)
async def test_what_does_not_balance_is_no_correction(desk, legs):
    fault = await desk.correct("k", *legs)
    assert (fault.code, fault.fields[0].field) == (code_pb2.INVALID_ARGUMENT, "legs")
    assert desk.balances() == [30, 0, 0, 0]


async def test_postings_are_found_by_their_ids(desk):
    await desk.correct("k", ("huck", -50), ("jim", 50))
    wanted = ["correct:operator:k", "deposit:till:d", "hand:none"]
    request = pb.ListPostingsRequest(postings=wanted)
    told = await desk.rpc.list_postings(request, Call(SERVICE, "c"))
    assert [one.posting for one in told.postings] == ["deposit:till:d", "correct:operator:k"]
    correction = told.postings[1]
    assert (correction.note, correction.time_ms) == ("hand 1.0-1", 5_000)
    assert [(leg.account, leg.amount, leg.balance) for leg in correction.legs] == [
        ("player:huck:EUR", -30, 0),
        ("player:jim:EUR", 50, 50),
        ("receivable:huck:EUR", -20, -20),
    ]


def test_no_person_may_leave_the_second_operator_out():
    """Nobody with a token of his own corrects: that is for the service that asks two."""
    assert len(methods(SERVED, CorrectionRpc(Store(), ManualClock(0)))) == len(SERVED.methods) > 1
    assert {role for one in SERVED.methods for role in roles_of(one)} == {Role.ROLE_SERVICE}
