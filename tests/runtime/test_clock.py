"""The clock corrects itself by what it reads back, and says when it is too far off."""

import pytest

from riverboat.runtime.clock import DISAGREEMENT_MS_MAX, WINDOW_MS, LogClock, ManualClock

START_MS = 1_800_000_000_000


class Bench:
    """A machine whose clock is `off_ms` ahead of the log's, and a log one can write to."""

    def __init__(self, off_ms: int = 0) -> None:
        self.log_ms = START_MS
        self.machine = ManualClock(START_MS + off_ms)
        self.clock = LogClock(self.machine)

    def pass_ms(self, ms: int) -> None:
        self.log_ms += ms
        self.machine.advance(ms)

    def write_and_read(self, there_ms: int = 2, back_ms: int = 3) -> None:
        sent = self.clock.machine_ms()
        self.pass_ms(there_ms)
        stamped = self.log_ms
        self.pass_ms(back_ms)
        self.clock.read_back(stamped, sent)

    def error_ms(self) -> int:
        return self.clock.now_ms() - self.log_ms

    def agrees(self) -> bool:
        return self.clock.agrees


def test_a_right_clock_is_left_alone():
    bench = Bench()
    for _ in range(10):
        bench.write_and_read()
        assert bench.clock.disagreement_ms == 0


def test_old_records_correct_nothing():
    """Recovery reads what was written long ago: that says nothing of the time now."""
    bench = Bench()
    for age_ms in (86_400_000, 3_600_000, 5):
        bench.clock.read_back(bench.log_ms - age_ms)
    assert bench.clock.disagreement_ms == 0


@pytest.mark.parametrize("off_ms", [-120_000, -1_500, -40, 40, 1_500, 120_000])
def test_a_wrong_clock_is_corrected_to_within_one_round_trip(off_ms):
    bench = Bench(off_ms)
    bench.write_and_read()
    assert abs(bench.error_ms()) <= 5
    assert bench.agrees() == (abs(off_ms) < DISAGREEMENT_MS_MAX)


def test_a_slow_clock_is_corrected_by_other_writers_records_too():
    bench = Bench(off_ms=-2_000)
    bench.clock.read_back(bench.log_ms - 1)
    assert bench.error_ms() == -1
    assert not bench.agrees()


@pytest.mark.parametrize("jump_ms", [-120_000, -5_000, 5_000, 120_000])
def test_a_clock_that_is_set_while_we_run_is_followed(jump_ms):
    bench = Bench()
    bench.write_and_read()
    bench.machine.advance(jump_ms)
    bench.write_and_read()
    assert abs(bench.error_ms()) <= 5
    assert not bench.agrees()
    bench.machine.advance(-jump_ms)
    bench.write_and_read()
    assert abs(bench.error_ms()) <= 5
    assert bench.agrees()


def test_a_clock_that_is_put_right_slowly_agrees_again_after_two_windows():
    bench = Bench(off_ms=1_200)
    bench.write_and_read()
    assert not bench.agrees()
    for _ in range(3):
        bench.pass_ms(WINDOW_MS)
        bench.machine.advance(-400)
        bench.write_and_read()
    bench.pass_ms(2 * WINDOW_MS)
    bench.write_and_read()
    assert bench.agrees()
    assert bench.clock.disagreement_ms == 0


def test_the_disagreement_allowed_is_a_second():
    """ARCHITECTURE 4: "unready beyond 1 s of disagreement"."""
    for off_ms, agrees in ((1_000, True), (1_001, False)):
        bench = Bench(-off_ms)
        bench.clock.read_back(bench.log_ms)
        assert bench.agrees() is agrees
