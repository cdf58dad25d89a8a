"""The wallet's calls to other services: corrections, and postings found again.

Who may call at all stands in corrections.proto. Nothing here knows why money is moved.
"""

from __future__ import annotations

from collections import Counter

from riverboat.game.refusals import Refusal
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import BadInput, Fault
from riverboat.wire.v1 import corrections_pb2 as pb
from services.wallet.asking import done
from services.wallet.corrections import Corrections
from services.wallet.store import Store


class CorrectionRpc:
    """Handlers of CorrectionService."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._corrections = Corrections(store)
        self._clock = clock

    async def correct(
        self, request: pb.CorrectRequest, call: Call
    ) -> pb.CorrectResponse | Refusal | BadInput | Fault:
        """Move money as was decided."""
        legs = [(leg.player, leg.amount) for leg in request.legs]
        if sum(amount for _, amount in legs) or not all(amount for _, amount in legs):
            return BadInput("legs", "must sum to zero, and none be zero")
        if Counter(player for player, _ in legs).most_common(1)[0][1] > 1:
            return BadInput("legs", "must name no account twice")
        booked = await done(
            self._corrections.correct,
            call.caller.id,
            request.key,
            request.currency,
            legs,
            request.note,
            self._clock.now_ms(),
        )
        if isinstance(booked, Refusal | Fault):
            return booked
        return pb.CorrectResponse(posting=booked.posting, time_ms=booked.time_ms)

    async def list_postings(
        self, request: pb.ListPostingsRequest, _call: Call
    ) -> pb.ListPostingsResponse | Fault:
        """Postings by their ids."""
        found = await done(self._corrections.postings, request.postings)
        if isinstance(found, Fault):
            return found
        lines = [
            pb.PostedLine(
                posting=one.posting,
                number=one.number,
                time_ms=one.time_ms,
                flag=one.flag,
                note=one.note,
                legs=[
                    pb.PostedLeg(account=account, amount=amount, balance=balance)
                    for account, amount, balance in one.legs
                ],
            )
            for one in found
        ]
        return pb.ListPostingsResponse(postings=lines)
