"""Each rule of the protocol planted back as a bug, and each caught by the auditor.

A row says which seeds show it. Where the rules stand behind each other, a row takes away the one
behind as well; its control is the same house with the rule in place, which must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from riverboat.game.record import Record
from riverboat.game.rules import HOUSE, game
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log.deck_keys import DerivedKeys
from riverboat.sim.auditor import Auditor
from riverboat.sim.faults import MANY, NONE, Faults
from riverboat.sim.house import House, Order
from riverboat.sim.laws import (
    CARDS,
    CHIPS,
    EVERY_HAND_ENDS,
    IN_TIME,
    LEDGER,
    MONEY,
    NO_FAILURE,
    ONE_OUTCOME,
    ONE_STATE,
    LawBroken,
)
from riverboat.sim.network import Network
from riverboat.sim.outcomes import Outcomes
from riverboat.sim.run import Result, simulate
from riverboat.sim.workload import Habits
from services.cli.simulate import CURRENCY, house, plain_tables
from tests.sim import planted as bugs
from tests.sim import planted_money as money
from tests.sim import planted_views as views

SEEDS = 6  # so many from the one that is named, as the product changes

# What happens all the time, and nothing that takes long.
ROUGH = replace(
    MANY,
    kill=0.3,
    owners_overlap=0.4,
    commit_lost=0.0,
    crash_between=0.004,
    outage=0.0,
    long_outage=0.0,
    ledger_restored=0.0,
    disk_full=0.0,
    poisoned=0.0,
    pause=0.05,
)
CRASHES = replace(ROUGH, crash_between=0.03)
POISON = replace(ROUGH, poisoned=0.8, kill=0.3)
SNAPSHOTS = replace(ROUGH, snapshot_late=0.8, compaction=0.8, kill=0.4)
RESTORED = replace(ROUGH, ledger_restored=0.3)
AGREEING = replace(ROUGH, clock_far_off=0.0)  # clocks differ by less than the margin
FAR_OFF = replace(NONE, clock_far_off=0.5)  # clocks are two minutes ahead, or behind
STOPPED = replace(NONE, poisoned=0.8)  # and nothing is ever lost
USUAL = Habits()
SLOW = Habits(slow=0.95)  # players who use their time up
DEAD = replace(NONE, dead_for_good=1.0)
SPLIT = [ids for ids in HOUSE.offered() if game(*ids).low]  # pots are split all the time
# Whoever has left the log's history breaks one of these first.
FORKED = (ONE_STATE, EVERY_HAND_ENDS, ONE_OUTCOME)


@dataclass(frozen=True)
class Plant:
    """One bug: how it is planted, what shows it, and which laws it breaks."""

    plant: Callable[[House], House]
    laws: tuple[str, ...]
    faults: Faults = ROUGH
    seed: int = 1
    hands: int = 40
    tables: int = 4
    habits: Habits = USUAL
    games: Sequence[tuple[str, str, str]] = HOUSE.offered()


def ledger(kind: Callable[[int, str], object]) -> Callable[[House], House]:
    return lambda real: replace(real, ledger=lambda: kind(Network.partitions, CURRENCY))  # type: ignore[arg-type,return-value]


def decks(entropy: Callable[[int], bytes], clock: Callable[[], int]) -> Decks:
    return money.TwiceInTheDeck(DerivedKeys(entropy(32)), entropy, clock)


def both(*plants: Callable[[House], House]) -> Callable[[House], House]:
    def planted(real: House) -> House:
        for plant in plants:
            real = plant(real)
        return real

    return planted


def of(**named: object) -> Callable[[House], House]:
    return lambda real: replace(real, **named)  # type: ignore[arg-type]


def decides(name: str, **named: object) -> Callable[[House], House]:
    return lambda real: bugs.with_manifest(real, name, **named)


PLANTS: dict[str, Plant] = {
    # The rules of protocol_model.py, by their names there.
    "one_undecided": Plant(of(step=bugs.Pipelining), (ONE_STATE,)),
    "parent": Plant(of(step=bugs.Parentless), (ONE_STATE,)),
    "gap": Plant(
        of(step=bugs.Gapless, snapshots=bugs.Floorless),
        FORKED,
        SNAPSHOTS,
    ),
    "answers_once": Plant(ledger(money.AnswersAgain), (MONEY, LEDGER)),
    "cmd_hw": Plant(of(step=bugs.Forgetful), (ONE_OUTCOME,)),
    "mark": Plant(of(snapshots=bugs.MarkAtPosition), FORKED, POISON),
    "alarm_end": Plant(of(step=bugs.Unfenced), (IN_TIME,)),
    "outbox": Plant(of(wallet=money.TellsOnce), (MONEY, EVERY_HAND_ENDS)),
    "resv_stays": Plant(decides("dealer", ring=bugs.forgets_reservation), (MONEY,), seed=2),
    "commit_behind": Plant(of(step=bugs.Hasty), (ONE_OUTCOME, IN_TIME)),
    "readback": Plant(of(process=bugs.Believing), (ONE_OUTCOME, IN_TIME)),
    "wallet_tx": Plant(
        both(ledger(money.Tampering), of(wallet=money.TwoTransactions)), (LEDGER,), CRASHES, seed=2
    ),
    # Where the database itself refuses to have a hand twice, the wallet breaks.
    "wallet_fold": Plant(ledger(money.NoFold), (LEDGER, NO_FAILURE)),
    "posting_id": Plant(ledger(money.NamesByPlace), (LEDGER, NO_FAILURE)),
    "act_turn": Plant(decides("betting", answer=bugs.any_turn), (ONE_OUTCOME,)),
    "new_inc": Plant(of(step=bugs.SameName), (ONE_STATE,)),
    "void_alarm": Plant(decides("dealer", alarm=bugs.no_void), (EVERY_HAND_ENDS,), DEAD, hands=5),
    "redecide": Plant(of(step=bugs.GivingUp), (ONE_OUTCOME, IN_TIME)),
    "hw_topic": Plant(of(step=bugs.OneOffset), (EVERY_HAND_ENDS, ONE_OUTCOME)),
    "dedupe": Plant(of(step=bugs.Undeduped), (ONE_OUTCOME,)),
    "floor": Plant(of(snapshots=bugs.Floorless), FORKED, SNAPSHOTS, seed=2),
    "snap_max": Plant(
        of(process=bugs.LastSnapshot, snapshots=bugs.Floorless),
        (*FORKED, IN_TIME),  # whoever is behind may take an act for one that never came
        SNAPSHOTS,
        seed=2,
    ),
    # A fence by the log's own time needs no margin: what is behind is taken away as well.
    "margin": Plant(
        of(step=bugs.Marginless, process=bugs.OwnTime), (IN_TIME,), AGREEING, habits=SLOW
    ),
    "fence_time": Plant(of(process=bugs.OwnTime), (IN_TIME,), FAR_OFF, hands=80),
    "wallet_heads": Plant(
        both(ledger(money.Tampering), of(wallet=money.HeadsFromSnapshots)), (LEDGER, MONEY)
    ),
    "stop_nosnap": Plant(of(snapshots=bugs.StoppedToo), FORKED, POISON),
    "stop_hold": Plant(of(step=bugs.PassingOver), (ONE_OUTCOME,), POISON),
    "void_hw": Plant(both(of(step=bugs.VoidMoves), of(wallet=money.TellsOnce)), (MONEY,), STOPPED),
    "learn": Plant(of(player=bugs.LiveOnly), (ONE_OUTCOME, EVERY_HAND_ENDS)),
    "cas": Plant(ledger(money.NoCompare), (LEDGER, MONEY), RESTORED),
    # The plain ones.
    "a lost chip": Plant(decides("showdown", duty=money.chip_lost), (CHIPS,), NONE),
    "a chip to the rake": Plant(decides("showdown", duty=money.chip_to_the_rake), (CHIPS,), NONE),
    "a chip lost in the ledger": Plant(ledger(money.LosesChip), (LEDGER,), NONE),
    "an odd unit to the wrong seat": Plant(
        decides("showdown", duty=money.odd_unit_astray), (CHIPS,), NONE, games=SPLIT
    ),
    "a card twice in the deck": Plant(of(decks=decks), (CARDS,), NONE),
    "a card dealt twice": Plant(decides("dealer", duty=money.dealt_twice), (CARDS,), NONE),
    "a card leaked by an event": Plant(decides("dealer", duty=money.dealt_face_up), (CARDS,), NONE),
    "a posting booked twice": Plant(ledger(money.PostsTwice), (LEDGER,), NONE),
    "a card leaked to another viewer": Plant(
        of(audience=views.audience(views.Overheard)), (CARDS,), NONE
    ),
    "a card of another seat shown": Plant(
        of(audience=views.audience(views.WrongSeat)), (CARDS,), NONE
    ),
    "cards of the hand before shown": Plant(
        of(audience=views.audience(views.LastHand)), (CARDS,), NONE
    ),
}


def run(real: House, plant: Plant, seed: int) -> Result:
    chosen = plain_tables(seed, plant.tables, plant.games)
    order = Order(seed, plant.hands, chosen, plant.faults, habits=plant.habits, patience_ms=400_000)
    return simulate(real, order)


@pytest.mark.parametrize("name", PLANTS)
def test_the_auditor_catches(name: str) -> None:
    plant = PLANTS[name]
    planted = plant.plant(house())
    for seed in range(plant.seed, plant.seed + SEEDS):
        broken = run(planted, plant, seed).laws_broken
        if broken:
            assert set(broken) <= set(plant.laws), broken
            return
    pytest.fail(f"no seed from {plant.seed} to {plant.seed + SEEDS - 1} shows it")


@pytest.mark.parametrize(
    ("faults", "real"),
    [
        (ROUGH, of()),
        (POISON, of()),
        (SNAPSHOTS, of()),
        (RESTORED, of()),
        (DEAD, of()),
        (FAR_OFF, of()),
        (AGREEING, of(process=bugs.OwnTime)),
        (STOPPED, of(wallet=money.TellsOnce)),
    ],
    ids=["rough", "poison", "snapshots", "restored", "dead", "far_off", "agreeing", "stopped"],
)
def test_with_the_rule_in_place_the_laws_hold(
    faults: Faults, real: Callable[[House], House]
) -> None:
    assert run(real(house()), Plant(of(), (), faults, hands=20), 1).laws_broken == {}


class _Unasked(Outcomes):
    """Holds nobody to one outcome, so that what stands behind it can be seen."""

    def after(self, table: Table, record: Record) -> None:
        """Nothing is held against a second answer."""

    def settled(self, tables: Mapping[str, Table], dead: str) -> None:
        """Nor against a command that was never answered."""


class _Twice(Network):
    """A network in which a command may be answered twice."""

    def _auditor(self) -> Auditor:
        auditor = super()._auditor()
        auditor.outcomes = _Unasked(self.world, {})
        return auditor


def broken_where_commands_are_read_twice(real: House, seed: int) -> str:
    order = Order(seed, 30, plain_tables(seed, 4, HOUSE.offered()), ROUGH)
    try:
        _Twice(replace(real, step=bugs.Undeduped), order).run()
    except LawBroken as broken:
        return broken.law
    return ""


def test_a_reservation_is_not_named_by_its_command_alone() -> None:
    """rid_unique: where a command is answered twice, two reservations must not be one."""
    planted = decides("dealer", answer=bugs.by_command)(house())
    assert MONEY in {broken_where_commands_are_read_twice(planted, seed) for seed in range(3, 5)}
    assert {broken_where_commands_are_read_twice(house(), seed) for seed in range(3, 5)} == {""}
