"""Configuration: all that an operator may set, in one value.

A setting comes from a flag, or else the environment, or else a TOML file, or else its default; what
is wrong with one is told by its name and where it came from. Secrets are never settings: a setting
names the file that holds them. Nothing here opens a connection or a log.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

ENVIRONMENT: Final = "RIVERBOAT_"
SERVICES: Final = ("dealer", "betting", "showdown", "wallet", "session", "operator")
LEVELS: Final = ("debug", "info", "warning", "error")

_Read = Callable[[Any], Any]  # the value; `ValueError` says what it must be


class ConfigError(Exception):
    """A setting is wrong; the message names it, says what it must be and where it came from."""


class Address(NamedTuple):
    """Where something listens; port 0 takes a free one."""

    host: str
    port: int

    @classmethod
    def read(cls, raw: object) -> Address:
        """The address that somebody wrote; `ValueError` says what it must be."""
        host, colon, port = str(raw).rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdecimal() or int(port) > 65_535:
            raise ValueError("HOST:PORT")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Setting(NamedTuple):
    """One setting, as a manual tells it."""

    name: str
    environment: str
    default: object
    about: str


def _number(least: int, most: int) -> _Read:
    def read(raw: Any) -> int:
        if isinstance(raw, str) and raw.strip().lstrip("-").isdecimal():
            raw = int(raw)
        if isinstance(raw, bool) or not isinstance(raw, int) or not least <= raw <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return raw

    return read


def _one_of(*choices: str) -> _Read:
    def read(raw: Any) -> str:
        if raw not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return str(raw)

    return read


def _word(raw: Any) -> str:
    if not isinstance(raw, str) or not raw or not raw.isprintable() or " " in raw:
        raise ValueError("a word")
    return raw


def _instance(raw: Any) -> str:
    if not isinstance(raw, str) or not raw.replace("-", "").isalnum() or not raw.isascii():
        raise ValueError("letters, digits and dashes")
    return raw


def _path(raw: Any) -> Path:
    if not isinstance(raw, str | Path) or not str(raw) or "\0" in str(raw):
        raise ValueError("a path")
    return Path(raw)


def _maybe(read: _Read) -> _Read:
    return lambda raw: None if raw in ("", "none") else read(raw)


_maybe_path = _maybe(_path)


def _log(raw: Any) -> str:
    if raw == "embedded":
        return "embedded"
    servers = str(raw).removeprefix("kafka://")
    try:
        if servers == str(raw):
            raise ValueError("not a broker's")
        for server in servers.split(","):
            Address.read(server)
    except ValueError:
        raise ValueError("embedded, or kafka://HOST:PORT,...") from None
    return str(raw)


def _ledger(raw: Any) -> str:
    if not re.fullmatch(r"postgres(ql)?://[^\s/]+/[^\s/?]+(\?\S*)?", str(raw)):
        raise ValueError("postgresql://USER@HOST:PORT/DATABASE")
    return str(raw)


def without_password(url: str) -> str:
    """The URL, or words that quote one, for people to read.

    >>> without_password("postgresql://riverboat:secret@db:5432/ledger")
    'postgresql://riverboat:***@db:5432/ledger'
    """
    text = re.sub(r"(://[^:/@?\s]*):.*@", r"\1:***@", url, flags=re.DOTALL)
    return re.sub(r"(password=)[^&\s]*", r"\1***", text)


def _services(raw: Any) -> tuple[str, ...]:
    names = raw.split(",") if isinstance(raw, str) else raw
    why = f"some of {', '.join(SERVICES)}, each once"
    if not isinstance(names, list | tuple) or not names:
        raise ValueError(why)
    if any(name not in SERVICES for name in names) or len(set(names)) != len(names):
        raise ValueError(why)
    return tuple(name for name in SERVICES if name in names)


_GRPC: Final = Address("127.0.0.1", 7_878)
_METRICS: Final = Address("127.0.0.1", 9_464)
_SASL: Final = ("none", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """How one process runs. Beside each setting stand how it is read and what it is."""

    # What it is.
    data: Annotated[Path, _path, "the folder of all that is kept"] = Path("data")
    log: Annotated[str, _log, "embedded, or kafka://HOST:PORT,..."] = "embedded"
    services: Annotated[tuple[str, ...], _services, "which services run here"] = SERVICES
    instance: Annotated[str, _instance, "this process among its like; keeps its share"] = "one"
    partitions: Annotated[int, _number(1, 4_096), "of each log; a network's for ever"] = 32
    rulebooks: Annotated[Path | None, _maybe_path, "folder of the operator's own rulebooks"] = None

    # Where it is reached; port 0 takes a free one.
    listen: Annotated[Address, Address.read, "where gRPC is served"] = _GRPC
    metrics_listen: Annotated[Address | None, _maybe(Address.read), "where /metrics is served"] = (
        _METRICS
    )
    tls_certificate: Annotated[Path | None, _maybe_path, "PEM chain; none: no TLS"] = None
    tls_key: Annotated[Path | None, _maybe_path, "PEM key of the certificate"] = None

    # Who may call, and how much.
    token_keys: Annotated[
        Path | None, _maybe_path, "JWKS of who signs tokens; none: this network does, for itself"
    ] = None
    token_issuer: Annotated[str, _word, "the tokens' `iss`"] = "riverboat"
    token_audience: Annotated[str, _word, "the tokens' `aud`"] = "riverboat"
    token_leeway_ms: Annotated[int, _number(0, 60_000), "between the signer's clock and ours"] = (
        5_000
    )
    calls_per_second: Annotated[int, _number(1, 1_000_000), "of one caller, in the long run"] = 100
    calls_burst: Annotated[int, _number(1, 1_000_000), "of one caller, at once"] = 400
    faucet_most: Annotated[
        int, _number(0, 10**15), "play money that a player may fill up to himself; 0: none"
    ] = 1_000_000
    chat_words: Annotated[
        Path | None, _maybe_path, "TOML of words that may not be said; none: the built-in lists"
    ] = None
    unary_ms_max: Annotated[int, _number(100, 600_000), "how long a call may take"] = 10_000

    # How it lives.
    log_level: Annotated[str, _one_of(*LEVELS), "from which level on lines are written"] = "info"
    log_format: Annotated[str, _one_of("plain", "json"), "for people or for machines"] = "plain"
    snapshot_ms: Annotated[int, _number(100, 3_600_000), "how often a moved table is kept"] = 20_000
    stop_ms: Annotated[int, _number(0, 600_000), "how long running calls may take to end"] = 5_000
    seal_keys: Annotated[
        Path | None, _maybe_path, "keys that seal decks; none: made in the data folder"
    ] = None

    # Where the money is kept. What is shown of a configuration never holds a password.
    ledger_url: Annotated[
        str | None, _maybe(_ledger), "the ledger's PostgreSQL; none: SQLite in the data folder"
    ] = field(default=None, repr=False)
    ledger_password_file: Annotated[Path | None, _maybe_path, "file of its password"] = None

    # What the operator's service needs besides.
    table_templates: Annotated[
        Path | None, _maybe_path, "TOML of kinds of tables, and how many of each are kept open"
    ] = None
    wallet_at: Annotated[
        Address | None, _maybe(Address.read), "where the wallet is; none: in this process"
    ] = None
    service_token_file: Annotated[
        Path | None, _maybe_path, "file of a token for the wallet; none: this network signs one"
    ] = None

    # How it reaches a broker.
    kafka_ca: Annotated[Path | None, _maybe_path, "PEM of the brokers' CA; none: no TLS"] = None
    kafka_sasl: Annotated[str, _one_of(*_SASL), "how to log in"] = "none"
    kafka_user: Annotated[str | None, _maybe(_word), "who logs in"] = None
    kafka_password_file: Annotated[Path | None, _maybe_path, "file of the password"] = None


def settings() -> Iterator[Setting]:
    """Every setting, in order."""
    defaults = Config()
    for name, (_, about) in _known().items():
        yield Setting(name, ENVIRONMENT + name.upper(), getattr(defaults, name), about)


def load(
    *,
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Config:
    """The configuration from these sources; `ConfigError` names the first setting that is wrong.

    A flag that is None was not given. Paths in the file are relative to the file's folder.
    """
    found: dict[str, Any] = {}
    for source, raws in (
        *_from_file(file),
        *_from_environment(environment or {}),
        ("the command line", {name: raw for name, raw in (flags or {}).items() if raw is not None}),
    ):
        for name, raw in raws.items():
            found[name] = _read(name, raw, source)
    config = Config(**found)
    _check_together(config)
    return config


def _from_file(file: Path | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if file is None:
        return
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}") from None
    for name, raw in table.items():
        read = _known().get(name, (None,))[0]
        if isinstance(raw, str) and raw not in ("", "none") and read in (_path, _maybe_path):
            table[name] = file.parent / raw
    yield str(file), table


def _from_environment(environment: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in _known():
        raw = environment.get(ENVIRONMENT + name.upper())
        if raw is not None:
            yield ENVIRONMENT + name.upper(), {name: raw}


def _read(name: str, raw: Any, source: str) -> Any:
    if name not in _known():
        near = difflib.get_close_matches(name, _known(), n=1)
        hint = f"; is {near[0]} meant?" if near else ""
        raise ConfigError(f"{name}: no such setting{hint} (from {source})")
    try:
        return _known()[name][0](raw)
    except ValueError as error:
        found = repr(without_password(raw) if isinstance(raw, str) else raw)
        raise ConfigError(f"{name}: must be {error}, not {found} (from {source})") from None


@cache
def _known() -> Mapping[str, tuple[_Read, str]]:
    """How each setting is read, and what it is."""
    hints = get_type_hints(Config, include_extras=True)
    return {name: hint.__metadata__ for name, hint in hints.items()}


def _check_together(config: Config) -> None:
    """What no setting can tell alone."""
    if (config.tls_certificate is None) != (config.tls_key is None):
        lone = "tls_key" if config.tls_key is None else "tls_certificate"
        raise ConfigError(f"{lone}: must be set; tls_certificate and tls_key go together")
    if config.kafka_sasl != "none":
        for name in ("kafka_user", "kafka_password_file"):
            if getattr(config, name) is None:
                raise ConfigError(f"{name}: must be set; kafka_sasl is {config.kafka_sasl}")
    if config.ledger_password_file is not None and config.ledger_url is None:
        raise ConfigError("ledger_url: must be set; ledger_password_file holds its password")
    if config.log == "embedded" and config.services != SERVICES:
        raise ConfigError("services: must be all of them; an embedded log has one process")
