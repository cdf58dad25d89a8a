"""What coverage.md adds to its rows: reasons, what is still to come, and what was decided.

Keys are a book and a paragraph's number. Read by `coverage.py`; proves nothing.
"""

from __future__ import annotations

from typing import Final

Key = tuple[str, str]

_PROTECTION: Final = (
    "money already in the pot plays as an all-in, only in fixed and spread limit at real-money"
    " tables, a set number (default 2) in 24 hours; a warning, then the account is closed"
)

# Paragraphs that table life and money prove, a later part of the work.
LATER: Final[dict[Key, str]] = {
    ("lt", "1.7"): _PROTECTION,
    ("et", "1.7"): _PROTECTION,
    ("ro", "1.7"): _PROTECTION,
}

# Paragraphs that no software could obey or break.
NOT_SOFTWARE: Final[dict[Key, str]] = {}

NOTES: Final[dict[Key, str]] = {}
