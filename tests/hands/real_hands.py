"""Real hands, packed beside this file: played for money elsewhere, kept as plain facts.

Holds no test. Names are p1 to pN, amounts whole numbers of the unit that each hand names.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def lines(name: str) -> Iterator[str]:
    """The hands of one file, each as its line of JSON."""
    with gzip.open(HERE / f"{name}.jsonl.gz", "rt", encoding="utf-8") as packed:
        yield from packed


@cache
def hands(name: str) -> tuple[dict[str, Any], ...]:
    """The hands of one file; not to be changed."""
    return tuple(json.loads(line) for line in lines(name))
