"""How partitions are shared out among the members of a group. Pure, and the same for both logs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def share_out(partitions: int, members: Iterable[str]) -> dict[str, frozenset[int]]:
    """Each member's partitions: evenly, and decided by the names alone.

    Whoever comes back under its name gets what it had. When a member comes or goes, most
    partitions stay where they are (rendezvous hashing, with a bound on each member's share).
    """
    names = sorted(set(members))
    if not names:
        return {}
    low, odd = divmod(partitions, len(names))
    shares: dict[str, list[int]] = {name: [] for name in names}
    larger = 0  # members that have one partition more than the least
    for partition in range(partitions):
        for name in sorted(names, key=lambda name: _weight(name, partition), reverse=True):
            held = len(shares[name])
            if held < low or (held == low and larger < odd):
                larger += held == low
                shares[name].append(partition)
                break
    return {name: frozenset(held) for name, held in shares.items()}


def _weight(name: str, partition: int) -> bytes:
    return hashlib.blake2b(f"{partition}/{name}".encode(), digest_size=8).digest()
