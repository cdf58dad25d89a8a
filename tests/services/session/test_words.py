"""What may not be said is data by language, and is masked as a whole word."""

from __future__ import annotations

import pytest

from services.session.words import BadWords, Words

LISTS = """
[en]
words = ["ass", "tit"]
stems = ["shit"]

[de]
stems = ["scheiß"]
"""


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("you ass", "you ***"),
        ("ASS!", "***!"),
        ("pass the class", "pass the class"),
        ("a55", "***"),
        ("@ss", "***"),
        ("shitty shitshow", "****** ********"),
        ("Scheiße", "*******"),
        ("SCHEISSE", "********"),
        ("tît", "***"),
        ("nice hand", "nice hand"),
        ("1455 chips", "1455 chips"),
        ("_ass a_s_s ass_", "**** ***** ****"),
        ("a.s.s! s-hit", "*****! *****"),
        ("a\u034fss s\ufe0fhit", "**** *****"),
        ("a\u200bss a\u2060s\u2060s", "**** *****"),
        ("as soon, as-is, a-5-5, it's", "as soon, as-is, a-5-5, it's"),
    ],
)
def test_words_are_masked_whole_in_every_language(said, heard):
    assert Words(LISTS).masked(said) == heard


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[en", "end of document"),
        ('en = ["a"]', "en: must be a language's table"),
        ('[en]\nbad = ["a"]', "en.bad: no such key"),
        ('[en]\nwords = "a"', "en.words: must be a list"),
        ('[en]\nstems = ["two words"]', "en.stems: must be single words"),
    ],
)
def test_a_list_that_is_wrong_is_refused_by_its_key(text, named):
    with pytest.raises(BadWords, match=named):
        Words(text)


def test_an_operators_own_list_takes_the_place_of_the_built_in_one(tmp_path):
    path = tmp_path / "words.toml"
    path.write_text('[en]\nwords = ["donkey"]\n')
    own, built_in = Words.of(path), Words.of(None)
    assert own.masked("donkey shit") == "****** shit"
    assert built_in.masked("donkey shit") == "donkey ****"
    with pytest.raises(BadWords, match=r"missing\.toml"):
        Words.of(tmp_path / "missing.toml")
