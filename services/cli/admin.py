"""The command `admin`: an operator's levers and looks, one command for each.

Everything travels through the operator's calls, so it works while the network runs, and only then.
What each does and may stands in docs/operator.md; nothing is decided here.
"""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import grpc

from riverboat.runtime.codes import WORD_LEAST, code_digest
from riverboat.wire.v1 import operator_pb2 as pb
from services.cli.admin_line import Line, line_options, run_with
from services.cli.admin_looks import COMPLAINTS, LOOKS
from services.cli.options import settings
from services.cli.trouble import Trouble, told
from services.cli.words import units_of

_M = pb.Measure
YEAR_S = 365 * 24 * 60 * 60


@click.group("admin", short_help="An operator's levers: tables, players, money, disputes.")
@line_options
@click.pass_context
def command(
    context: click.Context,
    data: Path | None,
    file: Path | None,
    server: str | None,
    operator: str,
    token_file: Path | None,
) -> None:
    """Do what an operator may do, and look up what he may see."""
    context.obj = Line(settings(file, data=data), server, operator, token_file)


def _measure(name: str, *parameters: Callable[[Any], Any]) -> Callable[[Any], click.Command]:
    """A command that takes the measure that its function makes."""

    def decorate(make: Callable[..., _M]) -> click.Command:
        @click.pass_obj
        def take(line: Line, /, why: str, key: str, **named: Any) -> None:
            request = pb.TakeRequest(key=key or secrets.token_hex(8), why=why)
            request.measure.CopyFrom(make(line, **named))
            try:
                done = run_with(line, "Take", request)
            except grpc.aio.AioRpcError as error:
                trouble = told(error)
                assert trouble is not None, "a call's end is always told"
                # Whether it had effect may not be known: the key asks for the same measure again.
                raise Trouble(f"{trouble} (key {request.key})", trouble.status) from None
            click.echo(_said(done))

        take.__doc__ = make.__doc__
        found: Any = take
        for parameter in reversed(parameters):
            found = parameter(found)
        found = click.option("--key", default="", help="Of a measure that is asked again.")(found)
        found = click.option("--why", required=True, help="Kept for ever; no names.")(found)
        return command.command(name)(found)

    return decorate


def _said(done: pb.TakeResponse) -> str:
    said = [done.id]
    if done.table:
        said.append(f"table {done.table}")
    if done.version:
        said.append(f"version {done.version}")
    if done.posting:
        said.append(f"posting {done.posting}")
    return "  ".join(said)


_TABLE = click.argument("table")
_PLAYER = click.argument("player")
_HAND = click.argument("hand")


@_measure("open", click.argument("template"))
def open_(_line: Line, template: str) -> _M:
    """Open a table as TEMPLATE says, and print its id."""
    return _M(open=_M.Open(template=template))


@_measure("keep", click.argument("template"), click.argument("tables", type=click.IntRange(0, 100)))
def keep(_line: Line, template: str, tables: int) -> _M:
    """Keep so many TABLES of TEMPLATE with a free chair."""
    return _M(keep=_M.Keep(template=template, tables=tables))


@_measure("change", _TABLE, click.argument("options", nargs=-1, required=True))
def change(line: Line, table: str, options: tuple[str, ...]) -> _M:
    """Change OPTIONS of TABLE from its next hand on: name=value, as TOML has values.

    code=WORD lets those sit who know the word, code= whoever comes; it is kept as a digest alone.
    """
    now = run_with(line, "LookUpTable", pb.LookUpTableRequest(table=table)).settings
    for option in options:
        name, _, value = option.partition("=")
        if name == "code":
            if value.strip() and len(value.strip()) < WORD_LEAST:
                why = f"code: a word of {WORD_LEAST} signs at least, or none"
                raise click.BadParameter(why, param_hint="OPTIONS")
            now.code_digest = code_digest(table, value)
        else:
            _set(now, name, value)
    return _M(change=_M.Change(table=table, settings=now))


def _set(message: Any, name: str, value: str) -> None:
    """Give the option, or one of the stakes as in stakes.ante, this value."""
    *way, last = name.split(".")
    for part in way:
        message = getattr(message, part, None)
    if message is None or last not in message.DESCRIPTOR.fields_by_name:
        raise click.BadParameter(f"{name} is no option of a table", param_hint="OPTIONS")
    try:
        read = tomllib.loads(f"value = {value}")["value"]
        if isinstance(read, list):
            del getattr(message, last)[:]
            getattr(message, last).extend(read)
        else:
            setattr(message, last, read)
    except (tomllib.TOMLDecodeError, TypeError, ValueError, AttributeError):
        raise click.BadParameter(
            f"{name}: not a value of it: {value}", param_hint="OPTIONS"
        ) from None


@_measure(
    "pause",
    _TABLE,
    click.option("--for", "seconds", type=click.IntRange(1, 86_400), help="Then it goes on."),
)
def pause(_line: Line, table: str, seconds: int | None) -> _M:
    """Begin no further hand at TABLE, and let no clock run out."""
    return _M(pause=_M.Pause(table=table, for_ms=1_000 * (seconds or 0)))


@_measure("resume", _TABLE)
def resume(_line: Line, table: str) -> _M:
    """Let a paused TABLE go on."""
    return _M(resume=_M.Resume(table=table))


@_measure("drain", _TABLE)
def drain(_line: Line, table: str) -> _M:
    """Let nobody sit down at TABLE any more; the last two close it."""
    return _M(drain=_M.Drain(table=table))


@_measure("close", _TABLE)
def close(_line: Line, table: str) -> _M:
    """Close TABLE for ever, once its hand is over."""
    return _M(close=_M.Close(table=table))


@_measure("void", _HAND)
def void(_line: Line, hand: str) -> _M:
    """Call HAND off while it runs: every chip goes back to where it was."""
    return _M(void=_M.Void(hand=hand))


@_measure("remove", _TABLE, _PLAYER)
def remove(_line: Line, table: str, player: str) -> _M:
    """Let PLAYER leave TABLE when his hand is over, with all that is his."""
    return _M(remove=_M.Remove(table=table, player=player))


@_measure(
    "say", click.option("--table", default="", help="[default: all tables]"), click.argument("text")
)
def say(_line: Line, table: str, text: str) -> _M:
    """Say TEXT to everybody at a table, or at all."""
    return _M(say=_M.Say(table=table, text=text))


@_measure("warn", _PLAYER, click.option("--text", default="", help="What he is told."))
def warn(_line: Line, player: str, text: str) -> _M:
    """Warn PLAYER."""
    return _M(warn=_M.Warn(player=player, text=text))


@_measure(
    "silence",
    _PLAYER,
    click.option(
        "--for",
        "seconds",
        default=0,
        type=click.IntRange(0, YEAR_S),
        help="For so many seconds. [default: let him speak again]",
    ),
)
def silence(_line: Line, player: str, seconds: int) -> _M:
    """Let PLAYER say nothing, at any table."""
    return _M(silence=_M.Silence(player=player, for_ms=1_000 * seconds))


@_measure("freeze", _PLAYER)
def freeze(_line: Line, player: str) -> _M:
    """Freeze PLAYER's account: no money leaves it, and he is let sit down nowhere."""
    return _M(freeze=_M.Freeze(player=player))


@_measure("unfreeze", _PLAYER)
def unfreeze(_line: Line, player: str) -> _M:
    """Take the freeze of PLAYER's account back."""
    return _M(thaw=_M.Thaw(player=player))


@_measure("close-account", _PLAYER)
def close_account(_line: Line, player: str) -> _M:
    """Close PLAYER's account, which must be empty."""
    return _M(close_account=_M.CloseAccount(player=player))


@_measure(
    "refund",
    _PLAYER,
    click.argument("amount"),
    click.option("--currency", default="EUR", show_default=True),
)
def refund(_line: Line, player: str, amount: str, currency: str) -> _M:
    """Pay AMOUNT to PLAYER from the house's own money."""
    return _M(refund=_M.Refund(player=player, currency=currency, amount=_units(amount, currency)))


@_measure(
    "correct", _HAND, click.argument("legs", nargs=-1, required=True, metavar="WHO=AMOUNT...")
)
def correct(line: Line, hand: str, legs: tuple[str, ...]) -> _M:
    """Propose to correct a past HAND; another operator must approve it.

    WHO is a player of the hand, or house; the amounts sum to zero: huck=-12.50 jim=12.50
    """
    table = hand.rpartition("-")[0]
    first = pb.LookUpTableRequest(table=table, version=1)
    currency = run_with(line, "LookUpTable", first).settings.currency
    moved = []
    for leg in legs:
        who, _, said = leg.rpartition("=")
        amount = _units(said.removeprefix("-").removeprefix("+"), currency)
        signed = -amount if said.startswith("-") else amount
        moved.append(pb.CorrectionLeg(player="" if who == "house" else who, amount=signed))
    return _M(propose=_M.Propose(hand=hand, legs=moved))


@_measure("approve", click.argument("correction"))
def approve(_line: Line, correction: str) -> _M:
    """Approve a CORRECTION that somebody else proposed, which books it."""
    return _M(approve=_M.Approve(correction=correction))


@_measure("reject", click.argument("correction"))
def reject(_line: Line, correction: str) -> _M:
    """Turn a CORRECTION down."""
    return _M(reject=_M.Reject(correction=correction))


_DAYS = click.option("--days", type=click.IntRange(1, 365), help="To be answered in so many.")


@_measure(
    "complain",
    _PLAYER,
    click.argument("text"),
    click.option("--hand", default="", metavar="ID"),
    _DAYS,
)
def complain(_line: Line, player: str, text: str, hand: str, days: int | None) -> _M:
    """Take up a complaint of PLAYER: TEXT says of what. [deadline: in a week]"""
    return _M(
        complain=_M.Complain(player=player, hand=hand, text=text, deadline_ms=_deadline(days))
    )


@_measure(
    "handle",
    click.argument("complaint"),
    click.argument("state", type=click.Choice(list(COMPLAINTS))),
    click.option("--answer", default="", help="What the player is answered."),
    _DAYS,
)
def handle(_line: Line, complaint: str, state: str, answer: str, days: int | None) -> _M:
    """Carry a COMPLAINT on to another STATE."""
    return _M(
        handle=_M.Handle(
            complaint=complaint, state=COMPLAINTS[state], answer=answer, deadline_ms=_deadline(days)
        )
    )


def _deadline(days: int | None) -> int:
    if days is None:
        return 0
    return int((datetime.now(UTC) + timedelta(days=days)).timestamp() * 1_000)


def _units(said: str, currency: str) -> int:
    amount = units_of(said, currency)
    if not amount:
        raise click.BadParameter(f"no amount of {currency}: {said}", param_hint="AMOUNT")
    return amount


@command.command("case")
@_HAND
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where it is written.")
@click.option("--cards", is_flag=True, help="With all private cards.")
@click.option("--why", required=True, help="Kept for ever; no names.")
@click.option("--key", default="", help="Of a measure that is asked again.")
@click.pass_obj
def case(line: Line, hand: str, out: Path, cards: bool, why: str, key: str) -> None:
    """Write a case file of HAND: scripts/check_case.py checks it without a network."""
    request = pb.MakeCaseRequest(hand=hand, key=key or secrets.token_hex(8), why=why, cards=cards)
    made = run_with(line, "MakeCase", request)
    part = out.with_name(out.name + ".part")
    part.write_bytes(made.file)
    part.replace(out)
    click.echo(f"{out}  SHA-256 {made.digest.hex()}")


for look in LOOKS:
    command.add_command(look)
