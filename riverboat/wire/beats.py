"""Beats of sessions to bytes and back.

They travel among the commands of players, and whoever takes those for commands finds one of a kind
that it does not know. Nothing here knows what silence means.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError

from riverboat.wire.v1 import beats_pb2


def encode_beat(instance: str) -> bytes:
    """The bytes of a beat of this session."""
    return beats_pb2.Beat(instance=instance).SerializeToString()


def decode_beat(data: bytes) -> str:
    """Whose beat this is; empty for what is none."""
    message = beats_pb2.Beat()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return ""
    return message.instance
