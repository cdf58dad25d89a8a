"""Sealed decks open where they belong and nowhere else; what is shown is what was committed to."""

from __future__ import annotations

import dataclasses
import itertools
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game.cards import DECKS
from riverboat.log import sealing
from riverboat.log.commitment import SEED_BYTES, Commitment, verify, verify_all
from riverboat.log.deck_keys import (
    BadKeyFile,
    DerivedKeys,
    FileKeys,
    KeyGone,
    KeyStays,
    day_of,
)
from riverboat.log.sealing import BadDeck, SealedDeck, SealedDecks, seal, unseal

DAY_MS = 86_400_000
NOW_MS = 1_900_000_000_000
DECK = DECKS["52"]
SEED = bytes(range(SEED_BYTES))


@dataclasses.dataclass
class HandOf:
    """The fields of a hand that opening its deck reads."""

    id: str
    sealed: bytes
    key: str
    root: bytes
    stubs: tuple[HandOf, ...] = ()


class Clock:
    now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


def decks(keys=None, clock=None) -> SealedDecks:
    return SealedDecks(keys or DerivedKeys(b"k" * 32), os.urandom, clock or Clock())


def dealt(box: SealedDecks, table: str = "3f.7", hand: str = "3f.7-12") -> HandOf:
    made = box.new(table, hand, 40, DECK)
    return HandOf(hand, made.sealed, made.key, made.root)


# The commitment.


@given(st.permutations(DECK), st.sets(st.integers(0, 51), min_size=1))
def test_any_cards_of_a_deck_can_be_proved_together(order, places):
    commitment = Commitment(order, SEED)
    shown = {place: order[place] for place in places}
    assert verify(commitment.root, shown, commitment.prove(places))


@pytest.mark.parametrize("size", range(1, 53))
def test_every_place_of_every_size_of_deck_can_be_proved(size):
    commitment = Commitment(range(size), SEED)
    for place in range(size):
        assert verify(commitment.root, {place: place}, commitment.prove([place]))
    assert verify(commitment.root, {n: n for n in range(size)}, commitment.prove(range(size)))


@pytest.mark.parametrize("places", [[0], [51], [4, 5, 6], [0, 17, 33, 51]])
def test_a_proof_holds_for_no_other_card_and_no_other_place(places):
    commitment = Commitment(DECK, SEED)
    proof = commitment.prove(places)
    shown = {place: place for place in places}
    assert verify(commitment.root, shown, proof)
    for place, other in itertools.product(places, range(52)):
        if other != place:
            assert not verify(commitment.root, shown | {place: other}, proof)
        if other not in places:
            moved = {k: v for k, v in shown.items() if k != place} | {other: place}
            assert not verify(commitment.root, moved, proof)


def test_a_proof_with_any_byte_changed_proves_nothing():
    commitment = Commitment(DECK, SEED)
    shown = {4: 4, 5: 5, 6: 6, 30: 30}
    proof = commitment.prove(shown)
    for at in range(len(proof)):
        spoiled = proof[:at] + bytes((proof[at] ^ 1,)) + proof[at + 1 :]
        assert not verify(commitment.root, shown, spoiled)
    assert not verify(commitment.root, shown, proof[:-1])
    assert not verify(commitment.root, shown, proof + b"\0")
    assert not verify(commitment.root, shown, b"")
    assert not verify(bytes(32), shown, proof)


@pytest.mark.parametrize("shown", [{-1: 0}, {52: 0}, {200: 0}, {0: 64}, {0: -1}])
def test_places_and_cards_that_no_deck_has_are_not_proved(shown):
    commitment = Commitment(DECK, SEED)
    assert not verify(commitment.root, shown, commitment.prove([0]))


def test_nothing_shown_needs_no_proof():
    commitment = Commitment(DECK, SEED)
    assert commitment.prove([]) == b""
    assert verify(commitment.root, {}, b"")
    assert not verify(commitment.root, {}, commitment.prove([0]))


def test_a_smaller_deck_has_another_root():
    assert Commitment(DECK[:36], SEED).root != Commitment(DECK, SEED).root


def test_a_proof_tells_nothing_of_the_cards_it_is_not_for():
    """ARCHITECTURE 4: "cards nobody saw stay closed": other orders give proofs alike."""
    order = list(DECK)
    swapped = [order[0], *reversed(order[1:])]
    first, second = Commitment(order, SEED), Commitment(swapped, SEED)
    proof = first.prove([0])
    assert len(proof) == len(second.prove([0]))
    salts = first.prove(range(52))[2:]
    for place in range(1, 52):
        assert salts[place * 16 : place * 16 + 16] not in proof


def test_places_go_on_from_one_deck_to_the_next():
    deck, stub = Commitment(DECK, SEED), Commitment((7, 9, 11), SEED[::-1])
    decks = [(deck.root, 52), (stub.root, 3)]
    shown = {0: 0, 51: 51, 52: 7, 54: 11}
    proof = deck.prove([0, 51]) + stub.prove([0, 2])
    assert verify_all(decks, shown, proof)
    assert verify_all(decks, {54: 11}, stub.prove([2]))
    assert verify_all(decks, {}, b"")
    for wrong in (
        [*decks[::-1]],
        [(deck.root, 51), (stub.root, 4)],
        [(deck.root, 52), (deck.root, 3)],
        decks[:1],
    ):
        assert not verify_all(wrong, shown, proof)
    assert not verify_all(decks, shown | {53: 9}, proof)
    assert not verify_all(decks, shown | {55: 1}, proof)
    assert not verify_all(decks, shown | {54: 9}, proof)
    assert not verify_all(decks, shown, proof + b"\0")
    assert not verify_all(decks, shown, stub.prove([0, 2]) + deck.prove([0, 51]))


# Sealing.


def test_whoever_has_the_key_opens_the_deck():
    box = decks()
    made = box.new("3f.7", "3f.7-12", 40, DECK)
    hand = HandOf("3f.7-12", made.sealed, made.key, made.root)
    opened = decks().open("3f.7", hand)
    assert opened.order == made.order
    assert sorted(opened.order) == list(DECK)
    assert isinstance(opened, SealedDeck)
    assert opened.version == 40
    proof = opened.prove([0, 9])
    assert verify(made.root, {0: made.order[0], 9: made.order[9]}, proof)


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("40.7", {}),
        ("3f.7", {"id": "3f.7-13"}),
        ("3f.7", {"key": day_of(NOW_MS - DAY_MS)}),
        ("3f.7", {"key": ""}),
        ("3f.7", {"sealed": b""}),
        ("3f.7", {"sealed": b"\1" * 200}),
    ],
)
def test_a_deck_opens_nowhere_but_where_it_was_sealed_for(table, change):
    box = decks()
    hand = dataclasses.replace(dealt(box), **change)
    with pytest.raises(BadDeck):
        box.open(table, hand)


def test_a_sealed_deck_with_any_byte_changed_does_not_open():
    box = decks()
    hand = dealt(box)
    for at in range(len(hand.sealed)):
        spoiled = hand.sealed[:at] + bytes((hand.sealed[at] ^ 1,)) + hand.sealed[at + 1 :]
        with pytest.raises(BadDeck):
            box.open("3f.7", dataclasses.replace(hand, sealed=spoiled))


def test_a_deck_under_another_key_does_not_open():
    hand = dealt(decks())
    with pytest.raises(BadDeck, match="does not open"):
        decks(DerivedKeys(b"other key".ljust(32, b"."))).open("3f.7", hand)


def test_an_order_that_was_not_committed_to_proves_nothing():
    box = decks()
    hand = dealt(box)
    hand.root = dealt(box).root
    with pytest.raises(BadDeck, match="committed"):
        box.open("3f.7", hand).prove([0])


def test_a_deck_with_a_card_twice_does_not_open():
    key, day = bytes(32), day_of(NOW_MS)
    box = decks(DerivedKeys(b"k" * 32))
    _, key = DerivedKeys(b"k" * 32).today(NOW_MS)
    order = bytes([5, 5, *range(6, 56)])
    sealed = seal(key, day, "3f.7", "3f.7-1", 1, bytes(12), SEED + order)
    with pytest.raises(BadDeck, match="twice"):
        box.open("3f.7", HandOf("3f.7-1", sealed, day, b""))


def test_no_two_seals_of_one_order_look_alike():
    box = decks()
    first, second = dealt(box), dealt(box)
    assert first.sealed != second.sealed
    assert first.root != second.root


def test_the_record_s_version_is_authenticated():
    key = bytes(32)
    sealed = seal(key, "2031-05-04", "t.1", "t.1-1", 7, bytes(12), SEED + b"cards")
    assert unseal(key, "2031-05-04", "t.1", "t.1-1", sealed) == (7, SEED + b"cards")
    at = 2 + len("2031-05-04") + 7
    other = sealed[:at] + b"\x08" + sealed[at + 1 :]
    with pytest.raises(BadDeck):
        unseal(key, "2031-05-04", "t.1", "t.1-1", other)


def test_only_the_decks_used_last_are_kept_open():
    box = decks()
    for number in range(sealing.KEPT + 10):
        box.open("1.1", dealt(box, "1.1", f"1.1-{number}"))
    assert len(box._open) == sealing.KEPT


# Keys.


def test_each_day_has_its_own_key(tmp_path):
    keys = FileKeys(tmp_path / "keys.json", os.urandom)
    first, second = keys.today(NOW_MS), keys.today(NOW_MS + DAY_MS)
    assert keys.today(NOW_MS) == first
    assert first[0] < second[0]
    assert first[1] != second[1]
    assert keys.days() == [first[0], second[0]]
    assert keys.key(first[0]) == first[1]


def test_only_its_owner_may_read_the_file_of_keys(tmp_path):
    path = tmp_path / "keys.json"
    FileKeys(path, os.urandom).today(NOW_MS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(BadKeyFile, match="others than its owner"):
        FileKeys(path, os.urandom)


def test_processes_that_share_the_file_share_the_day_s_key(tmp_path):
    path = tmp_path / "keys.json"
    dealer, showdown = FileKeys(path, os.urandom), FileKeys(path, os.urandom)
    day, key = dealer.today(NOW_MS)
    assert showdown.key(day) == key
    assert showdown.today(NOW_MS) == (day, key)
    assert FileKeys(path, os.urandom).key(day) == key


def test_a_destroyed_day_hides_its_cards_for_ever(tmp_path):
    """ARCHITECTURE 4: "Destroying a day's key is the retention policy for unseen cards"."""
    path, clock = tmp_path / "keys.json", Clock()
    keys = FileKeys(path, os.urandom)
    box = decks(keys, clock)
    hand = dealt(box)
    box.open("3f.7", hand)
    FileKeys(path, os.urandom).destroy(hand.key)
    with pytest.raises(KeyGone, match="destroyed"):
        box.open("3f.7", hand)
    with pytest.raises(KeyGone, match="destroyed"):
        keys.today(NOW_MS)
    with pytest.raises(KeyGone, match="destroyed"):
        FileKeys(path, os.urandom).key(hand.key)
    assert keys.days() == []


def test_a_day_that_never_was_has_no_key(tmp_path):
    with pytest.raises(KeyGone, match="is not in"):
        FileKeys(tmp_path / "keys.json", os.urandom).key("2001-01-01")


@pytest.mark.parametrize(
    "text", ["", "[]", '{"keys": {}}', '{"keys": {"d": "zz"}, "destroyed": []}', "{"]
)
def test_a_broken_file_of_keys_is_named_and_not_quoted(tmp_path, text):
    path = tmp_path / "keys.json"
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(BadKeyFile, match="not a file of keys") as caught:
        FileKeys(path, os.urandom)
    assert caught.value.__cause__ is None


def test_a_short_key_is_refused(tmp_path):
    path = tmp_path / "keys.json"
    path.touch(0o600)
    path.write_text('{"keys": {"2031-05-04": "00ff"}, "destroyed": []}')
    with pytest.raises(BadKeyFile, match="bytes long"):
        FileKeys(path, os.urandom)


def test_a_file_of_keys_that_disappears_is_said(tmp_path):
    path = tmp_path / "keys.json"
    keys = FileKeys(path, os.urandom)
    keys.today(NOW_MS)
    path.unlink()
    with pytest.raises(BadKeyFile, match="gone"):
        keys.today(NOW_MS + DAY_MS)


def test_derived_keys_agree_wherever_the_secret_is():
    first, second = DerivedKeys(b"s" * 32), DerivedKeys(b"s" * 32)
    day, key = first.today(NOW_MS)
    assert second.key(day) == key
    assert first.key("2001-01-01") != key
    assert first.days() == ["2001-01-01", day]
    with pytest.raises(KeyStays, match="secret"):
        first.destroy(day)
    with pytest.raises(ValueError, match="at least 32"):
        DerivedKeys(b"short")
