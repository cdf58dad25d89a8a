"""Whatever players do in any order: a hand is of a game that was chosen, and seats its players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given as given_any
from hypothesis import settings as how
from hypothesis import strategies as st

from riverboat.game import rules
from riverboat.game.commands import ChooseGame, Leave, SitIn, SitOut
from riverboat.game.hand.events import HandStarted
from riverboat.game.table.events import GameChosen, GameOffered
from tests.game.table.choosing import BOOKS, end, own_mixes, settings
from tests.game.table.house import House, folded

PLAYERS = ("ann", "bob", "cid", "dan", "eva", "fay", "gil", "hal")


@pytest.fixture(scope="module", autouse=True)
def _mixes() -> Iterator[None]:
    with own_mixes():
        yield


@how(max_examples=40, deadline=None)
@given_any(
    st.sampled_from(list(BOOKS)),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9)), min_size=10, max_size=60),
)
def test_whatever_is_done_a_hand_is_of_a_game_that_was_chosen_and_seats_its_players(name, done):
    """Law 1: any reader folds to the same state; and no hand of draw has seven players."""
    house = House.opened(settings(name))
    for player in PLAYERS[:3]:
        house.seat(player, 50_000)
    for number, (who, what) in enumerate(done):
        player, choice = PLAYERS[who], house.table.choice
        if what < 2:
            seated = any(each.player == player for each in house.table.sittings.values())
            if not seated:
                house.seat(player, 50_000)
            else:
                house.ask(player, Leave() if what else SitOut())
        elif what == 2:
            house.ask(player, SitIn(True))
        elif choice is not None and what < 7:
            house.ask(choice.player, ChooseGame(choice.hand_number, who % 4))
        else:
            house.wait((500, 3_000, 20_000)[what % 3])
        house.run(number)
        assert not house.table.stopped
        if house.playing():
            end(house)
    check_choices(house)
    assert folded(house) == house.table


def check_choices(house: House) -> None:
    """Every choice is among what was offered, and every hand of the last game chosen."""
    offered: tuple[int, ...] = ()
    chosen = -1
    for record, _ in house.log:
        for event in record.events:
            if isinstance(event, GameOffered):
                offered = tuple([one.game_at for one in event.games])
                assert offered
            elif isinstance(event, GameChosen):
                assert event.game_at in offered
                chosen, offered = event.game_at, ()
            elif isinstance(event, HandStarted):
                assert event.game_at == chosen
                game = rules.game(event.rulebook, event.variant, event.limit)
                assert len(event.seats) <= game.seats_most
