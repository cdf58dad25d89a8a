"""What coverage.md adds to its rows: reasons, what is still to come, and what was decided.

Each is said once for all the paragraphs that it is about. Read by `coverage.py`; proves nothing.
"""

from __future__ import annotations

from typing import Final

Key = tuple[str, str]  # book and paragraph


def _keys(said: str) -> list[Key]:
    """The keys of "lt 9.4 10.3, et 7.3".

    >>> _keys("lt 9.4 10.3, et 7.3")
    [('lt', '9.4'), ('lt', '10.3'), ('et', '7.3')]
    """
    parts = [part.split() for part in said.split(",")]
    return [(book, number) for book, *numbers in parts for number in numbers]


# Paragraphs that no software could obey or break.
NOT_SOFTWARE: Final[dict[Key, str]] = {}

_NOTES: Final[tuple[tuple[str, str], ...]] = (
    ("lt 1.1, et 1.1, ro 1.1", "more than one odd cent: one each, in the same order [field]"),
    (
        "lt 1.3, et 1.3, ro 1.3",
        (
            "a row holds for its lower limit, which is the big blind; other stakes: ten big blinds"
            " [field]; half pot limit has a greatest buy-in too [field]"
        ),
    ),
    ("lt 1.4, et 1.4, ro 1.4", "nobody comes in on the button or the small blind [field]"),
    ("lt 1.5", "a small blind missed alone is dead as well, as `ro` says [field]"),
    (
        "et 1.5",
        (
            "a dead blind is no part of the pot for the greatest bet of the first round; for rake"
            " and awards it always is. A small blind missed alone is dead as well [field]"
        ),
    ),
    ("et 1.6", "what he had before the hand is what he put in, once he is all-in"),
    (
        "lt 1.7, et 1.7, ro 1.7",
        (
            "where he faces a bet when clock and bank are over; a free check spends nothing. The"
            " wallet grants the number, in any 24 hours; that misuse brings a warning, then the end"
            " of the account, are actions of the operator [field]"
        ),
    ),
    ("ro 1.7", "its sentence on limits is garbled: as in lt and et [reading]"),
    (
        "lt 1.8, et 1.8, ro 1.8",
        "a failure is what outlasts the table's grace; a shorter one is played on [field]",
    ),
    ("et 1.0, ro 1.0", "a dispute is also settled by a named entry in the ledger: table life"),
    ("ro 2.1", 'garbled ("only if"): a raise may be smaller only if it is all-in [reading]'),
    (
        "lt 2.2, et 2.2, ro 2.2",
        "two rounds: lower, higher; five: two lower, three higher. Capped heads-up too",
    ),
    ("lt 2.3, ro 2.3", "five rounds: 1-1-2-3-3 [reading]; two rounds: 1-3 [field]"),
    ("et 2.3", 'five rounds: 1-1-1-2-3, by "last but one, last" [reading]; two: 1-3 [field]'),
    ("lt 2.5, et 2.5, ro 2.5", "the pot is reckoned as it stands after the call"),
    ("lt 2.6, et 2.6, ro 2.6", "rounded down, and never less than the least raise"),
    (
        "lt 3.0, et 3.0, ro 3.0",
        "only the games named are raked: americana, telesina and draw32 are not",
    ),
    (
        "ro 3.1",
        '"0.75 for 2-3 players" and "2.00 for 3" exclude each other: 0.75 is for two [reading]',
    ),
    ("et 3.2, ro 3.2", "stakes under the lowest row take it; between rows the lower one [reading]"),
    (
        "lt 6.5 8.5, ro 6.5 8.5",
        "its first round comes after five cards each, not four, which stands in Omaha [reading]",
    ),
    ("ro 5.2 6.2", '"trigonometric" would be counter-clockwise: clockwise [reading]'),
    ("ro 5.3 6.3 7.3 8.3", "the blinds may check and raise as elsewhere [reading]"),
    ("et 6.6", 'the sentence breaks off ("ree"): its title says eight or better [reading]'),
    (
        "lt 9.6 14.6 15.6, et 7.5 12.6, ro 9.6 14.6 15.6",
        "who opens the later rounds is not said: the best open hand, as in stud [field]",
    ),
    (
        "lt 11.5",
        "who opens the later rounds is not said here: the best open hand, as in 10.5 and in et, ro",
    ),
    (
        "lt 9.5 10.4 11.4 14.5 15.5, et 7.4 8.4 9.4 12.5, ro 9.5 10.4 11.4 14.5 15.5",
        (
            '"usually": the bring-in is a stake of the table. In fixed limit a raise over it'
            " completes the lower bet [field]"
        ),
    ),
    (
        "lt 9.4 10.3 11.3 14.4 15.4, et 7.3 8.3 9.3 12.4, ro 9.4 10.3 11.3 14.4 15.4",
        "the grey background is the client's",
    ),
    (
        "lt 9.7, et 7.6, ro 9.7",
        (
            "the royal flush is the highest straight flush. Four-flushes: the four from the top,"
            " then the fifth; four-straights: the top, then the fifth [field]"
        ),
    ),
    ("ro 10.3", "two down and one up: its next sentence calls the first ones hole cards [reading]"),
    ("ro 11.3", "then three up and one down [reading]"),
    (
        "lt 10.7, et 8.7, ro 10.7",
        "a live player's pair as the round begins; after a double wager no smaller raise [field]",
    ),
    ("ro 10.7", 'lost the word "double"; a pair as the round begins [reading]'),
    (
        "lt 12.5 13.6 16.5, et 10.5 11.6 13.5, ro 12.5 13.6",
        "who is late may check, call and fold. The button and the grey cards are the client's",
    ),
    ("et 11.9", '"in that draw": in the whole hand, everywhere [reading]'),
    ("lt 12.7", "a last round that is checked down: all show, nobody mucks"),
    (
        "lt 16.7",
        (
            "two sentences say who shows first: from the left of the big blind, the more special"
            " one [reading]; a last round that is checked down: all show"
        ),
    ),
    ("lt 16.8, et 13.8", "all-in players are asked in turn, after those who can act"),
    ("et 13.7", "after a unanimous SPLIT hands are shown all the same"),
    ("et 13.6", "the second round begins left of the big blind, in lt left of the button"),
    (
        "lt 15.7, ro 15.7",
        "no two hands are equal, so nothing is split. The Vela is in nobody's open hand",
    ),
    ("ro 15.2", '"button": the dealer\'s box [reading]'),
    ("lt 15.9", "asked of the hand: two who have not folded [reading]"),
    ("ro 15.9", 'asked of each pot ("in pot"): two who are eligible for it [reading]'),
    (
        "lt 15.13 15.15 15.16 15.17, ro 15.13 15.15 15.16 15.17",
        "where the card that would decide is the Vela for both, the next one does [field]",
    ),
)

NOTES: Final[dict[Key, str]] = {}
for _paragraphs, _note in _NOTES:
    for _key in _keys(_paragraphs):
        NOTES[_key] = f"{NOTES[_key]}; {_note}" if _key in NOTES else _note
