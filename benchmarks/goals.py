"""The goals of performance, each with its floor, and what measures it.

A row is a ratio of two sides of one run, or a figure against a bound. Nothing here measures by
itself.
"""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from benchmarks import (
    bench_edge,
    bench_engine,
    bench_fold,
    bench_memory,
    bench_network,
    bench_ranking,
    bench_step,
    bench_watchers,
)
from benchmarks.shapes import every_game, table_of
from deploy.kafka import jars


class Row(NamedTuple):
    """One line of the table."""

    goal: str
    what: str
    ours: str
    peer: str
    figure: str  # what is held against the bounds
    floor: str
    goal_at: str
    stretch: str
    conditions: str


def engine() -> Iterator[Row]:
    """Goal 1: hold'em, and a game of every other family."""
    for row in bench_engine.rows():
        yield Row(
            "1",
            f"{row.name} / PokerKit's State",
            f"{row.ours:,.0f} actions/s",
            f"{row.peer:,.0f}",
            _times(row.ratio),
            f"{bench_engine.FLOOR} x",
            f"{bench_engine.GOAL} x",
            f"{bench_engine.STRETCH} x",
            f"rules core, six seats, 15 % raises, secure shuffle; {row.same} hands alike",
        )


def ranking() -> Iterator[Row]:
    """Goal 2, in every game; and what the tables behind it cost."""
    for row in bench_ranking.by_game():
        yield Row(
            "2",
            f"{row.games} / PokerKit" if row.peer else row.games,
            f"{row.ours_per_s:,.0f} hands/s",
            f"{row.peer_per_s:,.0f}" if row.peer else "",
            _times(row.ratio) if row.peer else f"{1e6 / row.ours_per_s:.2f} us",
            f"{row.floor:,} x" if row.floor else "",
            f"{row.goal:,} x" if row.goal else "",
            "",
            f"{1e6 / row.ours_per_s:.2f} us a hand; {row.conditions}",
        )
    for row in bench_ranking.by_phevaluator():
        yield Row(
            "2",
            f"{row.games} / phevaluator",
            f"{row.ours_per_s:,.0f} hands/s",
            f"{row.peer_per_s:,.0f}",
            f"{row.ratio:.2f} x",
            "",
            "",
            "1 x",
            row.conditions,
        )
    built = bench_ranking.first_uses()
    yield Row(
        "2",
        "tables of all rankings, built when first dealt",
        "",
        "",
        f"{sum(built.values()):.2f} s",
        "0.5 s",
        "",
        "",
        ", ".join(f"{name} {took * 1e3:.0f} ms" for name, took in built.items()),
    )


def fold() -> Iterator[Row]:
    """Goal 3, in hold'em and in the game where it is worst."""
    live, again = asyncio.run(bench_fold.measure())
    conditions = "live: all deciders over the embedded log, durable, no wire"
    rates = {"hold'em": bench_fold.Rates(live, again)}
    every = bench_fold.by_game()
    worst = min(every, key=lambda name: every[name].again / every[name].live)
    # A short time picks the game; only as long a time as hold'em had tells what it does.
    again_worst = asyncio.run(bench_fold.measure(settings=table_of(every_game()[worst])))
    rates[f"{worst}, the worst of {len(every)}"] = again_worst
    for name, (live, again) in rates.items():
        yield Row(
            "3",
            f"events folded from the log / live, {name}",
            f"{again:,.0f} events/s",
            f"{live:,.0f}",
            _times(again / live),
            "4 x",
            "8 x",
            "",
            conditions,
        )


def watchers() -> Iterator[Row]:
    """Goal 4."""
    rows = bench_watchers.embedded()
    for row in rows:
        yield _watched("embedded", row, "2 x", "1.2 x")
    reason = jars.missing()
    if reason:
        what = "act to last watcher, p99, Kafka / bare client"
        yield Row("4", what, "", "", "not measured", "3 x", "2 x", "", reason)
        return
    for row in bench_watchers.kafka(rows[0].load):
        yield _watched("Kafka", row, "3 x", "2 x")


def _watched(name: str, row: bench_watchers.Row, floor: str, goal: str) -> Row:
    return Row(
        "4",
        f"act to last watcher, p99, {name} / {row.peer}",
        f"{row.ours_ms:.1f} ms",
        f"{row.raw_ms:.1f}",
        f"{row.ratio:.1f} x",
        floor,
        goal,
        "",
        "64 acts outstanding, two streams at every table; on the other side as many acts of as many"
        f" records: a command of {row.load.command_bytes} bytes and {row.load.records} records of"
        f" {row.load.record_bytes}",
    )


def edge() -> Iterator[Row]:
    """Goal 5."""
    for behind, coalesced, unary, ratio in bench_edge.rows():
        yield Row(
            "5",
            f"acts through gRPC, coalesced / unary, {behind}",
            f"{coalesced.acts_per_s:,.0f} acts/s",
            f"{unary.acts_per_s:,.0f}",
            f"{ratio:.1f} x",
            "10 x",
            "20 x",
            "",
            f"64 outstanding; p99 {coalesced.p99_ms:.0f} ms against {unary.p99_ms:.0f}; server"
            f" {coalesced.cpu_us:.0f} us an act against {unary.cpu_us:.0f}",
        )


def whole() -> Iterator[Row]:
    """Goals 6 and 7: the same embedded runs serve both."""
    reason = jars.missing()
    runs, pairs = [], []
    for _ in range(bench_network.ROUNDS):
        runs.append(bench_network.embedded())
        if not reason:
            pairs.append((bench_network.kafka(), runs[-1]))
    if pairs:
        kafka, one = pairs[len(pairs) // 2]
        yield Row(
            "6",
            "network on Kafka, a process a service / one",
            f"{kafka.actions_per_s:,.0f} actions/s",
            f"{one.actions_per_s:,.0f}",
            f"{statistics.median(a.actions_per_s / b.actions_per_s for a, b in pairs):.2f} x",
            "0.2 x",
            "0.4 x",
            "",
            f"one broker; all on the same cores; {kafka.cpu_us:.0f} us an action in all of them",
        )
    else:
        what = "network on Kafka, a process a service / one"
        yield Row("6", what, "", "", "not measured", "0.2 x", "0.4 x", "", str(reason))
    run = sorted(runs, key=lambda run: run.hands_per_s)[len(runs) // 2]
    yield Row(
        "7",
        "whole network, embedded, durable",
        f"{run.actions_per_s:,.0f} actions/s",
        "",
        f"{run.hands_per_s:,.0f} hands/s",
        "250",
        "350",
        "700",
        f"{bench_network.TABLES} tables, six bots each in two processes over gRPC on the same"
        f" cores, {run.actions_per_s / run.hands_per_s:.1f} actions a hand; p99 {run.p99_ms:.0f} ms"
        f" (50 at most); server {run.cores:.2f} cores, {run.cpu_us:.0f} us an action",
    )


def memory() -> Iterator[Row]:
    """Goal 8, in hold'em and in the games that take most."""
    found = asyncio.run(bench_memory.measure())
    every = bench_memory.by_game()
    table = max(every, key=lambda name: every[name].table)
    subscription = max(every, key=lambda name: every[name].subscription)
    worst = f"the worst of {len(every)}"
    conditions = "six seated, hands played; the changes of the last hands kept"
    for what, size, floor, goal in (
        ("a table at rest, hold'em", found.table, "20 kB", "8 kB"),
        (f"a table at rest, {table}, {worst}", every[table].table, "20 kB", "8 kB"),
        ("a subscription, transport apart, hold'em", found.subscription, "30 kB", "15 kB"),
        (
            f"a subscription, {subscription}, {worst}",
            every[subscription].subscription,
            "30 kB",
            "15 kB",
        ),
    ):
        yield Row("8", what, "", "", f"{size / 1_000:.1f} kB", floor, goal, "", conditions)


def tables() -> Iterator[Row]:
    """Goal 9."""
    costs = {}
    for count, seconds in ((10, 3.0), (100, 3.0), (1_000, 4.0), (10_000, 8.0)):
        _, _, costs[count] = asyncio.run(bench_step.measure(count, seconds))
    yield Row(
        "9",
        "cost of an action, 10 to 10,000 tables",
        f"{max(costs.values()):.0f} us",
        f"{min(costs.values()):.0f}",
        f"{max(costs.values()) / min(costs.values()):.1f} x",
        "2 x",
        "1.2 x",
        "",
        "without the wire: " + ", ".join(f"{n:,}: {cost:.0f} us" for n, cost in costs.items()),
    )


def _times(ratio: float) -> str:
    return f"{ratio:,.0f} x" if ratio >= 10 else f"{ratio:.1f} x"


BENCHES: Final[dict[str, Callable[[], Iterator[Row]]]] = {
    "engine": engine,
    "ranking": ranking,
    "fold": fold,
    "watchers": watchers,
    "edge": edge,
    "network": whole,
    "memory": memory,
    "tables": tables,
}
