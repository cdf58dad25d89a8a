"""The dealer's own steps: what a table owes without being asked, and what its clocks bring.

Starts hands, deals them on, tidies up between them, calls them off when nobody else can go on. All
chance comes in as bytes and as a sealed deck. Answers no command, and never looks at who may win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from riverboat.game.cards import DECKS
from riverboat.game.commands import Act, Asked
from riverboat.game.hand import deal
from riverboat.game.hand.events import ClockExtended, DealtIn, HandStarted, HandVoided, Posted
from riverboat.game.hand.fold import start
from riverboat.game.hand.forced import bomb_posts, forced_posts
from riverboat.game.hand.state import NOBODY, Baton, Hand, Phase
from riverboat.game.ids import hand_id
from riverboat.game.record import RULES_VERSION
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.table import choice, levers, pausing, topping, waiting
from riverboat.game.table.besides import PLAY
from riverboat.game.table.button import Plan, next_hand
from riverboat.game.table.digest import digest
from riverboat.game.table.events import (
    BlindsMissed,
    Event,
    SatOut,
    SeatFreed,
    Settings,
    TableResumed,
)
from riverboat.game.table.given import Alarm, Decision, Given, Sealed
from riverboat.game.table.leaving import away_alarms, away_over, cash_out, tidy
from riverboat.game.table.mixed import Turn, left_after, next_turn
from riverboat.game.table.seats import can_play, gives_up
from riverboat.game.table.state import Table
from riverboat.game.table.topping import gaps

# An alarm that rings later than this was held up by an outage. [ARCHITECTURE 4, time]
OUTAGE_MS: Final = 3_000


def duty(table: Table, given: Given) -> Sequence[Event] | None:
    """What the dealer owes the table now."""
    if table.settings is None or table.closed or table.stopped:
        return None
    beside = _beside(table, table.settings, given)
    if beside:
        return beside
    if table.deal is not None:
        return _owed_in_hand(table, given)
    return _between(table, table.settings, given)


def alarm(table: Table) -> Alarm | None:
    """The next of the dealer's deadlines."""
    alarms = _alarms(table)
    return min(alarms) if alarms else None


def ring(table: Table, rung: Alarm, given: Given) -> Sequence[Event] | None:
    """What the deadline brings, now that it is over."""
    match rung.key[0]:
        case "seat":
            return [
                SeatFreed(held.id)
                for held in table.reservations.values()
                if not held.freed and not held.top_up and held.deadline_ms <= rung.at_ms
            ]
        case "hold":
            return waiting.lapsed(table, rung.at_ms)
        case "away":
            assert table.settings is not None, "players sit at tables that were opened"
            return away_over(table, table.settings, rung.at_ms)
        case "resume":
            return [TableResumed("over")]
        case "draw":
            return _draw_over(table, given)
        case "choice":
            assert table.settings is not None, "games are chosen at tables that were opened"
            late = given.now_ms - rung.at_ms > OUTAGE_MS
            return choice.ring(table, table.settings, given, late)
        case "void":
            return call_off(table, "outage")
    return duty(table, given)


def overdue(table: Table) -> int | None:
    """Since when, or from when, the dealer's next step is owed."""
    hand = table.hand
    if hand is not None and hand.baton is Baton.DEALER and hand.phase is Phase.DEAL:
        return hand.since_ms
    if table.settings is not None and not table.closed and _owes(table, table.settings):
        return table.time_ms
    following = alarm(table)
    return None if following is None else following.at_ms


def call_off(table: Table, reason: str) -> Sequence[Event]:
    """The hand never was, and everybody is cashed out. [RULES 7, server failure]"""
    assert table.deal is not None, "only a running hand is called off"
    # A sitting's stack is what it was when the hand started: voiding gives back every chip.
    gone = [cash_out(table.sittings[seat], "voided") for seat in sorted(table.sittings)]
    return [HandVoided(table.deal.hand, reason), *gone]


def draw(table: Table, asked: Asked, command: Act, given: Given) -> Decision:
    """What a player's discards make true."""
    hand = table.hand
    if hand is None:
        return Refusal(HandCode.NO_HAND)

    def reshuffle(cards: Sequence[int]) -> Sealed:
        return given.decks.new(table.id, hand.id, table.version + 1, cards)

    def opened() -> Sequence[int]:
        return given.decks.open(table.id, hand).order

    return deal.draw(hand, asked.player, command, opened, reshuffle)


# --- Beside a hand, and in it.


def _beside(table: Table, settings: Settings, given: Given) -> Sequence[Event] | None:
    """What is due whether a hand is being played or not."""
    if given.silent:
        lost = pausing.sessions_lost(table, given)
        if lost:
            return lost
    if table.paused and pausing.are_back(table):
        return [TableResumed("back")]
    if table.waiters:
        return waiting.offer(table, settings, given.now_ms)
    return None


def _owes(table: Table, settings: Settings) -> bool:
    """Whether something is due that needs no clock."""
    if table.paused and pausing.are_back(table):
        return True
    if table.waiters and waiting.due(table, settings) is not None:
        return True
    if table.deal is not None:
        return False
    return bool(table.coming is not None or tidy(table) or gaps(table, settings))


def _owed_in_hand(table: Table, given: Given) -> Sequence[Event] | None:
    hand = table.hand
    if hand is None or hand.baton is not Baton.DEALER:
        return None
    if hand.phase is Phase.DEAL:
        deck = given.decks.open(table.id, hand)
        return deal.deal(hand, deck.order, deck.prove, _runs_agreed(table, hand))
    if hand.turn == NOBODY:
        return None
    sitting = table.sittings[hand.turn]
    if gives_up(sitting) or hand.seats[hand.turn].protected:
        # Nobody waits for the clock of a player who has left or sits out: he stands pat, and folds
        # later. Who is protected stands pat too. [RULES 7]
        return [deal.stand_pat(hand)]
    return None


def _runs_agreed(table: Table, hand: Hand) -> int:
    """How many boards all who are in agree to: as many as the one who wants least."""
    if not hand.runs_asked:
        return hand.runs
    live = [table.sittings[seat.seat] for seat in hand.seats.values() if not seat.folded]
    return max(min([sitting.runs_most for sitting in live]), 1)


def _draw_over(table: Table, given: Given) -> Sequence[Event] | None:
    hand = table.hand
    assert hand is not None, "a clock of a draw runs in a hand"
    extended = extension(table, hand, given.now_ms)
    if extended is not None:
        return [extended]
    return deal.time_out_draw(hand, connected=not table.sittings[hand.turn].line_lost)


def extension(table: Table, hand: Hand, now_ms: int) -> ClockExtended | None:
    """The time that an outage took from the player on turn, if it was an outage."""
    if now_ms - hand.deadline_ms <= OUTAGE_MS:
        return None
    # It began after the last record: what was unused then is given back, and the fold sees to
    # the least that he gets. A record from behind the deadline (a line that is lost, say) was told
    # when it had ended, and says nothing of when it began: then all the turn's time is.
    last_ms = table.time_ms if table.time_ms < hand.deadline_ms else hand.since_ms
    unused = max(hand.deadline_ms - last_ms, 0)
    return ClockExtended(hand.id, hand.turn_number, unused)


# --- Between hands.


def _between(table: Table, settings: Settings, given: Given) -> Sequence[Event] | None:
    gone = tidy(table)
    if gone:
        return gone
    if table.coming is not None:
        return levers.options_changed(table, table.coming)
    added = topping.duty(table, settings, given)
    if added:
        return added
    if table.paused:
        return None
    return choice.duty(table, settings, given) or _start_if_due(table, settings, given)


def _start_if_due(table: Table, settings: Settings, given: Given) -> Sequence[Event] | None:
    if not given.may_start or given.now_ms < table.hand_over_ms + settings.pause_ms:
        return None
    there = [seat for seat in sorted(table.sittings) if can_play(table.sittings[seat])]
    if table.choice is not None or table.closing or len(there) < 2:
        return None
    turn = next_turn(table, settings, given.entropy)
    chance = 0 if table.button else choice.first_button(table, there, given.entropy)
    bomb = _is_bomb(table, settings)
    plan = next_hand(table, turn.game, chance, turn.stakes, bomb=bomb)
    if plan is None:
        return None
    due = table.sittings.get(plan.big)
    if due is not None and due.at_big_blind:
        # The next hand is planned anew without him: the big blind is the next player's.
        return [SatOut(due.player, "big_blind")]
    if len(plan.seats) > turn.game.seats_most and choice.is_chosen(settings):
        # More have come since it was chosen: it gives way.
        return [choice.offer(table, settings, given)]
    return _started(table, settings, turn, plan, given)


def _enough(table: Table) -> bool:
    return (
        not table.closing and not table.paused and sum(map(can_play, table.sittings.values())) > 1
    )


def _started(
    table: Table, settings: Settings, turn: Turn, plan: Plan, given: Given
) -> Sequence[Event]:
    game, stakes = turn.game, turn.stakes
    number = table.hands + 1
    hand = hand_id(table.id, number)
    sealed = given.decks.new(table.id, hand, table.version + 1, DECKS[game.deck])
    dealt = tuple([_dealt_in(table, settings, seat) for seat in plan.seats])
    started = HandStarted(
        hand=hand,
        number=number,
        rulebook=settings.rulebook,
        rules_version=RULES_VERSION,
        rules_digest=game.digest,
        variant=game.variant,
        limit=game.limit,
        stakes=stakes,
        button=plan.button,
        seats=dealt,
        runs=settings.runs,
        turn_ms=settings.turn_ms,
        raked=settings.raked and settings.currency != PLAY,  # [RULES 6]
        sealed=sealed.sealed,
        key=sealed.key,
        root=sealed.root,
        state_hash=digest(table),
        small_blind=plan.small,
        big_blind=plan.big,
        game_at=turn.at,
        game_left=left_after(table, settings, len(plan.seats)),
        street_ms=settings.street_ms,
        bomb=_is_bomb(table, settings),
        runs_asked=settings.runs_asked and settings.runs > 1,
    )
    missed = [BlindsMissed(plan.missed_big, plan.missed_small)]

    def prove(places: Sequence[int]) -> bytes:
        return given.decks.open(table.id, start(started, given.now_ms)).prove(places)

    return [
        started,
        *(missed if plan.missed_big or plan.missed_small else []),
        *_posts(table, settings, turn, plan, dealt),
        deal.first_street(game, plan.seats, sealed.order, prove),
    ]


def _dealt_in(table: Table, settings: Settings, seat: int) -> DealtIn:
    sitting = table.sittings[seat]
    stack = sitting.stack + sitting.behind
    if settings.cap and stack > settings.cap:
        stack = settings.cap  # the rest stays at the table, and out of the hand
    return DealtIn(seat, sitting.player, sitting.id, stack, sitting.bank_ms)


def _is_bomb(table: Table, settings: Settings) -> bool:
    """Whether the next hand is a bomb pot."""
    return settings.bomb_every > 0 and (table.hands + 1) % settings.bomb_every == 0


def _posts(
    table: Table, settings: Settings, turn: Turn, plan: Plan, dealt: Sequence[DealtIn]
) -> list[Posted]:
    if _is_bomb(table, settings):
        return bomb_posts(dealt, settings.bomb_ante)
    willing = None
    if settings.straddles_asked:
        willing = [seat for seat in plan.seats if table.sittings[seat].straddles]
    places = plan.button, plan.small, plan.big
    return forced_posts(turn.game, turn.stakes, dealt, *places, plan.debts, willing)


# --- Deadlines.


def _alarms(table: Table) -> list[Alarm]:
    settings, hand = table.settings, table.hand
    alarms: list[Alarm] = []
    if settings is None or table.closed or table.stopped:
        return alarms
    if table.reservations:
        alarms += [
            Alarm(held.deadline_ms, ("seat", held.id), True)
            for held in table.reservations.values()
            if not held.freed and not held.top_up
        ]
    if table.holds:
        alarms += waiting.alarms(table)
    if settings.away_ms:
        alarms += away_alarms(table, settings)
    if table.paused:
        return alarms + pausing.alarms(table)
    if hand is not None:
        has_turn = hand.turn != NOBODY
        if has_turn and hand.phase is Phase.DRAW:
            alarms.append(Alarm(hand.deadline_ms, ("draw", hand.id, hand.turn_number), True))
        over_ms = pausing.called_off_ms(hand, settings)
        alarms.append(Alarm(over_ms, ("void", hand.id, hand.turn_number), True))
    elif table.choice is not None and not table.closing:
        due = table.choice
        alarms.append(Alarm(due.deadline_ms, ("choice", due.hand_number, due.deadline_ms), True))
    elif table.deal is None and _enough(table):
        due_ms = table.hand_over_ms + settings.pause_ms
        alarms.append(Alarm(due_ms, ("hand", table.hands + 1), False))
    return alarms
