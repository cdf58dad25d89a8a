"""Ctrl-C: what it does before a command has begun, and from then on.

Loads nothing that takes time: it is there before anything else of the program.
"""

from __future__ import annotations

import os
import signal

STATUS = 130  # as shells tell it


def end_at_once() -> None:
    """From now on it ends the process without a word: nothing has begun that would need one."""
    # What was put in the background does not hear it, and must not.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


def end_in_order() -> None:
    """From now on it is an error like others, so that what was begun is ended in order."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(_number: int, _frame: object) -> None:
    # Not by an exception: while modules load, some would take it for a fault of their own.
    os._exit(STATUS)
