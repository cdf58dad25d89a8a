"""The line of an operator's command: whom it reaches, and as whom. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from riverboat.runtime.auth import RIGHT_NAMES
from riverboat.runtime.config import Config
from riverboat.wire.v1.operator_pb2_grpc import OperatorServiceStub
from services.cli import reach
from services.cli.options import config_option, data_option, server_option
from services.cli.running import run
from services.cli.trouble import Trouble

_F = TypeVar("_F", bound=Callable[..., Any])

TOKEN_MS: Final = 60_000


class Line(NamedTuple):
    """Where the network is, and who calls."""

    config: Config
    server: str | None
    operator: str
    token_file: Path | None


def line_options(found: _F) -> _F:
    """The options of whatever reaches a network as an operator."""
    options = (
        data_option,
        config_option,
        server_option,
        click.option(
            "--as",
            "operator",
            default="operator",
            show_default=True,
            metavar="NAME",
            help="Who does it, with all rights: for whoever may read the network's own key.",
        ),
        click.option(
            "--token-file",
            type=click.Path(path_type=Path),
            help="File of a token that somebody else signed; it says who, and what he may.",
        ),
    )
    for option in reversed(options):
        found = option(found)
    return found


def run_with(line: Line, method: str, request: Any) -> Any:
    """What the operator's service answers."""
    return run(ask(line, method, request))


async def ask(line: Line, method: str, request: Any) -> Any:
    """One call."""
    metadata = bearer(line)
    async with reach.channel(reach.addresses(line.config, line.server), "operator") as channel:
        return await getattr(OperatorServiceStub(channel), method)(request, metadata=metadata)


def bearer(line: Line) -> Any:
    """What a call of this operator carries."""
    return reach.bearer(_token(line))


def _token(line: Line) -> str:
    if line.token_file is None:
        return reach.token(line.config, line.operator, ["operator"], TOKEN_MS, RIGHT_NAMES)
    try:
        return line.token_file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise Trouble(f"{line.token_file}: {wrong}") from None
