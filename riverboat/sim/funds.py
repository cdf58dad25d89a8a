"""Laws 3 and 4: the ledger stands where the tables stood, and no money is lost on its way.

Remembers what each table held at each version and how each reservation ended, and compares it with
what the ledger says of itself. Books nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from riverboat.game.record import Record
from riverboat.game.table.events import (
    BuyInReturned,
    PlayerSeated,
    ReservationFailed,
    SeatReserved,
    ToppedUp,
)
from riverboat.game.table.state import Table
from riverboat.sim.bank import AtTable
from riverboat.sim.chips import at_table
from riverboat.sim.laws import LEDGER, MONEY, LawBroken, Witness, at

_ENDS: Final = (PlayerSeated, ToppedUp, BuyInReturned, ReservationFailed)


class _Held(NamedTuple):
    """What a table held at one version."""

    record: str
    sittings: Mapping[str, int]
    reservations: Mapping[str, int]


class Funds:
    """The money of all tables, as the log tells it.

    `wanted` names the version of each table at which the ledger will be asked; without it every
    version is remembered.
    """

    def __init__(self, witness: Witness, wanted: Mapping[str, int] | None) -> None:
        self._witness = witness
        self._wanted = wanted
        self._held: dict[tuple[str, int], _Held] = {}
        self._ended: dict[str, str] = {}  # reservation: how
        self._open: set[str] = set()

    def after(self, table: Table, record: Record) -> None:
        """The record stands."""
        for event in record.events:
            if isinstance(event, SeatReserved):
                self._reserved(table, event.reservation)
            elif isinstance(event, _ENDS):
                self._resolved(table, event.reservation, type(event).__name__)
        if self._wanted is None or self._wanted.get(table.id) == table.version:
            self._held[table.id, table.version] = _Held(
                table.head,
                {who: chips for who, chips in at_table(table).items() if chips},
                {held.id: held.amount for held in table.reservations.values()},
            )

    def _reserved(self, table: Table, name: str) -> None:
        if name in self._open or name in self._ended:
            raise LawBroken(MONEY, at(table), f"{name} was reserved before")
        self._open.add(name)

    def _resolved(self, table: Table, name: str, how: str) -> None:
        if name in self._ended:
            what = f"{name} ended twice: {self._ended[name]}, {how}"
            raise LawBroken(MONEY, at(table), what)
        self._open.discard(name)
        self._ended[name] = how
        self._witness.reach(how)

    def ledger(self, at_tables: Mapping[str, AtTable]) -> None:
        """The ledger agrees with the log, at the versions that it has booked."""
        for name, stands in at_tables.items():
            held = self._held.get((name, stands.version))
            if held is None:
                continue
            where = f"{name} v{stands.version}"
            if held.record != stands.record:
                what = f"the ledger has booked {stands.record}, the log has {held.record}"
                raise LawBroken(LEDGER, where, what)
            if held.sittings != stands.sittings:
                what = f"the ledger has {stands.sittings}, the table {dict(held.sittings)}"
                raise LawBroken(LEDGER, where, what)
            for reservation, amount in stands.in_transit.items():
                if held.reservations.get(reservation) != amount:
                    what = f"{amount} is in transit for {reservation}, which does not wait for it"
                    raise LawBroken(MONEY, where, what)

    def settled(self, tables: Mapping[str, Table]) -> None:
        """After the calm: no money is on its way."""
        for table in tables.values():
            if table.reservations:
                raise LawBroken(MONEY, at(table), f"never answered: {list(table.reservations)}")
