"""`riverboat simulate`: what it prints, and what it says of a broken law and of bad options."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from riverboat.game.rules import HOUSE
from riverboat.sim.faults import NONE
from riverboat.sim.house import Order
from riverboat.sim.laws import CARDS
from riverboat.sim.run import simulate
from services.cli.main import run
from services.cli.simulate import house, tables, told
from tests.sim.planted import with_manifest
from tests.sim.planted_money import dealt_face_up


def test_the_last_line_is_one_object_and_progress_stands_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["simulate", "--seed", "4", "--hands", "10", "--tables", "2"]) == 0
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    found = json.loads(line)
    assert found["hands"] >= 10
    assert found["events"] > found["actions"] > 0
    assert (found["faults"], found["laws_broken"]) == ({}, {})
    assert found["seconds"] > 0
    assert "10 of 10 hands" in err


def test_the_embedded_network_dies_and_loses_what_it_has_not_committed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    order = "simulate --seed 3 --hands 20 --tables 3 --any --faults many --embedded"
    assert run(order.split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["laws_broken"] == {}
    assert found["faults"]["kill"] > 0
    assert found["met"]["suffix_lost"] > 0
    assert "owners_overlap" not in found["faults"]


def test_a_broken_law_comes_with_its_seed_its_command_and_its_smallest_prefix(
    capsys: pytest.CaptureFixture[str],
) -> None:
    planted = with_manifest(house(), "dealer", duty=dealt_face_up)
    order = Order(2, 30, tables(2, 2, HOUSE.offered()), NONE)
    result = told(planted, order, "riverboat simulate --seed 2 --any")
    assert set(result.laws_broken) == {CARDS}
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[-1])["laws_broken"].keys() == {CARDS}
    assert lines[-3] == "seed 2; repeat: riverboat simulate --seed 2 --any --hands 30"
    prefix = "smallest prefix that shows it: riverboat simulate --seed 2 --any --hands "
    assert lines[-2].startswith(prefix)
    hands = int(lines[-2].removeprefix(prefix))
    assert simulate(planted, replace(order, hands=hands)).laws_broken.keys() == {CARDS}
    if hands > 1:
        assert not simulate(planted, replace(order, hands=hands - 1)).laws_broken


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--hands 3", "Missing option '--seed'"),
        ("--seed 1 --hands 0", "'--hands': 0 is not in the range"),
        ("--seed 1 --hands 1 --tables 65", "'--tables': 65 is not in the range"),
        ("--seed 1 --hands 1 --variant whist", "no variant 'whist'"),
        ("--seed 1 --hands 1 --limit none", "limit"),
        ("--seed 1 --hands 1 --rulebook mine", "rulebook"),
        ("--seed 1 --hands 1 --faults most", "'--faults': 'most' is not one of"),
        ("--seed 1 --hands 1 --any --limit nl", "--any goes with no"),
    ],
)
def test_a_bad_option_is_told_in_a_line(
    options: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", *options.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("riverboat: ")
    assert said in err.splitlines()[0]
