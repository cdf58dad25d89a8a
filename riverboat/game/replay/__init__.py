"""Replay: hands that were recorded elsewhere, played again and held against their records.

The same decisions and the same fold that the services run, never a second engine.
"""

from __future__ import annotations

from riverboat.game.replay.again import Again, Apart
from riverboat.game.replay.compare import Difference, differences
from riverboat.game.replay.recorded import Malformed, Recorded, recorded
from riverboat.game.rules.sites import game_at

__all__ = ["Difference", "Malformed", "Recorded", "recorded", "replay"]


def replay(then: Recorded) -> list[Difference] | None:
    """All differences, none when the hand goes as it went; None when its game is not offered."""
    game = game_at(then.site, then.variant, then.limit)
    if game is None:
        return None
    try:
        again = Again(then, game)
        again.play()
        return differences(again)
    except Apart as apart:
        return [Difference(then.id, apart.what, str(apart.expected), str(apart.got))]
    except AssertionError as broken:
        # A law of the hand broke on what the record says: that hand's fault, not the file's.
        return [Difference(then.id, "law", "all hold", str(broken) or "one is broken")]
