"""A token counts only if our issuer signed it, for us, for now; whatever else comes is refused."""

from __future__ import annotations

import base64
import json
import threading

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from google.rpc import code_pb2

from riverboat.runtime.auth import LEEWAY_MS, ROLE_NAMES, Caller, Issuer, Verifier
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.errors import Fault
from riverboat.runtime.keys import KEYS_FRESH_MS, KEYS_STALE_MS, BadKeys, KeyFile, jwks, key_id
from riverboat.wire.v1.access_pb2 import Role

NOW_MS = 1_800_000_000_000
NOW = NOW_MS // 1000
HOUR_MS = 3_600_000
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
GOOD = {
    "iss": "home",
    "aud": "riverboat",
    "sub": "p1",
    "roles": ["player"],
    "iat": NOW,
    "exp": NOW + 60,
}


@pytest.fixture
def clock():
    return ManualClock(NOW_MS)


@pytest.fixture
def key_path(tmp_path):
    path = tmp_path / "keys.json"
    path.write_text(jwks([KEY.public_key()]))
    return path


@pytest.fixture
def verifier(key_path, clock):
    return Verifier(KeyFile(key_path, clock), issuer="home", audience="riverboat", clock=clock)


def sign(claims, key=KEY, algorithm="EdDSA", named=None):
    named = key_id(KEY.public_key()) if named is None else named
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": named})


def part(data):
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


def reason(outcome):
    assert isinstance(outcome, Fault), f"taken: {outcome}"
    assert outcome.code == code_pb2.UNAUTHENTICATED
    return outcome.reason


def taken(outcome):
    assert isinstance(outcome, Caller), f"refused: {outcome}"
    return outcome


def test_a_good_token_names_its_caller(verifier):
    caller = verifier.caller(sign(GOOD))
    assert caller == Caller("p1", frozenset({Role.ROLE_PLAYER}), NOW_MS + 60_000 + LEEWAY_MS)
    assert verifier.caller(sign(GOOD)) is caller  # remembered


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"exp": NOW - LEEWAY_MS // 1000}, "TOKEN_EXPIRED"),
        ({"exp": NOW - 86_400}, "TOKEN_EXPIRED"),
        ({"exp": None}, "BAD_TOKEN"),
        ({"exp": "tomorrow"}, "BAD_TOKEN"),
        ({"exp": True}, "BAD_TOKEN"),
        ({"exp": 1e300}, "BAD_TOKEN"),
        ({"nbf": NOW + 60}, "TOKEN_EARLY"),
        ({"iat": NOW + 60}, "TOKEN_EARLY"),
        ({"aud": "another"}, "BAD_TOKEN"),
        ({"aud": None}, "BAD_TOKEN"),
        ({"iss": "elsewhere"}, "BAD_TOKEN"),
        ({"iss": None}, "BAD_TOKEN"),
        ({"sub": None}, "BAD_TOKEN"),
        ({"sub": ""}, "BAD_TOKEN"),
        ({"sub": "two words"}, "BAD_TOKEN"),
        ({"sub": "p1\nlevel: forged"}, "BAD_TOKEN"),
        ({"sub": "p" * 65}, "BAD_TOKEN"),
        ({"roles": "operator"}, "BAD_TOKEN"),
        ({"roles": {"operator": True}}, "BAD_TOKEN"),
    ],
)
def test_a_token_whose_claims_are_wrong_does_not_count(verifier, change, wanted):
    claims = {name: value for name, value in (GOOD | change).items() if value is not None}
    assert reason(verifier.caller(sign(claims))) == wanted


def test_the_leeway_is_five_seconds(verifier):
    assert isinstance(verifier.caller(sign(GOOD | {"exp": NOW - 4})), Caller)
    assert isinstance(verifier.caller(sign(GOOD | {"iat": NOW + 5})), Caller)


def test_a_remembered_token_ends_when_it_ends(verifier, clock):
    token = sign(GOOD)
    assert isinstance(verifier.caller(token), Caller)
    clock.advance(60_000 + LEEWAY_MS - 1)
    assert isinstance(verifier.caller(token), Caller)
    clock.advance(1)
    assert reason(verifier.caller(token)) == "TOKEN_EXPIRED"


def test_a_token_of_another_key_does_not_count(verifier):
    assert reason(verifier.caller(sign(GOOD, OTHER_KEY))) == "BAD_TOKEN"
    named = key_id(OTHER_KEY.public_key())
    assert reason(verifier.caller(sign(GOOD, OTHER_KEY, named=named))) == "BAD_TOKEN"


def test_a_token_may_not_choose_how_it_is_checked(verifier):
    named = key_id(KEY.public_key())
    unsigned = f"{part({'alg': 'none', 'kid': named})}.{part(GOOD)}."
    assert reason(verifier.caller(unsigned)) == "BAD_TOKEN"
    # The public key is no secret: nobody may use it as one.
    shared = KEY.public_key().public_bytes_raw()
    assert reason(verifier.caller(sign(GOOD, shared, "HS256"))) == "BAD_TOKEN"


def test_a_tampered_token_does_not_count(verifier):
    head, _, signature = sign(GOOD).split(".")
    forged = f"{head}.{part(GOOD | {'roles': ['operator']})}.{signature}"
    assert reason(verifier.caller(forged)) == "BAD_TOKEN"
    good = sign(GOOD)
    flipped = good[:-5] + ("A" if good[-5] != "A" else "B") + good[-4:]
    assert reason(verifier.caller(flipped)) == "BAD_TOKEN"


@pytest.mark.parametrize(
    ("token", "wanted"),
    [
        ("", "NO_TOKEN"),
        ("x", "BAD_TOKEN"),
        ("a.b.c", "BAD_TOKEN"),
        ("....", "BAD_TOKEN"),
        ("\x00" * 100, "BAD_TOKEN"),
        ("é.é.é", "BAD_TOKEN"),
        ("e" * 5_000, "BAD_TOKEN"),
        (f"{part([])}.{part(GOOD)}.", "BAD_TOKEN"),
        (f"{part({'alg': 'EdDSA', 'kid': ['x']})}.{part(GOOD)}.", "BAD_TOKEN"),
        (f"{part({'alg': 'EdDSA'})}.{part(GOOD)}.", "BAD_TOKEN"),
    ],
)
def test_rubbish_is_no_token(verifier, token, wanted):
    assert reason(verifier.caller(token)) == wanted


def test_roles_are_those_named_and_no_others(verifier):
    every = taken(verifier.caller(sign(GOOD | {"roles": list(ROLE_NAMES)})))
    assert every.roles == {
        Role.ROLE_PLAYER,
        Role.ROLE_OPERATOR,
        Role.ROLE_SERVICE,
        Role.ROLE_OBSERVER,
    }
    others: list[list[object]] = [[], ["anyone"], ["unspecified"], ["ROLE_OPERATOR"], ["Operator"]]
    for roles in [*others, [1, None, []]]:
        assert taken(verifier.caller(sign(GOOD | {"roles": roles}))).roles == frozenset()
    without = {name: value for name, value in GOOD.items() if name != "roles"}
    assert taken(verifier.caller(sign(without))).roles == frozenset()


def test_a_caller_holds_a_role_or_does_not():
    player = Caller("p1", frozenset({Role.ROLE_PLAYER}), 0)
    assert player.holds(frozenset({Role.ROLE_OPERATOR, Role.ROLE_PLAYER}))
    assert not player.holds(frozenset({Role.ROLE_OPERATOR}))
    assert player.holds(frozenset({Role.ROLE_ANYONE}))
    assert not player.holds(frozenset())


def test_a_new_key_is_found_and_an_old_one_forgotten(verifier, key_path, clock):
    old, new = sign(GOOD), sign(GOOD, OTHER_KEY, named=key_id(OTHER_KEY.public_key()))
    assert isinstance(verifier.caller(old), Caller)
    key_path.write_text(jwks([OTHER_KEY.public_key()]))
    assert reason(verifier.caller(new)) == "BAD_TOKEN"  # looked at this instant
    clock.advance(KEYS_FRESH_MS)
    assert isinstance(verifier.caller(new), Caller)
    assert reason(verifier.caller(old)) == "BAD_TOKEN"


def test_a_key_taken_out_is_forgotten_within_a_minute(verifier, key_path, clock):
    token = sign(GOOD | {"exp": NOW + 3_600})
    assert isinstance(verifier.caller(token), Caller)
    key_path.write_text(jwks([OTHER_KEY.public_key()]))
    clock.advance(KEYS_STALE_MS)
    assert reason(verifier.caller(token)) == "BAD_TOKEN"


def test_a_broken_file_of_keys_locks_nobody_out(verifier, key_path, clock):
    token = sign(GOOD | {"exp": NOW + 3_600})
    for broken in ("", "{", '{"keys": []}'):
        key_path.write_text(broken)
        clock.advance(KEYS_STALE_MS)
        assert isinstance(verifier.caller(token), Caller)
    key_path.unlink()
    clock.advance(KEYS_STALE_MS)
    assert isinstance(verifier.caller(token), Caller)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a JWKS file"),
        ("[]", "not a JWKS file"),
        ('{"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "a", "x": "AA"}]}', "not a JWKS file"),
        ('{"keys": []}', "holds no Ed25519 key"),
        ('{"keys": [{"kty": "RSA"}]}', "holds no Ed25519 key"),
        ('{"keys": [{"kty": "OKP", "crv": "Ed25519", "d": "AA"}]}', "holds a private key"),
    ],
)
def test_a_file_of_keys_that_cannot_be_used_is_refused_at_start(tmp_path, clock, text, why):
    path = tmp_path / "keys.json"
    path.write_text(text)
    with pytest.raises(BadKeys, match=why) as raised:
        KeyFile(path, clock)
    assert str(path) in str(raised.value)


def test_a_missing_file_of_keys_is_refused_at_start(tmp_path, clock):
    with pytest.raises(BadKeys, match=r"nowhere.json: No such file"):
        KeyFile(tmp_path / "nowhere.json", clock)


def open_issuer(folder, clock, seed=1):
    return Issuer.open(
        folder, issuer="home", audience="riverboat", clock=clock, entropy=Seeded(seed)
    )


def test_an_issuer_signs_what_a_verifier_takes(tmp_path, clock):
    issuer = open_issuer(tmp_path / "data", clock)
    keys = KeyFile(tmp_path / "data" / Issuer.KEYS, clock)
    verifier = Verifier(keys, issuer="home", audience="riverboat", clock=clock)
    caller = taken(verifier.caller(issuer.token("p7", ["player", "observer"], HOUR_MS)))
    assert caller.id == "p7"
    assert caller.roles == {Role.ROLE_PLAYER, Role.ROLE_OBSERVER}
    assert caller.expires_ms == NOW_MS + HOUR_MS + LEEWAY_MS
    assert issuer.token("p7", ["player"], HOUR_MS) != issuer.token("p7", ["player"], HOUR_MS)


def test_an_issuer_keeps_its_key_from_others_and_across_restarts(tmp_path, clock):
    first = open_issuer(tmp_path, clock, seed=1)
    again = open_issuer(tmp_path, clock, seed=2)
    assert (tmp_path / Issuer.KEY).stat().st_mode & 0o777 == 0o600
    verifier = Verifier(
        KeyFile(tmp_path / Issuer.KEYS, clock), issuer="home", audience="riverboat", clock=clock
    )
    for issuer in (first, again):
        assert isinstance(verifier.caller(issuer.token("p1", ["player"], HOUR_MS)), Caller)
    assert {path.name for path in tmp_path.iterdir()} == {Issuer.KEY, Issuer.KEYS}


def test_two_issuers_that_start_at_once_share_one_key(tmp_path, clock):
    start = threading.Barrier(4)
    tokens = []

    def run(seed):
        start.wait()
        tokens.append(open_issuer(tmp_path, clock, seed).token("p1", ["player"], HOUR_MS))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    verifier = Verifier(
        KeyFile(tmp_path / Issuer.KEYS, clock), issuer="home", audience="riverboat", clock=clock
    )
    assert len(tokens) == 4
    assert all(isinstance(verifier.caller(token), Caller) for token in tokens)


def test_an_issuer_refuses_a_key_that_others_may_read_or_that_is_not_its_own(tmp_path, clock):
    open_issuer(tmp_path, clock)
    (tmp_path / Issuer.KEY).chmod(0o644)
    with pytest.raises(BadKeys, match="others may read it"):
        open_issuer(tmp_path, clock)
    (tmp_path / Issuer.KEY).chmod(0o600)
    (tmp_path / Issuer.KEYS).write_text(jwks([OTHER_KEY.public_key()]))
    with pytest.raises(BadKeys, match="does not hold the key beside it"):
        open_issuer(tmp_path, clock)
    (tmp_path / Issuer.KEY).write_text("rubbish")
    with pytest.raises(BadKeys, match="not a private key"):
        open_issuer(tmp_path, clock)


@pytest.mark.parametrize(
    ("subject", "roles", "why"),
    [("two words", ["player"], "not an id"), ("p1", ["king"], "no role 'king': one of player")],
)
def test_an_issuer_signs_only_what_can_count(tmp_path, clock, subject, roles, why):
    with pytest.raises(ValueError, match=why):
        open_issuer(tmp_path, clock).token(subject, roles, HOUR_MS)
