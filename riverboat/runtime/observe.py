"""What a process tells about itself: counters, gauges and timings, read at /metrics.

The hot path adds to plain numbers; only a scrape makes metrics of them. Every metric of the network
is named in `Metrics` and nowhere else. No metric has a label per table or player, and none is ever
kept outside the process's own `Metrics`.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

PREFIX: Final = "riverboat_"

# From a decision (tens of microseconds) to an outage (tens of seconds).
BOUNDS: Final = (
    *(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)


class Counter:
    """A number that only grows: `counter.value += 1`."""

    __slots__ = ("about", "name", "value")

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = PREFIX + name, about
        self.value = 0

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(self.name, self.about, value=self.value)


class Tally:
    """Numbers that only grow, one per value of the labels: `tally.by[code] += 1`."""

    __slots__ = ("about", "by", "labels", "name")

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self.name, self.about, self.labels = PREFIX + name, about, labels
        self.by: defaultdict[str | tuple[str, ...], int] = defaultdict(int)

    def collect(self) -> Iterator[Metric]:
        family = CounterMetricFamily(self.name, self.about, labels=self.labels)
        # A scrape runs in a thread of its own. Only `dict()` copies in one step: listing the items
        # makes objects, and that may start a collection of garbage that lets play go on meanwhile.
        for key, value in dict(self.by).items():
            family.add_metric((key,) if isinstance(key, str) else key, value)
        yield family


class Gauge:
    """A number that comes and goes: set `value`, or let `read` tell it when it is asked for."""

    __slots__ = ("about", "name", "read", "value")

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = PREFIX + name, about
        self.value: float = 0
        self.read: Callable[[], float] | None = None

    def collect(self) -> Iterator[Metric]:
        value = self.value if self.read is None else self.read()
        yield GaugeMetricFamily(self.name, self.about, value=value)


class Gauges:
    """Numbers that come and go, one per value of the labels: `gauges.by[key] = 3`."""

    __slots__ = ("about", "by", "labels", "name")

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self.name, self.about, self.labels = PREFIX + name, about, labels
        self.by: dict[str | tuple[str, ...], float] = {}

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily(self.name, self.about, labels=self.labels)
        for key, value in dict(self.by).items():
            family.add_metric((key,) if isinstance(key, str) else key, value)
        yield family


class Timing:
    """How long something took, in seconds, by buckets."""

    __slots__ = ("about", "counts", "name", "total")

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = PREFIX + name, about
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def took(self, seconds: float, times: int = 1) -> None:
        """It took this long, this many times."""
        self.counts[bisect_left(BOUNDS, seconds)] += times
        self.total += seconds * times

    def collect(self) -> Iterator[Metric]:
        buckets, sum_of_counts = [], 0
        for bound, count in zip((*BOUNDS, float("inf")), list(self.counts), strict=True):
            sum_of_counts += count
            buckets.append(("+Inf" if bound == float("inf") else str(bound), sum_of_counts))
        yield HistogramMetricFamily(self.name, self.about, buckets=buckets, sum_value=self.total)


class Metrics(Collector):
    """All metrics of one process."""

    def __init__(self) -> None:
        # Play.
        self.hands_started = Counter("hands_started", "Hands begun.")
        self.hands_ended = Counter("hands_ended", "Hands played to their end and paid.")
        self.hands_voided = Counter("hands_voided", "Hands called off.")
        self.actions = Counter("actions", "Actions of players that had effect, time-outs included.")
        self.refusals = Tally("refusals", "Commands refused, by the refusal's code.", "code")
        # The loop.
        self.decide = Timing("decide_seconds", "From taking a batch to having decided it.")
        self.append = Timing("append_seconds", "From handing a batch to the log to its being safe.")
        self.read_back = Timing("read_back_seconds", "From handing a record over to reading it.")
        self.folded = Counter("records_folded", "Records read and applied.")
        self.stale = Counter("records_stale", "Records that follow something older: skipped.")
        self.missing = Counter("records_missing", "Records whose parent was never read: alert.")
        self.unreadable = Counter("records_unreadable", "Records sent to the dead letters.")
        self.unauthorised = Counter(
            "records_unauthorised", "Records whose writer may not write them: skipped; alert."
        )
        self.beaten = Counter("records_beaten", "Records of ours that a rival's came before.")
        self.copies = Counter("commands_copied", "Commands dropped: answered already.")
        self.failed = Counter("decisions_failed", "Decisions that failed by a fault: alert.")
        self.stood_in = Counter("stood_in", "Times that this process spoke for an owner.")
        self.ignored = Counter("answers_ignored", "Answers to what is no longer asked.")
        self.alarm_late = Timing("alarm_late_seconds", "From a deadline to its alarm's decision.")
        self.lag = Gauges(
            "partition_lag_records", "Records not read yet, by partition.", "topic", "partition"
        )
        self.tables_owned = Gauge("tables_owned", "Tables that this process decides on.")
        self.tables_stopped = Gauge("tables_stopped", "Tables stopped by an error: alert.")
        self.not_kept = Gauge(
            "tables_not_kept", "Tables too large for a snapshot: a start reads longer; alert."
        )
        self.owed = Gauge("owed", "Steps due to other streams and not answered yet.")
        self.clock_off = Gauge("clock_disagreement_seconds", "The machine's clock against the log.")
        self.ready = Gauge("ready", "1 when caught up and serving.")
        # The edge.
        self.calls = Tally("calls", "Calls ended, by method and status.", "method", "code")
        self.call_seconds = Timing("call_seconds", "From a unary call's arrival to its answer.")
        self.streams = Gauge("streams", "Streams open.")
        self.watchers = Gauge("watchers", "Viewers of tables, one per viewer and table.")
        self.dropped = Tally("watchers_dropped", "Viewers cut off, by reason.", "reason")
        self.to_watcher = Timing(
            "action_to_watcher_seconds", "From an action's arrival to its being handed to viewers."
        )
        # The money.
        self.postings = Counter("postings", "Postings booked in the ledger.")
        self.imbalance = Gauges("ledger_imbalance", "Sum of all accounts: never but 0.", "currency")

        self.registry = CollectorRegistry()
        self.registry.register(self)
        ProcessCollector(registry=self.registry)

    def collect(self) -> Iterator[Metric]:
        for series in list(vars(self).values()):
            if isinstance(series, Counter | Tally | Gauge | Gauges | Timing):
                yield from series.collect()


class Page:
    """The page /metrics, served from a thread of its own until it is closed."""

    def __init__(self, metrics: Metrics, host: str, port: int) -> None:
        """Serve on this address; port 0 takes a free one. `OSError` if the port is taken."""
        self._server: WSGIServer
        self._thread: threading.Thread
        self._server, self._thread = start_http_server(port, host, registry=metrics.registry)

    @property
    def port(self) -> int:
        """The port that is served."""
        return self._server.server_port

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
