"""The faults that the simulation knows, and how often each happens. [ARCHITECTURE 9]

Values only. Every fault is decided by the seed; the names are those of the reach counters.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Faults:
    """Probabilities, for each time that it could happen; 0 is never."""

    ack_lost: float = 0.0  # the append stands, its acknowledgement does not come
    append_absent: float = 0.0  # the append fails whole
    append_late: float = 0.0  # it fails for its writer, and lands up to a minute later
    append_twice: float = 0.0  # it stands twice, the second time out of order
    commit_lost: float = 0.0  # a commit of offsets does not happen
    crash_between: float = 0.0  # between any two effects of a process
    slow_reader: float = 0.0  # a reader's view lags, up to two seconds
    command_twice: float = 0.0  # a client sends a command again at once
    line_cut: float = 0.0  # a player's connection breaks
    poisoned: float = 0.0  # a record that one reader cannot fold
    unreadable: float = 0.0  # bytes that are no envelope

    # By the chaos that comes every few seconds, each at one of its turns.
    kill: float = 0.0
    pause: float = 0.0  # a process stands still for up to 20 seconds
    owners_overlap: float = 0.0  # two instances own the same partition
    outage: float = 0.0  # all instances of one service stand still
    long_outage: float = 0.0  # longer than the grace
    clock_jump: float = 0.0  # a process's clock jumps, within the allowed disagreement
    clock_far_off: float = 0.0  # or two minutes: the process is unready
    snapshot_late: float = 0.0  # an old snapshot lands after a newer one
    compaction: float = 0.0
    ledger_restored: float = 0.0  # from a backup that is older
    disk_full: float = 0.0
    tail_lost: float = 0.0  # a broker loses its last records: its readers must stop, not fork

    dead_for_good: float = 0.0  # betting or showdown never comes back, not even in the calm

    skew_ms: int = 0  # clocks differ by up to this


# By the names of the reach counters. Whether clocks differ is no event.
NAMES = frozenset(field.name for field in fields(Faults)) - {"skew_ms"}

NONE = Faults()
SOME = Faults(
    ack_lost=0.01,
    append_absent=0.01,
    append_twice=0.01,
    commit_lost=0.1,
    crash_between=0.0005,
    slow_reader=0.01,
    command_twice=0.02,
    line_cut=0.01,
    kill=0.1,
    pause=0.05,
    owners_overlap=0.1,
    compaction=0.2,
    skew_ms=400,
)
MANY = replace(
    SOME,
    ack_lost=0.03,
    append_absent=0.03,
    append_late=0.03,
    append_twice=0.03,
    commit_lost=0.2,
    crash_between=0.003,
    slow_reader=0.02,
    command_twice=0.05,
    line_cut=0.02,
    poisoned=0.05,
    unreadable=0.02,
    kill=0.15,
    pause=0.12,
    owners_overlap=0.25,
    outage=0.05,
    long_outage=0.01,
    clock_jump=0.1,
    clock_far_off=0.03,
    snapshot_late=0.1,
    compaction=0.15,
    ledger_restored=0.02,
    disk_full=0.02,
    dead_for_good=0.3,
    skew_ms=900,
)
PROFILES = {"none": NONE, "some": SOME, "many": MANY}

# What a network of one process on its own disk cannot meet: its log answers at once, nobody else
# reads or owns it, and no part of it dies without the rest.
_OF_MANY = (
    "ack_lost",
    "append_absent",
    "append_late",
    "append_twice",
    "commit_lost",
    "slow_reader",
    "owners_overlap",
    "outage",
    "long_outage",
    "snapshot_late",
    "poisoned",
    "dead_for_good",
)


def alone(faults: Faults) -> Faults:
    """Those of these faults that a network of one process can meet."""
    return replace(faults, **dict.fromkeys(_OF_MANY, 0))
