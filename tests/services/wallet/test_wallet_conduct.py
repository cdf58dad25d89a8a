"""How accounts stand, on both databases: what keeps a player from a table, and for how long."""

from __future__ import annotations

from google.rpc import code_pb2

from riverboat.game.refusals import Refusal
from riverboat.game.table.events import (
    ToppedUp,
)
from riverboat.ledger.standing import DAY_MS, RAISE_DELAY_MS
from riverboat.wire.v1 import wallet_pb2 as pb
from services.wallet.conduct import Conduct
from services.wallet.corrections import Corrections
from tests.services.wallet.room import HOUR_MS
from tests.services.wallet.test_wallet_rpc import ANN, BOSS, TILL, Desk, told

PRECONDITION = code_pb2.FAILED_PRECONDITION
DEPOSIT, LOSS, SESSION = (
    pb.LIMIT_KIND_DEPOSIT,
    pb.LIMIT_KIND_LOSS,
    pb.LIMIT_KIND_SESSION,
)
DAY, WEEK, MONTH = pb.LIMIT_PERIOD_DAY, pb.LIMIT_PERIOD_WEEK, pb.LIMIT_PERIOD_MONTH


async def do(desk: Desk, method: str, caller=BOSS, **fields):
    return await desk.call(method, caller, **{"player": "ann", "reason": "why"} | fields)


async def limit(desk: Desk, kind: int, amount: int | None, key: str, **fields):
    asked = {"kind": kind, "period": DAY, "key": key, "currency": "EUR", "amount": amount}
    return await desk.call("SetLimit", ANN, **asked | fields)


async def test_a_frozen_account_neither_plays_nor_pays(room):
    desk = room.desk
    frozen = await do(desk, "FreezeAccount", key="f")
    assert frozen.standing.frozen
    assert room.reserve("1.3", 100) == "ACCOUNT_FROZEN"
    for refused in (await desk.deposit(1, "x"), await desk.withdraw(1, "y")):
        assert told(refused) == (PRECONDITION, "ACCOUNT_FROZEN")
    assert not (await do(desk, "UnfreezeAccount", key="u")).standing.frozen
    assert room.reserve("1.3", 100) == "r2"
    # Said again, the first answer's deed is not done again.
    assert not (await do(desk, "FreezeAccount", key="f")).standing.frozen


async def test_a_deed_is_done_once_for_its_key(desk):
    await do(desk, "FreezeAccount", key="f")
    for method, fields in (
        ("FreezeAccount", {"reason": "other"}),
        ("FreezeAccount", {"player": "bob"}),
        ("UnfreezeAccount", {}),
    ):
        assert told(await do(desk, method, key="f", **fields)) == (PRECONDITION, "KEY_REUSED")
    # Nor does a key that moved money, or the other way round.
    await desk.deposit(5, "m", BOSS, player="bob")
    assert told(await do(desk, "FreezeAccount", key="m")) == (PRECONDITION, "KEY_REUSED")
    assert told(await desk.deposit(5, "f", BOSS, player="bob")) == (PRECONDITION, "KEY_REUSED")


async def test_an_account_is_closed_when_it_is_empty_and_for_ever(room):
    desk = room.desk
    sitting = room.sit("1.3", 100)
    await desk.withdraw(9_900, "w")
    full = await do(desk, "CloseAccount", key="c")
    assert told(full) == (PRECONDITION, "NOT_EMPTY")
    assert full.facts == {"currency": "EUR", "balance": "100"}
    room.leave("1.3", sitting, 100)
    await desk.withdraw(100, "v")
    await desk.deposit(7, "p", currency="PLAY")
    assert (await do(desk, "CloseAccount", key="c")).standing.closed, "play money does not matter"
    assert told(await desk.deposit(1, "x")) == (PRECONDITION, "ACCOUNT_CLOSED")
    assert told(await desk.withdraw(1, "y")) == (PRECONDITION, "NOT_ENOUGH_MONEY")
    await do(desk, "UnfreezeAccount", key="u")
    assert room.reserve("1.3", 0) == "ACCOUNT_CLOSED"


async def test_what_comes_back_to_a_closed_account_is_paid_out_and_plays_no_more(room):
    """A refund after all was over: the money is its player's, the account stays closed."""
    desk = room.desk
    await desk.withdraw(10_000, "w")
    assert (await do(desk, "CloseAccount", key="c")).standing.closed
    refund = Corrections(desk.store).correct(
        "operator", "k", "EUR", [("", -50), ("ann", 50)], "hand 1.3-1", desk.clock.now_ms()
    )
    assert not isinstance(refund, Refusal)
    assert room.reserve("1.3", 50) == "ACCOUNT_CLOSED"
    assert told(await desk.deposit(1, "x")) == (PRECONDITION, "ACCOUNT_CLOSED")
    asked = await desk.call("RequestWithdrawal", ANN, key="r", currency="EUR", amount=20)
    paid = await desk.call("ApproveWithdrawal", BOSS, key="a", withdrawal=asked.withdrawal.id)
    assert (paid.withdrawal.amount, paid.withdrawal.state) == (20, "settled")
    await do(desk, "FreezeAccount", key="f")
    assert told(await desk.withdraw(30, "y")) == (PRECONDITION, "ACCOUNT_FROZEN")
    await do(desk, "UnfreezeAccount", key="u")
    assert (await desk.withdraw(30, "z")).balance == 0


async def test_who_excludes_himself_plays_no_more_and_may_take_out_what_he_has(room):
    desk = room.desk
    sitting = room.sit("1.3", 100)
    until_ms = desk.clock.now_ms() + 10 * DAY_MS
    await desk.call("SelfExclude", ANN, until_ms=until_ms, key="x")
    assert room.reserve("1.3", 10, top_up=sitting) == "EXCLUDED"
    refused = await desk.deposit(1, "d")
    assert told(refused) == (PRECONDITION, "EXCLUDED")
    assert refused.facts == {"until_ms": str(until_ms)}
    assert (await desk.withdraw(100, "w")).balance == 9_800
    # He sits there still: who runs the tables is told until he has left.
    removals = (await desk.call("ListRemovals", TILL)).removals
    assert list(removals) == [
        pb.PendingRemoval(player="ann", table="1.3", sitting=sitting, reason="EXCLUDED")
    ]
    room.leave("1.3", sitting, 100)
    assert (await desk.call("ListRemovals", TILL)).removals == []
    desk.clock.advance(10 * DAY_MS)
    assert room.sit("1.3", 100)


async def test_nothing_shortens_an_exclusion(desk):
    now_ms = desk.clock.now_ms()
    for key, until_ms in (("a", now_ms + 9 * DAY_MS), ("b", now_ms + DAY_MS)):
        found = await desk.call("SelfExclude", ANN, until_ms=until_ms, key=key)
        assert found.standing.excluded_until_ms == now_ms + 9 * DAY_MS
    assert told(await desk.call("SelfExclude", ANN, until_ms=now_ms, key="c"))[1] == "BAD_INPUT"
    await desk.call("SelfExclude", BOSS, player="ann", key="d")
    desk.clock.advance(100_000 * DAY_MS)
    assert told(await desk.deposit(1, "d")) == (PRECONDITION, "EXCLUDED")


async def test_a_limit_is_lowered_at_once_and_raised_after_a_delay(desk):
    set_ms = desk.clock.now_ms()
    first = await limit(desk, DEPOSIT, 500, "a")
    assert (first.limit.amount, first.limit.next_from_ms) == (500, 0)
    higher = await limit(desk, DEPOSIT, 900, "b")
    assert (higher.limit.amount, higher.limit.next_amount) == (500, 900)
    assert higher.limit.next_from_ms == set_ms + RAISE_DELAY_MS
    # Lowered in between, nothing comes any more.
    lower = await limit(desk, DEPOSIT, 400, "c")
    assert (lower.limit.amount, lower.limit.next_from_ms) == (400, 0)
    desk.clock.advance(2 * RAISE_DELAY_MS)
    lifted = await limit(desk, DEPOSIT, None, "d")
    assert lifted.limit.amount == 400
    assert not lifted.limit.HasField("next_amount")
    desk.clock.advance(RAISE_DELAY_MS - 1)
    standing = (await desk.call("GetStanding", ANN)).standing
    assert [one.amount for one in standing.limits] == [400]
    desk.clock.advance(1)
    standing = (await desk.call("GetStanding", ANN)).standing
    assert not standing.limits[0].HasField("amount")


async def test_a_limit_of_deposits_counts_the_time_that_it_is_for(desk):
    await limit(desk, DEPOSIT, 500, "a")
    await limit(desk, DEPOSIT, 600, "b", period=WEEK)
    await desk.deposit(400, "1")
    over = await desk.deposit(101, "2")
    assert told(over) == (PRECONDITION, "DEPOSIT_LIMIT")
    assert over.facts == {"period": "day", "most": "500", "used": "400"}
    assert (await desk.deposit(400, "1")).balance == 400, "a retry is no second deposit"
    await desk.deposit(100, "3", currency="RON")
    desk.clock.advance(DAY_MS)
    over = await desk.deposit(201, "4")
    assert over.facts == {"period": "week", "most": "600", "used": "400"}
    assert (await desk.deposit(200, "5")).balance == 600


async def test_a_limit_of_losses_bounds_all_that_could_be_lost(room):
    desk = room.desk
    await limit(desk, LOSS, 500, "a")
    room.open("2.3")
    first = room.sit("1.3", 300)
    assert room.reserve("2.3", 201) == "LOSS_LIMIT"
    second = room.sit("2.3", 200)
    room.lose("1.3", first, 300)
    assert room.reserve("1.3", 1, top_up=first) == "LOSS_LIMIT", "300 lost, 200 could be"
    room.leave("2.3", second, 200)
    assert room.reserve("1.3", 201, top_up=first) == "LOSS_LIMIT"
    name = room.reserve("1.3", 200, top_up=first)
    room.tell("1.3", ToppedUp(name))
    desk.clock.advance(DAY_MS)
    assert room.reserve("1.3", 300, top_up=first).startswith("r"), "only the last day counts"


async def test_a_limit_of_losses_that_is_lowered_leads_out_who_sits_with_more(room):
    """Lower at once: he finishes his hand, and is paid out."""
    desk = room.desk
    sitting = room.sit("1.3", 300)
    room.lose("1.3", sitting, -500)
    await limit(desk, LOSS, 300, "a")
    removals = (await desk.call("ListRemovals", TILL)).removals
    assert removals == [], "he could lose 300 of his own: what he won was not his before"
    await limit(desk, LOSS, 100, "b", currency="RON")
    assert (await desk.call("ListRemovals", TILL)).removals == []
    await limit(desk, LOSS, 299, "c")
    (removal,) = (await desk.call("ListRemovals", TILL)).removals
    assert (removal.sitting, removal.table, removal.reason) == (sitting, "1.3", "LOSS_LIMIT")
    room.leave("1.3", sitting, 800)
    assert (await desk.call("ListRemovals", TILL)).removals == []


async def test_a_limit_of_time_that_is_lowered_leads_out_who_has_sat_longer(room):
    desk = room.desk
    sitting = room.sit("1.3", 100)
    await limit(desk, SESSION, 2 * HOUR_MS, "a", currency="")
    desk.clock.advance(HOUR_MS)
    assert (await desk.call("ListRemovals", TILL)).removals == []
    await limit(desk, SESSION, HOUR_MS, "b", currency="")
    (removal,) = (await desk.call("ListRemovals", TILL)).removals
    assert (removal.sitting, removal.reason) == (sitting, "SESSION_LIMIT")


async def test_a_limit_of_time_counts_tables_at_once_once(room):
    desk = room.desk
    room.open("2.3")
    await limit(desk, SESSION, 2 * HOUR_MS, "a", currency="")
    first, second = room.sit("1.3", 100), room.sit("2.3", 100)
    desk.clock.advance(HOUR_MS)
    room.leave("2.3", second, 100)
    desk.clock.advance(HOUR_MS - 1)
    assert (await desk.call("ListRemovals", TILL)).removals == []
    assert room.reserve("2.3", 100).startswith("r")
    desk.clock.advance(1)
    assert room.reserve("2.3", 100) == "SESSION_LIMIT"
    (removal,) = (await desk.call("ListRemovals", TILL)).removals
    assert (removal.sitting, removal.reason) == (first, "SESSION_LIMIT")
    room.leave("1.3", first, 100)
    desk.clock.advance(DAY_MS)
    assert room.reserve("1.3", 100).startswith("r")


async def test_a_limit_of_time_has_no_currency_and_others_have(desk):
    for kind, amount, fields, field in (
        (SESSION, 5, {"currency": "EUR"}, "currency"),
        (SESSION, 31 * DAY_MS, {"currency": ""}, "amount"),
        (LOSS, 5, {"currency": ""}, "currency"),
        (9, 5, {}, "kind"),
        (LOSS, 5, {"period": 9}, "period"),
    ):
        fault = await limit(desk, kind, amount, "k", **fields)
        assert [one.field for one in fault.fields] == [field], (kind, fields)


async def test_removals_name_only_who_may_not_play(room):
    room.sit("1.3", 100)
    await room.desk.deposit(100, "bobs", player="bob")
    room.sit("1.3", 100, player="bob")
    conduct = Conduct(room.desk.store)
    assert conduct.players_to_remove(room.desk.clock.now_ms()) == []
    await do(room.desk, "FreezeAccount", key="f", player="bob")
    (removal,) = conduct.players_to_remove(room.desk.clock.now_ms())
    assert (removal.player, removal.why.name) == ("bob", "ACCOUNT_FROZEN")
