"""Money at the table: the posting that each step of a sitting makes. Decides nothing.

    account --fund--> in transit --seat--> at table --out--> account
                          `--------return--> account      `--hand--> others at the table, and rake

A posting is named by its cause: a reservation resolves once, a sitting is cashed out once, a hand
ends once. A hand that is voided before its end posts nothing. [ARCHITECTURE 5]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.currencies import is_play
from riverboat.ledger.postings import Flag, Posting, posting, transfer


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money that a player asked for at a table, and the ledger's one answer."""

    id: str
    table: str
    player: str
    amount: int
    currency: str
    sitting: str  # whose stack it becomes: its own id for a new player, else the one topped up
    refused: str = ""  # why it was not funded, by the refusal's name; empty when it was
    protections: int = 0  # disconnect protections granted with it
    asked_ms: int = 0  # when the table said that it was asked for


def fund_id(reservation: str) -> str:
    """The id of the posting that funds it."""
    return f"fund:{reservation}"


def seat_id(reservation: str) -> str:
    """The id of the posting that resolves it, whichever way: it has only one end."""
    return f"seat:{reservation}"


def out_id(sitting: str) -> str:
    """The id of the posting that cashes a sitting out."""
    return f"out:{sitting}"


def result_id(hand: str) -> str:
    """The id of the posting of a hand's result."""
    return f"hand:{hand}"


def fund(reservation: Reservation, flag: Flag = Flag.NONE) -> Posting:
    """Money leaves the account for the table."""
    return transfer(
        fund_id(reservation.id),
        accounts.player_account(reservation.player, reservation.currency),
        accounts.in_transit(reservation.id, reservation.currency),
        reservation.amount,
        flag,
    )


def seat(reservation: Reservation) -> Posting:
    """The money is on the table."""
    return transfer(
        seat_id(reservation.id),
        accounts.in_transit(reservation.id, reservation.currency),
        accounts.at_table(reservation.sitting, reservation.currency),
        reservation.amount,
    )


def give_back(reservation: Reservation, flag: Flag = Flag.NONE) -> Posting:
    """The money came too late, or was not to come at all, and is the player's again."""
    return transfer(
        seat_id(reservation.id),
        accounts.in_transit(reservation.id, reservation.currency),
        accounts.player_account(reservation.player, reservation.currency),
        reservation.amount,
        flag,
    )


def cash_out(player: str, sitting: str, amount: int, currency: str) -> Posting:
    """The player takes what he has at the table."""
    return transfer(
        out_id(sitting),
        accounts.at_table(sitting, currency),
        accounts.player_account(player, currency),
        amount,
    )


def result(
    hand: str, seats: Iterable[tuple[Account, int]], rake: int, rulebook: str, currency: str
) -> Posting:
    """What a hand changed: the net of each sitting's account, and the house's rake."""
    legs = list(seats)
    legs.append((accounts.rake(rulebook, currency), rake))
    # The log is final, so it is booked; and somebody should look at the table's settings.
    flag = Flag.PLAY_RAKED if rake and is_play(currency) else Flag.NONE
    return posting(result_id(hand), legs, flag)
