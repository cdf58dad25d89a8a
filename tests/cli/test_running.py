"""A process's lines, as a command sets them up."""

from __future__ import annotations

import logging

import pytest

from riverboat.runtime.config import load
from services.cli.running import set_up_logs


@pytest.mark.parametrize("level", ["debug", "info"])
def test_what_a_brokers_client_retries_is_told_to_whoever_looks_for_it(level, capfd):
    client = logging.getLogger("aiokafka.conn")
    set_up_logs(load(flags={"log_level": level}))
    client.error("Unable connect")
    logging.getLogger("aiokafkaesque").error("of another")
    err = capfd.readouterr().err
    assert ("Unable connect" in err) == (level == "debug")
    assert "of another" in err
    assert client.level == logging.getLogger("aiokafka").level == logging.NOTSET
