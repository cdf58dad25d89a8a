"""Words: what may not be said at a table, as data by language, and how it is masked.

It keeps no text and knows no player. The lists that come with the network stand in `words.toml`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from importlib import resources
from pathlib import Path
from typing import Any, Final

_TOKEN: Final = re.compile(r"[\w@$]+")
# A word that is taken apart by signs; apostrophes stand in words of their own right.
_APART: Final = re.compile(r"[^\W\d_]+(?:[^\w\s'\u2019]+[^\W\d_]+)+")
_BETWEEN: Final = re.compile(r"[^\w\s]+")
# Letters that are not seen.
_UNSEEN: Final = frozenset("_\u115f\u1160\u3164\uffa0")
# Signs that are written for letters.
_MEANT: Final = str.maketrans("013457@$", "oieastas")
MASK: Final = "*"


class BadWords(ValueError):
    """A list of words that cannot be used; the text names the language and the key."""


class Words:
    """The words of all languages that a network watches for."""

    def __init__(self, text: str) -> None:
        """From a TOML text; `BadWords` names what is wrong with it."""
        try:
            languages = tomllib.loads(text)
        except tomllib.TOMLDecodeError as wrong:
            raise BadWords(str(wrong)) from None
        self._words: set[str] = set()
        stems: set[str] = set()
        for language, lists in languages.items():
            if not isinstance(lists, dict):
                raise BadWords(f"{language}: must be a language's table")
            for key, words in lists.items():
                if key not in ("words", "stems"):
                    raise BadWords(f"{language}.{key}: no such key; words or stems")
                (self._words if key == "words" else stems).update(_read(language, key, words))
        self._stems: tuple[str, ...] = tuple(stems)

    @classmethod
    def of(cls, path: Path | None) -> Words:
        """The operator's own lists, or those that come with the network; `BadWords`."""
        if path is None:
            return cls(resources.files(__package__).joinpath("words.toml").read_text("utf-8"))
        try:
            return cls(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, BadWords) as wrong:
            reason = wrong.strerror if isinstance(wrong, OSError) else wrong
            raise BadWords(f"{path}: {reason}") from None

    def masked(self, text: str) -> str:
        """The text, every word that may not be said written as asterisks."""
        return _TOKEN.sub(self._mask, _APART.sub(self._mask, text))

    def _mask(self, found: re.Match[str]) -> str:
        said = found[0]
        plain = folded(_BETWEEN.sub("", said) if _APART.fullmatch(said) else said)
        if plain in self._words or plain.startswith(self._stems):
            return MASK * len(said)
        return said


def folded(word: str) -> str:
    """The word without case and accents, and by the letters that its signs stand for.

    >>> folded("ÉTÉ"), folded("$h0e")
    ('ete', 'shoe')
    """
    parts = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(part for part in parts if not _is_besides(part))
    # What is a number and nothing else was meant as one: "1455" is a stack.
    return plain if plain.isdecimal() else plain.translate(_MEANT)


def _is_besides(sign: str) -> bool:
    """Whether it is a mark, or is not seen."""
    return sign in _UNSEEN or unicodedata.category(sign) in ("Mn", "Me", "Cf")


def _read(language: str, key: str, words: Any) -> set[str]:
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise BadWords(f"{language}.{key}: must be a list of words")
    for word in words:
        if not _TOKEN.fullmatch(word):
            raise BadWords(f"{language}.{key}: must be single words, not {word!r}")
    return {folded(word) for word in words}
