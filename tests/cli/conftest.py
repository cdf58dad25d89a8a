"""What every test of the command line shares: the process it leaves is the one it found.

Holds no helper that a test would call.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.cli.house import rules_apart


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """A command sets its process's logs up; here all of them are one process."""
    loggers = [logging.getLogger(name) for name in (None, "riverboat", "services")]
    levels, handlers = [logger.level for logger in loggers], loggers[0].handlers[:]
    yield
    loggers[0].handlers[:] = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture(autouse=True)
def _rules_as_before() -> Iterator[None]:
    """What a command adopts is its process's."""
    with rules_apart():
        yield
