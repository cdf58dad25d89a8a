"""The ledger's databases, for every test that asks: a session has one server at most."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from deploy.postgres.server import Server
from riverboat.ledger.standing import DAY_MS
from services.wallet.check import faults
from tests.services.wallet.arms import Arm, PostgresArm, SqliteArm
from tests.services.wallet.room import Room
from tests.services.wallet.test_wallet_rpc import Desk


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def arm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Arm:
    """Each of the two databases in turn."""
    if request.param == "sqlite":
        return SqliteArm(tmp_path_factory.mktemp("ledgers"))
    arm: Arm = request.getfixturevalue("postgres_arm")
    return arm


@pytest.fixture(scope="session")
def postgres_arm(postgres_server: Server) -> Arm:
    """The one that is a server."""
    return PostgresArm(postgres_server)


@pytest.fixture
def desk(arm: Arm) -> Iterator[Desk]:
    """The wallet's calls on a ledger of its own, which adds up when all is done."""
    desk = Desk(store=arm.store())
    desk.clock.advance(100 * DAY_MS)
    yield desk
    assert faults(desk.store) == []


@pytest.fixture
async def room(desk: Desk) -> Room:
    """A table of ann's, who has money."""
    await desk.deposit(10_000, "stake")
    room = Room(desk)
    room.open("1.3")
    return room
