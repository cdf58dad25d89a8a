"""Choices: which player says what a table of mixed games deals next. [RULES 8, dealer's choice]

A choice is offered between hands and settled by an event: by the player, by his clock, or because
he has gone. Deals nothing, and never chooses for a player what was not offered to him.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.commands import Asked, ChooseGame
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.rules.mixes import MIXED, Chooser, Mix, Unchosen
from riverboat.game.table.button import next_hand
from riverboat.game.table.events import GameChosen, GameOffered, OfferedGame, Settings
from riverboat.game.table.given import Entropy, Given
from riverboat.game.table.mixed import mix_of, turns
from riverboat.game.table.seats import can_play, clockwise, sitting_of
from riverboat.game.table.state import NO_GAME, Sitting, Table


def choose(table: Table, asked: Asked, command: ChooseGame) -> Sequence[GameChosen] | Refusal:
    """What comes of a player's choice."""
    if sitting_of(table, asked.player) is None:
        return Refusal(TableCode.NOT_SEATED)
    choice = table.choice
    if choice is None or choice.hand_number != command.hand_number:
        return Refusal(TableCode.NOTHING_TO_CHOOSE)
    if choice.player != asked.player:
        return Refusal(TableCode.NOT_YOUR_CHOICE, seat=choice.seat)
    if all(each.game_at != command.game_at for each in choice.games):
        assert table.settings is not None, "games are offered at tables that were opened"
        games = [turn.game for turn in turns(table.settings)]
        if not 0 <= command.game_at < len(games):
            return Refusal(TableCode.GAME_NOT_OFFERED, games=len(games))
        most = games[command.game_at].seats_most
        return Refusal(TableCode.GAME_NOT_OFFERED, seats_most=most)
    return [GameChosen(choice.seat, choice.player, command.game_at, "asked")]


def duty(
    table: Table, settings: Settings, given: Given
) -> Sequence[GameOffered | GameChosen] | None:
    """A choice that is due, or one that nobody is there any more to make."""
    if settings.limit != MIXED or table.closing:
        return None
    if table.choice is None and len(_there(table)) < 2:
        return None
    mixed = mix_of(settings)
    if mixed is None or mixed.chooser is None:
        return None
    choice = table.choice
    if choice is not None:
        if _stays(table, choice):
            return None
        return [_settled(table, mixed, choice, given, "gone")]
    if table.chosen != NO_GAME or table.game_left:
        return None
    return [offer(table, settings, given)]


def ring(
    table: Table, settings: Settings, given: Given, late: bool
) -> list[GameOffered | GameChosen]:
    """What the chooser's clock brings, now that it is over; all his time anew after an outage."""
    mixed, choice = mix_of(settings), table.choice
    assert mixed is not None and choice is not None, "a clock of a choice runs on an open one"
    if late and _stays(table, choice):
        return [offer(table, settings, given)]
    return [_settled(table, mixed, choice, given, "timed_out")]


def offer(table: Table, settings: Settings, given: Given) -> GameOffered:
    """The choice of the next game, to whoever has it."""
    mixed = mix_of(settings)
    assert mixed is not None, "games are chosen where there are several"
    there = _there(table)
    seat = _chooser(table, settings, mixed, given.entropy)
    games = tuple(
        [
            OfferedGame(turn.at, turn.game.variant, turn.game.limit, turn.stakes)
            for turn in turns(settings)
            if turn.game.seats_most >= len(there)
        ]
    )
    deadline_ms = given.now_ms + mixed.choose_ms
    return GameOffered(table.hands + 1, seat, table.sittings[seat].player, games, deadline_ms)


def is_chosen(settings: Settings) -> bool:
    """Whether players choose what is dealt here."""
    mixed = mix_of(settings)
    return mixed is not None and mixed.chooser is not None


def first_button(table: Table, there: Sequence[int], entropy: Entropy) -> int:
    """The chance by which the first button of all is placed: where the first choice was made."""
    if table.chooser in there:
        return there.index(table.chooser)
    return int.from_bytes(entropy(8), "big")


def _there(table: Table) -> list[int]:
    return [seat for seat in sorted(table.sittings) if can_play(table.sittings[seat])]


def _stays(table: Table, choice: GameOffered) -> bool:
    sitting = table.sittings.get(choice.seat)
    return sitting is not None and sitting.player == choice.player and can_play(sitting)


def _chooser(table: Table, settings: Settings, mixed: Mix, entropy: Entropy) -> int:
    there = _there(table)
    if table.choice is not None:
        return table.choice.seat
    if table.chosen != NO_GAME and table.chooser in there:
        return table.chooser  # what he chose could not be dealt
    # Who has not been dealt in yet does not say what the others play.
    settled = [seat for seat in there if _has_played(table.sittings[seat])] or there
    if mixed.chooser is Chooser.PLAQUE and (table.chooser or table.button):
        return clockwise(settled, table.chooser or table.button)[0]
    if not table.button:
        return there[first_button(table, there, entropy) % len(there)]
    played = next(turn for turn in turns(settings) if turn.game.has_button)
    plan = next_hand(table, played.game, 0, played.stakes)
    assert plan is not None, "a choice is offered where a hand can be dealt"
    # A dead button may stand before an empty seat: then the next player has the choice.
    return clockwise(settled, plan.button - 1)[0]


def _has_played(sitting: Sitting) -> bool:
    """Whether he was ever dealt in; a new player may have been without blinds, and owes one now."""
    return sitting.owes_big or not sitting.fresh


def _settled(table: Table, mixed: Mix, choice: GameOffered, given: Given, why: str) -> GameChosen:
    """The game that the mix names where nobody chooses."""
    offered = [each.game_at for each in choice.games]
    if mixed.unchosen is Unchosen.DRAWN:
        at = offered[int.from_bytes(given.entropy(8), "big") % len(offered)]
    else:
        moves_on = mixed.unchosen is Unchosen.NEXT and table.hands > 0
        wanted = table.game_at + moves_on
        at = next((each for each in offered if each >= wanted), offered[0])
    return GameChosen(choice.seat, choice.player, at, why)
