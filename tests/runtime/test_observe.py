"""What a process tells about itself can be scraped, is complete, and is cheap to keep."""

from __future__ import annotations

import gc
import sys
import threading
import urllib.request

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from riverboat.runtime.observe import BOUNDS, Metrics, Page


def scrape(metrics):
    text = generate_latest(metrics.registry).decode()
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_two_processes_metrics_in_one_process_do_not_meet():
    one, other = Metrics(), Metrics()
    one.actions.value += 3
    assert scrape(one)["riverboat_actions_total",] == 3
    assert scrape(other)["riverboat_actions_total",] == 0


def test_every_metric_that_operators_were_promised_is_there():
    """The list of what is observed: hands, actions, refusals, seconds, records, tables, money."""
    metrics = Metrics()
    metrics.refusals.by["NOT_YOUR_TURN"] += 2
    metrics.calls.by["/riverboat.wire.v1.SessionService/Act", "OK"] += 5
    metrics.dropped.by["slow"] += 1
    metrics.lag.by["hand-log", "7"] = 12
    metrics.imbalance.by["EUR"] = 0
    metrics.tables_owned.read = lambda: 40
    metrics.watchers.value = 9
    told = scrape(metrics)
    assert told["riverboat_refusals_total", ("code", "NOT_YOUR_TURN")] == 2
    method = ("method", "/riverboat.wire.v1.SessionService/Act")
    assert told["riverboat_calls_total", ("code", "OK"), method] == 5
    assert told["riverboat_watchers_dropped_total", ("reason", "slow")] == 1
    lag = ("riverboat_partition_lag_records", ("partition", "7"), ("topic", "hand-log"))
    assert told[lag] == 12
    assert told["riverboat_ledger_imbalance", ("currency", "EUR")] == 0
    assert told["riverboat_tables_owned",] == 40
    assert told["riverboat_watchers",] == 9
    names = {key[0] for key in told}
    for name in (
        *("hands_started_total", "hands_ended_total", "hands_voided_total", "actions_total"),
        *("decide_seconds_count", "append_seconds_count", "read_back_seconds_count"),
        *("action_to_watcher_seconds_count", "call_seconds_count", "alarm_late_seconds_count"),
        *("records_folded_total", "records_stale_total", "records_missing_total"),
        *("tables_stopped", "owed", "clock_disagreement_seconds", "ready", "streams"),
        "postings_total",
    ):
        assert f"riverboat_{name}" in names


def test_no_metric_has_a_label_per_table_or_player():
    """A label of each table or player would make the scrape grow with the network."""
    metrics = Metrics()
    series = [one for one in vars(metrics).values() if hasattr(one, "labels")]
    labels = {label for one in series for label in one.labels}
    assert labels == {"code", "method", "topic", "partition", "reason", "currency"}


@pytest.mark.parametrize(
    ("seconds", "bucket"),
    [(0.0, "0.0001"), (0.0001, "0.0001"), (0.00011, "0.00025"), (30.0, "30.0"), (31.0, "+Inf")],
)
def test_a_timing_falls_into_its_bucket_and_all_above(seconds, bucket):
    metrics = Metrics()
    metrics.decide.took(seconds, times=2)
    told = scrape(metrics)
    bounds = [*map(str, BOUNDS), "+Inf"]
    for place, bound in enumerate(bounds):
        held = told["riverboat_decide_seconds_bucket", ("le", bound)]
        assert held == (2 if place >= bounds.index(bucket) else 0)
    assert told["riverboat_decide_seconds_count",] == 2
    assert told["riverboat_decide_seconds_sum",] == pytest.approx(2 * seconds)


def test_the_page_is_served_until_it_is_closed():
    metrics = Metrics()
    metrics.hands_ended.value = 7
    page = Page(metrics, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{page.port}/metrics"
    with urllib.request.urlopen(address, timeout=5) as answer:
        assert b"riverboat_hands_ended_total 7.0" in answer.read()
    page.close()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address, timeout=5)


def test_a_port_in_use_is_refused_at_start():
    page = Page(Metrics(), "127.0.0.1", 0)
    try:
        with pytest.raises(OSError, match="in use"):
            Page(Metrics(), "127.0.0.1", page.port)
    finally:
        page.close()


class Garbage:
    """In a cycle, and its end runs Python: a collection lets another thread go on meanwhile."""

    def __init__(self):
        self.me = self

    def __del__(self):
        for _ in range(300):
            pass


@pytest.fixture
def many_collections():
    before, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-6)
    yield
    gc.set_threshold(*before)
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("many_collections")
def test_a_scrape_beside_play_never_stumbles_over_a_new_label():
    metrics = Metrics()
    stop = threading.Event()

    def play():
        count = 0
        while not stop.is_set():
            count += 1
            metrics.refusals.by[f"CODE_{count}"] += 1
            if count % 10 == 0:
                Garbage()
            if count % 3_000 == 0:
                metrics.refusals.by.clear()

    thread = threading.Thread(target=play)
    thread.start()
    try:
        for _ in range(100):
            list(metrics.collect())
    finally:
        stop.set()
        thread.join()
    assert sum(metrics.refusals.by.values()) > 0
