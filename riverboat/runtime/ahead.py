"""What the log placed behind something that this process has not read yet: it waits its turn.

A process that starts again is asked and appends while it still reads what stood before. Taken at
once, what it appended would make it pass over the rest. Holds records, and reads nothing itself.
"""

from __future__ import annotations

from riverboat.log.log import Place, Record


class Ahead:
    """Records by their place, each in the order of its offsets."""

    def __init__(self) -> None:
        self._waiting: dict[Place, list[Record]] = {}

    def keep(self, place: Place, record: Record) -> None:
        """Something stands before it that was not read."""
        self._waiting.setdefault(place, []).append(record)

    def due(self, place: Place, position: int) -> list[Record]:
        """Those that follow at once on what was read up to `position`; they wait no more."""
        if not self._waiting:
            return []
        due: list[Record] = []
        later: list[Record] = []
        for record in self._waiting.pop(place, ()):
            if record.offset == position + len(due):
                due.append(record)
            elif record.offset > position:
                later.append(record)
        if later:
            self._waiting[place] = later
        return due

    def forget(self, place: Place) -> None:
        """The place is read anew from elsewhere."""
        self._waiting.pop(place, None)
