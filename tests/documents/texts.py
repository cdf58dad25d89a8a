"""The three documents as their paragraphs: number, title, words. Holds no rule and no test.

The texts stand beside this module word for word; only the marks of sections (`#`) and of titled
paragraphs (`##`) were added. A paragraph's number is its section's and its own; 0 is what stands
before the first title of a section.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

BOOKS: Final = ("lt", "et", "ro")

# The variants by the numbers of their sections; the sections before them hold for every game.
_ALL = [
    *("holdem", "omaha", "omaha5", "omaha_hilo", "omaha5_hilo"),
    *("soko", "stud7", "stud7_hilo", "draw5", "triple_draw27"),
    *("americana", "telesina", "draw32"),
]
_ET = [name for name in _ALL if name not in ("omaha5", "omaha5_hilo", "telesina")]
SECTIONS: Final = {
    "lt": dict(enumerate(_ALL, 4)),
    "et": dict(enumerate(_ET, 4)),
    "ro": dict(enumerate(_ALL[:-1], 4)),
}
HERE: Final = Path(__file__).parent


class Paragraph(NamedTuple):
    """One titled paragraph, or what stands before the first title of a section."""

    book: str
    number: str
    section: str
    title: str
    words: str


@cache
def paragraphs(book: str) -> dict[str, Paragraph]:
    """Every paragraph of the document, by its number."""
    found: dict[str, Paragraph] = {}
    section, title, at, within = "", "", 0, 0
    for line in (HERE / f"{book}.md").read_text("utf-8").splitlines():
        if line.startswith("# "):
            section, title, at, within = line[2:], "", at + 1, 0
        elif line.startswith("## "):
            title, within = line[3:].rstrip(" :"), within + 1
            found[f"{at}.{within}"] = Paragraph(book, f"{at}.{within}", section, title, "")
        elif at:
            number = f"{at}.{within}"
            old = found.get(number, Paragraph(book, number, section, title, ""))
            found[number] = old._replace(words=f"{old.words}\n{line}".strip())
    return found
