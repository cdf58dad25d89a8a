"""Bugs planted back into the wallet, the cards and the chips, as subclasses and wrappers.

What they do wrong is told by their docstrings; that they are caught is test_planted.py's business.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from riverboat.game.commands import Funded, NotFunded, Ordered
from riverboat.game.hand.events import (
    HandEnded,
    HandShown,
    Net,
    PotAwarded,
    Share,
    StreetDealt,
)
from riverboat.game.record import Record, UnknownEvent
from riverboat.game.table.events import Event
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table
from riverboat.ledger import accounts
from riverboat.ledger import money_at_table as money
from riverboat.ledger.follow import TableBooks
from riverboat.ledger.postings import Posting, transfer
from riverboat.log import log, topics
from riverboat.log.log import Place
from riverboat.log.sealing import SealedDecks
from riverboat.log.snapshots import MARK_KEY, decode_snapshot
from riverboat.sim.bank import BATCH_MOST, Batch, Wallet
from riverboat.sim.plan import Crash
from riverboat.wire.record import decode_record, encode_record
from services.wallet import schema
from services.wallet.simulated import SimulatedLedger
from services.wallet.writing import Source

# --- The wallet.


class Tampering(SimulatedLedger):
    """A ledger that can be told what it should not be."""

    def _post(self, make: Callable[[TableBooks], Posting | None], reservation: str = "") -> bool:
        """Book what `make` makes of the books; false when there is nothing."""
        with self._store.writing() as writing:
            books = TableBooks()
            writing.load_reservations(books, [reservation] if reservation else [])
            wanted = make(books)
            if wanted is None:
                return False
            writing.load(books, [leg.account for leg in wanted.legs], [wanted.id])
            if books.refusal_of(wanted) is not None or not books.book(wanted):
                return False
            writing.write(books, [Source(0)], {})
            return True

    def move(self, partition: int, offset: int) -> None:
        """Say that the partition was read to here."""
        with self._store.writing() as writing:
            writing.offsets([partition])
            writing.move({partition: offset})

    def jump(self, table: str, version: int, record: str) -> None:
        """Say that the table was read to here."""
        heads = schema.heads
        with self._store.connection(write=True) as connection:
            connection.execute(
                sa.update(heads)
                .where(heads.c.table_id == table, heads.c.version < version)
                .values(version=version, record=record)
            )


class AnswersAgain(Tampering):
    """answers_once: asks the account again whenever it tells its answer again."""

    def owed(self) -> Sequence[Ordered]:
        return [self._again(order) for order in super().owed()]

    def _again(self, ordered: Ordered) -> Ordered:
        order = ordered.order
        if not isinstance(order, NotFunded):
            return ordered
        name = order.reservation
        self._post(lambda books: money.fund(books.reservations[name]), name)
        return replace(ordered, order=Funded(name))


class NoFold(Tampering):
    """wallet_fold: books whatever it reads, as if each record followed the one before."""

    def book(self, batches: Sequence[Batch]) -> Sequence[Ordered]:
        heads = {table: (at.version, at.record) for table, at in self.at_tables().items()}
        return super().book(
            [
                batch._replace(records=[self._rewritten(found, heads) for found in batch.records])
                for batch in batches
            ]
        )

    def _rewritten(self, found: log.Record, heads: dict[str, tuple[int, str]]) -> log.Record:
        assert found.value is not None
        try:
            record = decode_record(found.value)
        except ValueError:
            return found
        version, head = heads.get(record.table, (0, ""))
        events = [each for each in record.events if not isinstance(each, UnknownEvent)]
        heads[record.table] = version + 1, record.id
        record = replace(record, parent=head, events=tuple(map(self._named, events)))
        return found._replace(value=encode_record(replace(record, version=version + 1)))

    def _named(self, event: Any) -> Any:
        return event


class NamesByPlace(NoFold):
    """posting_id: a posting's id comes from where its record stands, not from its cause."""

    _count = 0

    def _named(self, event: Any) -> Any:
        self._count += 1
        if isinstance(event, HandEnded):
            return replace(event, hand=f"{event.hand}/{self._count}")
        return event


class NoCompare(Tampering):
    """cas: writes without comparing where the ledger stands."""

    def book(self, batches: Sequence[Batch]) -> Sequence[Ordered]:
        for batch in batches:
            self.move(batch.partition, batch.start)
        return super().book(batches)


class TwoTransactions(Wallet):
    """wallet_tx: moves the offset in one transaction and books in another."""

    ledger: Any

    def _tick(self) -> None:
        for partition in self._owns():
            start = self._offsets[partition]
            records = self.log.visible(
                self.name, Place(topics.HAND_LOG, partition), start, BATCH_MOST
            )
            if records and start == self.ledger.offset(partition):
                self.ledger.move(partition, records[-1].offset + 1)
                if self.world.chance(self.log.faults.crash_between):
                    raise Crash
                self.ledger.move(partition, start)
        super()._tick()


class HeadsFromSnapshots(Wallet):
    """wallet_heads: begins with the dealer's snapshots."""

    ledger: Any

    def start(self) -> None:
        for partition in range(self._partitions):
            for record in self.log.records(Place(topics.TABLES, partition)):
                if record.key != MARK_KEY and record.value is not None:
                    table, _ = decode_snapshot(record.value)
                    self.ledger.jump(table.id, table.version, table.head)
        super().start()


class TellsOnce(Wallet):
    """outbox: tells its answer once, whether it arrives or not."""

    def _tick(self) -> None:
        self._resend_ms = 1 << 62
        super()._tick()


class PostsTwice(Tampering):
    """A hand's result is booked twice, under two names."""

    def book(self, batches: Sequence[Batch]) -> Sequence[Ordered]:
        orders = super().book(batches)
        for record in map(_readable, itertools.chain(*(batch.records for batch in batches))):
            for event in record.events if record is not None else ():
                if isinstance(event, HandEnded):
                    self._post(_result_again(event))
        return orders


def _result_again(event: HandEnded) -> Callable[[TableBooks], Posting]:
    nets = [(accounts.at_table(net.sitting, "EUR"), net.amount) for net in event.nets]
    return lambda _books: money.result(f"{event.hand}/2", nets, event.rake, "standard", "EUR")


def _readable(found: log.Record) -> Record | None:
    try:
        return decode_record(found.value or b"")
    except ValueError:
        return None


class LosesChip(Tampering):
    """A chip is lost in the ledger: whoever is seated is given one less."""

    def book(self, batches: Sequence[Batch]) -> Sequence[Ordered]:
        orders = super().book(batches)
        for at in self.at_tables().values():
            for sitting in at.sittings:
                source = accounts.at_table(sitting, "EUR")
                target = accounts.house("EUR")
                self._post(_one(f"lost:{sitting}", source, target))
        return orders


def _one(name: str, source: accounts.Account, target: accounts.Account) -> Any:
    return lambda _books: transfer(name, source, target, 1)


# --- Chips and cards, by those who decide on them.

Duty = Callable[[Table, Given], Sequence[Event] | None]


def chip_to_the_rake(duty: Duty) -> Duty:
    """A chip of each pot goes to the house, and all still adds up."""

    def decided(table: Table, given: Given) -> Sequence[Event] | None:
        return [
            _less(event) if isinstance(event, HandEnded) else event
            for event in _of(duty, table, given)
        ]

    return decided


def _of(duty: Duty, table: Table, given: Given) -> Sequence[Event]:
    return duty(table, given) or ()


def _less(ended: HandEnded) -> HandEnded:
    best = max(ended.nets, key=lambda net: net.amount)
    nets = tuple(_with(net, net.amount - 1) if net is best else net for net in ended.nets)
    return replace(ended, nets=nets, rake=ended.rake + 1)


def _with(net: Net, amount: int) -> Net:
    return replace(net, amount=amount)


def chip_lost(duty: Duty) -> Duty:
    """The winner of each hand is paid one chip less."""

    def decided(table: Table, given: Given) -> Sequence[Event] | None:
        return [
            replace(_less(event), rake=event.rake) if isinstance(event, HandEnded) else event
            for event in _of(duty, table, given)
        ]

    return decided


def odd_unit_astray(duty: Duty) -> Duty:
    """The odd units of split pots and of several boards go to the last instead of the first."""

    def decided(table: Table, given: Given) -> Sequence[Event] | None:
        events = list(_of(duty, table, given))
        awards = [event for event in events if isinstance(event, PotAwarded)]
        moved: Counter[int] = Counter()
        for award in awards:
            parts = [share for other in awards if other.pot == award.pot for share in other.shares]
            high, low = max(parts, key=_amount), min(parts, key=_amount)
            if high.amount == low.amount + 1 and high.seat != low.seat and not moved:
                high.amount, low.amount = low.amount, high.amount
                moved[high.seat] -= 1
                moved[low.seat] += 1
        return [
            replace(event, nets=tuple(_with(n, n.amount + moved[n.seat]) for n in event.nets))
            if isinstance(event, HandEnded)
            else event
            for event in events
        ]

    return decided


def _amount(share: Share) -> int:
    return share.amount


class TwiceInTheDeck(SealedDecks):
    """A card stands twice in the deck."""

    def new(self, table: str, hand: str, version: int, cards: Sequence[int]) -> Any:
        return super().new(table, hand, version, [cards[1], *cards[1:]])


def dealt_twice(duty: Duty) -> Duty:
    """Two seats are dealt the same card."""

    def decided(table: Table, given: Given) -> Sequence[Event] | None:
        return [
            _same(event) if isinstance(event, StreetDealt) and len(event.to) > 1 else event
            for event in _of(duty, table, given)
        ]

    return decided


def _same(dealt: StreetDealt) -> StreetDealt:
    first, second, *others = dealt.to
    return replace(dealt, to=(first, replace(second, down=first.down), *others))


def dealt_face_up(duty: Duty) -> Duty:
    """A card that is dealt face down stands in the log for all to read."""

    def decided(table: Table, given: Given) -> Sequence[Event] | None:
        events = list(_of(duty, table, given))
        hand = table.hand
        for event in events:
            if isinstance(event, StreetDealt) and event.board and hand is not None:
                deck = given.decks.open(table.id, hand)
                seat = next(seat for seat in hand.seats.values() if not seat.folded)
                cards = tuple(deck.order[place] for place in seat.places)
                return [HandShown(seat.seat, cards, deck.prove(seat.places)), *events]
        return events

    return decided
