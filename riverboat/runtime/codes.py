"""Codes: the word that lets a player sit at a private table, as the log may hold it.

The word itself is never written, not into the log and not into a line; its digest is bound to one
table, so that the same word elsewhere tells nothing. Whether a digest is the right one is decided
by the table.
"""

from __future__ import annotations

import unicodedata
from hashlib import blake2b
from typing import Final

from riverboat.game.table.besides import DIGEST_BYTES

# Who may try a word every half a minute tries a million in a year.
WORD_LEAST: Final = 6

_PURPOSE: Final = b"riverboat code"


def code_digest(table: str, word: str) -> bytes:
    """The digest of `word` at this table; empty where there is no word.

    How a keyboard spells a letter, and blanks around the word, make no difference.

    >>> code_digest("1.0", " sesame ") == code_digest("1.0", "sesame")
    True
    >>> code_digest("1.0", "sesame") == code_digest("2.0", "sesame")
    False
    >>> code_digest("1.0", "")
    b''
    """
    meant = unicodedata.normalize("NFKC", word).strip()
    if not meant:
        return b""
    # Guessing is held off by the limits on asking, not by a slow digest: that would let anybody
    # keep a session busy. Who can read the log can read what is said at the table anyway.
    key = table.encode()[:64]
    said = meant.encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=DIGEST_BYTES, key=key, person=_PURPOSE).digest()
