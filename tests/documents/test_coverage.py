"""Quotes stand in the documents, no paragraph is left out, the page says what the tests say."""

from __future__ import annotations

import re

from tests.documents import coverage
from tests.documents.remarks import NOT_SOFTWARE, NOTES
from tests.documents.texts import BOOKS, SECTIONS, paragraphs


def test_every_quote_stands_in_its_paragraph():
    wrong = [
        quote
        for quote in coverage.quotes()
        if quote.words not in paragraphs(quote.book)[quote.number].words
    ]
    assert wrong == []


def test_quotes_are_short_and_come_with_a_gloss():
    assert [quote for quote in coverage.quotes() if not 8 <= len(quote.words) <= 100] == []
    assert [quote for quote in coverage.quotes() if not quote.gloss.isascii()] == []


def test_no_paragraph_is_left_out():
    assert coverage.unproved() == []


# Numbers in the names of games, which say nothing.
NAMES = re.compile(r"2-7 Triple|5[- ]card|7-card|32[- ]card|32 kaar[dt]iga|7-Stud|5-Draw", re.I)
# A sentence; a dot between digits ends none.
SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\d)[^.!?\n]*)*")


def test_every_number_stands_in_a_sentence_that_a_test_quotes():
    """Worked examples and tables among them: each of their rows is a line of its own."""
    missed = []
    for book in BOOKS:
        for number, paragraph in paragraphs(book).items():
            quoted = [
                found.span()
                for quote in coverage.quotes()
                if (quote.book, quote.number) == (book, number)
                for found in re.finditer(re.escape(quote.words), paragraph.words)
            ]
            for sentence in SENTENCE.finditer(paragraph.words):
                start, end = sentence.span()
                if re.search(r"\d", NAMES.sub("", sentence[0])) and not any(
                    first < end and last > start for first, last in quoted
                ):
                    missed.append((book, number, sentence[0]))
    assert missed == []


def test_remarks_name_paragraphs_that_are_there():
    known = {(book, number) for book in BOOKS for number in paragraphs(book)}
    assert {*NOT_SOFTWARE, *NOTES} <= known
    proved = {(quote.book, quote.number) for quote in coverage.quotes()}
    assert proved.isdisjoint(NOT_SOFTWARE)


def test_the_documents_hold_their_sections():
    """RULES 1: 35 pairs of rulebook and variant, each a section of its document."""
    for book in BOOKS:
        numbers = {int(number.split(".", maxsplit=1)[0]) for number in paragraphs(book)}
        assert numbers == {1, 2, 3, *SECTIONS[book]}
    assert sum(map(len, SECTIONS.values())) == 35


def test_the_page_says_what_the_tests_say():
    """`python -m tests.documents.coverage` writes it."""
    assert coverage.PAGE.read_text("utf-8") == coverage.page()
