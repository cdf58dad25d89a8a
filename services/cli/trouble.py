"""Trouble: what kept a command from its work, in one line for a person, and the status it ends by.

Only what an operator can do something about is trouble. A bug of ours is never: it keeps its
traceback.
"""

from __future__ import annotations

import errno
import sys
from typing import Final

import click

FAILED: Final = 1
BAD_CONFIG: Final = 2
UNREACHABLE: Final = 69  # EX_UNAVAILABLE
BROKEN: Final = 70  # EX_SOFTWARE
IN_USE: Final = 75  # EX_TEMPFAIL: trying again later may do
TAKEN: Final = 76  # EX_PROTOCOL: another process has this one's name now
# What a machine lacks; of these no call names a file.
MACHINES: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)


class Trouble(Exception):
    """The command could not do its work; the text is all that is said."""

    def __init__(self, what: str, status: int = FAILED) -> None:
        super().__init__(what)
        self.status = status


def told(error: Exception) -> Trouble | None:
    """The trouble behind an error, if it is one that an operator can do something about."""
    # Whom nothing befalls need not load them: they are half of a start.
    import grpc  # noqa: PLC0415

    from riverboat.game.rules import RulesError  # noqa: PLC0415
    from riverboat.log import deck_keys, log  # noqa: PLC0415
    from riverboat.runtime import calls, config, grpc_server, keys  # noqa: PLC0415

    match error:
        case config.ConfigError() | keys.BadKeys() | deck_keys.BadKeyFile() | RulesError():
            return Trouble(str(error), BAD_CONFIG)
        case log.LogInUse():
            return Trouble(f"{error}; is the network running already?", IN_USE)
        case grpc_server.PortTaken():
            return Trouble(f"{error} Another can be chosen by --port.", IN_USE)
        case log.LogError() | calls.BadWiring():
            return Trouble(str(error))
        case grpc.aio.AioRpcError():
            return _call(error)
        case click.ClickException():
            return Trouble(error.format_message(), error.exit_code)
        case OSError(filename=str() as name, strerror=str() as why):
            return Trouble(f"{name}: {why}")
        case OSError(errno=number, strerror=str() as why) if number in MACHINES:
            return Trouble(f"{why[:1].lower()}{why[1:]}")
        case _ if _is_wrong_ledger(error):
            return Trouble(str(error))
        case _:
            return None


def _is_wrong_ledger(error: Exception) -> bool:
    # Whoever has this error has loaded its module; nobody else needs to wait for that.
    store = sys.modules.get("services.wallet.store")
    return store is not None and isinstance(error, store.WrongLedger)


def _call(error: object) -> Trouble:
    """A call that ended without an answer."""
    import grpc  # noqa: PLC0415

    assert isinstance(error, grpc.aio.AioRpcError)
    if error.code() is grpc.StatusCode.UNAVAILABLE:
        return Trouble("the network cannot be reached; is it up? (riverboat up)", UNREACHABLE)
    words = error.details() or ""
    return Trouble(f"{words} ({error.code().name.lower().replace('_', ' ')})")
