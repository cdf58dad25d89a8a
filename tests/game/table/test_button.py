"""Where the button and the blinds go, and who is dealt in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import SitIn, SitOut
from riverboat.game.hand.events import Post, Posted, Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.rules import game
from riverboat.game.table.button import Plan, next_hand
from riverboat.game.table.events import ButtonRule
from riverboat.game.table.state import Table
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS, sitting, table

HOLDEM = game("standard", "holdem", "nl")
DEAD = replace(SETTINGS, button_rule=ButtonRule.DEAD)


def planned(state: Table, chance: int = 0) -> Plan:
    plan = next_hand(state, HOLDEM, chance)
    assert plan is not None
    return plan


def played(*seats: int, button: int, small: int, big: int, **rest: object) -> Table:
    """A table whose last hand stood so, with these seats left."""
    return table(
        *[sitting(seat) for seat in seats], button=button, small_blind=small, big_blind=big, **rest
    )


def places(plan: Plan) -> tuple[int, int, int]:
    return plan.button, plan.small, plan.big


def test_who_missed_both_blinds_posts_both_and_only_away_from_the_blinds():
    """BC-067: "Both blinds are made up, the big blind part is live, the small blind part is
    dead"; "cannot return: between small blind and button position".
    """
    back = sitting(4, owes_big=True, owes_small=True, post=True)
    others = [sitting(seat) for seat in (1, 2, 3, 5, 6)]
    state = table(*others, back, button=6, small_blind=1, big_blind=2)
    plan = planned(state)
    assert places(plan) == (1, 2, 3)
    assert plan.debts == {4: Debt(live=10, dead=5)}
    assert 4 in plan.seats

    # The big blind has just passed him: now the small blind would be his place.
    state.button, state.small_blind, state.big_blind = 2, 3, 5
    plan = planned(state)
    assert places(plan) == (3, 5, 6)
    assert 4 not in plan.seats
    assert plan.debts == {}

    # Now the button would be.
    state.button, state.small_blind, state.big_blind = 3, 5, 6
    plan = planned(state)
    assert places(plan) == (5, 6, 1)
    assert 4 in plan.seats  # behind the big blind and before the button: he may


@pytest.mark.parametrize(
    ("debts", "posted"),
    [
        ({"fresh": True}, Debt(live=10, dead=0)),
        ({"owes_big": True}, Debt(live=10, dead=0)),
        ({"owes_small": True}, Debt(live=0, dead=5)),
        ({"owes_big": True, "owes_small": True}, Debt(live=10, dead=5)),
    ],
)
def test_what_is_posted_to_come_in(debts, posted):
    """RULES 4: "big blind missed: ... post its amount live. Both missed: also the small blind's
    amount, dead"; "a small blind alone missed is owed dead as well".
    """
    state = table(
        *[sitting(seat) for seat in (1, 2, 3)],
        sitting(4, post=True, **debts),
        button=3,
        small_blind=1,
        big_blind=2,
    )
    # Next: button 1, small blind 2, big blind 3; seat 4 stands between big blind and button.
    plan = planned(state)
    assert plan.debts == {4: posted}
    assert plan.seats == (2, 3, 4, 1)


@pytest.mark.parametrize("debts", [{"fresh": True}, {"owes_big": True}, {"owes_small": True}])
def test_who_does_not_post_waits_for_the_big_blind_which_clears_every_debt(debts):
    """RULES 4: "Waiting for the big blind clears every debt, everywhere." """
    state = table(
        *[sitting(seat) for seat in (1, 2, 3)],
        sitting(4, **debts),
        button=3,
        small_blind=1,
        big_blind=2,
    )
    plan = planned(state)
    assert 4 not in plan.seats
    state.button, state.small_blind, state.big_blind = places(plan)
    plan = planned(state)
    assert plan.big == 4
    assert plan.debts == {}
    assert plan.seats == (3, 4, 1, 2)


def test_a_new_player_does_not_come_in_on_the_button_or_small_blind():
    """RULES 4, field: "He does not come in on the button or small blind." """
    others = [sitting(seat) for seat in (1, 2, 5)]
    state = table(*others, sitting(3, fresh=True, post=True), button=1, small_blind=2, big_blind=5)
    plan = planned(state)
    assert (places(plan), 3 in plan.seats) == ((2, 5, 1), False)  # between button and small blind
    state.button, state.small_blind, state.big_blind = places(plan)
    plan = planned(state)
    assert (places(plan), 3 in plan.seats) == ((5, 1, 2), True)  # behind the big blind


@pytest.mark.parametrize(
    ("chance", "expected", "order"),
    [
        (0, (1, 3, 4), (3, 4, 1)),
        (1, (3, 4, 1), (4, 1, 3)),
        (2, (4, 1, 3), (1, 3, 4)),
        (3, (1, 3, 4), (3, 4, 1)),
    ],
)
def test_the_first_button_is_drawn_and_nobody_owes_anything(chance, expected, order):
    state = table(*[sitting(seat, fresh=True) for seat in (1, 3, 4)])
    plan = planned(state, chance)
    assert (places(plan), plan.seats, plan.debts) == (expected, order, {})


def test_heads_up_the_button_posts_the_small_blind_from_the_first_hand_on():
    """RULES 4, field: "Heads-up the button posts the small blind"."""
    plan = planned(table(sitting(2, fresh=True), sitting(5, fresh=True)), chance=1)
    assert places(plan) == (5, 5, 2)
    assert plan.seats == (2, 5)


def test_a_third_player_comes_in_as_the_big_blind_next_to_two():
    """Heads-up has no place where a new player could post: the big blind is his at once."""
    state = table(sitting(1), sitting(2), sitting(4, fresh=True, post=True))
    state.button, state.small_blind, state.big_blind = 1, 1, 2
    plan = planned(state)
    assert (places(plan), plan.debts) == ((1, 2, 4), {})
    state.sittings[4] = sitting(4, fresh=True, post=True)
    state.button, state.small_blind, state.big_blind = 2, 2, 1
    plan = planned(state)
    assert (places(plan), plan.seats) == ((1, 1, 2), (2, 1))  # he would be button or small blind


def test_a_game_that_has_fallen_apart_starts_anew():
    """One player who owes nothing is no game: all who are there play, and owe nothing."""
    state = table(sitting(1), sitting(2, fresh=True), sitting(3, owes_big=True))
    state.button, state.small_blind, state.big_blind = 3, 4, 5
    plan = planned(state)
    assert (places(plan), plan.seats, plan.debts) == ((2, 3, 1), (3, 1, 2), {})


@pytest.mark.parametrize(
    "absent", [{"away": True}, {"leaving": True}, {"stack": 0}], ids=["away", "leaving", "broke"]
)
def test_who_cannot_be_dealt_in(absent):
    state = played(1, 2, 3, button=1, small=2, big=3)
    state.sittings[1] = sitting(1, **absent)
    assert places(planned(state)) == (3, 3, 2)
    state.sittings[2] = sitting(2, **absent)
    assert next_hand(state, HOLDEM, 0) is None


def test_chips_on_their_way_behind_play():
    """RULES 4, field: "Top-ups between hands only": they play from the next hand on."""
    state = played(1, 2, button=1, small=1, big=2)
    state.sittings[1] = sitting(1, stack=0, behind=500)
    assert planned(state).seats == (1, 2)


def test_a_table_that_closes_starts_no_hand():
    state = played(1, 2, 3, button=1, small=2, big=3, closing=True)
    assert next_hand(state, HOLDEM, 0) is None


def test_the_blinds_pass_who_is_not_there():
    """RULES 4: "Missed blinds"."""
    state = played(1, 2, 3, 4, 5, 6, button=1, small=2, big=3)
    state.sittings[4].away = True
    plan = planned(state)
    assert (places(plan), plan.missed_big, plan.missed_small) == ((2, 3, 5), (4,), ())
    state.sittings[4].owes_big = True
    state.button, state.small_blind, state.big_blind = places(plan)
    plan = planned(state)
    assert (places(plan), plan.missed_big, plan.missed_small) == ((3, 5, 6), (), (4,))


def test_a_small_blind_alone_is_missed():
    """`ro`, missed blinds: "Jucatorii care au ratat blind-ul mic, poate sa revina in joc doar daca
    posteaza suma aferenta acestuia sau in pozitia de blind mare." He paid the big blind and is not
    there as the small blind comes to him; that another pays it in his place is no excuse.
    """
    state = played(1, 2, 3, 4, 5, button=1, small=2, big=3)
    state.sittings[3].away = True
    plan = planned(state)
    assert (places(plan), plan.missed_big, plan.missed_small) == ((1, 2, 4), (), (3,))
    # Said once, however long he stays away.
    state.sittings[3].owes_small = True
    state.button, state.small_blind, state.big_blind = places(plan)
    plan = planned(state)
    assert (places(plan), plan.missed_big, plan.missed_small) == ((2, 4, 5), (), ())


def test_who_sits_out_his_small_blind_alone_owes_it_dead():
    """RULES 4, missed blinds: "a small blind alone missed is owed dead as well"."""
    house = House.opened(ann=1_000, bob=1_000, cid=1_000, dan=1_000, eva=1_000)
    house.run()
    paid = house.hand.big_blind
    player = house.table.sittings[paid].player
    house.ask(player, SitOut())
    next_one(house)
    assert paid not in house.hand.seats
    house.ask(player, SitIn(post=True))
    assert house.table.sittings[paid].owes_small
    # In the next hand he would come in on the button or beside it: he waits that one out.
    next_one(house)
    assert paid not in house.hand.seats
    next_one(house)
    posted = [e for record, _ in house.log for e in record.events if isinstance(e, Posted)]
    mine = [(one.post, one.amount) for one in posted if one.seat == paid]
    assert mine == [(Post.BIG_BLIND, 10), (Post.DEAD_BLIND, 5)]
    house.play_out()
    assert not house.table.sittings[paid].owes_small


def next_one(house: House) -> None:
    """Play the hand out, and begin the next."""
    house.play_out()
    house.now_ms += 3_000
    house.run()


def test_a_small_blind_is_missed_in_its_very_place_under_the_dead_button():
    state = played(1, 2, 3, 4, 5, button=1, small=2, big=3, settings=DEAD)
    state.sittings[3].away = True
    plan = planned(state)
    assert (places(plan), plan.missed_big, plan.missed_small) == ((2, 3, 4), (), (3,))
    assert plan.seats == (4, 5, 1, 2)


def test_a_new_player_misses_nothing():
    state = played(1, 2, 3, 5, button=1, small=2, big=3)
    state.sittings[4] = sitting(4, fresh=True, away=True)
    assert (planned(state).missed_big, planned(state).missed_small) == ((), ())


def test_without_a_button_cards_go_from_the_dealers_box():
    """RULES 4: "there is no moving button, the dealer's box is fixed before seat 1"."""
    stud = game("standard", "soko", "fl")
    settings = replace(
        SETTINGS, variant="soko", limit="fl", stakes=Stakes(ante=1, bring_in=2, small_bet=10)
    )
    state = table(sitting(6), sitting(2), sitting(3, fresh=True), settings=settings)
    assert next_hand(state, stud, 5) == Plan(0, 0, 0, (2, 3, 6), {}, (), ())


def test_the_dead_button_gives_way_where_the_old_places_stand_in_no_order():
    """From heads-up to three: the old small blind's seat may be the new big blind's."""
    state = played(1, 2, 3, button=3, small=3, big=2, settings=DEAD)
    # The big blind is 3's, the small blind's place would be 2's, the button's 3's as well.
    assert places(planned(state)) == (1, 2, 3)
