"""The operator's calls: who may take which measure, and how looks are answered.

A role lets somebody look; what changes something, and a look at private cards, takes a right that
his token names. Nothing is done here that the office does not put into the log first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from riverboat.game.hand.state import Hand
from riverboat.game.ids import partition_of, table_id
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.given import OpenDeck
from riverboat.game.table.state import Table
from riverboat.log.deck_keys import KeyGone
from riverboat.log.log import Log, LogError
from riverboat.log.sealing import BadDeck
from riverboat.runtime import errors
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import BadInput, Fault, denied
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator import checks, history, moments, views
from services.operator.book import Book, Entry
from services.operator.measures import CARDS, HOUSE, LOOKS, PLAYER, RIGHTS, kind_of, part_of
from services.operator.office import NotNow, Office
from services.operator.refusals import OperatorCode
from services.operator.templates import Template
from services.operator.watch import Watch

LINES: Final = 50  # of measures, where the caller does not say how many
# A log's past may take longer to read than a call may: what is known by then is told.
PAST_S: Final = 5.0
NUMBER_BYTES: Final = 9  # of a new table's id: no two that were ever drawn are the same

Tables = Callable[[], Mapping[str, Table]]
Decks = Callable[[str, Hand], OpenDeck]
MakeCase = Callable[[history.HandHistory, Entry, Decks | None], Awaitable[bytes]]


class OperatorRpc:
    """Handlers of OperatorService."""

    def __init__(
        self,
        office: Office,
        watch: Watch,
        templates: Mapping[str, Template],
        network: Log,
        tables: Tables,
        decks: Decks,
        clock: Clock,
        entropy: Entropy,
        make_case: MakeCase,
    ) -> None:
        self._office = office
        self._watch = watch
        self._templates = templates
        self._log = network
        self._tables = tables
        self._decks = decks
        self._clock = clock
        self._entropy = entropy
        self._make_case = make_case

    @property
    def _book(self) -> Book:
        return self._office.book

    # Measures.

    async def take(
        self, request: pb.TakeRequest, call: Call
    ) -> pb.TakeResponse | Refusal | BadInput | Fault:
        """Take a measure."""
        kind = kind_of(request.measure)
        if kind in LOOKS:
            return BadInput(f"measure.{kind}", "is asked for by a call of its own")
        wrong = _may(call.caller, RIGHTS[kind]) or checks.wrong(request.measure, self._partitions)
        if wrong is not None:
            return wrong
        measure = pb.Measure()
        measure.CopyFrom(request.measure)
        refusal = await self._complete(measure)
        if refusal is not None:
            return refusal
        entry = await self._take(call.caller, request.key, request.why, measure)
        return entry if not isinstance(entry, Entry) else views.taken(entry)

    async def _take(
        self, caller: Caller, key: str, why: str, measure: pb.Measure
    ) -> Entry | Refusal | Fault:
        """The measure once it had its effect."""
        try:
            entry = await self._office.take(caller.id, key, why, measure)
        except LogError:
            return errors.unavailable("LOG_AWAY", "the log cannot be written now")
        if isinstance(entry, Entry) and entry.ended is not None and entry.ended.refused:
            return views.refused(entry.ended)
        return entry

    async def _complete(self, measure: pb.Measure) -> Refusal | Fault | None:
        """Put in what only the service knows; or why the measure makes no sense."""
        part = part_of(measure)
        match kind_of(measure):
            case "open":
                if part.template and part.template not in self._templates:
                    return Refusal(OperatorCode.NO_TEMPLATE, template=part.template)
                part.table = self.new_table()
            case "keep":
                if part.template not in self._templates:
                    return Refusal(OperatorCode.NO_TEMPLATE, template=part.template)
            case "propose":
                return await self._complete_proposal(part)
            case "change" | "pause" | "resume" | "drain" | "close" | "remove":
                return None if part.table in self._tables() else Refusal(TableCode.NO_TABLE)
            case "say":
                if part.table and part.table not in self._tables():
                    return Refusal(TableCode.NO_TABLE)
        return None

    async def _complete_proposal(self, proposed: pb.Measure.Propose) -> Refusal | Fault | None:
        found = await self._past_hand(proposed.hand)
        if not isinstance(found, history.HandHistory):
            return found
        for leg in proposed.legs:
            if leg.player and leg.player not in found.players:
                return Refusal(OperatorCode.NOT_IN_THE_HAND, player=leg.player)
        proposed.currency = found.currency
        return None

    async def _past_hand(self, hand: str) -> history.HandHistory | Refusal | Fault:
        """The hand, once it is over."""
        try:
            found = await history.hand_of(self._log, hand)
        except LogError:
            return _unread()
        if found is None:
            return Refusal(TableCode.NO_SUCH_HAND, hand=hand)
        return found if found.over else Refusal(OperatorCode.HAND_RUNS, hand=hand)

    def new_table(self) -> str:
        """An id that no table ever had, in the partition with the fewest tables."""
        loads = dict.fromkeys(range(self._partitions), 0)
        for table in self._tables().values():
            if table.settings is not None and not table.closed:
                loads[partition_of(table.id)] += 1
        partition = min(loads, key=lambda each: (loads[each], each))
        return table_id(int.from_bytes(self._entropy(NUMBER_BYTES), "big"), partition)

    @property
    def _partitions(self) -> int:
        return self._office.partitions

    # Looks.

    async def list_measures(
        self, request: pb.ListMeasuresRequest, _call: Call
    ) -> pb.ListMeasuresResponse:
        """Measures, newest first."""
        book = self._book
        ids = book.about.get(request.subject, ()) if request.subject else book.entries
        before_ms = request.before_ms or 1 << 62
        found = [
            entry
            for own_id in ids
            if (entry := book.entries[own_id]).taken_ms < before_ms
            and request.by in ("", entry.taken.by)
        ]
        found.sort(key=lambda entry: entry.taken_ms, reverse=True)
        return pb.ListMeasuresResponse(
            measures=[views.line(entry) for entry in found[: request.most or LINES]]
        )

    async def look_up_table(
        self, request: pb.LookUpTableRequest, call: Call
    ) -> pb.LookUpTableResponse | Refusal | BadInput | Fault:
        """A table at a moment that has passed."""
        bad = checks.table(request.table, "table", self._partitions)
        wrong = bad or _cards(request, call.caller)
        if wrong is not None:
            return wrong
        try:
            table, newest = await history.table_at(
                self._log, request.table, request.version, request.time_ms
            )
        except LogError:
            return _unread()
        if not newest:
            return Refusal(TableCode.NO_TABLE)
        opened: Decks | None = None
        if request.cards_key and table.hand is not None:
            hand = table.hand.id
            past = await self._past_hand(hand)
            if not isinstance(past, history.HandHistory):
                return past
            seen = await self._see_cards(request, call.caller, hand)
            if seen is not None:
                return seen
            opened = self._decks
        try:
            return moments.moment(table, newest, opened)
        except (BadDeck, KeyGone):
            return _closed()

    async def look_up_hand(
        self, request: pb.LookUpHandRequest, call: Call
    ) -> pb.LookUpHandResponse | Refusal | BadInput | Fault:
        """A hand of the log."""
        bad = checks.hand(request.hand, "hand", self._partitions)
        wrong = bad or _cards(request, call.caller)
        if wrong is not None:
            return wrong
        try:
            found = await history.hand_of(self._log, request.hand)
        except LogError:
            return _unread()
        if found is None or found.table is None:
            return Refusal(TableCode.NO_SUCH_HAND, hand=request.hand)
        opened: Decks | None = None
        if request.cards_key:
            if not found.over:
                return Refusal(OperatorCode.HAND_RUNS, hand=request.hand)
            seen = await self._see_cards(request, call.caller, request.hand)
            if seen is not None:
                return seen
            opened = self._decks
        try:
            seats = list(moments.seats(found.table, opened))
        except (BadDeck, KeyGone):
            return _closed()
        return pb.LookUpHandResponse(
            hand=request.hand,
            partition=partition_of(found.table.id),
            before=found.before,
            records=[
                pb.LogRecord(offset=one.offset, time_ms=one.time_ms, value=one.value or b"")
                for one in found.records
            ],
            seats=seats,
            over=found.over,
        )

    async def _see_cards(self, request: Any, caller: Caller, hand: str) -> Refusal | Fault | None:
        """The look itself is in the log before anything is seen."""
        measure = pb.Measure(see_cards=pb.Measure.SeeCards(hand=hand))
        entry = await self._take(caller, request.cards_key, request.cards_why, measure)
        return None if isinstance(entry, Entry) else entry

    async def look_up_player(
        self, request: pb.LookUpPlayerRequest, _call: Call
    ) -> pb.LookUpPlayerResponse | BadInput | Fault:
        """What befell a player, and what the house did about him."""
        wrong = checks.player(request.player, "player")
        if wrong is not None:
            return wrong
        try:
            await self._watch.read_past(patient_s=PAST_S)
        except LogError:
            return _unread()
        person, known = self._watch.person(request.player), self._book.player(request.player)
        ids = self._book.about.get(f"{PLAYER}:{request.player}", ())
        return pb.LookUpPlayerResponse(
            player=request.player,
            sittings=reversed(person.sittings),
            hands=reversed(person.hands),
            hands_count=person.hands_count,
            incidents=reversed(person.incidents),
            flags=views.flags(known),
            measures=[views.line(self._book.entries[own_id]) for own_id in reversed(ids)],
            warnings=known.warnings,
            frozen=known.frozen,
            closed=known.closed,
            whole=self._watch.whole,
        )

    async def list_flags(self, request: pb.ListFlagsRequest, _call: Call) -> pb.ListFlagsResponse:
        """Players who were flagged."""
        told = (
            views.flagged(name, player)
            for name, player in sorted(self._book.players.items())
            if player.flags
        )
        return pb.ListFlagsResponse(players=[one for one in told if request.all or one.next])

    async def list_corrections(
        self, request: pb.ListCorrectionsRequest, _call: Call
    ) -> pb.ListCorrectionsResponse:
        """Corrections, newest first."""
        found = [
            one
            for one in self._book.corrections.values()
            if not request.state or one.state == request.state
        ]
        found.sort(key=lambda one: one.proposed_ms, reverse=True)
        return pb.ListCorrectionsResponse(corrections=found)

    async def list_complaints(
        self, request: pb.ListComplaintsRequest, _call: Call
    ) -> pb.ListComplaintsResponse:
        """Complaints, those with the nearest deadline first."""
        now_ms = self._clock.now_ms()
        found = [
            one
            for one in self._book.complaints.values()
            if (not request.state or one.state == request.state)
            and (not request.overdue or views.is_overdue(one, now_ms))
        ]
        found.sort(key=lambda one: one.deadline_ms)
        return pb.ListComplaintsResponse(complaints=found)

    async def list_templates(
        self, _request: pb.ListTemplatesRequest, _call: Call
    ) -> pb.ListTemplatesResponse:
        """Templates, and their tables that stand."""
        tables = self._tables()
        return pb.ListTemplatesResponse(
            templates=[
                views.template(one, self._book, tables)
                for _, one in sorted(self._templates.items())
            ]
        )

    async def make_case(
        self, request: pb.MakeCaseRequest, call: Call
    ) -> pb.MakeCaseResponse | Refusal | BadInput | Fault:
        """A case file of a hand that is over."""
        bad = checks.hand(request.hand, "hand", self._partitions)
        wrong = bad or _may(call.caller, CARDS if request.cards else RIGHTS["case"])
        if wrong is not None:
            return wrong
        found = await self._past_hand(request.hand)
        if not isinstance(found, history.HandHistory):
            return found
        asked = pb.Measure(case=pb.Measure.Case(hand=request.hand, cards=request.cards))
        entry = await self._take(call.caller, request.key, request.why, asked)
        if not isinstance(entry, Entry):
            return entry
        try:
            file = await self._make_case(found, entry, self._decks if request.cards else None)
        except (LogError, NotNow) as error:
            return errors.unavailable("NOT_NOW", str(error))
        except (BadDeck, KeyGone):
            return _closed()
        digest = hashlib.sha256(file).digest()
        made = pb.CaseMade(id=entry.taken.id, subject=entry.taken.subject, digest=digest)
        await self._office.note(entry.taken.subject, pb.OperatorRecord(case_made=made))
        return pb.MakeCaseResponse(file=file, digest=digest)


def _may(caller: Caller, right: str) -> Fault | None:
    """Why the caller may not: what no right is named for, every operator may."""
    if caller.id == HOUSE:
        return denied("NOT_A_PERSON", "the house itself is nobody's token")
    if right and right not in caller.rights:
        return denied("RIGHT_MISSING", f"only with the right {right}")
    return None


def _cards(request: Any, caller: Caller) -> BadInput | Fault | None:
    """Why the caller may not see the cards, if he wants to."""
    if not request.cards_key:
        return None
    if not request.cards_why:
        return BadInput("cards_why", "must be there")
    return _may(caller, CARDS)


def _unread() -> Fault:
    return errors.unavailable("LOG_AWAY", "the log cannot be read now")


def _closed() -> Fault:
    message = "the key of that day's decks is not there any more"
    return Fault(errors.FAILED_PRECONDITION, "CARDS_GONE", message)
