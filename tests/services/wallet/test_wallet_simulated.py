"""The ledger as the simulator drives it: the real one, with backups that can be put back."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Funded, NotFunded
from riverboat.game.record import Record
from riverboat.game.table.events import PlayerLeft, PlayerSeated, SeatReserved, TableOpened
from riverboat.log.log import Record as Placed
from riverboat.sim.bank import AtTable, Batch
from riverboat.wire.record import encode_record
from services.wallet.book import LedgerStopped
from services.wallet.simulated import SimulatedLedger
from tests.ledger.toy_table import settings

T = "1.0"


def placed(*events: object) -> list[Placed]:
    """A table's records, one an event."""
    found = []
    for offset, event in enumerate(events):
        parent = f"dealer/1/{offset - 1}" if offset else ""
        record = Record(T, offset + 1, parent, f"dealer/1/{offset}", "", None, 1, (event,))  # type: ignore[arg-type]
        found.append(Placed("hand-log", 0, offset, offset, T, encode_record(record)))
    return found


LOG = placed(
    TableOpened(settings()),
    SeatReserved("r", "ann", 1, 40, "", 0, "", post=False),
    PlayerSeated("r"),
    PlayerLeft("ann", "r", 1, 40, "asked"),
)


def test_it_books_and_tells_where_it_stands():
    ledger = SimulatedLedger(2)
    ledger.deposit("ann", 100, "k")
    (order,) = ledger.book([Batch(0, 0, LOG[:2])])
    assert order.order == Funded("r")
    assert ledger.owed() == (order,)
    assert (ledger.offset(0), ledger.offset(1)) == (2, 0)
    assert ledger.book([Batch(0, 2, LOG[2:3])]) == ()
    assert ledger.at_tables() == {T: AtTable(3, "dealer/1/2", {"r": 40})}
    assert ledger.owed() == ()
    assert ledger.faults() == []


def test_a_backup_can_be_put_back_more_than_once():
    ledger = SimulatedLedger(1)
    backup = ledger.backup()
    for _ in range(2):
        ledger.deposit("ann", 100, "k")
        assert [order.order for order in ledger.book([Batch(0, 0, LOG[:2])])] == [Funded("r")]
        ledger.restore(backup)
        assert ledger.offset(0) == 0
        assert ledger.at_tables() == {}
    # Without the deposit, and with the log: into debt, and out of it again.
    assert [order.order for order in ledger.book([Batch(0, 0, LOG[:2])])] == [
        NotFunded("r", "NOT_ENOUGH_MONEY")
    ]
    ledger.book([Batch(0, 2, LOG[2:])])
    assert ledger.at_tables()[T].sittings == {}
    assert ledger.faults() == []


def test_missing_history_stops_it():
    ledger = SimulatedLedger(1)
    ledger.book([Batch(0, 0, LOG[:1])])
    with pytest.raises(LedgerStopped, match="history of table"):
        ledger.book([Batch(0, 1, LOG[2:])])


def test_a_table_that_cannot_be_booked_is_a_fault():
    ledger = SimulatedLedger(1)
    ledger.book([Batch(0, 0, placed(TableOpened(settings()), PlayerSeated("nobody")))])
    (fault,) = ledger.faults()
    assert "resolves nobody, which it never reserved" in fault
