"""A limit lets through what was promised, per name, and says how long to wait for more."""

from riverboat.runtime.clock import ManualClock
from riverboat.runtime.limits import NAMES_MAX, Limit

START_MS = 1_800_000_000_000


def test_a_burst_passes_at_once_and_then_one_at_a_time():
    clock = ManualClock(START_MS)
    limit = Limit(clock, per_second=4, burst=3)
    assert [limit.wait_ms("p1") for _ in range(4)] == [0, 0, 0, 251]
    clock.advance(249)
    assert limit.wait_ms("p1") == 2
    clock.advance(1)
    assert limit.wait_ms("p1") == 0
    assert limit.wait_ms("p1") > 0


def test_names_do_not_share_a_bucket():
    limit = Limit(ManualClock(START_MS), per_second=1, burst=1)
    assert limit.wait_ms("p1") == 0
    assert limit.wait_ms("p1") > 0
    assert limit.wait_ms("p2") == 0


def test_many_at_once_cost_as_many_and_a_refusal_costs_nothing():
    limit = Limit(ManualClock(START_MS), per_second=1, burst=5)
    assert limit.wait_ms("p1", 6) == 1_001
    assert limit.wait_ms("p1", 5) == 0


def test_on_the_long_run_the_rate_is_kept():
    clock = ManualClock(START_MS)
    limit = Limit(clock, per_second=10, burst=20)
    passed = 0
    for _ in range(10_000):
        clock.advance(10)
        passed += limit.wait_ms("p1") == 0
    assert passed == 20 + 100 * 10 - 1


def test_a_clock_that_is_set_back_locks_nobody_out():
    clock = ManualClock(START_MS)
    limit = Limit(clock, per_second=1, burst=2)
    limit.wait_ms("p1", 2)
    clock.advance(-86_400_000)
    assert limit.wait_ms("p1") <= 1_001


def test_full_buckets_are_forgotten():
    clock = ManualClock(START_MS)
    limit = Limit(clock, per_second=1_000, burst=1)
    for number in range(NAMES_MAX):
        limit.wait_ms(f"p{number}")
    clock.advance(10)
    limit.wait_ms("last")
    assert limit.names == 1
