"""By what time a player's token ends on a stream, where the log's time is not the world's."""

from __future__ import annotations

import pytest

from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.sealing import SealedDecks
from riverboat.runtime import errors
from riverboat.runtime.auth import Caller
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.observe import Metrics
from riverboat.wire.v1.access_pb2 import Role
from services.session.floor import Floor

NOW_MS = 1_700_000_000_000
ANN = Caller("ann", frozenset({Role.ROLE_PLAYER}), NOW_MS + 60_000)


@pytest.mark.parametrize(("passed_ms", "ended"), [(59_999, False), (60_000, True)])
async def test_a_log_that_is_ahead_ends_no_token_before_its_time(passed_ms, ended):
    ahead, calendar = ManualClock(NOW_MS + 3_600_000), ManualClock(NOW_MS)
    floor = Floor(
        identify=lambda _: errors.unauthenticated("NOBODY", "nobody is asked for here"),
        decks=SealedDecks(DerivedKeys(bytes(32)), Seeded(1), ahead.now_ms),
        clock=ahead,
        entropy=Seeded(2),
        metrics=Metrics(),
        instance="one",
        calendar=calendar,
    )
    calendar.advance(passed_ms)
    fault = floor.admit(ANN)
    assert (fault is not None and fault.reason == "TOKEN_EXPIRED") is ended
