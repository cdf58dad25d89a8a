"""The ledger's databases, for every test that asks: a session has one server at most."""

from __future__ import annotations

import pytest

from deploy.postgres.server import Server
from tests.services.wallet.arms import Arm, PostgresArm, SqliteArm


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
