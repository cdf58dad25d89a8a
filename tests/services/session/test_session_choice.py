"""Dealer's choice over the session: who has the choice sees it, makes it, and has it dealt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import VoidHand
from riverboat.game.hand.events import Stakes
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import session_pb2 as pb
from tests.services.session.room import SETTINGS, TABLE, Room

STAKES = Stakes(small_blind=50, big_blind=100, ante=10, bring_in=20, small_bet=100, big_bet=200)
NUMBER = 1 << 40  # beyond those that the session gave for sitting down
CHOICE = replace(
    SETTINGS,
    variant="dealers_choice",
    limit="mixed",
    stakes=STAKES,
    buy_in_least=1_000,
    buy_in_most=0,
)


@pytest.fixture
async def choosing(tmp_path):
    """A room whose table is of dealer's choice, two players seated, the choice open."""
    room = Room(tmp_path)
    await room.start()
    await room.opened(CHOICE)
    for seat, player in enumerate(("p1", "p2"), 1):
        asked = pb.SitDownRequest(table=TABLE, seat=seat, amount=10_000, post=True)
        assert (await room.call("SitDown", player, asked)).version > 0
    await room.until(lambda: room.table.choice)
    yield room
    await room.stop()


def place(choice, variant):
    (found,) = [one.game_at for one in choice.games if one.variant == variant]
    return found


def request(choice, variant, number=0):
    return pb.ChooseGameRequest(
        table=TABLE,
        number=number,
        hand_number=choice.hand_number,
        game_at=place(choice, variant),
    )


async def test_the_choice_is_told_made_and_dealt(choosing):
    clients = {player: choosing.play(player) for player in ("p1", "p2")}
    for client in clients.values():
        await client.asked(follow=pb.Follow(table=TABLE))
    (choice,) = [seen.choice for seen in clients["p1"].of("snapshot")]
    other = next(player for player in clients if player != choice.player)
    assert len(choice.games) == 15
    assert choice.games[place(choice, "razz")].stakes.bring_in == 20

    refused = await clients[other].asked(choose_game=request(choice, "razz"))
    assert refused.fault.reason == "NOT_YOUR_CHOICE"
    assert dict(refused.fault.facts) == {"seat": str(choice.seat)}

    answer = await clients[choice.player].asked(choose_game=request(choice, "razz"))
    assert answer.HasField("done")
    for client in clients.values():
        await choosing.until(lambda client=client: client.events("hand_started"))
        (chosen,) = client.events("game_chosen")
        assert (chosen.player, chosen.why) == (choice.player, "asked")
        (started,) = client.events("hand_started")
        assert (started.variant, started.game_at) == ("razz", chosen.game_at)

    late = await clients[choice.player].asked(choose_game=request(choice, "badugi"))
    assert late.fault.reason == "NOTHING_TO_CHOOSE"
    for client in clients.values():
        await client.close()


async def test_a_choice_under_its_number_is_made_once_across_a_restart(choosing):
    choice = choosing.table.choice
    first = await choosing.call("ChooseGame", choice.player, request(choice, "stud7", NUMBER))
    assert first.number == NUMBER
    await choosing.until(lambda: choosing.table.hand)
    choosing.order(VoidHand(choosing.table.hand.id, "test"))
    await choosing.until(lambda: choosing.table.hands == 2)
    await choosing.again()
    # Another game under the same number is still the first command.
    again = await choosing.call("ChooseGame", choice.player, request(choice, "badugi", NUMBER))
    assert (again.version, again.number) == (first.version, NUMBER)
    assert choosing.table.hand.game.variant == "stud7"


async def test_a_game_outside_the_list_is_refused_with_what_there_is(choosing):
    choice = choosing.table.choice
    asked = request(choice, "razz")
    asked.game_at = 15
    outcome = await choosing.call("ChooseGame", choice.player, asked)
    assert isinstance(outcome, Fault)
    assert (outcome.reason, outcome.facts) == ("GAME_NOT_OFFERED", {"games": "15"})
    asked.game_at = -1
    outcome = await choosing.call("ChooseGame", choice.player, asked)
    assert isinstance(outcome, Fault)
    assert outcome.fields[0].field == "game_at"
