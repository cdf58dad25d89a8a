"""The program `riverboat` from its first moment: it listens to Ctrl-C, then loads the rest.

What its commands are stands in commands.py; nothing else is done here.
"""

from __future__ import annotations

import sys

from services.cli import interrupts


def main(arguments: list[str] | None = None) -> None:
    """Run one command and end the process with its status."""
    interrupts.end_at_once()
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run one command; what goes wrong is one line on stderr and a status that is not 0."""
    # Most of a start is loading: whoever interrupts it must find somebody who listens.
    from services.cli import commands  # noqa: PLC0415

    return commands.run(arguments)


if __name__ == "__main__":
    main()
