"""Conduct: what is done to an account without moving money. Frees nobody from what he chose.

Each deed is kept for ever, once for each key that its caller gives; how an account stands is the
fold of its deeds (riverboat/ledger/standing.py).
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from riverboat.game.refusals import Refusal
from riverboat.ledger.currencies import is_play
from riverboat.ledger.refusals import LedgerCode
from riverboat.ledger.standing import (
    FOR_EVER_MS,
    OPEN,
    Deed,
    Limit,
    LimitKey,
    LimitKind,
    Standing,
    What,
    holds_from,
)
from services.wallet import history, schema
from services.wallet.once import digest
from services.wallet.store import Store
from services.wallet.writing import Writing


class Said(NamedTuple):
    """Who says it, by which key, of whom, when and why."""

    caller: str
    key: str
    player: str
    now_ms: int
    why: str = ""


class Removal(NamedTuple):
    """A player who sits somewhere and may not any more."""

    player: str
    table: str
    sitting: str
    why: LedgerCode


class Conduct:
    """Serves whoever was let in."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def freeze(self, said: Said) -> Standing | Refusal:
        """Nobody plays on the account, and no money comes or goes."""
        return self._do(said, Deed(What.FREEZE, said.now_ms))

    def unfreeze(self, said: Said) -> Standing | Refusal:
        """As it was before."""
        return self._do(said, Deed(What.UNFREEZE, said.now_ms))

    def close(self, said: Said) -> Standing | Refusal:
        """Close an account that is empty, for ever; play money may be left."""
        return self._do(said, Deed(What.CLOSE, said.now_ms))

    def exclude(self, said: Said, until_ms: int) -> Standing | Refusal:
        """Keep the player from playing until then; 0: for ever."""
        return self._do(said, Deed(What.EXCLUDE, said.now_ms, until_ms=until_ms or FOR_EVER_MS))

    def set_limit(self, said: Said, key: LimitKey, amount: int | None) -> Limit | Refusal:
        """Set one of the player's own limits, or lift it: lower at once, higher after a delay."""
        standing = self._do(said, Deed(What.LIMIT, said.now_ms, limit=key, amount=amount))
        return standing if isinstance(standing, Refusal) else standing.limit(key, said.now_ms)

    def standing(self, player: str) -> Standing:
        """How the account stands."""
        with self._store.connection(write=False) as connection:
            return history.standings(connection, [player]).get(player, OPEN)

    def _do(self, said: Said, deed: Deed) -> Standing | Refusal:
        about = deed.limit or ("", "", "")
        asked = digest(deed.what, said.player, said.why, deed.until_ms, *about, deed.amount)

        def transaction(writing: Writing) -> Standing | Refusal:
            writing.take_turns(f"key {said.caller} {said.key}", f"player {said.player}")
            kept = writing.deed(said.caller, said.key)
            if kept not in (None, asked) or writing.kept(said.caller, said.key) is not None:
                return Refusal(LedgerCode.KEY_REUSED, key=said.key)
            if kept is not None:
                return writing.standing(said.player)
            if deed.what is What.CLOSE:
                for currency, balance in writing.lock_player(said.player):
                    if balance and not is_play(currency):
                        return Refusal(LedgerCode.NOT_EMPTY, currency=currency, balance=balance)
            done = deed
            if deed.limit is not None:
                stood = writing.standing(said.player)
                from_ms = holds_from(stood, deed.limit, deed.amount, said.now_ms)
                done = deed._replace(from_ms=from_ms)
            writing.add_deed(said.caller, said.key, asked, said.player, done, said.why)
            return writing.standing(said.player)

        return self._store.transact(transaction)

    def players_to_remove(self, now_ms: int) -> list[Removal]:
        """Everybody who sits at a table and may not any more, each until he has left.

        A limit of losses leads him out of the tables of its currency, all the rest out of all.
        Whoever runs the tables removes him when his hand is over; told twice it is the same.
        """
        sat, deeds = schema.sittings.c, schema.deeds.c
        rows = (
            sa.select(sat.player, sat.table_id, sat.id, sat.currency)
            .where(sat.left_ms == 0, sat.player.in_(sa.select(deeds.player)))
            .order_by(sat.table_id, sat.player)
        )
        with self._store.connection(write=False) as connection:
            seated = connection.execute(rows).all()
            standings = history.standings(connection, {row.player for row in seated})
            why = {
                (player, currency): _why(connection, player, currency, standings[player], now_ms)
                for player, currency in {(row.player, row.currency) for row in seated}
            }
        return [
            Removal(player, table, sitting, code)
            for player, table, sitting, currency in seated
            if (code := why[player, currency]) is not None
        ]


def _why(
    connection: sa.Connection, player: str, currency: str, standing: Standing, now_ms: int
) -> LedgerCode | None:
    barred = standing.bar(now_ms)
    if barred is not None:
        return barred
    for period, most in standing.amounts(LimitKind.SESSION, "", now_ms).items():
        if history.played_ms(connection, player, period, now_ms) >= most:
            return LedgerCode.SESSION_LIMIT
    losses = standing.amounts(LimitKind.LOSS, currency, now_ms)
    if losses:
        # The same count that lets him in: who lowers his limit below it lets himself be led out.
        risk = history.at_risk(connection, player, currency, now_ms)
        if any(risk[period] > most for period, most in losses.items()):
            return LedgerCode.LOSS_LIMIT
    return None
