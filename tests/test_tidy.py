"""The style of this house, run as tests; and each check against a bad sample of its own.

The checks stand in `tidy_checks.py`, the samples in `tidy_samples.py`. Judges no behaviour.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import proto
from tests import tidy_checks
from tests.tidy_checks import CHECKS, Check
from tests.tidy_samples import SAMPLES

ROOT = Path(__file__).resolve().parent.parent

by_name = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)


def lay(root: Path, files: dict[str, str]) -> Path:
    """The tree of these files under `root`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@by_name
def test_the_house_is_in_order(check: Check) -> None:
    said = check(ROOT)
    assert not said, "\n".join(said)


@by_name
def test_a_bad_sample_is_caught(check: Check, tmp_path: Path) -> None:
    files, said = SAMPLES[check.__name__]
    assert sorted(check(lay(tmp_path, files))) == sorted(said)


@by_name
def test_a_check_of_what_is_not_there_yet_says_nothing(check: Check, tmp_path: Path) -> None:
    assert check(tmp_path) == []


def test_the_list_of_long_things_may_only_shrink(tmp_path: Path) -> None:
    """A row that allows more than there is must be lowered, and at last go."""
    lay(tmp_path, {"riverboat/a.py": "x = 1\n" * 450, "riverboat/b.py": "x = 1\n"})
    allowed = {"riverboat/a.py": 460, "riverboat/b.py": 500}
    assert tidy_checks.sizes(tmp_path, allowed, {}) == [
        "riverboat/a.py: the list of long things says 460 lines, and it has fewer",
        "riverboat/b.py: the list of long things says 500 lines, and it has fewer",
    ]
    assert tidy_checks.sizes(tmp_path, {"riverboat/a.py": 450}, {}) == []


def test_generated_code_equals_a_fresh_generation() -> None:
    assert proto.differences(ROOT) == []


def test_generated_code_of_another_proto_is_caught(tmp_path: Path) -> None:
    """What was edited by hand, what was never made, and what no proto makes any more."""
    head = 'syntax = "proto3";\npackage riverboat.wire.v1;\n'
    lay(
        tmp_path,
        {
            "protos/riverboat/wire/v1/pot.proto": f"{head}message Pot {{ int64 amount = 1; }}\n",
            "riverboat/wire/v1/pot_pb2.py": "# edited by hand\n",
            "riverboat/wire/v1/old_pb2.py": "",
            "riverboat/wire/v1/__init__.py": "",
        },
    )
    assert proto.differences(tmp_path) == [
        "old_pb2.py: no proto makes it",
        "pot_pb2.pyi: missing",
        "pot_pb2.py: differs from a fresh generation",
    ]
