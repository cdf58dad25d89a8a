"""Money's life beside the tables: players who take money out, bound and exclude themselves, and
cashiers who pay out, cancel, and take deposits back. Every call may be made again with its key, as
by who got no answer.

Judges what can be seen from here: a call made again says what it said, a withdrawal has one end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from riverboat.sim.laws import MONEY, LawBroken

if TYPE_CHECKING:
    from riverboat.sim.network import Network

OFTEN: Final = 0.35
TWICE: Final = 0.4  # how often a call is made again
AGAIN_MS: Final = (1, 20_000)
EXCLUDED_MS: Final = (5_000, 60_000)


class Call(NamedTuple):
    """What is asked of the ledger's counter."""

    what: str  # withdraw, settle, cancel, charge_back, exclude, or limit
    key: str
    player: str = ""
    amount: int = 0  # money; of an exclusion, until when
    about: str = ""  # the withdrawal, or the deposit


class Said(NamedTuple):
    """What was answered."""

    text: str  # the same whenever the same is asked again
    refused: bool
    name: str = ""  # of the withdrawal that was asked for


class Cashiers:
    """Whoever has to do with money in one network."""

    def __init__(self, network: Network) -> None:
        self.net = network
        self._number = 0
        self._waiting: list[str] = []  # withdrawals that nobody has decided about
        self._paid: dict[str, str] = {}  # withdrawals that are over, and how

    def turn(self) -> None:
        """Now and then, one thing."""
        world = self.net.world
        if not self.net.calm and world.chance(OFTEN):
            self._number += 1
            call = world.rng.choice(_WANTS)(self, f"c{self._number}", self._player())
            if call is not None:
                said = self._say(call)
                if world.chance(TWICE):
                    later = world.rng.randint(*AGAIN_MS)
                    world.after(later, lambda: self._again(call, said))

    def _player(self) -> str:
        return self.net.world.rng.choice(self.net.players).name

    def _say(self, call: Call) -> Said:
        said = self.net.ledger.call(call, self.net.world.now_ms)
        self.net.world.reach(f"{call.what}_refused" if said.refused else call.what)
        if not said.refused:
            self._done(call, said)
        return said

    def _done(self, call: Call, said: Said) -> None:
        now_ms = self.net.world.now_ms
        match call.what:
            case "withdraw":
                self._waiting.append(said.name)
            case "settle" | "cancel":
                if call.about in self._paid and not self.net.world.reached["ledger_restored"]:
                    what = f"{call.about} was {self._paid[call.about]}, and is {call.key} now"
                    raise LawBroken(MONEY, "the ledger", what)
                self._paid[call.about] = f"{call.what} by {call.key}"
            case "exclude":
                barred = self.net.auditor.bounds.barred.setdefault(call.player, [])
                barred.append((now_ms, call.amount))

    def _again(self, call: Call, before: Said) -> None:
        said = self.net.ledger.call(call, self.net.world.now_ms)
        self.net.world.reach("money_asked_again")
        if self.net.world.reached["ledger_restored"] or before.refused:
            return  # what never was may be now, and what was may be lost
        if said != before:
            what = f"{call.what} {call.key} was answered {before.text}, then {said.text}"
            raise LawBroken(MONEY, "the ledger", what)

    # What they want.

    def _withdraw(self, key: str, player: str) -> Call:
        return Call("withdraw", key, player, self.net.world.rng.randint(1, 500))

    def _settle(self, key: str, _player: str) -> Call | None:
        return self._end("settle", key)

    def _cancel(self, key: str, _player: str) -> Call | None:
        return self._end("cancel", key)

    def _end(self, how: str, key: str) -> Call | None:
        """Of any withdrawal; one that is over must be refused."""
        if not self._waiting:
            return None
        return Call(how, key, about=self.net.world.rng.choice(self._waiting))

    def _charge_back(self, key: str, _player: str) -> Call | None:
        if self.net.world.chance(0.7):
            return None
        deposit = self.net.world.rng.randint(1, self.net.deposits)
        return Call("charge_back", key, about=f"deposit:sim:d{deposit}")

    def _exclude(self, key: str, player: str) -> Call | None:
        if self.net.world.chance(0.7):
            return None
        until_ms = self.net.world.now_ms + self.net.world.rng.randint(*EXCLUDED_MS)
        return Call("exclude", key, player, until_ms)

    def _limit(self, key: str, player: str) -> Call:
        return Call("limit", key, player, self.net.world.rng.choice([500, 2_000, 50_000]))


_WANTS: Final[Sequence[Callable[[Cashiers, str, str], Call | None]]] = (
    Cashiers._withdraw,
    Cashiers._withdraw,
    Cashiers._settle,
    Cashiers._cancel,
    Cashiers._charge_back,
    Cashiers._exclude,
    Cashiers._limit,
)
