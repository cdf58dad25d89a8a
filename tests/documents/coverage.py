"""The page docs/rules/coverage.md: every paragraph of the three documents and what proves it.

Read from the marks of the tests in this folder, never written by hand:
`python -m tests.documents.coverage` writes the page, and a test holds it against this.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.documents.remarks import NOT_SOFTWARE, NOTES
from tests.documents.texts import BOOKS, HERE, Paragraph, paragraphs

ROOT: Final = HERE.parents[1]
PAGE: Final = ROOT / "docs" / "rules" / "coverage.md"
NAMES: Final = {"lt": "Lithuanian", "et": "Estonian", "ro": "Romanian"}

HEAD: Final = """\
# The house rules, paragraph by paragraph

Every paragraph of the three documents, and the tests in `tests/documents/` that quote it and play
it through the product. Made by the tests (`python -m tests.documents.coverage` writes it); a test
holds this page against them. A paragraph's number is its section's and its own; 0 is what stands
before a section's first title. Where a document and [rules.md](rules.md) seem to differ, the note
says what was decided, by section 9 of that page.
"""


class Quote(NamedTuple):
    """One sentence that a test quotes."""

    book: str
    number: str
    words: str
    gloss: str
    test: str  # file::function


def quotes() -> tuple[Quote, ...]:
    """What all tests of this folder quote, in the order in which they stand."""
    found = []
    for path in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(f"tests.documents.{path.stem}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_"):
                test = f"{path.stem}::{name}"
                for mark in _marks(function):
                    book, numbers, words, gloss = mark.args
                    found += [Quote(book, number, words, gloss, test) for number in numbers.split()]
    return tuple(found)


def _marks(function: Any) -> Iterator[Any]:
    """The function's paragraph marks: its own, and those of its cases."""
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "paragraph":
            yield mark
        elif mark.name == "parametrize":
            for case in mark.args[1]:
                for inner in getattr(case, "marks", ()):
                    if inner.name == "paragraph":
                        yield inner


def page() -> str:
    """The page as it must be."""
    tests: dict[tuple[str, str], list[str]] = {}
    for quote in quotes():
        rows = tests.setdefault((quote.book, quote.number), [])
        if quote.test not in rows:
            rows.append(quote.test)
    parts = [HEAD, *(part for book in BOOKS for part in _book(book, tests))]
    return "\n".join(parts)


def _book(book: str, tests: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    yield f"## `{book}`: the {NAMES[book]} document\n"
    section = ""
    for paragraph in paragraphs(book).values():
        if paragraph.section != section:
            if section:
                yield ""
            section = paragraph.section
            yield f"### {paragraph.number.split('.')[0]}. {section}\n"
            yield "| paragraph | title | proved by | notes |"
            yield "|---|---|---|---|"
        yield _row(paragraph, tests.get((book, paragraph.number), []))
    yield ""


def _row(paragraph: Paragraph, tests: list[str]) -> str:
    key = (paragraph.book, paragraph.number)
    proofs = [f"`{test}`" for test in sorted(tests)]
    if key in NOT_SOFTWARE:
        proofs.append(f"*not software*: {NOT_SOFTWARE[key]}")
    assert proofs, f"nothing proves {paragraph.book} {paragraph.number}"
    title = paragraph.title or "(before the first title)"
    return f"| {paragraph.number} | {title} | {'<br>'.join(proofs)} | {NOTES.get(key, '')} |"


def unproved() -> list[Paragraph]:
    """Paragraphs with no test and no reason why there is none."""
    proved = {(quote.book, quote.number) for quote in quotes()}
    return [
        paragraph
        for book in BOOKS
        for paragraph in paragraphs(book).values()
        if (book, paragraph.number) not in proved | set(NOT_SOFTWARE)
    ]


def write(path: Path = PAGE) -> None:
    """Write the page."""
    path.write_text(page(), "utf-8")


if __name__ == "__main__":
    write()
