"""The wallet line: how the operator's service calls the wallet, in this process or another.

It adds who calls, and nothing else: what is asked and what is answered is theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2, error_details_pb2
from grpc_status import rpc_status

from riverboat.game.refusals import Refusal
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call, handler_name
from riverboat.runtime.config import Config, ConfigError
from riverboat.runtime.errors import BadInput, Fault, fault_of, unauthenticated
from riverboat.wire.v1 import corrections_pb2, wallet_pb2
from riverboat.wire.v1.access_pb2 import Role
from services.cli import reach
from services.operator import OPERATOR
from services.operator.bank import Wallet

ROLES: Final = frozenset({Role.ROLE_OPERATOR, Role.ROLE_SERVICE})
NEVER_MS: Final = 1 << 62
# A call that is booked takes milliseconds; what takes longer is asked again under its key.
PATIENT_S: Final = 5.0
TOKEN_MS: Final = 60 * 60 * 1_000

_METHODS: Final = {
    method.name: method
    for module in (wallet_pb2, corrections_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}


def wallet_here(rpc: object) -> Wallet:
    """The wallet of this process."""
    caller = Caller(OPERATOR, ROLES, NEVER_MS)

    async def ask(method: str, request: Message) -> Message | Fault:
        outcome = await getattr(rpc, handler_name(method))(request, Call(caller, OPERATOR))
        return fault_of(outcome) if isinstance(outcome, Refusal | BadInput | Fault) else outcome

    return ask


def wallet_there(config: Config, *, patient_s: float = PATIENT_S) -> Wallet:
    """The wallet of another process; raises `ConfigError` where nobody says where it is.

    What has no answer after `patient_s` may be done or not.
    """
    if config.wallet_at is None:
        raise ConfigError("wallet_at: must be set; the operator's service needs the wallet")
    if config.service_token_file is None and config.token_keys is not None:
        raise ConfigError("service_token_file: must be set; tokens are signed by somebody else")
    where: Mapping[str, str] = {"wallet": str(config.wallet_at)}
    channel = reach.channel(where, "wallet")

    async def ask(method: str, request: Message) -> Message | Fault:
        called = _METHODS[method]
        kind: Any = GetMessageClass(called.output_type)
        call = channel.unary_unary(
            f"/{called.containing_service.full_name}/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=kind.FromString,
        )
        try:
            token = _token(config)
        except OSError as error:
            # Whoever puts a new one there may be just about it.
            why = f"{config.service_token_file}: {error.strerror}"
            return unauthenticated("NO_TOKEN", why)
        try:
            answer: Message = await call(request, metadata=reach.bearer(token), timeout=patient_s)
        except grpc.aio.AioRpcError as error:
            return _fault(error)
        return answer

    return ask


def _token(config: Config) -> str:
    if config.service_token_file is not None:
        # Read each time: whoever signs it puts a new one there before it ends.
        return config.service_token_file.read_text(encoding="utf-8").strip()
    return reach.token(config, OPERATOR, ["operator", "service"], TOKEN_MS)


def _fault(error: grpc.aio.AioRpcError) -> Fault:
    """What the wallet said, as its process would have told it."""
    code = int(error.code().value[0])
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    for packed in status.details if status is not None else ():
        info = error_details_pb2.ErrorInfo()
        if packed.Is(info.DESCRIPTOR) and packed.Unpack(info):
            return Fault(code, info.reason, error.details() or "", dict(info.metadata))
    return Fault(code, code_pb2.Code.Name(code), error.details() or "")
