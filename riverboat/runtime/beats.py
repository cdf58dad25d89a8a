"""Beats: which sessions have fallen silent, so that their lines are lost. [ARCHITECTURE 7]

A session beats in each partition where it holds lines. Who has beaten and then is silent for long
is taken for dead, but never because it was not read: only once the partition's inputs were read to
an end that was fetched after that time. Folds nothing, commits nothing, and writes nothing: what
comes of it is the dealer's to decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from riverboat.game.commands import Command, RegainLine, SitDown
from riverboat.game.ids import instance_of
from riverboat.runtime.entry import NEVER

# Five beats: one that is lost, or late behind an election of brokers, ends nobody's line.
SILENT_MS: Final = 10_000
NOBODY: Final[frozenset[str]] = frozenset()

ReadAfter = Callable[[int, int], bool]


class Silence(NamedTuple):
    """One session that has fallen silent in one partition."""

    partition: int
    instance: str


class Beats:
    """When each session was heard last, by partition."""

    def __init__(self, read_after: ReadAfter, margin_ms: int) -> None:
        """`read_after` says whether all that came to a partition before a time was read."""
        self._read_after = read_after
        self._silent_ms = SILENT_MS + margin_ms
        self._last_ms: dict[int, dict[str, int]] = {}
        self._silent: dict[int, frozenset[str]] = {}
        self._due_ms = NEVER  # nobody can be found silent before
        self._waits = False  # somebody is, if it was read so far

    def beat(self, partition: int, instance: str, time_ms: int) -> None:
        """The session was alive then."""
        heard = self._last_ms.setdefault(partition, {})
        heard[instance] = max(time_ms, heard.get(instance, 0))
        self._due_ms = min(self._due_ms, time_ms + self._silent_ms)
        if instance in self._silent.get(partition, NOBODY):
            self._silent[partition] -= {instance}

    def said(self, partition: int, command: Command, time_ms: int) -> None:
        """A line that is told stands in a session that lives, though its beats were lost."""
        if isinstance(command, RegainLine | SitDown):
            instance = instance_of(command.connection)
            if instance in self._last_ms.get(partition, ()):
                self.beat(partition, instance, time_ms)

    def silent(self, partition: int) -> frozenset[str]:
        """The sessions that are silent there."""
        return self._silent.get(partition, NOBODY)

    def look(self, now_ms: int) -> list[Silence]:
        """Who has fallen silent since the last look."""
        if now_ms < self._due_ms and not self._waits:
            return []
        found: list[Silence] = []
        self._due_ms, self._waits = NEVER, False
        for partition, heard in self._last_ms.items():
            for instance, time_ms in heard.items():
                due_ms = time_ms + self._silent_ms
                if instance in self.silent(partition):
                    continue
                if now_ms < due_ms:
                    self._due_ms = min(self._due_ms, due_ms)
                elif self._read_after(partition, due_ms):
                    self._silent[partition] = self.silent(partition) | {instance}
                    found.append(Silence(partition, instance))
                else:
                    self._waits = True
        return found

    def next_ms(self) -> int:
        """When somebody may be found silent, if nothing is read before."""
        return self._due_ms

    def forget(self, partition: int) -> None:
        """Nothing is known of this partition any more."""
        self._last_ms.pop(partition, None)
        self._silent.pop(partition, None)
