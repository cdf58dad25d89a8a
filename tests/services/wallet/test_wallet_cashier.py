"""The cashier's calls on both databases: withdrawals in steps, charge-backs, debts, the past."""

from __future__ import annotations

import asyncio

import pytest
from google.rpc import code_pb2

from riverboat.game.table.events import PlayerSeated, SeatReserved, TableOpened
from riverboat.ledger import accounts
from riverboat.ledger.refusals import LedgerCode
from riverboat.runtime.auth import Caller
from riverboat.wire.v1 import wallet_pb2 as pb
from services.wallet.book import Booker
from services.wallet.check import faults, imbalance
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import HandLog, book
from tests.services.wallet.test_wallet_rpc import ANN, BOSS, TILL, Desk, told

BOB = Caller("bob", ANN.roles, 0)


@pytest.fixture
def desk(arm):
    desk = Desk(store=arm.store())
    yield desk
    assert faults(desk.store) == []
    assert not any(imbalance(desk.store).values())


async def ask(desk: Desk, amount: int, key: str = "w", caller=ANN):
    asked = {"currency": "EUR", "amount": amount, "key": key, "note": "to the bank"}
    return await desk.call("RequestWithdrawal", caller, **asked)


async def held(desk: Desk, player: str = "ann"):
    (holding,) = (await desk.call("Balance", BOSS, player=player)).holdings
    return holding


def test_every_refusal_of_the_ledger_is_told_in_the_proto():
    """STYLE, habit 9: one enum of codes per vocabulary, mirrored in proto."""
    mirrored = {
        name.removeprefix("LEDGER_REFUSAL_"): number
        for name, number in pb.LedgerRefusal.items()
        if number
    }
    assert mirrored == {code.name: code.value for code in LedgerCode}


async def test_a_withdrawal_is_put_aside_and_paid_out_when_somebody_has_looked(desk):
    await desk.deposit(500, "a")
    asked = await ask(desk, 300)
    assert asked.balance == 200
    assert asked.withdrawal == pb.Withdrawal(
        id="ann:w",
        player="ann",
        currency="EUR",
        amount=300,
        state="asked",
        asked_ms=1_000,
        note="to the bank",
    )
    assert await held(desk) == pb.Holding(currency="EUR", account=200, withdrawing=300)
    waiting = await desk.call("ListWithdrawals", BOSS)
    assert list(waiting.withdrawals) == [asked.withdrawal]
    desk.clock.advance(5)
    done = await desk.call("ApproveWithdrawal", BOSS, withdrawal="ann:w", key="ok")
    assert (done.withdrawal.state, done.withdrawal.ended_ms) == ("settled", 1_005)
    assert await held(desk) == pb.Holding(currency="EUR", account=200)
    assert desk.store.balance(accounts.external("EUR")) == -200
    assert (await desk.call("ListWithdrawals", BOSS)).withdrawals == []


async def test_what_is_put_aside_cannot_be_spent_and_comes_back_when_cancelled(desk):
    await desk.deposit(500, "a")
    await ask(desk, 400)
    assert told(await ask(desk, 101, "x")) == (code_pb2.FAILED_PRECONDITION, "NOT_ENOUGH_MONEY")
    other = await desk.call("CancelWithdrawal", BOB, withdrawal="ann:w", key="c")
    assert told(other) == (code_pb2.FAILED_PRECONDITION, "NO_SUCH_WITHDRAWAL")
    done = await desk.call("CancelWithdrawal", ANN, withdrawal="ann:w", key="c")
    assert done.withdrawal.state == "cancelled"
    assert (await held(desk)).account == 500


async def test_a_withdrawal_ends_once(desk):
    await desk.deposit(500, "a")
    first = await ask(desk, 400)
    assert await ask(desk, 400) == first, "the same key is the same withdrawal"
    assert told(await ask(desk, 399)) == (code_pb2.FAILED_PRECONDITION, "KEY_REUSED")
    end = {"withdrawal": "ann:w", "key": "end"}
    answers = await asyncio.gather(*(desk.call("ApproveWithdrawal", BOSS, **end) for _ in range(6)))
    assert all(answer == answers[0] for answer in answers)
    late = await desk.call("CancelWithdrawal", ANN, withdrawal="ann:w", key="late")
    assert told(late) == (code_pb2.FAILED_PRECONDITION, "WITHDRAWAL_IS_OVER")
    assert late.facts == {"state": "settled"}
    reused = await desk.call("CancelWithdrawal", BOSS, **end)
    assert told(reused) == (code_pb2.FAILED_PRECONDITION, "KEY_REUSED")
    nothing = await desk.call("ApproveWithdrawal", BOSS, withdrawal="none", key="z")
    assert told(nothing) == (code_pb2.FAILED_PRECONDITION, "NO_SUCH_WITHDRAWAL")
    assert (await held(desk)).account == 100


async def test_withdrawals_that_wait_come_in_pages_oldest_first(desk):
    await desk.deposit(500, "a")
    for number in range(5):
        desk.clock.advance(number % 2)
        await ask(desk, 1, f"w{number}")
    found, after = [], ""
    while True:
        page = await desk.call("ListWithdrawals", BOSS, after=after, most=2)
        found += [one.id for one in page.withdrawals]
        after = page.next_after
        if not after:
            break
    assert found == [f"ann:w{number}" for number in range(5)]


async def test_a_charge_back_takes_what_is_there_and_the_rest_is_owed(desk):
    await desk.deposit(500, "a")
    await desk.withdraw(350, "b")
    back = await desk.call("ChargeBack", TILL, deposit="deposit:till:a", key="c")
    assert (back.posting, back.balance, back.owed) == ("charge-back:deposit:till:a", 0, 350)
    assert await held(desk) == pb.Holding(currency="EUR", owed=350)
    assert await desk.call("ChargeBack", TILL, deposit="deposit:till:a", key="c") == back
    again = await desk.call("ChargeBack", BOSS, deposit="deposit:till:a", key="d")
    assert told(again) == (code_pb2.FAILED_PRECONDITION, "CHARGED_BACK")
    for name in ("deposit:till:x", "withdraw:boss:b", "charge-back:deposit:till:a"):
        none = await desk.call("ChargeBack", BOSS, deposit=name, key="e")
        assert told(none) == (code_pb2.FAILED_PRECONDITION, "NO_SUCH_DEPOSIT")


async def test_who_owes_the_house_takes_nothing_out_until_it_is_settled(desk):
    await desk.deposit(500, "a")
    await desk.withdraw(400, "b")
    await desk.call("ChargeBack", TILL, deposit="deposit:till:a", key="c")
    await desk.deposit(1_000, "d")
    for refused in (await desk.withdraw(1, "e"), await ask(desk, 1)):
        assert told(refused) == (code_pb2.FAILED_PRECONDITION, "OWES_THE_HOUSE")
        assert refused.facts == {"amount": "400"}
    debt = {"player": "ann", "currency": "EUR"}
    paid = await desk.call("SettleDebt", BOSS, **debt, amount=300, key="p")
    assert (paid.balance, paid.owed) == (700, 100)
    more = await desk.call("SettleDebt", BOSS, **debt, amount=101, key="q")
    assert told(more) == (code_pb2.FAILED_PRECONDITION, "NO_SUCH_DEBT")
    gone = await desk.call("SettleDebt", BOSS, **debt, amount=100, key="r", write_off=True)
    assert (gone.balance, gone.owed) == (700, 0)
    assert await desk.call("SettleDebt", BOSS, **debt, amount=100, key="r", write_off=True) == gone
    assert desk.store.balance(accounts.losses("EUR")) == -100
    assert (await desk.withdraw(700, "f")).balance == 0


async def test_a_balance_of_the_past_is_what_was_booked_by_then(desk):
    await desk.deposit(500, "a")  # at 1,000
    log = HandLog(0)
    log.append("1.3", TableOpened(settings()))
    log.append("1.3", SeatReserved("r", "ann", 1, 200, "", 0, "", post=False))  # at 1,001
    log.append("1.3", PlayerSeated("r"))  # at 1,002
    book(Booker(desk.store), log)
    desk.clock.advance(50)
    await ask(desk, 100)
    for time_ms, found in {
        999: [],
        1_000: [pb.Holding(currency="EUR", account=500)],
        1_001: [pb.Holding(currency="EUR", account=300, in_transit=200)],
        1_049: [pb.Holding(currency="EUR", account=300, at_tables=200)],
        1_050: [pb.Holding(currency="EUR", account=200, at_tables=200, withdrawing=100)],
    }.items():
        answer = await desk.call("BalanceAt", ANN, time_ms=time_ms)
        assert list(answer.holdings) == found, time_ms


async def test_a_currency_that_the_network_has_not_is_refused(desk):
    for method, fields in (
        ("Deposit", {"player": "ann", "amount": 5, "key": "k"}),
        ("RequestWithdrawal", {"player": "ann", "amount": 5, "key": "k"}),
        ("SettleDebt", {"player": "ann", "amount": 5, "key": "k"}),
        ("SetLimit", {"player": "ann", "kind": 1, "period": 1, "amount": 5, "key": "k"}),
    ):
        fault = await desk.call(method, BOSS, currency="ABC", **fields)
        assert told(fault) == (code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
        assert [one.field for one in fault.fields] == ["currency"]


async def test_play_money_is_refilled_so_often_and_no_more(arm):
    from riverboat.ledger.currencies import CURRENCIES

    rule = CURRENCIES["PLAY"]
    desk = Desk(faucet_most=1_000_000, store=arm.store())
    for turn in range(rule.refills):
        assert (await desk.deposit(1, f"k{turn}", ANN, player="", currency="PLAY")).balance
    dry = await desk.deposit(1, "more", ANN, player="", currency="PLAY")
    assert told(dry) == (code_pb2.FAILED_PRECONDITION, "FAUCET_IS_DRY")
    assert dry.facts == {"refills": str(rule.refills), "within_ms": str(rule.refill_ms)}
    desk.clock.advance(rule.refill_ms)
    again = await desk.deposit(1, "later", ANN, player="", currency="PLAY")
    assert again.balance == rule.refills + 1


@pytest.mark.parametrize("since", ["frozen", "charged back"])
async def test_what_has_come_about_since_it_was_asked_for_is_not_paid_out(desk, since):
    deposit = await desk.deposit(500, "a")
    await ask(desk, 500)
    if since == "frozen":
        frozen = {"player": "ann", "key": "f", "reason": "why"}
        assert (await desk.call("FreezeAccount", BOSS, **frozen)).standing.frozen
        code = "ACCOUNT_FROZEN"
    else:
        await desk.call("ChargeBack", BOSS, deposit=deposit.posting, key="f")
        code = "OWES_THE_HOUSE"
    approved = await desk.call("ApproveWithdrawal", TILL, withdrawal="ann:w", key="ok")
    assert told(approved) == (code_pb2.FAILED_PRECONDITION, code)
    assert (await held(desk)).withdrawing == 500
    cancelled = await desk.call("CancelWithdrawal", BOSS, withdrawal="ann:w", key="no")
    assert cancelled.withdrawal.state == "cancelled"
    assert (await held(desk)).account == 500
