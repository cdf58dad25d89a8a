"""The embedded log's time, whatever is done to its machine's clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.log.embedded_time import SLOWER, LogTime


class Machine:
    """A clock that people set, and the count of what passes meanwhile."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms
        self.steady_ms = 7_000_000  # from anywhere
        self.log = LogTime(lambda: self.now_ms, lambda: self.steady_ms, 0)
        assert self.log.now_ms() == now_ms

    def passes(self, ms: int) -> None:
        self.now_ms += ms
        self.steady_ms += ms


@pytest.mark.parametrize("back_ms", [1, 120_000, 10**10])
def test_while_the_machine_s_clock_is_behind_time_goes_on(back_ms):
    machine = Machine(10**12)
    machine.passes(5_000)
    machine.now_ms -= back_ms  # since the log was asked last, too
    told = machine.log.now_ms()
    assert told == max(10**12 + 5_000 - 5_000 // SLOWER, machine.now_ms)
    machine.passes(30_000)
    took_ms = machine.log.now_ms() - told
    assert took_ms == 30_000 or abs(took_ms - (30_000 - 30_000 // SLOWER)) <= 1


def test_a_clock_that_is_set_forward_is_believed():
    machine = Machine(10**12)
    machine.now_ms += 3_600_000
    assert machine.log.now_ms() == machine.now_ms


def test_in_the_end_both_agree_and_the_log_has_waited_for_nothing():
    machine = Machine(10**12)
    machine.now_ms -= 60_000
    assert machine.log.ahead_ms == 60_000
    took_ms = 0
    while machine.log.ahead_ms:
        before_ms = machine.log.now_ms()
        machine.passes(10_000)
        assert 10_000 - 10_000 // SLOWER - 1 <= machine.log.now_ms() - before_ms <= 10_000
        took_ms += 10_000
    assert took_ms == 60_000 * SLOWER
    machine.passes(10_000)
    assert machine.log.now_ms() == machine.now_ms


@given(
    steps=st.lists(
        st.tuples(st.integers(0, 5_000), st.just(0) | st.integers(-(10**6), 10**6)), max_size=60
    ),
    newest_ms=st.integers(0, 2 * 10**7),
)
def test_it_never_runs_back_never_stands_and_is_never_behind(steps, newest_ms):
    machine = Machine(10**7)
    log = LogTime(lambda: machine.now_ms, lambda: machine.steady_ms, newest_ms)
    told = [newest_ms, log.now_ms()]
    for passed_ms, set_ms in steps:
        machine.passes(passed_ms)
        machine.now_ms += set_ms
        told.append(log.now_ms())
        assert told[-1] >= machine.now_ms
        assert told[-1] - told[-2] >= passed_ms - passed_ms // SLOWER - 1
    assert told == sorted(told)
