"""Pre-acts: kept for one turn, sent as an ordinary act, and never on a changed price."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from google.rpc import code_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.game.commands import Action
from riverboat.game.hand.state import NOBODY, Hand, Phase
from riverboat.game.table.state import Table
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import seats_pb2 as seats
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action as WireAction
from riverboat.wire.v1.seats_pb2 import Intent
from services.session.preacts import PreActs
from tests.game.hand.test_hand_property import STEPS_MOST, a_deal, play_one_decision

TABLE = "1.0"
DEEP = bool(os.environ.get("RIVERBOAT_DEEP"))
INTENTS = [one for one in Intent.values() if one != Intent.INTENT_UNSPECIFIED]


class Kept:
    """Pre-acts of one table, and what they asked for."""

    def __init__(self):
        self.asked: list[Any] = []
        self.preacts = PreActs(lambda *asked: self.asked.append(asked))
        self.table = Table(TABLE)

    @property
    def hand(self) -> Hand:
        assert self.table.hand is not None
        return self.table.hand

    def keep(self, player, intent, price=None, street=None, hand=None):
        here = self.hand
        request = seats.PreActRequest(
            table=TABLE,
            hand=here.id if hand is None else hand,
            street=max(here.street, 0) if street is None else street,
            price=here.price if price is None else price,
            intent=intent,
        )
        return self.preacts.keep(self.table, player, request)

    def turned(self):
        """What is asked for whoever has the turn now."""
        self.asked.clear()
        self.preacts.turned(self.table, self.hand.seats[self.hand.turn].player)
        return [asked[2] for asked in self.asked]


def fits(intent, act, kept, hand):
    """A second, plain reading of what an intent may come to."""
    price, street = kept
    if street != hand.street:
        return False
    if intent in (Intent.INTENT_CHECK, Intent.INTENT_CALL) and price != hand.price:
        return False
    allowed = {
        Intent.INTENT_FOLD: {Action.FOLD},
        Intent.INTENT_CHECK_FOLD: {Action.CHECK, Action.FOLD},
        Intent.INTENT_CHECK: {Action.CHECK},
        Intent.INTENT_CALL: {Action.CALL},
        Intent.INTENT_CALL_ANY: {Action.CALL, Action.CHECK},
    }
    return act.action in allowed[intent]


@settings(max_examples=3_000 if DEEP else 150, deadline=None)
@given(st.integers(0, 2**64))
def test_no_preact_ever_acts_on_a_changed_price(seed):
    """Issue: "pre-actions that can never act on a changed price": over random hands."""
    chance = random.Random(seed)
    dealt, kept = a_deal(chance), Kept()
    made: dict[str, Any] = {}
    seen = ("", 0)
    for _ in range(STEPS_MOST):
        hand = kept.table.hand = dealt.hand
        if hand.phase is Phase.OVER:
            break
        if hand.turn != NOBODY and seen != (hand.id, hand.turn_number):
            seen = (hand.id, hand.turn_number)
            player = hand.seats[hand.turn].player
            wanted = made.pop(player, None)
            acts = kept.turned()
            if wanted is None:
                assert acts == []
            for act in acts:
                intent, at = wanted
                assert fits(intent, act, at, hand), (intent, at, act)
                assert (act.hand, act.turn, act.price) == (hand.id, hand.turn_number, hand.price)
                assert isinstance(dealt.tries(act), list), "what is sent is accepted"
                if intent == Intent.INTENT_CHECK_FOLD and dealt.offered.check:
                    assert act.action is Action.CHECK, "nobody folds where checking is free"
        if hand.turn != NOBODY and chance.random() < 0.6:
            player = chance.choice([seat.player for seat in hand.seats.values()])
            intent = chance.choice(INTENTS)
            if kept.keep(player, intent) is None and intent != Intent.INTENT_NOTHING:
                made[player] = (intent, (hand.price, hand.street))
            else:
                made.pop(player, None)
        play_one_decision(dealt, chance)


def facing(price=0):
    """A table whose hand has come to its first turn."""
    kept = Kept()
    dealt = a_deal(random.Random(3), ("standard", "holdem", "nl"))
    while dealt.hand.turn == NOBODY:
        play_one_decision(dealt, random.Random(3))
    kept.table.hand = dealt.hand
    others = [
        seat for seat in dealt.hand.seats.values() if seat.seat != dealt.hand.turn and seat.stack
    ]
    return kept, dealt.hand, others[0].player


@pytest.mark.parametrize(
    ("made_for", "reason"),
    [
        ({"hand": "other"}, "ANOTHER_HAND"),
        ({"street": 3}, "STREET_PASSED"),
        ({"price": 7}, "PRICE_CHANGED"),
        ({}, None),
    ],
)
def test_what_was_made_for_another_moment_is_not_kept(made_for, reason):
    kept, _, player = facing()
    assert kept.keep(player, Intent.INTENT_FOLD) is None
    outcome = kept.keep(player, Intent.INTENT_CALL, **made_for)
    if reason is None:
        assert outcome is None
        assert kept.preacts.intent(TABLE, player) == Intent.INTENT_CALL
        return
    assert (outcome.code, outcome.reason) == (code_pb2.ABORTED, reason)
    # What he wanted before he wants no more, whatever becomes of the new.
    assert kept.preacts.intent(TABLE, player) == Intent.INTENT_UNSPECIFIED


def test_a_price_binds_only_what_was_made_for_it():
    for intent in (Intent.INTENT_FOLD, Intent.INTENT_CHECK_FOLD, Intent.INTENT_CALL_ANY):
        kept, _, player = facing()
        assert kept.keep(player, intent, price=7) is None


def test_who_is_on_turn_or_out_of_the_hand_keeps_nothing():
    kept, hand, player = facing()
    on_turn = hand.seats[hand.turn].player
    assert kept.keep(on_turn, Intent.INTENT_CALL).reason == "YOUR_TURN"
    assert kept.keep("stranger", Intent.INTENT_CALL).reason == "NOT_IN_HAND"
    seat = next(seat for seat in hand.seats.values() if seat.player == player)
    seat.folded = True
    assert kept.keep(player, Intent.INTENT_CALL).reason == "NO_TURN"
    kept.table.hand = None
    request = seats.PreActRequest(table=TABLE, hand="h", intent=Intent.INTENT_CALL)
    assert kept.preacts.keep(kept.table, player, request).reason == "NO_HAND"
    assert len(kept.preacts) == 0


def test_an_act_of_another_hand_or_street_is_dropped_when_the_turn_comes():
    for change in ("street", "id"):
        kept, hand, player = facing()
        assert kept.keep(player, Intent.INTENT_CALL_ANY) is None
        hand.turn = next(seat.seat for seat in hand.seats.values() if seat.player == player)
        setattr(hand, change, hand.street + 1 if change == "street" else "1.0-9")
        assert kept.turned() == []
        assert len(kept.preacts) == 0


# --- Over the session's calls.


def seat_of(player):
    return int(player[1])


async def in_a_hand(room):
    """Clients of p1 and p2 in a hand: the one on turn, the one who waits."""
    clients = {player: room.play(player) for player in ("p1", "p2")}
    for player, client in clients.items():
        sit = pb.SitDownRequest(table=TABLE, seat=seat_of(player), amount=1_000, post=True)
        client.asks((0, {"follow": pb.Follow(table=TABLE)}), (0, {"sit_down": sit}))
    hand = await room.until(lambda: room.table.hand and room.table.hand.turn and room.table.hand)
    on_turn = hand.seats[hand.turn].player
    waits = "p1" if on_turn == "p2" else "p2"
    await room.until(lambda: [seen for seen in clients[on_turn].of("private") if seen.options.turn])
    return clients[on_turn], clients[waits], hand


def preact(hand, intent, price=None):
    return seats.PreActRequest(
        table=TABLE,
        hand=hand.id,
        street=hand.street,
        price=hand.price if price is None else price,
        intent=intent,
    )


def calls(hand):
    on = pb.ActOn(
        hand=hand.id, turn=hand.turn_number, price=hand.price, action=WireAction.ACTION_CALL
    )
    return pb.ActRequest(table=TABLE, act=on)


async def test_a_preact_is_done_when_the_turn_comes_and_seen_by_its_player_alone(room):
    first, second, hand = await in_a_hand(room)
    answer = await second.asked(pre_act=preact(hand, Intent.INTENT_CHECK_FOLD))
    assert answer.HasField("done"), answer
    kept = await room.until(lambda: [seen for seen in second.of("private") if seen.standing.intent])
    assert kept[-1].standing.intent == Intent.INTENT_CHECK_FOLD
    street = hand.street
    assert (await first.asked(act=calls(hand))).HasField("done")
    # The big blind has the option, and checks by itself.
    await room.until(lambda: room.table.hand is None or room.table.hand.street > street)
    await room.until(lambda: [one for one in first.events("checked") if one.seat])
    assert not [seen for seen in first.of("private") if seen.standing.intent]
    assert second.of("private")[-1].standing.intent == 0
    for client in (first, second):
        await client.close()


async def test_a_preact_is_not_done_at_another_price(room):
    first, second, hand = await in_a_hand(room)
    kept = await room.call("PreAct", second.player, preact(hand, Intent.INTENT_CALL))
    assert not isinstance(kept, Fault)
    turn = hand.turn_number
    on = pb.ActOn(
        hand=hand.id, turn=turn, price=hand.price, action=WireAction.ACTION_RAISE, total=60
    )
    assert (await first.asked(act=pb.ActRequest(table=TABLE, act=on))).HasField("done")
    await room.until(lambda: [one for one in second.of("private") if one.options.turn == turn + 1])
    sent = [asked for asked in room.sent if asked.value and second.player.encode() in asked.value]
    await room.call("SitOut", first.player, pb.SitOutRequest(table=TABLE))
    assert room.table.hand.turn_number == turn + 1, "he has to decide himself"
    assert len(sent) == 1, "he asked for a seat, and for nothing else"
    for client in (first, second):
        await client.close()


async def test_a_preact_lasts_as_long_as_the_player_looks_and_no_restart(room):
    first, second, hand = await in_a_hand(room)
    fault = await room.call("PreAct", "p9", preact(hand, Intent.INTENT_FOLD))
    assert (fault.code, fault.reason) == (code_pb2.FAILED_PRECONDITION, "NOT_LOOKING")
    await second.asked(pre_act=preact(hand, Intent.INTENT_FOLD))
    assert len(room.floor.hall.preacts) == 1
    await second.asked(pre_act=preact(hand, Intent.INTENT_NOTHING))
    assert len(room.floor.hall.preacts) == 0
    await second.asked(pre_act=preact(hand, Intent.INTENT_FOLD))
    await second.close()
    assert len(room.floor.hall.preacts) == 0
    again = room.play(second.player)
    await again.asked(follow=pb.Follow(table=TABLE))
    await again.asked(pre_act=preact(hand, Intent.INTENT_FOLD))
    for client in (first, again):
        await client.close()
    await room.again()
    assert len(room.floor.hall.preacts) == 0
