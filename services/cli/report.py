"""`riverboat report`: what the ledger tells an operator, as a table, CSV or JSON.

Reads a ledger on either database, while the network runs or not, and changes nothing. In a table
amounts are written with their currency's digits; CSV and JSON have them in the smallest unit.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from riverboat.ledger.currencies import CURRENCIES
from riverboat.ledger.standing import DAY_MS
from riverboat.log.opening import KAFKA
from riverboat.runtime.config import Config
from riverboat.sim.auditor import Auditor
from riverboat.sim.laws import LawBroken
from services.cli import audit, places
from services.cli.network_log import open_network
from services.cli.options import config_option, data_option, ledger_option, settings
from services.cli.running import run, set_up_logs
from services.cli.trouble import FAILED, UNREACHABLE, Trouble
from services.wallet import reports
from services.wallet.engines import LedgerAway
from services.wallet.reports import Span
from services.wallet.store import Store

EPOCH: Final = date(1970, 1, 1)
# As far as any clock of ours goes.
END_MS: Final = 2**62


class Report(NamedTuple):
    """Columns, and rows of them; `money` are the columns that hold amounts of `currency`."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    money: frozenset[str]


def _rake(store: Store, span: Span) -> Report:
    rows = ((day_text(one.day), *one[1:]) for one in reports.earned(store, span))
    return Report(reports.Earned._fields, rows, frozenset({"rake"}))


def _players(store: Store, span: Span) -> Report:
    columns = reports.Contributed._fields
    return Report(columns, reports.contributed(store, span), frozenset({"rake"}))


def _liabilities(store: Store, span: Span) -> Report:
    kept = reports.kept(store, span.until_ms)
    owed: dict[str, int] = {}
    rows: list[tuple[str, str, int]] = []
    for one in kept:
        rows.append((one.currency, one.kind.value, one.balance))
        if one.is_liability:
            owed[one.currency] = owed.get(one.currency, 0) + one.balance
    rows += [(currency, "owed to players", amount) for currency, amount in owed.items()]
    return Report(("currency", "account", "balance"), sorted(rows), frozenset({"balance"}))


_REPORTS: Final[dict[str, Callable[[Store, Span], Report]]] = {
    "rake": _rake,
    "players": _players,
    "liabilities": _liabilities,
}
STATEMENT: Final = "statement"


def _statement(store: Store, player: str, currency: str) -> Report:
    columns = (
        "number",
        "time",
        "posting",
        "amount",
        "balance",
        "currency",
        "table",
        "note",
        "flag",
    )
    rows = (
        (
            line.number,
            datetime.fromtimestamp(line.time_ms // 1_000, UTC).isoformat(),
            line.posting,
            line.amount,
            line.balance,
            currency,
            line.table,
            line.note,
            line.flag,
        )
        for line in reports.statement(store, player, currency)
    )
    return Report(columns, rows, frozenset({"amount", "balance"}))


@click.command("report", short_help="Rake, players, liabilities and statements, from the ledger.")
@click.argument("which", type=click.Choice([*_REPORTS, STATEMENT]))
@data_option
@ledger_option
@config_option
@click.option("--from", "first", metavar="DAY", help="First day, YYYY-MM-DD in UTC. [default: all]")
@click.option("--until", "last", metavar="DAY", help="Last day, itself included.")
@click.option("--player", help="Whose statement.")
@click.option("--currency", help="Of the statement.")
@click.option(
    "--against",
    metavar="LOG",
    help="Hold liabilities against this log: a data folder, or kafka://HOST:PORT.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
)
def command(
    which: str,
    data: Path | None,
    ledger: str | None,
    file: Path | None,
    first: str | None,
    last: str | None,
    player: str | None,
    currency: str | None,
    against: str | None,
    form: str,
) -> None:
    """Tell of the ledger: rake, players, liabilities, or a player's statement."""
    config = settings(file, data=data, ledger_url=ledger)
    span = Span(_day_ms(first, "--from") or 0, END_MS)
    if last is not None:
        span = span._replace(until_ms=(_day_ms(last, "--until") or 0) + DAY_MS)
    if against is not None:
        set_up_logs(config)
        run(_reconcile(config, against))
    try:
        store = Store(
            places.ledger(config), password=places.ledger_password(config), read_only=True
        )
        try:
            click.echo(written(_made(store, which, span, player, currency), form), nl=False)
        finally:
            store.close()
    except LedgerAway as away:
        raise Trouble(f"the ledger cannot be reached: {away}", UNREACHABLE) from None


def _made(store: Store, which: str, span: Span, player: str | None, currency: str | None) -> Report:
    if which != STATEMENT:
        return _REPORTS[which](store, span)
    if not player or currency not in CURRENCIES:
        raise click.UsageError("a statement needs --player and --currency")
    return _statement(store, player, currency)


def _day_ms(text: str | None, option: str) -> int | None:
    if text is None:
        return None
    try:
        return (date.fromisoformat(text) - EPOCH).days * DAY_MS
    except ValueError:
        raise click.UsageError(f"{option}: must be a day, YYYY-MM-DD, not {text!r}") from None


def day_text(day: int) -> str:
    """The day, so many after the epoch, as people write it.

    >>> day_text(20_000)
    '2024-10-04'
    """
    return (EPOCH + timedelta(days=day)).isoformat()


async def _reconcile(config: Config, address: str) -> None:
    """Hold what the ledger has at tables, to the unit, against the log; ends where they differ."""
    on_kafka = address.startswith(KAFKA)
    books = audit.ledger_of(places.ledger(config), places.ledger_password(config))
    wanted = {table: found.version for table, found in books.stands.items()}
    auditor = Auditor(audit.Notes(), None, wanted)
    log = settings(log=address) if on_kafka else settings(log=audit.EMBEDDED, data=address)
    network = await open_network(log, read_only=True)
    try:
        await audit.audit(network, auditor, books.stands)
    except LawBroken as broken:
        raise Trouble(f"ledger and log differ: {broken}", FAILED) from None
    finally:
        await network.close()
    for fault in books.faults:
        raise Trouble(f"the ledger is not sound: {fault}", FAILED)
    click.echo(f"ledger and log agree at {len(books.stands)} tables", err=True)


def written(report: Report, form: str) -> str:
    """The report in one of the three forms."""
    if form == "json":
        rows = [dict(zip(report.columns, row, strict=True)) for row in report.rows]
        return json.dumps(rows, indent=1) + "\n"
    if form == "csv":
        out = io.StringIO()
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(report.columns)
        lines.writerows([_safe(value) for value in row] for row in report.rows)
        return out.getvalue()
    return _table(report)


def _safe(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: notes are what callers wrote."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@" and value else value


def _table(report: Report) -> str:
    at = report.columns.index("currency")
    cells = [list(report.columns)]
    for row in report.rows:
        currency = CURRENCIES.get(row[at])
        cells.append(
            [
                currency.text(value) if currency and name in report.money else str(value)
                for name, value in zip(report.columns, row, strict=True)
            ]
        )
    widths = [max(len(row[column]) for row in cells) for column in range(len(report.columns))]
    numbers = report.money | {"hands", "players", "number"}
    lines = []
    for row in cells:
        padded = [
            cell.rjust(width) if name in numbers else cell.ljust(width)
            for name, cell, width in zip(report.columns, row, widths, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"
