"""The felt: a table drawn in characters, from what its mirror knows.

Pure: the same mirror at the same moment is drawn the same. It writes nothing to a terminal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from rich.text import Text

from riverboat.game.cards import text
from services.cli.play.mirror import Mirror
from services.cli.play.place import Place
from services.cli.words import SUITS, amount, shown_name

# The least that a table can be drawn in, and the most that looks like one.
WIDTHS: Final = (60, 92)
HEIGHTS: Final = (15, 24)
BOX: Final = 16  # a seat's width

FELT: Final = "#0f4d2a"
_GREEN: Final = f"on {FELT}"
_NAME: Final = "bold white"
_DIM: Final = "grey58"
_GOLD: Final = "bold yellow"
_TURN: Final = "bold black on yellow"
_CARD: Final = {True: "bold red on white", False: "bold black on white"}
_BACK: Final = "white on blue"


class Canvas:
    """Characters with a style each."""

    def __init__(self, width: int, height: int) -> None:
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[""] * width for _ in range(height)]

    def fill(self, x: int, y: int, count: int, style: str) -> None:
        """Give so many places this ground."""
        for at in range(max(x, 0), min(x + count, len(self._chars[y]))):
            self._styles[y][at] = style

    def put(self, x: int, y: int, what: str, style: str) -> int:
        """Write from here on; the place behind it. The ground stays where the style has none."""
        if not 0 <= y < len(self._chars):
            return x + len(what)
        for at, char in enumerate(what, x):
            if 0 <= at < len(self._chars[y]):
                ground = self._styles[y][at]
                on = f" {ground[ground.index('on ') :]}" if "on " in ground else ""
                self._chars[y][at] = char
                self._styles[y][at] = style if "on " in style else f"{style}{on}"
        return x + len(what)

    def centred(self, x: int, y: int, what: str, style: str) -> None:
        """Write with the middle here."""
        self.put(x - len(what) // 2, y, what, style)

    def render(self) -> Text:
        """All of it."""
        found = Text(no_wrap=True)
        for chars, styles in zip(self._chars, self._styles, strict=True):
            start = 0
            for at in range(1, len(chars) + 1):
                if at == len(chars) or styles[at] != styles[start]:
                    found.append("".join(chars[start:at]), styles[start] or None)
                    start = at
            found.append("\n")
        return found


def draw(mirror: Mirror, now_ms: int, width: int, height: int) -> Text:
    """The table as it stands, in so much room as there is."""
    width = min(max(width, WIDTHS[0]), WIDTHS[1])
    height = min(max(height, HEIGHTS[0]), HEIGHTS[1])
    canvas = Canvas(width, height)
    middle = (width // 2, height // 2 - 1)
    radius = (width // 2 - BOX // 2 - 4, height // 2 - 4)
    for y in range(height):
        reach = 1 - ((y - middle[1]) / (radius[1] + 0.5)) ** 2
        if reach > 0:
            half = int((radius[0] + 4) * math.sqrt(reach))
            canvas.fill(middle[0] - half, y, 2 * half + 1, _GREEN)
    _centre(canvas, mirror, middle)
    seats = mirror.settings.seats
    mine = mirror.mine
    first = mine.seat if mine is not None else 1
    for seat in range(1, seats + 1):
        # The viewer sits at the bottom; the others follow clockwise.
        angle = math.pi / 2 + 2 * math.pi * (seat - first) / seats
        at = (
            round(middle[0] + (radius[0] + 2) * math.cos(angle)),
            round(middle[1] + (radius[1] + 1.6) * math.sin(angle)),
        )
        inner = (
            round(middle[0] + radius[0] * 0.6 * math.cos(angle)),
            round(middle[1] + radius[1] * 0.5 * math.sin(angle)),
        )
        _seat(canvas, mirror, seat, at, inner, now_ms)
    return canvas.render()


def _centre(canvas: Canvas, mirror: Mirror, middle: tuple[int, int]) -> None:
    x, y = middle
    boards = [board for board in mirror.boards if board]
    for row, board in enumerate(boards):
        _cards(canvas, x, y - 1 - len(boards) // 2 + row, board)
    pots = mirror.pots or ([mirror.pot] if mirror.pot else [])
    currency = mirror.settings.currency
    said = " + ".join(amount(pot, currency) for pot in pots)
    if said:
        canvas.centred(x, y + 1 + (len(boards) - 1) // 2, f"pot {said}", _GOLD)


def _cards(canvas: Canvas, x: int, y: int, cards: Iterable[int]) -> None:
    shown = list(cards)
    at = x - (3 * len(shown) - 1) // 2
    for one in shown:
        at = canvas.put(at, y, text(one)[0] + SUITS[one & 3], _CARD[one & 3 in (1, 2)]) + 1


def _seat(
    canvas: Canvas,
    mirror: Mirror,
    seat: int,
    at: tuple[int, int],
    inner: tuple[int, int],
    now_ms: int,
) -> None:
    x, y = at
    place = mirror.places.get(seat)
    if place is None:
        canvas.centred(x, y, f"seat {seat}", _DIM)
        return
    currency = mirror.settings.currency
    name = shown_name(place.player)[: BOX - 4]
    button = " ⓓ" if seat == mirror.button else ""
    on_turn = seat == mirror.turn
    if on_turn:
        left = max(0, mirror.deadline_ms - now_ms) // 1_000
        canvas.centred(x, y - 1, f" {name} {left} s {button}", _TURN)
    else:
        canvas.centred(x, y - 1, f"{name}{button}", _DIM if _absent(place) else _NAME)
    canvas.centred(x, y, _stack(place, currency), _GOLD if place.won else "white")
    _hole(canvas, mirror, place, x, y + 1)
    if place.bet:
        canvas.centred(*inner, f"● {amount(place.bet, currency)}", _GOLD)


def _stack(place: Place, currency: str) -> str:
    if place.held:
        return "is sitting down"
    if place.kept:
        return "kept"
    won = f" (+{amount(place.won, currency)})" if place.won else ""
    return f"{amount(place.stack, currency)}{won}"


def _absent(place: Place) -> bool:
    return (
        place.away or place.line_lost or place.held or place.kept or (place.dealt and place.folded)
    )


def _hole(canvas: Canvas, mirror: Mirror, place: Place, x: int, y: int) -> None:
    """What lies in front of the seat, or why nothing does."""
    own = place.player == mirror.player and mirror.cards
    if place.shown or (own and not place.folded):
        _cards(canvas, x, y, place.shown or mirror.cards)
    elif not place.dealt:
        canvas.centred(x, y, _why_not(place), _DIM)
    elif place.folded:
        canvas.centred(x, y, "folded", _DIM)
    elif place.mucked:
        canvas.centred(x, y, "mucked", _DIM)
    else:
        backs = place.count - len(place.up)
        start = x - (3 * place.count - 1) // 2
        for _ in range(backs):
            start = canvas.put(start, y, "░░", _BACK) + 1
        for one in place.up:
            start = canvas.put(start, y, text(one)[0] + SUITS[one & 3], _CARD[one & 3 in (1, 2)])
            start += 1
    if place.did and not place.folded:
        canvas.centred(x, y + 1, place.did, "italic white")


def _why_not(place: Place) -> str:
    if place.held or place.kept:
        return ""
    if place.line_lost:
        return "line lost"
    if place.leaving:
        return "leaving"
    return "away" if place.away else "waits"
