"""A player says what a table of mixed games deals next: who, among what, and until when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import pytest

from riverboat.game.commands import ChooseGame, CloseTable, Leave, SitDown, SitOut, VoidHand
from riverboat.game.hand.events import HandStarted, Stakes
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import GameChosen, GameOffered
from riverboat.game.table.fold import BadRecord
from riverboat.game.table.settings import fault
from riverboat.log.snapshots import decode_snapshot, encode_snapshot
from riverboat.wire.record import decode_record, encode_record
from services import dealer
from tests.game.table.choosing import begin, end, own_mixes, settings
from tests.game.table.house import House, folded

CHOOSE_MS = 20_000
_E = TypeVar("_E")
HOLDEM, STUD, DRAW = 0, 1, 2  # places in the list


@pytest.fixture(scope="module", autouse=True)
def _mixes() -> Iterator[None]:
    with own_mixes():
        yield


def table_of(name: str = "plaque", *players: str, drawn: int = 1) -> House:
    """A table where the choice is open for the first time."""
    who = players or ("ann", "bob", "cid", "dan")
    house = House.opened(settings(name))
    for player in who:
        house.seat(player, 50_000)
    house.run(drawn)
    return house


def said(house: House, kind: type[_E]) -> list[_E]:
    return [e for record, _ in house.log for e in record.events if isinstance(e, kind)]


def choose(house: House, game_at: int, player: str = "") -> object:
    """Whoever has the choice, or somebody else, chooses."""
    choice = house.table.choice
    assert choice is not None, "asked for while the choice is open"
    decision = house.ask(player or choice.player, ChooseGame(choice.hand_number, game_at))
    house.run()
    return decision


def play(house: House, hands: int = 1) -> list[str]:
    """So many hands; the variants."""
    dealt = []
    for _ in range(hands):
        assert begin(house), "the game is settled"
        dealt.append(end(house))
    return dealt


def test_the_first_button_has_the_first_choice_and_no_hand_starts_before_it():
    house = table_of()
    choice = house.table.choice
    assert choice is not None
    assert (choice.hand_number, choice.seat, choice.player) == (1, 2, "bob")
    assert choice.deadline_ms == house.now_ms + CHOOSE_MS
    assert [(one.game_at, one.variant, one.limit) for one in choice.games] == [
        (HOLDEM, "holdem", "nl"),
        (STUD, "stud7", "fl"),
        (DRAW, "draw5", "pl"),
    ]
    # What each costs is told with it.
    assert choice.games[HOLDEM].stakes.big_blind == 50
    assert choice.games[STUD].stakes == Stakes(ante=10, bring_in=20, small_bet=100, big_bet=200)
    house.now_ms += 10_000
    house.run()
    assert not house.playing()
    assert choose(house, DRAW) == [GameChosen(2, "bob", DRAW, "asked")]
    assert (house.hand.game.variant, house.hand.game.limit, house.hand.button) == ("draw5", "pl", 2)


def test_what_is_chosen_is_dealt_for_an_orbit_and_the_plaque_goes_on_clockwise():
    house = table_of()
    chosen = [STUD, STUD, DRAW, HOLDEM, STUD]
    dealt = []
    for at in chosen:
        choose(house, at)
        dealt += play(house, 4)
    names = {HOLDEM: "holdem", STUD: "stud7", DRAW: "draw5"}
    assert dealt == [names[at] for at in chosen for _ in range(4)]
    assert [one.seat for one in said(house, GameChosen)] == [2, 3, 4, 1, 2]
    assert [one.hand_number for one in said(house, GameOffered)] == [1, 5, 9, 13, 17, 21]
    assert folded(house) == house.table


def test_where_the_button_chooses_it_is_who_has_it_in_the_hand():
    house = table_of("button")
    buttons = []
    for _ in range(6):
        choose(house, DRAW)
        begin(house)
        buttons.append(house.hand.button)
        end(house)
    assert [one.seat for one in said(house, GameChosen)] == buttons == [2, 3, 4, 1, 2, 3]
    # The button stands while games have none, and so does the choice.
    choose(house, STUD)
    play(house)
    choose(house, HOLDEM)
    begin(house)
    assert house.hand.button == 4
    assert [one.seat for one in said(house, GameChosen)][-2:] == [4, 4]


@pytest.mark.parametrize(
    ("player", "hand_number", "game_at", "refused"),
    [
        ("eva", 1, STUD, Refusal(TableCode.NOT_SEATED)),
        ("bob", 2, STUD, Refusal(TableCode.NOTHING_TO_CHOOSE)),
        ("ann", 1, STUD, Refusal(TableCode.NOT_YOUR_CHOICE, seat=2)),
        ("bob", 1, 3, Refusal(TableCode.GAME_NOT_OFFERED, games=3)),
        ("bob", 1, -1, Refusal(TableCode.GAME_NOT_OFFERED, games=3)),
    ],
)
def test_what_is_refused(player, hand_number, game_at, refused):
    house = table_of()
    assert house.ask(player, ChooseGame(hand_number, game_at)) == refused
    assert house.table.choice is not None
    house.run()
    assert not house.playing()


def test_a_choice_is_made_once_and_a_late_one_makes_no_other():
    house = table_of()
    choose(house, HOLDEM)
    late = Refusal(TableCode.NOTHING_TO_CHOOSE)
    assert house.ask("bob", ChooseGame(1, STUD)) == late
    play(house, 4)
    assert house.table.choice is not None
    assert house.ask("cid", ChooseGame(1, STUD)) == late
    single = House.opened(ann=1_000, bob=1_000)
    assert single.ask("ann", ChooseGame(1, 0)) == late


@pytest.mark.parametrize(
    ("name", "games"),
    [
        # The first of the list before anything was dealt.
        ("plaque", [HOLDEM, STUD, DRAW, HOLDEM]),
        ("same", [HOLDEM, HOLDEM, HOLDEM, HOLDEM]),
        ("drawn", [HOLDEM, HOLDEM, HOLDEM, HOLDEM]),
    ],
)
def test_who_lets_his_time_pass_gets_what_the_mix_names(name, games):
    house = table_of(name)
    for at in games:
        choice = house.table.choice
        assert choice is not None
        alarm = dealer.MANIFEST.alarm(house.table)
        assert alarm is not None
        # Never against a player who was in time.
        assert (alarm.at_ms, alarm.settled) == (choice.deadline_ms, True)
        assert house.wait(choice.deadline_ms - house.now_ms) == [
            GameChosen(choice.seat, choice.player, at, "timed_out")
        ]
        house.run()
        while house.table.choice is None:
            play(house)


def test_the_same_again_is_what_was_dealt_last():
    house = table_of("same")
    choose(house, DRAW)
    play(house, 4)
    assert house.wait(CHOOSE_MS) == [GameChosen(3, "cid", DRAW, "timed_out")]


def test_an_outage_costs_nobody_his_choice():
    """ARCHITECTURE 4, time: "An alarm more than 3 s late is an outage"."""
    house = table_of()
    first = house.table.choice
    assert first is not None
    (again,) = house.wait(CHOOSE_MS + 3_001)
    assert again == replace(first, deadline_ms=house.now_ms + CHOOSE_MS)
    assert house.wait(CHOOSE_MS + 3_000) == [GameChosen(2, "bob", HOLDEM, "timed_out")]


@pytest.mark.parametrize("command", [SitOut(), Leave()])
def test_nobody_waits_for_a_chooser_who_goes(command):
    house = table_of()
    house.ask("bob", command)
    house.run()
    assert said(house, GameChosen) == [GameChosen(2, "bob", HOLDEM, "gone")]
    assert begin(house)


def test_an_outage_gives_no_time_to_who_has_gone():
    house = table_of()
    house.ask("bob", SitOut())
    assert house.wait(CHOOSE_MS + 3_001) == [GameChosen(2, "bob", HOLDEM, "timed_out")]


def test_who_takes_the_seat_of_a_chooser_does_not_take_his_choice():
    house = table_of()
    house.ask("bob", Leave())
    house.seat("eva", 50_000, seat=2)
    assert house.ask("eva", ChooseGame(1, STUD)) == Refusal(TableCode.NOT_YOUR_CHOICE, seat=2)
    house.run()
    assert said(house, GameChosen) == [GameChosen(2, "bob", HOLDEM, "gone")]


def test_who_was_never_dealt_in_does_not_choose_for_the_others():
    house = table_of("plaque", "ann", "bob", "cid")
    choose(house, HOLDEM)
    play(house, 3)
    choose(house, HOLDEM)
    play(house, 2)
    begin(house)
    house.seat("dan", 50_000)  # in seat 4, behind the one who chose last
    end(house)
    assert [one.player for one in said(house, GameOffered)] == ["bob", "cid", "ann"]
    choose(house, STUD)
    play(house, 4)
    for _ in range(2):
        choose(house, STUD)
        play(house, 4)
    assert [one.player for one in said(house, GameOffered)][3:] == ["bob", "cid", "dan"]


SEVEN = ("ann", "bob", "cid", "dan", "eva", "fay", "gil")


def test_who_was_dealt_in_only_where_there_are_no_blinds_chooses_too():
    """RULES 8: "Who was never dealt in does not choose": he was, though he owes a big blind yet."""
    house = table_of()
    choose(house, HOLDEM)
    play(house, 4)
    house.seat("eve", 50_000)
    for _ in range(2):
        choose(house, STUD)
        play(house, 5)
        house.run()
    assert house.table.sittings[5].fresh
    choice = house.table.choice
    assert choice is not None
    assert choice.player == "eve"


def test_a_game_for_fewer_players_is_not_offered():
    """Five-card draw is dealt to six. [RULES 1]"""
    house = table_of("plaque", *SEVEN)
    choice = house.table.choice
    assert choice is not None
    assert [one.game_at for one in choice.games] == [HOLDEM, STUD]
    assert choose(house, DRAW) == Refusal(TableCode.GAME_NOT_OFFERED, seats_most=6)
    choose(house, STUD)
    play(house, 7)
    # Nor is it what comes next of itself.
    assert house.wait(CHOOSE_MS) == [GameChosen(3, "cid", HOLDEM, "timed_out")]


def test_a_game_gives_way_when_more_players_come_than_it_is_dealt_to():
    house = table_of("plaque", *SEVEN[:6])
    choose(house, DRAW)
    assert play(house) == ["draw5"]
    house.seat("gil", 50_000, post=True)
    dealt = []
    while begin(house):
        dealt.append(end(house))
    assert house.table.choice is not None
    # Once he would be dealt in as the seventh, somebody chooses anew: the plaque's next.
    assert set(dealt) <= {"draw5"}
    assert len(dealt) < 5
    assert [one.game_at for one in house.table.choice.games] == [HOLDEM, STUD]
    assert house.table.choice.player == "cid"
    # What is chosen then gets an orbit of its own, not the rest of another's.
    choose(house, HOLDEM)
    begin(house)
    assert house.table.deal is not None
    assert house.table.deal.game_left == 6


def test_what_was_chosen_and_never_dealt_is_chosen_anew_by_the_same_player():
    house = table_of("plaque", *SEVEN[:6])
    choice = house.table.choice
    assert choice is not None
    # He chooses for six while the seventh is on his way: all are new, so all are dealt in.
    house.ask(choice.player, ChooseGame(1, DRAW))
    house.seat("gil", 50_000)
    house.run()
    assert [one.player for one in said(house, GameOffered)] == ["bob", "bob"]
    assert house.table.choice is not None
    assert house.table.choice.hand_number == 1


def test_a_hand_called_off_keeps_the_game_that_was_chosen():
    house = table_of()
    choose(house, STUD)
    house.order(VoidHand(house.hand.id, "operator"))
    assert begin(house)
    assert house.hand.game.variant == "stud7"
    assert len(said(house, GameOffered)) == 1


def test_a_table_that_closes_waits_for_no_choice():
    house = table_of("plaque", "ann", "bob")
    house.order(CloseTable("operator"))
    house.run()
    assert house.table.closed
    assert dealer.MANIFEST.alarm(house.table) is None
    assert said(house, GameChosen) == []
    # Nor one that is kept open by money on its way.
    house = table_of("plaque", "ann", "bob")
    house.ask("cid", SitDown(0, 50_000, True, "line"))
    house.order(CloseTable("operator"))
    house.run()
    assert not house.table.sittings
    assert not house.table.closed
    assert said(house, GameChosen) == []


def test_such_a_table_seats_as_many_as_one_of_its_games_does():
    assert fault(settings("plaque")) is None
    wrong = fault(settings("plaque", seats=11))
    assert wrong is not None
    assert wrong.facts["reason"] == "must be from 2 to 10"


@pytest.mark.parametrize("service", ["betting", "showdown", "wallet"])
def test_only_the_dealer_writes_what_is_chosen(service):
    """ARCHITECTURE 2, authority: one table says who may write which event."""
    house = table_of()
    before = folded(house)
    with pytest.raises(BadRecord):
        house.append(service, [GameChosen(2, "bob", STUD, "asked")])
    assert house.table == before


def test_the_choice_survives_the_wire_and_a_snapshot():
    house = table_of()
    house.ask("ann", ChooseGame(1, STUD))  # refused, and remembered
    for record, _ in house.log:
        assert decode_record(encode_record(record)) == record
    found, _ = decode_snapshot(encode_snapshot(house.table, 9, 8))
    assert found == house.table
    assert found.choice == house.table.choice


def test_every_start_names_the_game_that_was_chosen():
    house = table_of()
    choose(house, DRAW)
    play(house, 4)
    starts = said(house, HandStarted)
    assert [(one.game_at, one.game_left) for one in starts] == [
        (DRAW, left) for left in (3, 2, 1, 0)
    ]
