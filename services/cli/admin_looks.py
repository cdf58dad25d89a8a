"""What an operator looks up: tables, hands, players, what operators did. Prints, and no more."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import click
from google.protobuf.json_format import MessageToDict

from riverboat.game.ids import table_of
from riverboat.log.snapshots import NoSnapshot, decode_snapshot
from riverboat.wire.record import Unreadable, decode_record
from riverboat.wire.v1 import operator_pb2 as pb
from services.cli.admin_line import Line, run_with
from services.cli.story import Narrator
from services.cli.words import amount, pictured

COMPLAINTS: Final = {
    name.removeprefix("COMPLAINT_STATE_").lower().replace("_", "-"): number
    for name, number in pb.ComplaintState.items()
    if number
}
_CORRECTIONS: Final = {
    name.removeprefix("CORRECTION_STATE_").lower(): number
    for name, number in pb.CorrectionState.items()
    if number
}
_CARDS = click.option("--cards", is_flag=True, help="With private cards, once the hand is over.")
_WHY = click.option("--why", default="", help="Why they must be seen; kept for ever.")


def _cards(cards: bool, why: str) -> dict[str, str]:
    if not cards:
        return {}
    if not why:
        raise click.UsageError("who looks at private cards says why: --why")
    return {"cards_key": secrets.token_hex(8), "cards_why": why}


@click.command("table", short_help="A table, now or at any moment.")
@click.argument("table")
@click.option("--version", default=0, type=click.IntRange(0), help="As of this version.")
@click.option("--at", "moment", help="As of this time, as in 2026-05-01T20:15:00.", metavar="TIME")
@_CARDS
@_WHY
@click.pass_obj
def table_(line: Line, table: str, version: int, moment: str | None, cards: bool, why: str) -> None:
    """Show TABLE as it stands, or as it stood."""
    request = pb.LookUpTableRequest(
        table=table, version=version, time_ms=_time_ms(moment), **_cards(cards, why)
    )
    told = run_with(line, "LookUpTable", request)
    currency = told.settings.currency
    state = [
        word
        for word, is_so in (
            ("closed", told.closed),
            ("closing", told.closing and not told.closed),
            ("draining", told.draining),
            (f"paused ({told.paused})", bool(told.paused)),
        )
        if is_so
    ]
    click.echo(
        f"{told.settings.name} ({told.table})  version {told.version} of {told.newest}"
        f"  {_when(told.time_ms)}  {told.hands} hands  {', '.join(state)}".rstrip()
    )
    if told.HasField("hand"):
        hand = told.hand
        boards = " | ".join(pictured(board.cards) for board in hand.boards if board.cards)
        click.echo(
            f"Hand {hand.hand}  pot {amount(hand.pot, currency)}"
            f"  to match {amount(hand.price, currency)}"
            f"  turn {hand.turn_seat or '-'}  {boards}".rstrip()
        )
    for seat in told.seats:
        click.echo(_seat(seat, currency))


def _seat(seat: pb.SeatThen, currency: str) -> str:
    words = [f"  Seat {seat.seat}  {seat.player}  {amount(seat.stack, currency)}"]
    if seat.in_hand:
        words.append(f"bet {amount(seat.bet, currency)}")
    if seat.own:
        words.append(pictured(seat.own))
    elif seat.open:
        words.append(pictured(seat.open))
    for word in ("folded", "all_in", "away", "leaving", "line_lost"):
        if getattr(seat, word):
            words.append(word.replace("_", " "))
    return "  ".join(words)


@click.command("hand", short_help="A hand, from every seat.")
@click.argument("hand")
@_CARDS
@_WHY
@click.pass_obj
def hand_(line: Line, hand: str, cards: bool, why: str) -> None:
    """Tell HAND as it was played; with --cards also what each seat held."""
    request = pb.LookUpHandRequest(hand=hand, **_cards(cards, why))
    found = run_with(line, "LookUpHand", request)
    for told in _story(found):
        click.echo(told)
    if cards:
        for seat in found.seats:
            if seat.in_hand:
                click.echo(f"  Seat {seat.seat}  {seat.player} held {pictured(seat.own)}")
    if not found.over:
        click.echo("The hand is still being played.")


def _story(found: pb.LookUpHandResponse) -> list[str]:
    with suppress(NoSnapshot, Unreadable):
        before, _ = decode_snapshot(found.before)
        narrator = Narrator(table_of(found.hand), found.hand, before)
        for record in found.records:
            narrator.take(decode_record(record.value), record.time_ms)
        return narrator.lines
    return [f"Hand {found.hand}: this release cannot tell it"]


@click.command("player", short_help="A player: sittings, lines, flags, measures.")
@click.argument("player")
@click.pass_obj
def player_(line: Line, player: str) -> None:
    """Show what befell PLAYER, and what the house did about him."""
    told = run_with(line, "LookUpPlayer", pb.LookUpPlayerRequest(player=player))
    is_so = [word for word in ("frozen", "closed") if getattr(told, word)]
    words = [player, f"{told.hands_count} hands", f"{told.warnings} warnings", *is_so]
    click.echo("  ".join(words))
    if not told.whole:
        click.echo("The log's past is still being read: there may be more.")
    for sitting in told.sittings:
        until = _when(sitting.to_ms) if sitting.to_ms else "sits there"
        click.echo(
            f"  {_when(sitting.from_ms)} - {until}  table {sitting.table}  {sitting.hands} hands"
            f"  in {sitting.bought_in}  out {sitting.cashed_out}  {sitting.why}".rstrip()
        )
    for one in told.incidents:
        facing = "  facing a bet" if one.facing else ""
        fault = "  the gateway's fault" if one.gateway else ""
        where = one.hand or one.table
        click.echo(f"  {_when(one.time_ms)}  {one.what.replace('_', ' ')}  {where}{facing}{fault}")
    _print_flags(told.flags)
    _print_measures(told.measures)


@click.command("measures", short_help="What operators did.")
@click.option("--about", default="", metavar="SUBJECT", help="As in table:3f.7 or player:huck.")
@click.option("--by", default="", metavar="NAME", help="Only of this operator.")
@click.option("--most", default=50, show_default=True, type=click.IntRange(1, 500))
@click.pass_obj
def measures_(line: Line, about: str, by: str, most: int) -> None:
    """List measures, newest first."""
    request = pb.ListMeasuresRequest(subject=about, by=by, most=most)
    _print_measures(run_with(line, "ListMeasures", request).measures)


def _print_measures(lines: Iterable[pb.MeasureLine]) -> None:
    for one in lines:
        kind = one.taken.measure.WhichOneof("measure") or "?"
        what = MessageToDict(getattr(one.taken.measure, kind)) if kind != "?" else {}
        said = " ".join(f"{name}={value}" for name, value in what.items() if name != "settings")
        end = f"refused: {one.ended.refused}" if one.ended.refused else "done"
        click.echo(
            f"  {_when(one.taken_ms)}  {one.taken.id}  {one.taken.by}  {kind} {said}"
            f'  "{one.taken.why}"  {end if one.ended_ms else "under way"}'
        )


@click.command("flags", short_help="Players whose lost lines look deliberate.")
@click.option("--all", "all_of", is_flag=True, help="Those too that were warned or closed since.")
@click.pass_obj
def flags_(line: Line, all_of: bool) -> None:
    """List flagged players, and what the house rules do next about each."""
    for one in run_with(line, "ListFlags", pb.ListFlagsRequest(all=all_of)).players:
        click.echo(f"{one.player}  {one.warnings} warnings  next: {one.next or 'nothing'}")
        _print_flags(one.flags)


def _print_flags(flags: Iterable[pb.FlagLine]) -> None:
    for one in flags:
        flag = one.flagged
        if flag.kind == pb.FLAG_KIND_BACK_SOON:
            said = f"his line was back {flag.after_ms / 1_000:.1f} s after the hand"
        else:
            said = f"{flag.protections} protections, and never a line lost but facing a bet"
        click.echo(f"  {_when(one.time_ms)}  flag  {flag.hand}  {said}")


@click.command("corrections", short_help="Corrections of past hands.")
@click.option("--state", type=click.Choice(list(_CORRECTIONS)))
@click.pass_obj
def corrections_(line: Line, state: str | None) -> None:
    """List corrections, newest first."""
    request = pb.ListCorrectionsRequest()
    if state:
        request.state = _CORRECTIONS[state]
    for one in run_with(line, "ListCorrections", request).corrections:
        legs = " ".join(
            f"{leg.player or 'house'}={amount(leg.amount, one.currency)}" for leg in one.legs
        )
        who = f"by {one.proposed_by}" + (f", {one.decided_by}" if one.decided_by else "")
        stands = _name(pb.CorrectionState, one.state, "CORRECTION_STATE_")
        click.echo(
            f"{one.id}  {stands}  hand {one.hand}  {legs} {one.currency}"
            f'  {who}  "{one.why}"  {one.posting}'.rstrip()
        )


@click.command("complaints", short_help="Complaints and their deadlines.")
@click.option("--state", type=click.Choice(list(COMPLAINTS)))
@click.option("--overdue", is_flag=True, help="Only those that should have been answered.")
@click.pass_obj
def complaints_(line: Line, state: str | None, overdue: bool) -> None:
    """List complaints, those with the nearest deadline first."""
    request = pb.ListComplaintsRequest(overdue=overdue)
    if state:
        request.state = COMPLAINTS[state]
    for one in run_with(line, "ListComplaints", request).complaints:
        stands = _name(pb.ComplaintState, one.state, "COMPLAINT_STATE_")
        hand = f"  hand {one.hand}" if one.hand else ""
        click.echo(
            f'{one.id}  {stands}  by {_when(one.deadline_ms)}  {one.player}{hand}  "{one.text}"'
        )
        if one.answer:
            click.echo(f'  answered: "{one.answer}"')


@click.command("templates", short_help="Templates of tables, and what is kept open.")
@click.pass_obj
def templates_(line: Line) -> None:
    """List the templates."""
    for one in run_with(line, "ListTemplates", pb.ListTemplatesRequest()).templates:
        settings = one.settings
        click.echo(
            f"{one.name}  {settings.limit} {settings.variant}  keep {one.keep}"
            f"  {' '.join(one.tables)}".rstrip()
        )


def _name(enum: Any, number: int, prefix: str) -> str:
    return str(enum.Name(number)).removeprefix(prefix).lower().replace("_", " ")


def _when(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _time_ms(moment: str | None) -> int:
    if moment is None:
        return 0
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        raise click.BadParameter(
            "must be a time, as in 2026-05-01T20:15:00", param_hint="--at"
        ) from None
    if read.tzinfo is None:
        read = read.replace(tzinfo=UTC)
    return int(read.timestamp() * 1_000)


LOOKS: Final = (
    table_,
    hand_,
    player_,
    measures_,
    flags_,
    corrections_,
    complaints_,
    templates_,
)
