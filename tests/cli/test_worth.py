"""What the terminal says a hand is worth: of the game that is dealt, and once it is whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.cards import cards
from services.cli.play.happened import worth_of
from services.cli.play.mirror import Mirror
from services.cli.words import buy_ins, game_name
from tests.game.table.tables import SETTINGS


@pytest.mark.parametrize(
    ("game", "own", "board", "said"),
    [
        (("standard", "holdem", "nl"), "KhKd", "Kc2s2d7h", ""),
        (("standard", "holdem", "nl"), "KhKd", "Kc2s2d7h9c", "full house, kings full of twos"),
        (("standard", "stud7", "fl"), "KhKdKc", "", ""),
        (("standard", "stud7", "fl"), "KhKdKc2s2d7h9c", "", "full house, kings full of twos"),
        (("standard", "razz", "fl"), "Ah2d3c4s5dKhKc", "", "low, five-four-three-two-ace"),
        (("standard", "crazy_pineapple", "nl"), "KhKd2c", "Kc2s2d7h9c", ""),
        (("standard", "crazy_pineapple", "nl"), "KhKd", "Kc2s2d7h9c", "kings full of twos"),
        (("riviera", "holdem", "nl"), "KhKd", "Kc2s2d7h9c", ""),  # rules that this client lacks
    ],
)
def test_a_hand_is_worth_what_its_game_says_once_it_is_whole(
    game: tuple[str, str, str], own: str, board: str, said: str
) -> None:
    mirror = Mirror("1.0", "ann")
    mirror.game = game
    mirror.boards = [list(cards(board))]
    worth = worth_of(mirror, list(cards(own)))
    assert said in worth
    assert bool(worth) == bool(said)


def test_who_lacks_the_rules_of_a_table_still_sits_down_there() -> None:
    """The network has them, and refuses what is too little or too much."""
    own = replace(SETTINGS, rulebook="riviera", buy_in_most=500)
    assert buy_ins(own) == (1, 500)
    assert game_name(own) == "no limit holdem"
    assert buy_ins(SETTINGS) == (200, 1_000)
    assert game_name(replace(SETTINGS, variant="horse", limit="mixed")) == "HORSE"
