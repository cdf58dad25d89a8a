"""Beats of sessions and words of wallets to bytes and back.

They travel among the commands of players and the orders of the house, and whoever takes them for
such finds one of a kind that it does not know. Nothing here knows what silence means.
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


def encode_word(wallet: str, *, away: bool) -> bytes:
    """The bytes of a wallet's word: it cannot book now, or can again."""
    return beats_pb2.LedgerWord(wallet=wallet, away=away).SerializeToString()


def decode_word(data: bytes) -> bool | None:
    """Whether a wallet says that it cannot book; `None` for what is no wallet's word."""
    message = beats_pb2.LedgerWord()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    return message.away if message.wallet else None
