"""The wallet's calls, through the gate: who may move whose money, once, and what he is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.rpc import code_pb2

from riverboat.game.table.events import PlayerSeated, SeatReserved, TableOpened
from riverboat.ledger import accounts
from riverboat.ledger.books import BALANCE_MOST, Books
from riverboat.ledger.postings import transfer
from riverboat.runtime.auth import RIGHT_NAMES, Caller
from riverboat.runtime.calls import Call, Method, methods
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.errors import Fault, bad_input, fault_of
from riverboat.wire.v1 import wallet_pb2 as pb
from riverboat.wire.v1.access_pb2 import Role
from services.wallet.book import Booker
from services.wallet.check import faults
from services.wallet.rpc import WalletRpc
from services.wallet.store import Store
from services.wallet.teller import Teller
from services.wallet.writing import Source
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import HandLog, book

ANN = Caller("ann", frozenset({Role.ROLE_PLAYER}), 0)
TILL = Caller("till", frozenset({Role.ROLE_SERVICE}), 0)
BOSS = Caller("boss", frozenset({Role.ROLE_OPERATOR}), 0, frozenset(RIGHT_NAMES))


class Desk:
    """A wallet to call, with the checks that the runtime makes before every handler."""

    def __init__(self, faucet_most: int = 0, store: Store | None = None) -> None:
        self.clock = ManualClock(1_000)
        self.store = store or Store()
        rpc = WalletRpc(self.store, self.clock, faucet_most=faucet_most)
        service = pb.DESCRIPTOR.services_by_name["WalletService"]
        self._methods: dict[str, Method] = {
            one.path.rpartition("/")[2]: one for one in methods(service, rpc)
        }

    async def call(self, name: str, caller: Caller, **fields: Any) -> Any:
        """The response, or the fault that the caller is told."""
        method = self._methods[name]
        if not caller.holds(method.roles):
            return Fault(code_pb2.PERMISSION_DENIED, "ROLE_MISSING", "")
        request = method.request(**fields)
        assert method.check is not None
        wrong = method.check(request)
        if wrong:
            return bad_input(*wrong)
        outcome = await method.handler(request, Call(caller, "c"))
        return outcome if isinstance(outcome, method.response) else fault_of(outcome)

    async def deposit(self, amount: int, key: str, caller: Caller = TILL, **fields: Any) -> Any:
        asked = {"player": "ann", "currency": "EUR", "amount": amount, "key": key} | fields
        return await self.call("Deposit", caller, **asked)

    async def withdraw(self, amount: int, key: str, caller: Caller = BOSS, **fields: Any) -> Any:
        asked = {"player": "ann", "currency": "EUR", "amount": amount, "key": key} | fields
        return await self.call("Withdraw", caller, **asked)


def told(fault: Any) -> tuple[int, str]:
    assert isinstance(fault, Fault), fault
    return fault.code, fault.reason


async def test_money_comes_in_and_goes_out():
    desk = Desk()
    came = await desk.deposit(500, "a", note="card payment")
    assert came == pb.DepositResponse(posting="deposit:till:a", balance=500, time_ms=1_000)
    went = await desk.withdraw(120, "b")
    assert went == pb.WithdrawResponse(posting="withdraw:boss:b", balance=380, time_ms=1_000)
    assert faults(desk.store) == []


async def test_a_key_moves_money_once():
    desk = Desk()
    first = await desk.deposit(500, "a")
    desk.clock.advance(60_000)
    await desk.withdraw(100, "b")
    assert await desk.deposit(500, "a") == first, "the answer is the first one, to the letter"
    assert await desk.withdraw(100, "b") == pb.WithdrawResponse(
        posting="withdraw:boss:b", balance=400, time_ms=61_000
    )


@pytest.mark.parametrize(
    "other",
    [
        {"amount": 501},
        {"player": "bob"},
        {"currency": "RON"},
        {"note": "another"},
    ],
)
async def test_a_key_with_another_request_is_refused(other):
    desk = Desk()
    await desk.deposit(500, "a")
    again = {"amount": 500} | other
    refused = await desk.deposit(key="a", **again)
    assert told(refused) == (code_pb2.FAILED_PRECONDITION, "KEY_REUSED")
    assert refused.facts == {"key": "a"}
    assert desk.store.balance(accounts.player_account("ann", "EUR")) == 500


async def test_a_key_of_one_call_is_not_another_calls():
    desk = Desk()
    await desk.deposit(500, "a", BOSS)
    refused = await desk.withdraw(500, "a", BOSS, player="ann")
    assert told(refused) == (code_pb2.FAILED_PRECONDITION, "KEY_REUSED")


async def test_callers_do_not_share_keys():
    desk = Desk()
    await desk.deposit(500, "a")
    await desk.deposit(70, "a", BOSS)
    colon = Caller("till:a", TILL.roles, 0)
    await desk.deposit(3, "b", colon)
    await desk.deposit(4, "a:b")
    assert desk.store.balance(accounts.player_account("ann", "EUR")) == 577


async def test_nobody_withdraws_what_he_has_not():
    desk = Desk()
    await desk.deposit(100, "a")
    refused = await desk.withdraw(101, "b")
    assert told(refused) == (code_pb2.FAILED_PRECONDITION, "NOT_ENOUGH_MONEY")
    assert refused.facts == {"balance": "100", "amount": "101"}
    await desk.deposit(1, "c")
    assert (await desk.withdraw(101, "b")).balance == 0, "a refusal had no effect, its key is free"


async def test_a_balance_has_a_bound():
    desk, books = Desk(), Books()
    ann = accounts.player_account("ann", "EUR")
    books.book(transfer("gift", accounts.house("EUR"), ann, BALANCE_MOST))
    with desk.store.writing() as writing:
        writing.write(books, [Source(1)], {})
    refused = await desk.deposit(1, "a")
    assert told(refused) == (code_pb2.FAILED_PRECONDITION, "BALANCE_TOO_LARGE")


BOB = {"player": "bob", "amount": 1, "key": "k", "currency": "EUR"}
DONE = {"player": "bob", "key": "k", "reason": "r"}
WHO = [
    ("Deposit", ANN, BOB | {"player": "ann"}, "NO_FAUCET"),
    ("Deposit", ANN, BOB, "NOT_YOURS"),
    ("Withdraw", ANN, BOB, "ROLE_MISSING"),
    ("RequestWithdrawal", ANN, BOB, "NOT_YOURS"),
    ("RequestWithdrawal", TILL, BOB, "ROLE_MISSING"),
    ("ApproveWithdrawal", ANN, {"withdrawal": "w", "key": "k"}, "ROLE_MISSING"),
    ("ListWithdrawals", ANN, {}, "ROLE_MISSING"),
    ("ChargeBack", ANN, {"deposit": "deposit:till:a", "key": "k"}, "ROLE_MISSING"),
    ("SettleDebt", ANN, BOB, "ROLE_MISSING"),
    ("BalanceAt", ANN, {"player": "bob", "time_ms": 5}, "NOT_YOURS"),
    ("FreezeAccount", ANN, DONE, "ROLE_MISSING"),
    ("UnfreezeAccount", ANN, DONE, "ROLE_MISSING"),
    ("CloseAccount", ANN, DONE, "ROLE_MISSING"),
    ("SetLimit", ANN, {"player": "bob", "kind": 1, "period": 1, "key": "k"}, "NOT_YOURS"),
    ("SelfExclude", ANN, {"player": "bob", "key": "k"}, "NOT_YOURS"),
    ("GetStanding", ANN, {"player": "bob"}, "NOT_YOURS"),
    ("ListRemovals", ANN, {}, "ROLE_MISSING"),
    ("Withdraw", TILL, BOB, "ROLE_MISSING"),
    ("Balance", ANN, {"player": "bob"}, "NOT_YOURS"),
    ("Statement", ANN, {"player": "bob", "currency": "EUR"}, "NOT_YOURS"),
    ("Statement", TILL, {"player": "bob", "currency": "EUR"}, "ROLE_MISSING"),
    # A service that is a player too acts, where services may not call, for itself alone.
    ("RequestWithdrawal", Caller("till", TILL.roles | ANN.roles, 0), BOB, "NOT_YOURS"),
]


@pytest.mark.parametrize(("method", "caller", "fields", "reason"), WHO)
async def test_a_player_acts_for_himself(method, caller, fields, reason):
    desk = Desk()
    await desk.deposit(50, "a", player="bob")
    assert told(await desk.call(method, caller, **fields)) == (code_pb2.PERMISSION_DENIED, reason)
    assert desk.store.balance(accounts.player_account("bob", "EUR")) == 50


GOOD = {"player": "ann", "currency": "EUR", "amount": 5, "key": "k"}
BAD = [
    ("Deposit", {"amount": 0}, "amount"),
    ("Deposit", {"amount": -5}, "amount"),
    ("Deposit", {"amount": 10**12 + 1}, "amount"),
    ("Deposit", {"key": ""}, "key"),
    ("Deposit", {"key": "k" * 65}, "key"),
    ("Deposit", {"currency": ""}, "currency"),
    ("Deposit", {"currency": "eur"}, "currency"),
    ("Deposit", {"currency": "EURO"}, "currency"),
    ("Deposit", {"player": ""}, "player"),
    ("Deposit", {"player": "no spaces"}, "player"),
    ("Deposit", {"note": "n" * 201}, "note"),
    ("Deposit", {"note": "forged\nline"}, "note"),
    ("Withdraw", {"amount": 0}, "amount"),
    ("Withdraw", {"currency": "E:R"}, "currency"),
    ("Withdraw", {"player": ""}, "player"),
    ("Balance", {"player": ""}, "player"),
    ("Statement", {"before": -1}, "before"),
    ("Statement", {"most": 501}, "most"),
    ("Statement", {"currency": "X"}, "currency"),
    ("Statement", {"player": "?"}, "player"),
]


@pytest.mark.parametrize(("method", "fields", "field"), BAD)
async def test_bad_input_names_its_field(method, fields, field):
    desk = Desk()
    taken = {"Deposit": GOOD, "Withdraw": GOOD, "Balance": {"player": "ann"}}
    asked = taken.get(method, {"player": "ann", "currency": "EUR"}) | fields
    fault = await desk.call(method, BOSS, **asked)
    assert told(fault) == (code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
    assert [one.field for one in fault.fields] == [field]
    assert desk.store.holdings("ann") == []


async def test_a_faucet_fills_play_money_up_to_its_bound():
    desk = Desk(faucet_most=1_000)
    filled = await desk.deposit(1_000, "a", ANN, player="", currency="PLAY")
    assert filled.balance == 1_000
    dry = await desk.deposit(1, "b", ANN, player="", currency="PLAY")
    assert told(dry) == (code_pb2.FAILED_PRECONDITION, "ABOVE_FAUCET")
    assert dry.facts == {"most": "1000"}
    real = await desk.deposit(1, "c", ANN, player="")
    assert told(real) == (code_pb2.PERMISSION_DENIED, "NO_FAUCET")
    assert (await desk.deposit(1, "d", currency="PLAY")).balance == 1_001, "the house has no bound"


async def test_a_balance_says_where_the_money_is():
    desk = Desk()
    await desk.deposit(500, "a")
    await desk.deposit(9, "b", currency="PLAY")
    log = HandLog(0)
    log.append("1.3", TableOpened(settings()))
    log.append("1.3", SeatReserved("r", "ann", 1, 200, "", 0, "", post=False))
    log.append("1.3", PlayerSeated("r"))
    log.append("1.3", SeatReserved("s", "ann", 1, 30, "r", 0, "", post=False))
    book(Booker(desk.store), log)
    answer = await desk.call("Balance", ANN)
    assert list(answer.holdings) == [
        pb.Holding(currency="EUR", account=270, in_transit=30, at_tables=200),
        pb.Holding(currency="PLAY", account=9),
    ]
    assert await desk.call("Balance", BOSS, player="ann") == answer
    assert (await desk.call("Balance", BOSS, player="nobody")).holdings == []
    refused = await desk.withdraw(271, "c")
    assert told(refused) == (code_pb2.FAILED_PRECONDITION, "NOT_ENOUGH_MONEY")


@pytest.mark.parametrize("most", [1, 3, 7, 8, 100])
async def test_a_statement_comes_in_pages_without_a_gap(most):
    desk = Desk()
    for number in range(1, 8):
        desk.clock.advance(1)
        await desk.deposit(number, f"k{number}", note=f"note {number}")
    numbers, before, pages = [], 0, 0
    while True:
        page = await desk.call("Statement", ANN, currency="EUR", before=before, most=most)
        assert 0 < len(page.lines) <= most
        numbers += [line.number for line in page.lines]
        # A line that comes between two pages does not move them.
        await desk.deposit(1, f"between{pages}")
        pages, before = pages + 1, page.next_before
        if not before:
            break
    assert numbers == [7, 6, 5, 4, 3, 2, 1]
    assert pages == -(-7 // most)


async def test_a_statement_tells_where_each_line_came_from():
    desk = Desk()
    await desk.deposit(10, "a", note="card payment")
    log = HandLog(0)
    log.append("1.3", TableOpened(settings()))
    log.append("1.3", SeatReserved("r", "ann", 1, 40, "", 0, "", post=False))
    log.append("1.3", PlayerSeated("r"))
    book(Booker(desk.store), log)
    page = await desk.call("Statement", BOSS, player="ann", currency="EUR")
    assert list(page.lines) == [
        pb.StatementLine(
            number=2,
            posting="fund:r",
            amount=-40,
            balance=-30,
            time_ms=1_002,
            table="1.3",
            flagged=True,
        ),
        pb.StatementLine(
            number=1,
            posting="deposit:till:a",
            amount=10,
            balance=10,
            time_ms=1_000,
            note="card payment",
        ),
    ]


async def test_a_statement_of_nothing_is_empty():
    page = await Desk().call("Statement", ANN, currency="EUR")
    assert page == pb.StatementResponse()


async def test_calls_at_once_move_the_money_once():
    desk = Desk()
    answers = await asyncio.gather(*(desk.deposit(5, "same") for _ in range(20)))
    assert set(map(str, answers)) == {str(answers[0])}
    other = Teller(desk.store).statement("ann", "EUR", 0, 9)
    assert len(other.lines) == 1


MOVES = [
    ("Deposit", {"player": "ann", "currency": "EUR", "amount": 5}, "money"),
    ("Withdraw", {"player": "ann", "currency": "EUR", "amount": 5}, "money"),
    ("RequestWithdrawal", {"player": "ann", "currency": "EUR", "amount": 5}, "money"),
    ("ApproveWithdrawal", {"withdrawal": "ann:w"}, "approve"),
    ("CancelWithdrawal", {"withdrawal": "ann:w"}, "money"),
    ("ChargeBack", {"deposit": "deposit:till:a"}, "money"),
    ("SettleDebt", {"player": "ann", "currency": "EUR", "amount": 5}, "money"),
    ("FreezeAccount", {"player": "ann", "reason": "why"}, "players"),
    ("UnfreezeAccount", {"player": "ann", "reason": "why"}, "players"),
    ("CloseAccount", {"player": "ann", "reason": "why"}, "players"),
    ("SelfExclude", {"player": "ann"}, "players"),
    (
        "SetLimit",
        {
            "player": "ann",
            "kind": pb.LIMIT_KIND_LOSS,
            "period": pb.LIMIT_PERIOD_DAY,
            "currency": "EUR",
            "amount": 1,
        },
        "players",
    ),
]


@pytest.mark.parametrize(("name", "fields", "right"), MOVES, ids=[move[0] for move in MOVES])
async def test_an_operator_does_to_others_what_a_right_of_his_is_named_for(name, fields, right):
    desk = Desk()
    await desk.deposit(500, "a")
    asked = {"currency": "EUR", "amount": 100, "key": "w"}
    await desk.call("RequestWithdrawal", ANN, **asked)
    others = Caller("intern", BOSS.roles, 0, frozenset(RIGHT_NAMES) - {right})
    fault = await desk.call(name, others, key="k", **fields)
    assert told(fault) == (code_pb2.PERMISSION_DENIED, "RIGHT_MISSING")
    (holding,) = (await desk.call("Balance", TILL, player="ann")).holdings
    assert (holding.account, holding.withdrawing) == (400, 100), "nothing has moved"
    standing = (await desk.call("GetStanding", TILL, player="ann")).standing
    assert standing == pb.AccountStanding(), "nothing was done to the account"
    only = Caller("boss", BOSS.roles, 0, frozenset({right}))
    done = await desk.call(name, only, key="k", **fields)
    assert not isinstance(done, Fault) or done.reason in ("NO_SUCH_DEBT", "NOT_EMPTY")
