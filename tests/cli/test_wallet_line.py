"""The operator's line to a wallet in another process, over real gRPC."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from google.rpc import code_pb2

from riverboat.runtime.config import Address, Config, ConfigError
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import corrections_pb2, wallet_pb2
from services.cli import places, reach
from services.cli.wallet_line import wallet_there
from services.operator import OPERATOR
from services.wallet.store import Store
from tests.cli.house import Network, network
from tests.waiting import until

SOON_S = 0.5
KEY = "k-1"


def deposit(amount: int = 50) -> wallet_pb2.DepositRequest:
    return wallet_pb2.DepositRequest(player="ann", currency="PLAY", amount=amount, key=KEY)


def line(up: Network, **more: object) -> Config:
    """What the operator's process is told of the wallet's."""
    at = Address("127.0.0.1", up.house.port)
    return replace(up.config, services=("operator",), wallet_at=at, **more)  # type: ignore[arg-type]


def of(fault: object) -> tuple[int, str]:
    assert isinstance(fault, Fault), fault
    return fault.code, fault.reason


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def balance(up: Network) -> int:
    store = Store(places.ledger(up.config), read_only=True)
    try:
        return sum(one.balance for one in store.holdings("ann") if one.kind == "player")
    finally:
        store.close()


async def test_what_is_asked_and_answered_is_the_wallets_own(tmp_path: Path) -> None:
    async with network(tmp_path) as up:
        ask = wallet_there(line(up))
        done = await ask("Deposit", deposit())
        assert isinstance(done, wallet_pb2.DepositResponse)
        assert done.balance == 50
        again = await ask("Deposit", deposit())
        assert again == done, "the same key is the same deposit"
        refused = await ask("Deposit", deposit(60))
        assert of(refused) == (code_pb2.FAILED_PRECONDITION, "KEY_REUSED")
        wrong = await ask("Deposit", deposit(-1))
        assert of(wrong) == (code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
        # The other of its services.
        hand = corrections_pb2.ListPostingsRequest(postings=["hand:1.0-1"])
        found = await ask("ListPostings", hand)
        assert isinstance(found, corrections_pb2.ListPostingsResponse), found
        assert balance(up) == 50


async def test_who_shows_another_networks_token_or_a_players_is_not_let_in(tmp_path: Path) -> None:
    async with network(tmp_path / "one") as up, network(tmp_path / "other") as other:
        token = tmp_path / "token"
        ask = wallet_there(line(up, service_token_file=token))
        assert of(await ask("Deposit", deposit())) == (code_pb2.UNAUTHENTICATED, "NO_TOKEN")
        token.write_text("no token\n")
        assert of(await ask("Deposit", deposit()))[0] == code_pb2.UNAUTHENTICATED
        token.write_text(other.token(OPERATOR, "operator", "service"))
        assert of(await ask("Deposit", deposit()))[0] == code_pb2.UNAUTHENTICATED
        token.write_text(up.token("ann", "player"))
        looks = await ask("ListWithdrawals", wallet_pb2.ListWithdrawalsRequest())
        assert of(looks) == (code_pb2.PERMISSION_DENIED, "ROLE_MISSING")
        assert balance(up) == 0
        # One that is put there later is shown from then on.
        token.write_text(up.token(OPERATOR, "operator", "service") + "\n")
        assert isinstance(await ask("Deposit", deposit()), wallet_pb2.DepositResponse)


async def test_a_wallet_that_goes_and_comes_back_is_found_again(tmp_path: Path) -> None:
    listen = f"127.0.0.1:{free_port()}"
    async with network(tmp_path, listen=listen) as up:
        config = line(up)
        ask = wallet_there(config)
        assert isinstance(await ask("Deposit", deposit()), wallet_pb2.DepositResponse)
    assert of(await ask("Deposit", deposit())) == (code_pb2.UNAVAILABLE, "UNAVAILABLE")
    async with network(tmp_path, listen=listen) as up:
        for _ in range(200):
            if not isinstance(await ask("Deposit", deposit()), Fault):
                break
            await asyncio.sleep(0.1)
        assert balance(up) == 50, "it was asked again under its key"


async def test_what_has_no_answer_in_time_is_asked_again_and_done_once(tmp_path: Path) -> None:
    async with network(tmp_path) as up:
        ask = wallet_there(line(up), patient_s=SOON_S)
        assert isinstance(await ask("Deposit", deposit()), wallet_pb2.DepositResponse)
        more = wallet_pb2.DepositRequest(player="ann", currency="PLAY", amount=7, key="k-2")
        store = Store(places.ledger(up.config))
        with store.writing():
            # Whoever writes waits for this one.
            late = await ask("Deposit", more)
        assert of(late)[0] == code_pb2.DEADLINE_EXCEEDED
        store.close()
        done = await wallet_there(line(up))("Deposit", more)
        assert isinstance(done, wallet_pb2.DepositResponse)
        await until(lambda: balance(up) == 57)


async def test_who_listens_and_never_speaks_is_given_up(tmp_path: Path) -> None:
    held: list[asyncio.StreamWriter] = []
    silent = await asyncio.start_server(
        lambda _, writer: held.append(writer), "127.0.0.1", free_port()
    )
    async with network(tmp_path) as up:
        at = Address("127.0.0.1", silent.sockets[0].getsockname()[1])
        ask = wallet_there(replace(line(up), wallet_at=at), patient_s=SOON_S)
        fault = await ask("Deposit", deposit())
        assert of(fault)[0] in (code_pb2.DEADLINE_EXCEEDED, code_pb2.UNAVAILABLE)
        assert balance(up) == 0
    for writer in held:
        writer.close()
    silent.close()


async def test_where_it_is_and_who_signs_must_be_said(tmp_path: Path) -> None:
    async with network(tmp_path) as up:
        with pytest.raises(ConfigError, match="wallet_at"):
            wallet_there(replace(up.config, wallet_at=None))
        keys = places.token_keys(up.config)
        with pytest.raises(ConfigError, match="service_token_file"):
            wallet_there(line(up, token_keys=keys, service_token_file=None))
        assert reach.token(up.config, OPERATOR, ["service"])
