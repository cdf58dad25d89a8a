"""Every call x every role x one's own account and another's: each cell asked on a real network.

The cells are made from the wire's descriptors, so that a new call has its own at once: what its
option says is what is expected of it, and "a player acts for himself alone: the token's subject is
the player, and no request of a player names another player to act for" (access.proto).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor

from riverboat.log.log import Place
from riverboat.log.topics import TABLE_COMMANDS
from riverboat.runtime.calls import roles_of
from riverboat.wire.beats import decode_beat
from riverboat.wire.record import decode_asked
from riverboat.wire.v1.access_pb2 import Role
from tests.services.hostile import Maker
from tests.services.whole import (
    ENDS_S,
    METHODS,
    PARTITIONS,
    STANDS_S,
    Network,
    Told,
    services,
    whole_network,
)

ME, ANOTHER = "me", "somebody-else"
NO_TOKEN = "no token"
NO_ROLE = "no role"
ROLES = [
    Role.Name(role)[5:].lower()
    for role in Role.values()
    if role not in (Role.ROLE_UNSPECIFIED, Role.ROLE_ANYONE)
]
CALLERS = [NO_TOKEN, NO_ROLE, *ROLES]

# What in a request names a person. A field of a name like these says whose account the call is for,
# or stands here with what else it is: nothing that names somebody is passed over.
PERSONAL = re.compile("player|account|person|user|owner|holder|subject")
ACCOUNT = "player"
NAMED_ONLY = {
    "MuteRequest.player": "whom the caller does not want to hear: it is his own ear",
    "Ask.player": "a number: which of those who joined the stream by their own tokens",
}


class Cell(NamedTuple):
    """One call by one caller, for one account."""

    method: MethodDescriptor
    caller: str
    account: str  # ME, ANOTHER, or empty: the request names none

    def __str__(self) -> str:
        return f"{self.method.name} by {self.caller} for {self.account or 'himself'}"


def personal(kind: Descriptor, known: frozenset[str] = frozenset()) -> Iterator[FieldDescriptor]:
    """All fields of a request, at any depth, that name a person."""
    for field in kind.fields:
        if PERSONAL.search(field.name):
            yield field
        below = field.message_type
        if below is not None and below.full_name not in known:
            yield from personal(below, known | {below.full_name})


def account_of(method: MethodDescriptor) -> FieldDescriptor | None:
    """The field that says whose account the call is for."""
    kind = method.input_type
    field = kind.fields_by_name.get(ACCOUNT)
    if field is None or f"{kind.name}.{ACCOUNT}" in NAMED_ONLY:
        return None
    return field


def is_open_to_players(method: MethodDescriptor) -> bool:
    return bool(roles_of(method) & {Role.ROLE_PLAYER, Role.ROLE_ANYONE})


def may_call(cell: Cell) -> bool:
    """What the access option says."""
    roles = roles_of(cell.method)
    if cell.caller == NO_TOKEN:
        return False
    if Role.ROLE_ANYONE in roles:
        return True
    return cell.caller in {Role.Name(role)[5:].lower() for role in roles}


def cells_of(method: MethodDescriptor) -> list[Cell]:
    accounts = [ME, ANOTHER] if account_of(method) is not None else [""]
    return [Cell(method, caller, account) for caller in CALLERS for account in accounts]


CELLS = [cell for method in METHODS for cell in cells_of(method)]
SERVICES = {service.name: list(service.methods) for service in services()}


def test_the_matrix_has_a_cell_for_every_call_role_and_account():
    for method in METHODS:
        found = [cell for cell in CELLS if cell.method is method]
        assert {cell.caller for cell in found} == {NO_TOKEN, NO_ROLE, *ROLES}
        accounts = {cell.account for cell in found}
        assert accounts in ({""}, {ME, ANOTHER}), method.full_name
    assert {method for methods in SERVICES.values() for method in methods} == set(METHODS)
    assert {"player", "operator", "service", "observer"} <= set(ROLES)


def test_whatever_names_a_person_in_a_players_request_is_known_for_what_it_is():
    """A new field that could name another player is an account's, or says here what it is."""
    used = set()
    for method in METHODS:
        if not is_open_to_players(method):
            continue
        for field in personal(method.input_type):
            assert field.containing_type is not None
            name = f"{field.containing_type.name}.{field.name}"
            if name in NAMED_ONLY:
                used.add(name)
                continue
            assert field.name == ACCOUNT, f"{name}: whose is it?"
            assert field is account_of(method), f"{name}: an account is named at the top"
    assert used == NAMED_ONLY.keys(), "nothing stands here that is not there any more"


def request_of(cell: Cell, table: str) -> bytes:
    maker = Maker(str(cell), words=(table, f"{table}-1", "PLAY", "holdem", "nl"))
    request: Any = maker.right(cell.method.input_type)
    field = account_of(cell.method)
    if field is not None:
        setattr(request, field.name, ME if cell.account == ME else ANOTHER)
    data: bytes = request.SerializeToString()
    return data


async def ask(network: Network, cell: Cell, data: bytes) -> Told:
    if cell.caller == NO_TOKEN:
        bearer = ""
    else:
        bearer = network.token(ME, *([] if cell.caller == NO_ROLE else [cell.caller]))
    stands_s = STANDS_S if may_call(cell) else ENDS_S
    return await network.ask(cell.method, bearer, data, stands_s)


async def wrong_with(network: Network, cell: Cell, table: str) -> str:
    """What is wrong with the answer of this cell; empty where it is right."""
    before = await network.stands()
    told = await ask(network, cell, request_of(cell, table))
    refused = ""
    if cell.caller == NO_TOKEN:
        refused = "NO_TOKEN"
        if told.codes != {"UNAUTHENTICATED"}:
            return f"answered nobody: {told}"
    elif not may_call(cell):
        refused = "ROLE_MISSING"
        if told.codes != {"PERMISSION_DENIED"}:
            return f"answered who may not call: {told}"
    elif cell.caller == "player" and cell.account == ANOTHER:
        refused = "NOT_YOURS"
        if told.codes != {"PERMISSION_DENIED"}:
            return f"a player acted for another: {told}"
    if refused:
        if refused not in told.text:
            return f"refused for another reason than {refused}: {told}"
        if await network.stands() != before:
            return "what was refused had an effect"
        return ""
    if told.codes & {"UNAUTHENTICATED", "INTERNAL", "UNKNOWN", "UNIMPLEMENTED"}:
        return f"not answered: {told}"
    for reason in ("ROLE_MISSING", "NOT_YOURS"):
        if reason in told.text:
            return f"may call, and is told {reason}"
    return ""


async def commands_of_others(network: Network) -> list[str]:
    """Commands in the log that are of anybody but who asked."""
    found = []
    reader = network.log.reader()
    places = [Place(TABLE_COMMANDS, partition) for partition in range(PARTITIONS)]
    starts, ends = await network.log.starts(places), await network.log.ends(places)
    left = sum(ends[place] - starts[place] for place in places)
    for place in places:
        reader.follow(place, starts[place])
    while left:
        for records in (await reader.take()).values():
            left -= len(records)
            for record in records:
                assert record.value is not None
                if not decode_beat(record.value):
                    asked = decode_asked(record.value)
                    found += [str(asked)] if asked.player != ME else []
    await reader.close()
    return found


@pytest.mark.parametrize("service", SERVICES)
async def test_every_cell_is_as_its_option_says(service: str, tmp_path: Path) -> None:
    wrong = []
    async with whole_network(tmp_path) as network:
        table = await network.open_table()
        for cell in [cell for method in SERVICES[service] for cell in cells_of(method)]:
            found = await wrong_with(network, cell, table)
            if found:
                wrong.append(f"{cell}: {found}")
        assert await commands_of_others(network) == []
    assert not wrong, "\n".join(wrong)
