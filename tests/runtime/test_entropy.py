"""Entropy: the seeded source repeats, the system's does not."""

from riverboat.runtime.entropy import Seeded, system


def test_a_seed_repeats_its_bytes_and_never_within_itself():
    one, other = Seeded(7), Seeded(7)
    drawn = [one(32) for _ in range(100)]
    assert drawn == [other(32) for _ in range(100)]
    assert len(set(drawn)) == 100
    assert Seeded(8)(32) != drawn[0]


def test_a_child_does_not_depend_on_what_others_drew():
    fresh, used = Seeded("s"), Seeded("s")
    used(1000)
    assert fresh.child("dealer")(16) == used.child("dealer")(16)
    assert fresh.child("dealer")(16) != fresh.child("betting")(16)


def test_the_system_gives_as_many_bytes_as_asked_and_never_the_same():
    assert [len(system(n)) for n in (0, 1, 48)] == [0, 1, 48]
    assert system(16) != system(16)
