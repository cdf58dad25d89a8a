"""Machines whose clocks are wrong: environments for processes. Holds no test itself."""

from __future__ import annotations

from pathlib import Path

import pytest


def faked(**more: str) -> dict[str, str]:
    """An environment in which a process's clock is off, by `FAKETIME` or as its file says."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.skip("a wrong clock needs Debian's package faketime, which is not here")
    return {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
        # Or threads wait for the interpreter by the wrong clock: a start takes half a minute.
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
        **more,
    }
