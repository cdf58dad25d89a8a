"""Every call of an operator and every command of `admin`: who, why and under which key, or a look.

Issue: "Every action is an event with who, why and when; none can be done twice by a retry." The
calls are found in the wire's descriptors and the commands in their group, so none is left out.
"""

from __future__ import annotations

import click
import pytest

from riverboat.runtime.auth import RIGHT_NAMES
from riverboat.wire.v1 import operator_pb2 as pb
from services.cli.admin import command
from services.cli.admin_looks import LOOKS as LOOK_COMMANDS
from services.operator.measures import LOOKS, RIGHTS, kind_of, measure_id, part_of, subject_of

METHODS = list(pb.DESCRIPTOR.services_by_name["OperatorService"].methods)
KINDS = [one.name for one in pb.Measure.DESCRIPTOR.oneofs_by_name["measure"].fields]
# What only looks: nothing is written for it, unless it is a look at private cards.
ONLY_LOOKS = {
    "ListMeasures",
    "LookUpTable",
    "LookUpHand",
    "LookUpPlayer",
    "ListFlags",
    "ListCorrections",
    "ListComplaints",
    "ListTemplates",
}


def test_the_calls_that_only_look_are_calls():
    assert {method.name for method in METHODS} > ONLY_LOOKS


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_call_names_its_key_and_says_why_or_only_looks(method):
    fields = method.input_type.fields_by_name
    if method.name in ONLY_LOOKS:
        assert ("cards_key" in fields) == ("cards_why" in fields)
        assert "why" not in fields, "what has a reason is a measure"
        return
    assert {"key", "why"} <= set(fields)


@pytest.mark.parametrize("kind", KINDS)
def test_every_measure_has_a_right_and_a_subject(kind):
    measure = pb.Measure()
    getattr(measure, kind).SetInParent()
    for name in ("table", "hand"):
        if name in part_of(measure).DESCRIPTOR.fields_by_name:
            setattr(part_of(measure), name, "1.0" if name == "table" else "1.0-1")
    assert kind_of(measure) == kind
    assert subject_of(measure, measure_id("ann", "k"))
    assert RIGHTS[kind] in RIGHT_NAMES or (kind in LOOKS and RIGHTS[kind] == "")


@pytest.mark.parametrize("name", sorted(command.commands))
def test_every_command_says_why_under_a_key_or_only_looks(name):
    options = {one.name: one for one in command.commands[name].params}
    if command.commands[name] in LOOK_COMMANDS:
        assert "why" not in options or "cards" in options, "a reason is for private cards"
        return
    assert isinstance(options["key"], click.Option)
    assert options["why"].required
