"""What calls leave in the ledger besides postings: keys, deeds and withdrawals. Decides nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from riverboat.ledger.accounts import Account
from riverboat.ledger.standing import OPEN, Deed, Standing
from services.wallet import history, schema
from services.wallet import statements as sql
from services.wallet.engines import POSTGRES
from services.wallet.transaction import Transaction


class Kept(NamedTuple):
    """The request that a key names, and its posting as it stands."""

    digest: str
    posting: str
    number: int
    time_ms: int


class Withdrawal(NamedTuple):
    """Money that somebody wants to be paid out."""

    id: str
    player: str
    currency: str
    amount: int
    note: str
    asked_ms: int
    state: str  # asked, settled or cancelled
    ended_ms: int


class CallRows(Transaction):
    """The part of a transaction that serves calls."""

    def take_turns(self, *names: str) -> None:
        """Let nobody else decide about these until the transaction is over."""
        if self._connection.dialect.name != POSTGRES:
            return  # a file has one writer
        for name in names:
            key = sa.func.hashtextextended(name, 0)
            self._connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))

    def kept(self, caller: str, key: str) -> Kept | None:
        """The request that the caller's key names already, if it moved money."""
        row = self._connection.execute(sql.KEPT, {"of": caller, "key": key}).one_or_none()
        return None if row is None else Kept(*row)

    def keep(self, caller: str, key: str, digest: str, posting: int) -> None:
        """Remember the request under its caller's key."""
        row = {"caller": caller, "key": key, "digest": digest, "posting": posting}
        self._insert(schema.keys, [row])

    def balance_after(self, posting: int, account: Account) -> int:
        """What stood on the account when this posting was booked."""
        row = {"of": posting, "id": account.id}
        return self._connection.scalar(sql.BALANCE_AFTER, row) or 0

    # Deeds.

    def deed(self, caller: str, key: str) -> str | None:
        """The digest of the request that the caller's key names already, if it moved no money."""
        found: str | None = self._connection.scalar(sql.DEED, {"of": caller, "key": key})
        return found

    def add_deed(
        self, caller: str, key: str, digest: str, player: str, deed: Deed, why: str
    ) -> None:
        """Keep what was done to the player's account."""
        (number,) = self._draw(schema.DEED_NUMBERS, sql.LAST_DEED, 1)
        kind, period, currency = deed.limit or ("", "", "")
        row = {
            "number": number,
            "caller": caller,
            "key": key,
            "digest": digest,
            "player": player,
            "what": deed.what.value,
            "why": why,
            "time_ms": deed.time_ms,
            "from_ms": deed.from_ms,
            "until_ms": deed.until_ms,
            "kind": str(kind),
            "period": str(period),
            "currency": currency,
            "amount": -1 if deed.amount is None else deed.amount,
        }
        self._insert(schema.deeds, [row])

    def standing(self, player: str) -> Standing:
        """How the player's account stands."""
        return history.standings(self._connection, [player]).get(player, OPEN)

    def deposited(self, player: str, currency: str, long_ms: int, now_ms: int) -> tuple[int, int]:
        """How much the player brought in within the last so long, and how often."""
        return history.deposited(self._connection, player, currency, long_ms, now_ms)

    def lock_player(self, player: str) -> list[tuple[str, int]]:
        """The currency and balance of every account of the player's, which now stand still."""
        return [tuple(row) for row in self._connection.execute(sql.OF_PLAYER, {"of": player})]

    # Withdrawals.

    def ask_withdrawal(self, asked: Withdrawal) -> None:
        """Somebody is to look at this one."""
        self._insert(schema.withdrawals, [asked._asdict()])

    def end_withdrawal(self, name: str, state: str, now_ms: int) -> None:
        """This one is over."""
        row = {"id": name, "state": state, "ended_ms": now_ms}
        self._update(schema.withdrawals, "id", [row])

    def withdrawal(self, name: str, *, lock: bool = True) -> Withdrawal | None:
        """The withdrawal of this id; nobody else decides about it then."""
        wanted: sa.Select[Any] = sql.WITHDRAWAL.with_for_update() if lock else sql.WITHDRAWAL
        row = self._connection.execute(wanted, {"of": name}).one_or_none()
        return None if row is None else Withdrawal(*row)

    def withdrawals(self, state: str, after: str, most: int) -> list[Withdrawal]:
        """Those in this state, oldest first, from behind `after` on."""
        kept = schema.withdrawals.c
        wanted = sa.select(schema.withdrawals).where(kept.state == state)
        last = self.withdrawal(after, lock=False) if after else None
        if last is not None:
            here = sa.tuple_(kept.asked_ms, kept.id)
            wanted = wanted.where(here > (last.asked_ms, last.id))
        wanted = wanted.order_by(kept.asked_ms, kept.id).limit(most)
        return [Withdrawal(*row) for row in self._connection.execute(wanted)]
