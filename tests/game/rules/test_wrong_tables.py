"""Wrong tables of rules: each is refused as a whole, with its file, its key and the reason."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from riverboat.game import rules
from riverboat.game.rules import RulesError, sites
from riverboat.game.rules.sites import Sites

VARIANTS = """
[pine]
name = "Pine"
deck = "52"
forced = "blinds"
first_opener = "after_blinds"
later_openers = ["left_of_button"]
high = "standard"
select = "any_five"
show_opener = "left_of_button"
odd_unit = "left_of_button"
rake_due = "flop"
streets = [
  { name = "preflop", down = 2 },
  { name = "flop", board = 3 },
  { name = "turn", board = 1 },
  { name = "river", board = 1 },
]
"""
RIVER = """
name = "River"
language = "en"
extends = "standard"
mixes = ["both"]

[every]
draw_ms = 20000

[limits.fl]
bets_most = 5

[variants.pine]
seats_most = 6
by_limit.nl.buy_in_most_big_blinds = 200

[[rake]]
step = 100
fee = 5
caps = [100]
small_below = 50
small_step = 10
small_fee = 1

[[buy_in_listed]]
limits = ["fl"]
table = [[10, 100]]
"""
LIMITS = """
[third]
raise_rule = "fixed"
tiers.4 = [0, 0, 1, 1]
tiers.2 = [0, 1]
tiers.5 = [0, 0, 1, 1, 1]
tiers.3 = [0, 1, 1]
"""
MIXES = """
[both]
name = "Both"
rotation = "hands"
every = 2
chooser = "plaque"
choose_ms = 5000
unchosen = "same"
games = [
  { variant = "pine", limit = "nl", blinds_divided_by = 2 },
  { variant = "stud7", limit = "fl" },
]
"""
SITES = """
rulebook = "river"
variants.pine = "pine"
limits.NL = "nl"
every.draw_ms = 5000
sites.Here.bets_most = 3
"""
FILES = {
    "variants.toml": VARIANTS,
    "river.toml": RIVER,
    "limits.toml": LIMITS,
    "mixes.toml": MIXES,
    "sites.toml": SITES,
}


def read(files: dict[str, str]) -> None:
    """As an operator's folder is read."""
    loaded = rules.load(files)
    Sites(files.get("sites.toml", ""), loaded, sites.SITES)


def test_the_tables_are_right_as_they_stand():
    read(FILES)


# The file, what stands there, what is put there instead, and what is told.
WRONG = [
    # Keys that are missing, unknown, or there twice.
    ("variants.toml", 'deck = "52"\n', "", "variants.pine in nl: deck: no table says it"),
    ("variants.toml", 'select = "any_five"\n', "", "pine in nl: select: no table says it"),
    ("variants.toml", 'high = "standard"\n', "", "high: a game ranks hands by high, low or both"),
    ("variants.toml", "streets = [", "roads = [", "pine.roads: no such key"),
    ("variants.toml", "deck =", "dekc =", "variants.toml: pine.dekc: no such key"),
    ("variants.toml", "down = 2", "dwon = 2", "pine.streets[0].dwon: no such key"),
    ("variants.toml", 'deck = "52"\n', 'deck = "52"\n' * 2, "variants.toml: Cannot overwrite"),
    ("variants.toml", "[pine]", "[pine]\n[pine]", "Cannot declare ('pine',) twice (at line 3"),
    ("river.toml", "seats_most = 6\n", "", "variants.pine in nl: seats_most: no table says it"),
    ("river.toml", "fee = 5\n", "", "river.toml: rake[0].fee: is missing"),
    ("river.toml", "step = 100", "steps = 100", "river.toml: rake[0].steps: no such key"),
    ("river.toml", "table = [[10, 100]]", "", "buy_in_listed[0].table: is missing"),
    ("river.toml", "language =", "langauge =", "river.toml: langauge: no such key"),
    ("sites.toml", "rulebook =", "rulebok =", "sites.toml: rulebok: no such key"),
    ("sites.toml", "bets_most =", "bets_mots =", "sites.toml: sites.Here.bets_mots: no such key"),
    # Types.
    ("variants.toml", 'name = "Pine"', "name = 3", "pine.name: must be text, not 3"),
    ("variants.toml", 'name = "Pine"', 'name = " "', "pine.name: must be text, not ' '"),
    ("variants.toml", 'deck = "52"', "deck = 52", "pine.deck: must be one of 52, 7-A, 6-A, not 52"),
    ("variants.toml", "down = 2", "down = true", "[0].down: must be a whole number from 0, not T"),
    ("variants.toml", "down = 2", "down = 2.5", "[0].down: must be a whole number from 0"),
    ("variants.toml", VARIANTS, "pine = 3", "variants.toml: pine: must be a table, not 3"),
    (
        "variants.toml",
        VARIANTS.rsplit("= [", maxsplit=1)[-1],
        "]",
        "must be a list of streets, not []",
    ),
    ("river.toml", 'name = "River"', "name = 3", "river.toml.name: must be text, not 3"),
    ("river.toml", 'extends = "standard"', "extends = [1]", "extends: must be text, not [1]"),
    ("river.toml", RIVER, "rake = 3", "river.toml: rake: must be a list of tables, not 3"),
    ("river.toml", RIVER, "variants = 3", "river.toml: variants: must be a table, not 3"),
    ("river.toml", RIVER, "limits = 3", "river.toml: limits: must be a table, not 3"),
    ("river.toml", RIVER, "every = 3", "river.toml: every: must be a table, not 3"),
    ("river.toml", RIVER, "buy_in_listed = 3", "buy_in_listed: must be a list of tables, not 3"),
    ("river.toml", "by_limit.nl.buy_in_most_big_blinds = 200", "by_limit = 3", "by_limit: must be"),
    ("river.toml", "[[10, 100]]", "[[10]]", "table: must be a list of pairs, not [[10]]"),
    ("limits.toml", LIMITS, "third = 3", "limits.toml: third: must be a table, not 3"),
    ("limits.toml", LIMITS, "third.tiers = 3", "third.tiers: must be a table, not 3"),
    ("mixes.toml", MIXES, "both = 3", "mixes.toml: both: must be a table, not 3"),
    ("sites.toml", "sites.Here.bets_most = 3", "sites = 3", "sites: must be a table of sites"),
    # Cards.
    ("variants.toml", "down = 2", "down = -2", "[0].down: must be a whole number from 0, not -2"),
    ("variants.toml", "down = 2", "down = 9", "seats_most: 6 players need 59 cards, more than"),
    ("variants.toml", "down = 2", "board = 2", "the first street deals cards and draws none"),
    ("variants.toml", 'turn", board = 1', 'turn"', "[2]: deals no card, and nobody draws one"),
    ("variants.toml", '"turn"', '"flop"', "[2].name: another street is called 'flop'"),
    (
        "variants.toml",
        'turn", board',
        'turn", draw = 3, board',
        "draw: must be at most 2, all",
    ),
    ("variants.toml", "down = 2", "down = 1", "any_five has no hand of high standard in 1 own"),
    ("variants.toml", '"standard"', '"flush_over_full_house"', "high: flush_over_full_house ranks"),
    ("variants.toml", '"52"\n', '"6-A"\nlow = "telesina"\n', "low: telesina ranks no 6c of a d"),
    ("river.toml", "seats_most = 6", "seats_most = 11", "seats_most: a table has from 2 to 10"),
    ("river.toml", "seats_most = 6", "seats_most = 1", "must be a whole number from 2, not 1"),
    # Names of what there is.
    ("variants.toml", '"standard"', '"hearts"', "pine.high: must be one of standard, flush_over"),
    ("variants.toml", '"any_five"', '"any_six"', "pine.select: must be one of any_five, two_and"),
    ("variants.toml", '"blinds"', '"blind"', "pine.forced: must be one of blinds, bring_in"),
    ("variants.toml", "rake_due", "not_in.nl = ''\nrake_due", "pine.not_in: must be a table of"),
    ("variants.toml", "rake_due", "not_in.xl = 'no'\nrake_due", "variants.pine: not_in: no limit"),
    (
        "variants.toml",
        "rake_due",
        "not_in = {nl='a', pl='a', hpl='a', fl='a', sl='a', third='a'}\nrake_due",
        "river.toml: variants.pine: not_in: leaves no limit to deal it in",
    ),
    ("river.toml", '"standard"', '"stndard"', "river.toml: extends: no rulebook 'stndard'"),
    ("river.toml", '"standard"', '"river"', "river.toml: extends: no rulebook 'river'"),
    ("river.toml", "limits.fl", "limits.xl", "river.toml: limits: no limit 'xl'"),
    ("river.toml", "by_limit.nl", "by_limit.xl", "variants.pine.by_limit: no limit 'xl'"),
    ("river.toml", '["fl"]', '["xl"]', "river.toml: buy_in_listed[0].limits: no limit 'xl'"),
    (
        "river.toml",
        "step =",
        'limits = ["xl"]\nstep =',
        "rake[0].limits: no limit 'xl'",
    ),
    ("river.toml", "variants.pine", "variants.oak", "variants.oak: no table of variants knows it"),
    ("river.toml", '["both"]', '["both", "both"]', "mixes: must name each once"),
    ("river.toml", '["both"]', '["all"]', "river.toml: mixes: no table of mixes knows 'all'"),
    ("limits.toml", "[third]", "[mixed]", "limits.toml: mixed: stands for no limit"),
    ("limits.toml", "[third]", "['3 rd']", "limits.toml: 3 rd: an id is made of a to z"),
    ("limits.toml", '"fixed"', '"huge"', "third.raise_rule: must be one of fixed, spread"),
    ("limits.toml", "tiers.3 = [0, 1, 1]", "tiers.3 = [0]", "third.tiers.3: must name one bet for"),
    ("sites.toml", '"nl"', '"xl"', "sites.toml: limits.NL: no limit 'xl'"),
    ("sites.toml", '"river"', '"lake"', "sites.toml: rulebook: no rulebook 'lake'"),
    # Money.
    ("river.toml", "fee = 5", "fee = -5", "rake[0].fee: must be a whole number from 0, not -5"),
    ("river.toml", "fee = 5", "fee = 101", "rake[0].fee: must be at most the step"),
    (
        "river.toml",
        "small_fee = 1",
        "small_fee = 11",
        "small_fee: must be at most the step",
    ),
    ("river.toml", "step = 100", "step = 0", "rake[0].step: must be a whole number from 1, not 0"),
    ("river.toml", "small_fee = 1\n", "", "small_below, small_step and small_fee go together"),
    ("river.toml", "[100]", "[-1]", "rake[0].caps: must be a whole number from 0, not -1"),
    ("river.toml", "[100]", f"{[1] * 10}", "rake[0].caps: must name caps for 2, 3, ... 10 players"),
    (
        "river.toml",
        "[[buy_in",
        "[[rake]]\nlimits = ['fl']\nstep = 10\nfee = 1\n[[buy_in",
        "in fl: rake: two rows serve fl at big_blind_from 0",
    ),
    (
        "river.toml",
        "draw_ms = 20000",
        "buy_in_least_big_blinds = 50\nbuy_in_most_big_blinds = 20",
        "buy_in_most_big_blinds: must not be less than the least",
    ),
    (
        "river.toml",
        "20000",
        "86400001",
        "draw_ms: must be a whole number from 1000 to 86400000",
    ),
    # Who opens.
    (
        "variants.toml",
        '"after_blinds"',
        '"bring_in_lowest"',
        "first_opener: who brings it in",
    ),
    ("variants.toml", '["left_of_button"]', "[]", "later_openers: must be a list of openers"),
    ("variants.toml", '["left_of_button"]', '["bring_in_lowest"]', "it is brought in once"),
    ("variants.toml", '["left_of_button"]', '["best_open_hand"]', "later_openers: nobody has an"),
    (
        "variants.toml",
        'show_opener = "left_of_button"',
        'show_opener = "best_open_hand"',
        "show_op",
    ),
    ("variants.toml", "rake_due", "open_pair_street = 1\nrake_due", "open_pair_street: no street"),
    (
        "variants.toml",
        'forced = "blinds"\nfirst_opener = "after_blinds"',
        'forced = "bring_in"\nfirst_opener = "bring_in_lowest"',
        "bring_in_suits: ties of the bring-in need an order of suits",
    ),
    (
        "variants.toml",
        'forced = "blinds"\nfirst_opener = "after_blinds"',
        'forced = "bring_in"\nfirst_opener = "bring_in_lowest"\nbring_in_suits = "cdhs"',
        "forced: the first street deals no up card to bring it in by",
    ),
    # Text that is no table.
    ("variants.toml", "[pine]", "[pine", "variants.toml: Expected ']'"),
    ("river.toml", '\nname = "River"', '\ufeffname = "River"', "begins with a byte order mark"),
    (
        "river.toml",
        "step = 100",
        "step = 2030-01-01",
        "must be a whole number from 1",
    ),
]


@pytest.mark.parametrize(("file", "right", "wrong", "told"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_table_is_refused_with_file_key_and_reason(file, right, wrong, told):
    assert right in FILES[file]
    with pytest.raises(RulesError) as refused:
        read({**FILES, file: FILES[file].replace(right, wrong, 1)})
    assert told in str(refused.value)
    assert ".toml" in str(refused.value).partition(":")[0]


@pytest.mark.parametrize("name", ["my house", "River", "3rd", "x" * 33, ""])
def test_a_rulebook_is_called_by_what_a_command_can_say(name):
    with pytest.raises(RulesError, match="an id is made of a to z"):
        read({f"{name}.toml": "extends = 'standard'"})


def test_rulebooks_that_extend_each_other_are_refused():
    with pytest.raises(RulesError, match=r"(lake|river)\.toml: extends: no rulebook"):
        read({"river.toml": "extends = 'lake'", "lake.toml": "extends = 'river'"})


# --- Any value anywhere.

VALUES: list[Any] = [3, -1, 2.5, True, "", "x", [], ["x"], [[1]], {}, {"x": 1}]


def places(table: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value."""
    if path:
        yield path
    below: list[tuple[Any, Any]] = []
    if isinstance(table, dict):
        below = list(table.items())
    elif isinstance(table, list):
        below = list(enumerate(table))
    for key, value in below:
        yield from places(value, (*path, key))


def written(value: Any) -> str:
    """The value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def with_at(file: str, path: tuple[Any, ...], value: Any) -> str:
    """The file with another value there."""
    tables = tomllib.loads(FILES[file])
    found: Any = tables
    for key in path[:-1]:
        found = found[key]
    found[path[-1]] = value
    return "\n".join(f"{key} = {written(each)}" for key, each in tables.items())


ANYWHERE = [
    (file, path, value)
    for file in FILES
    for path in places(tomllib.loads(FILES[file]))
    for value in VALUES
]


def test_no_value_anywhere_breaks_the_reader():
    """It is dealt by or refused by name; nothing else ever comes out."""
    refused = []
    for file, path, value in random.Random(4).sample(ANYWHERE, 250):
        try:
            read({**FILES, file: with_at(file, path, value)})
        except RulesError as wrong:
            refused.append(str(wrong))
    assert len(refused) > 150
    assert [said for said in refused if ".toml" not in said] == []
