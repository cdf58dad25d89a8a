"""Lateness: the partitions that this wallet cannot book now, and the words that tell tables so.

Whoever asks for a seat or a top-up there is refused at once, instead of waiting for an answer that
nobody can give. What was asked before stays asked, and is answered once when the wallet books
again. It reads no database, and decides nothing about a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Final

from riverboat.log.log import Append, LogError
from riverboat.log.topics import TABLE_ORDERS
from riverboat.wire.beats import encode_word

# A wallet that is started again, or a database that is busy, is late for so long without a word:
# whoever asks meanwhile has his answer sooner than he would ask again.
LATE_S: Final = 2.0
# A fifth of what a word holds: see `riverboat.runtime.away`.
TOLD_S: Final = 2.0

Send = Callable[[Sequence[Append]], "asyncio.Future[None]"]


class Lateness:
    """Since when each partition is late, and when its tables were told."""

    def __init__(self, wallet: str) -> None:
        """`wallet` is this process's static name."""
        self._wallet = wallet
        self._since_s: dict[int, float] = {}
        self._told_s: dict[int, float] = {}

    def tell(self, send: Send, owned: Collection[int], late: Collection[int]) -> None:
        """Send what is to be told now; a word that is lost is told again."""
        words = self.words(owned, late, asyncio.get_running_loop().time())
        with suppress(LogError):
            if words:
                send(words).add_done_callback(_unheard)

    def words(self, owned: Collection[int], late: Collection[int], now_s: float) -> list[Append]:
        """What is to be told now, of the partitions that are owned; `late` are some of them."""
        words = [self._word(partition, away=False) for partition in self._over(owned, late)]
        for partition in sorted(late):
            since_s = self._since_s.setdefault(partition, now_s)
            told_s = self._told_s.get(partition)
            if now_s - since_s >= LATE_S and (told_s is None or now_s - told_s >= TOLD_S):
                self._told_s[partition] = now_s
                words.append(self._word(partition, away=True))
        return words

    def _over(self, owned: Collection[int], late: Collection[int]) -> list[int]:
        """Those that are late no more and were told so; of what is another's now he tells."""
        over = sorted(self._since_s.keys() - set(late))
        for partition in over:
            del self._since_s[partition]
        told = [partition for partition in over if self._told_s.pop(partition, None) is not None]
        return [partition for partition in told if partition in owned]

    def _word(self, partition: int, *, away: bool) -> Append:
        return Append(TABLE_ORDERS, partition, self._wallet, encode_word(self._wallet, away=away))


def _unheard(durable: asyncio.Future[None]) -> None:
    if not durable.cancelled():
        durable.exception()
