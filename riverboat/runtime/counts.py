"""What a step counts: plain ints, read when somebody asks. Nothing here is told to anybody."""

from __future__ import annotations

from collections import Counter


class Counts:
    """Since the process began."""

    __slots__ = (
        "applied",
        "beaten",
        "copies",
        "decided",
        "failed",
        "ignored",
        "missing",
        "refused",
        "stale",
        "stood_in",
        "unauthorised",
        "unreadable",
    )

    def __init__(self) -> None:
        self.applied = 0  # records folded
        self.decided = 0  # records handed to the log
        self.beaten = 0  # records of ours that a rival's beat
        self.stale = 0  # records that followed something older
        self.missing = 0  # records that followed something not seen
        self.unauthorised = 0  # records whose writer may not write them
        self.unreadable = 0  # records whose envelope could not be read
        self.copies = 0  # commands dropped: the same or a later number was answered
        self.ignored = 0  # messages that concern nothing here
        self.stood_in = 0  # times a standby spoke for an owner
        self.failed = 0  # decisions that failed: refused, passed over, or the table stopped here
        self.refused: Counter[int] = Counter()  # by refusal code

    def refuse(self, code: int) -> None:
        """One more command refused."""
        self.refused[code] += 1
