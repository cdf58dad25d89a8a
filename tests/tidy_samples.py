"""A bad sample for each check of the style: a small tree, and what the check must say of it.

Bad on purpose, so no check reads this file. Holds text only.
"""

from __future__ import annotations

from typing import NamedTuple


class Sample(NamedTuple):
    """Files by path, and the lines that the check says of them."""

    files: dict[str, str]
    said: list[str]


RULES = """# Rules

## 1. Who deals what

| variant id | seats |
|---|---|
| `telesina` | 6 |

## 5. Play

- **Ties** split equally. [field] The odd unit goes left.
"""

SAMPLES: dict[str, Sample] = {
    "docstrings": Sample(
        {
            "riverboat/bare.py": "x = 1\n",
            "riverboat/word.py": '"""Cards."""\n',
            "riverboat/good.py": '"""Cards: what they are, never whose."""\n',
            "riverboat/wire/v1/hand_pb2.py": "x = 1\n",
        },
        [
            "riverboat/bare.py: no sentence says what this module is",
            "riverboat/word.py: no sentence says what this module is",
        ],
    ),
    "sizes": Sample(
        {
            "riverboat/long.py": "x = 1\n" * 401,
            "riverboat/full.py": "x = 1\n" * 400,
            "tests/test_deep.py": "def test_all():\n" + "    assert True\n" * 60,
            "tests/test_fit.py": "async def test_all():\n" + "    assert True\n" * 59,
        },
        [
            "riverboat/long.py: 401 lines, 400 at most",
            "tests/test_deep.py:test_all: 61 lines, 60 at most",
        ],
    ),
    "services_whole": Sample(
        {
            "services/cli/main.py": "",
            "services/bare/__init__.py": "",
            "services/bare/README.md": "# Bare\n\n## Decides\n\n## Reads\n\n## Writes\n",
            "services/good/__init__.py": "MANIFEST = 1\n",
            "services/good/rpc.py": "",
            "services/good/README.md": (
                "# Good\n## Decides\n## Reads\n## Writes\n## Refuses\n## When it dies\n"
            ),
        },
        [
            "services/bare: no MANIFEST in its __init__.py",
            "services/bare: no rpc.py",
            "services/bare: no heading 'refuses'",
            "services/bare: no heading 'when it dies'",
        ],
    ),
    "money_is_whole": Sample(
        {
            "riverboat/ledger/rake.py": "fee = pot / 20\npot /= 2\nfee = round(0.05)\nx = float\n",
            "riverboat/game/hand/pots.py": "half = Decimal(pot)\nround: int = pot // 2\n",
            "riverboat/game/money.py": "share = 1 / 3\n",
        },
        [
            "riverboat/game/hand/pots.py:1: Decimal",
            "riverboat/ledger/rake.py:1: true division",
            "riverboat/ledger/rake.py:2: true division",
            "riverboat/ledger/rake.py:3: round()",
            "riverboat/ledger/rake.py:3: a float",
            "riverboat/ledger/rake.py:4: float",
        ],
    ),
    "rules_are_data": Sample(
        {
            "docs/rules/rules.md": RULES,
            "riverboat/game/deal.py": (
                "if book == 'lt':\n    pass\nif game in ('soko', 'telesina'):\n    pass\n"
            ),
            "services/dealer/deal.py": (
                "match book:\n    case 'standard':\n        pass\n    case 'other':\n        pass\n"
            ),
            "riverboat/sim/books.py": "ok = book == 'lt'\n",
        },
        [
            "riverboat/game/deal.py:1: compares the id of a variant or rulebook",
            "riverboat/game/deal.py:3: compares the id of a variant or rulebook",
            "services/dealer/deal.py:2: matches the id of a variant or rulebook",
        ],
    ),
    "tests_are_honest": Sample(
        {
            "tests/test_fake.py": (
                "import unittest.mock\nfrom unittest import mock\nfrom unittest.mock import Mock\n"
                "import time\nfrom time import sleep\ntime.sleep(1)\n"
                "monkeypatch.setattr(a, 'b', 1)\nmonkeypatch.setenv('A', '1')\n"
            ),
            "riverboat/log/wait.py": "time.sleep(1)\n",
        },
        [
            "tests/test_fake.py:1: unittest.mock",
            "tests/test_fake.py:2: unittest.mock",
            "tests/test_fake.py:3: unittest.mock",
            "tests/test_fake.py:5: time.sleep",
            "tests/test_fake.py:6: time.sleep",
            "tests/test_fake.py:7: monkeypatch.setattr",
        ],
    ),
    "finished": Sample(
        {
            "riverboat/later.py": "# TODO: the river\n# TODOS is another word\n",
            "docs/later.md": "FIXME\n",
            ".ci/run": "# XXX\n",
        },
        [".ci/run:1: XXX", "docs/later.md:1: FIXME", "riverboat/later.py:1: TODO"],
    ),
    "speaks_of_itself": Sample(
        {
            "README.md": "It lies in /home/somebody/riverboat.\n",
            "riverboat/paths.py": "A = '/root/x'\nB = 'https://x/work/y'\nC = 'a/root/b'\n",
            "requirements.lock": "a==1 # from https://example.org/simple\n",
            "requirements-dev.lock": "a==1 \\\n    --hash=sha256:00\n",
        },
        [
            "README.md:1: a path of some machine",
            "riverboat/paths.py:1: a path of some machine",
            "requirements.lock: names a host",
        ],
    ),
    "no_packages_in_tests": Sample(
        {
            "tests/game/__init__.py": "",
            "tests/game/test_bet.py": "",
            "tests/sim/test_bet.py": "",
            "riverboat/__init__.py": "",
        },
        [
            "tests/game/__init__.py: tests are no package",
            "tests/sim/test_bet.py: tests/game/test_bet.py has that name too",
        ],
    ),
    "citations": Sample(
        {
            "docs/rules/rules.md": RULES,
            "docs/architecture.md": "# House\n\n## 1. The one idea\n\nThe log.\n",
            "riverboat/game/pots.py": (
                "# [RULES 5, ties] [RULES 5, field] [RULES 5] [RULES 1, telesina]\n"
                "# [RULES 5, reading]\n# [RULES 5, tie]\n# [RULES 6, field]\n# [RULES 1, soko]\n"
                "# [ARCHITECTURE 1, anything]\n# [ARCHITECTURE 2]\n"
            ),
        },
        [
            "riverboat/game/pots.py:2: RULES 5 has no 'reading'",
            "riverboat/game/pots.py:3: RULES 5 has no 'tie'",
            "riverboat/game/pots.py:4: RULES has no section 6",
            "riverboat/game/pots.py:5: RULES 1 has no 'soko'",
            "riverboat/game/pots.py:7: ARCHITECTURE has no section 2",
        ],
    ),
    "events_everywhere": Sample(
        {
            "riverboat/game/hand/events.py": "HandEvent = Folded | Called | Checked\n",
            "riverboat/game/hand/fold.py": "FOLDS = {events.Folded: f, Checked: f}\n",
            "riverboat/game/table/events.py": "Event = SatOut\n",
            "protos/riverboat/wire/v1/hand.proto": "message Folded {\n}\nmessage Called {\n}\n",
        },
        [
            "Checked: no message in the protos",
            "Called: no fold",
            "riverboat/game/table/events.py: no TableEvent lists the events",
        ],
    ),
    "refusals_are_reached": Sample(
        {
            "riverboat/game/refusals.py": (
                "class HandCode(IntEnum):\n"
                "    NOT_YOUR_TURN = 1\n    NOT_A_SIZE = 2\n    NO_HAND = 3\n"
            ),
            "riverboat/game/hand/bet.py": "a = HandCode.NOT_YOUR_TURN\nb = HandCode.NOT_A_SIZE\n",
            "services/cli/main.py": "",
            "tests/game/test_bet.py": "assert said == HandCode.NOT_YOUR_TURN\n",
        },
        [
            "riverboat/game/refusals.py: no test reaches HandCode.NOT_A_SIZE",
            "riverboat/game/refusals.py: nothing ever refuses with HandCode.NO_HAND",
        ],
    ),
    "services_agree": Sample(
        {
            "riverboat/log/topics.py": (
                "Topic(writers=('dealer', 'cli'), readers=('wallet', 'lobby'))\n"
            ),
            "services/cli/main.py": "",
            "services/dealer/__init__.py": "",
            "services/ghost/__init__.py": "",
        },
        [
            "riverboat/log/topics.py: names wallet, and services/ has no such folder",
            "services/ghost: the topics' table does not know it",
        ],
    ),
}
