"""Waiting inside a test, for what tells nobody that it has come about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def until(what: Callable[[], bool], timeout_s: float = 20) -> None:
    """Let everything in this loop live until this is so."""
    async with asyncio.timeout(timeout_s):
        while not what():  # noqa: ASYNC110  it would be told if there were anybody to tell it
            await asyncio.sleep(0.005)
