"""How a crowd leaves: until all are gone, or it is sure that they will be, and no longer.

Counts who was told and who has gone; asks nothing of anybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from riverboat.bots.bot import Bot

LEAVE_S: Final = 3.0  # for hands to end when the crowd goes
# For all to be told that they leave. Who was not keeps his seat, and each of his turns lasts until
# his clock runs out: six such make minutes of a hand.
TOLD_S: Final = 20.0
# For a stream that was cut to stand again: a session that died is back in three seconds.
BACK_S: Final = 5.0


class Leaving:
    """The end of one crowd."""

    def __init__(self, bots: Sequence[Bot]) -> None:
        self.begun = False
        self.unheard: set[Bot] = set()  # have asked to leave and heard nothing of it
        self.connected = asyncio.Event()  # whether the stream stands
        self._bots = bots
        self._gone = asyncio.Event()  # all have left
        self._told = asyncio.Event()  # they leave, whenever their hands end

    def look(self) -> None:
        """See who has left; to be called whenever that may have changed."""
        if self.begun and not any(bot.waiting for bot in self._bots):
            if not any(bot.seated for bot in self._bots):
                self._gone.set()
            if not self.unheard:
                self._told.set()

    async def over(self) -> None:
        """Wait for it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._gone.wait(), LEAVE_S)
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(self.connected.wait(), BACK_S)
            await asyncio.wait_for(self._told.wait(), TOLD_S)
