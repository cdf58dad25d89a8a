"""The link between a test and the sentence it proves: book, paragraph, words, and what they mean.

A test that bears such a mark is a row of docs/rules/coverage.md; the words are held against the
document. Plays nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents.texts import SECTIONS


def says(book: str, numbers: str, words: str, gloss: str) -> pytest.MarkDecorator:
    """The document's words, in each of the numbered paragraphs, and a short gloss."""
    return pytest.mark.paragraph(book, numbers, words, gloss)


def by_book(gloss: str, **said: tuple[str, str]) -> list[Any]:
    """A case for each book: its paragraphs and its words."""
    return [
        pytest.param(book, marks=says(book, numbers, words, gloss), id=book)
        for book, (numbers, words) in said.items()
    ]


def by_game(gloss: str, *said: tuple[str, str, str]) -> list[Any]:
    """A case for each game: book and variant. `said` has book, paragraphs and their words."""
    return [
        pytest.param(
            book,
            variant_of(book, number),
            marks=says(book, number, words, gloss),
            id=f"{book} {variant_of(book, number)}",
        )
        for book, numbers, words in said
        for number in numbers.split()
    ]


def variant_of(book: str, number: str) -> str:
    """The variant that the paragraph's section describes."""
    return SECTIONS[book][int(number.split(".", maxsplit=1)[0])]
