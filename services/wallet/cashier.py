"""The cashier: money on its way out, deposits that are taken back, and debts to the house.

    account --reserve--> withdrawing --payout--> outside
                             `--------payout--> account

A withdrawal is asked for, looked at by a person, and then settled or cancelled: it has one end, and
the posting of that end is named by the withdrawal. No table is known here.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.refusals import Refusal
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account, Kind
from riverboat.ledger.books import Books
from riverboat.ledger.postings import posting, transfer
from riverboat.ledger.refusals import LedgerCode
from services.wallet.once import Plan, Receipt, Request, cause, digest, once, plain
from services.wallet.store import Store
from services.wallet.teller import may_take_out
from services.wallet.writing import Withdrawal, Writing

ASKED: Final = "asked"
SETTLED: Final = "settled"
CANCELLED: Final = "cancelled"


class Cashier:
    """Serves whoever was let in."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def request_withdrawal(
        self, caller: str, key: str, player: str, currency: str, amount: int, note: str, now_ms: int
    ) -> Receipt | Refusal:
        """Put money aside for a person to look at."""
        name = cause(caller, key)
        account = accounts.player_account(player, currency)
        aside = accounts.withdrawing(name, currency)
        wanted = transfer(f"reserve:{name}", account, aside, amount)
        asked = Withdrawal(name, player, currency, amount, note, now_ms, ASKED, 0)
        said = digest("reserve", player, currency, amount, note)

        def decide(writing: Writing, books: Books, _account: Account) -> Plan | Refusal:
            writing.load(books, {account, aside, accounts.receivable(player, currency)}, ())
            refusal = may_take_out(writing, books, player, currency)
            if refusal is not None:
                return refusal
            return Plan(wanted, {aside: player}, lambda writing: writing.ask_withdrawal(asked))

        request = Request(caller, key, said, now_ms, note)
        return once(self._store, request, lambda _: account, decide)

    def settle(
        self, caller: str, key: str, withdrawal: str, note: str, now_ms: int
    ) -> Receipt | Refusal:
        """Pay a withdrawal out."""
        return self._end(caller, key, withdrawal, SETTLED, note, now_ms)

    def cancel(
        self, caller: str, key: str, withdrawal: str, note: str, now_ms: int, player: str = ""
    ) -> Receipt | Refusal:
        """Give the money of a withdrawal back; with `player`, only if it is his."""
        return self._end(caller, key, withdrawal, CANCELLED, note, now_ms, player)

    def _end(
        self,
        caller: str,
        key: str,
        name: str,
        state: str,
        note: str,
        now_ms: int,
        player: str = "",
    ) -> Receipt | Refusal:
        def find(writing: Writing) -> Account | Refusal:
            found = writing.withdrawal(name)
            if found is None or player not in ("", found.player):
                return Refusal(LedgerCode.NO_SUCH_WITHDRAWAL)
            return accounts.player_account(found.player, found.currency)

        def decide(writing: Writing, books: Books, account: Account) -> Plan | Refusal:
            found = writing.withdrawal(name)
            assert found is not None, "a withdrawal that was found stays"
            if found.state != ASKED:
                return Refusal(LedgerCode.WITHDRAWAL_IS_OVER, state=found.state)
            aside = accounts.withdrawing(name, found.currency)
            goes_to = accounts.external(found.currency) if state == SETTLED else account
            debt = accounts.receivable(found.player, found.currency)
            writing.load(books, {aside, goes_to, account, debt}, ())
            if state == SETTLED:
                # What has come about since he asked counts: a freeze, a deposit taken back.
                refusal = may_take_out(writing, books, found.player, found.currency)
                if refusal is not None:
                    return refusal
            wanted = transfer(f"payout:{name}", aside, goes_to, found.amount)
            return Plan(wanted, {}, lambda writing: writing.end_withdrawal(name, state, now_ms))

        request = Request(caller, key, digest(state, name, note), now_ms, note)
        return once(self._store, request, find, decide)

    def withdrawal(self, name: str) -> Withdrawal | None:
        """The withdrawal of this id."""
        with self._store.connection(write=False) as connection:
            return Writing(connection).withdrawal(name, lock=False)

    def waiting(self, after: str, most: int) -> list[Withdrawal]:
        """The withdrawals that nobody has decided about yet, oldest first."""
        with self._store.connection(write=False) as connection:
            return Writing(connection).withdrawals(ASKED, after, most)

    def charge_back(
        self, caller: str, key: str, deposit: str, note: str, now_ms: int
    ) -> Receipt | Refusal:
        """Take a deposit back, as its payer did; what the account has not is owed from then on.

        Named by the deposit: it is taken back once, whoever says so.
        """
        name = f"charge-back:{deposit}"

        def find(writing: Writing) -> Account | Refusal:
            found = Books()
            writing.load(found, (), (deposit,))
            there = found.postings.get(deposit)
            paid = [
                leg.account
                for leg in (there.legs if there is not None else ())
                if leg.account.kind is Kind.PLAYER and leg.amount > 0
            ]
            if not deposit.startswith("deposit:") or len(paid) != 1:
                return Refusal(LedgerCode.NO_SUCH_DEPOSIT)
            return paid[0]

        def decide(writing: Writing, books: Books, account: Account) -> Plan | Refusal:
            outside = accounts.external(account.currency)
            debt = accounts.receivable(account.owner, account.currency)
            writing.load(books, {outside, account, debt}, (deposit, name))
            if name in books.postings:
                return Refusal(LedgerCode.CHARGED_BACK)
            amount = dict(books.postings[deposit].legs)[account]
            pays = max(min(books.balance(account), amount), 0)
            legs = ((outside, amount), (account, -pays), (debt, pays - amount))
            return plain(posting(name, legs))

        request = Request(caller, key, digest("charge-back", deposit, note), now_ms, note)
        return once(self._store, request, find, decide)

    def owed_by(self, charge_back: str) -> int:
        """What of a charge-back the account had not, when it was booked."""
        with self._store.connection(write=False) as connection:
            found = Books()
            Writing(connection).load(found, (), (charge_back,))
        legs = found.postings[charge_back].legs
        return -sum(leg.amount for leg in legs if leg.account.kind is Kind.RECEIVABLE)

    def settle_debt(
        self,
        caller: str,
        key: str,
        player: str,
        currency: str,
        amount: int,
        note: str,
        now_ms: int,
        write_off: bool,
    ) -> Receipt | Refusal:
        """End so much of a debt: the player's account pays, or the house gives it up."""
        account = accounts.player_account(player, currency)
        debt = accounts.receivable(player, currency)
        pays = accounts.losses(currency) if write_off else account
        wanted = transfer(f"debt:{cause(caller, key)}", pays, debt, amount)

        def decide(writing: Writing, books: Books, _account: Account) -> Plan | Refusal:
            writing.load(books, {account, debt, pays}, ())
            owed = -books.balance(debt)
            if amount > owed:
                return Refusal(LedgerCode.NO_SUCH_DEBT, amount=owed)
            return plain(wanted)

        said = digest("debt", player, currency, amount, note, write_off)
        request = Request(caller, key, said, now_ms, note)
        return once(self._store, request, lambda _: account, decide)
