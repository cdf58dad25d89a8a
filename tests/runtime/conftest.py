"""What the runtime's tests share: the echo service's descriptors, compiled from its proto."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

from riverboat.wire.v1 import access_pb2

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


class Echo:
    """Messages and services of `echo.proto`, by name."""

    def __init__(self, pool: descriptor_pool.DescriptorPool) -> None:
        self._pool = pool

    def message(self, name: str) -> Any:
        descriptor = self._pool.FindMessageTypeByName(f"riverboat.test.v1.{name}")
        return message_factory.GetMessageClass(descriptor)

    def service(self, name: str) -> Any:
        return self._pool.FindServiceByName(f"riverboat.test.v1.{name}")


@pytest.fixture(scope="session")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Echo:
    """The echo service; its options are read with the wire's own extensions."""
    assert access_pb2.DESCRIPTOR is not None
    out = tmp_path_factory.mktemp("echo") / "echo.binpb"
    code = protoc.main(
        ["protoc", f"-I{HERE}", f"-I{ROOT / 'protos'}", f"-I{_bundled()}", f"-o{out}", "echo.proto"]
    )
    assert code == 0
    pool = descriptor_pool.Default()
    for file in descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file:
        pool.Add(file)
    return Echo(pool)


def _bundled() -> Path:
    return Path(protoc.__file__).parent / "_proto"
