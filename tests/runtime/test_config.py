"""A setting comes from where it should, and what is wrong with one is told by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from riverboat.runtime.config import SERVICES, Address, Config, ConfigError, load, settings


@pytest.fixture
def write(tmp_path):
    """Write a file of settings and give its path."""

    def run(text):
        path = tmp_path / "riverboat.toml"
        path.write_text(text)
        return path

    return run


def test_nothing_need_be_set():
    assert load() == Config()
    assert load().log == "embedded"
    assert load().services == SERVICES


def test_a_flag_beats_the_environment_and_the_environment_beats_the_file(write):
    file = write('partitions = 1\ninstance = "file"\nlog_level = "error"\n')
    environment = {"RIVERBOAT_PARTITIONS": "2", "RIVERBOAT_INSTANCE": "env", "PATH": "/bin"}
    config = load(file=file, environment=environment, flags={"partitions": 3, "listen": None})
    assert (config.partitions, config.instance, config.log_level) == (3, "env", "error")
    assert config.listen == Config().listen


def test_a_path_in_the_file_is_relative_to_it_and_others_are_not(write):
    file = write('data = "kept"\nseal_keys = "/etc/keys"\ntls_key = "none"\n')
    config = load(file=file)
    assert config.data == file.parent / "kept"
    assert config.seal_keys == Path("/etc/keys")
    assert config.tls_key is None
    assert load(environment={"RIVERBOAT_DATA": "kept"}).data == Path("kept")


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("127.0.0.1:0", Address("127.0.0.1", 0)),
        ("[::1]:7878", Address("::1", 7878)),
        ("0.0.0.0:65535", Address("0.0.0.0", 65535)),
    ],
)
def test_an_address_is_a_host_and_a_port(raw, value):
    assert load(flags={"listen": raw}).listen == value
    assert str(value) == raw


def test_services_are_named_once_each_and_stand_in_their_order():
    config = load(flags={"services": "wallet,dealer", "log": "kafka://a:1,b:2"})
    assert config.services == ("dealer", "wallet")


@pytest.mark.parametrize(
    ("name", "raw", "why"),
    [
        ("partitions", "0", "a whole number from 1 to 4096"),
        ("partitions", "4097", "a whole number from 1 to 4096"),
        ("partitions", "many", "a whole number from 1 to 4096"),
        ("partitions", 1.5, "a whole number from 1 to 4096"),
        ("partitions", True, "a whole number from 1 to 4096"),
        ("listen", "7878", "HOST:PORT"),
        ("listen", ":7878", "HOST:PORT"),
        ("listen", "host:65536", "HOST:PORT"),
        ("listen", "", "HOST:PORT"),
        ("ledger_url", "sqlite:///ledger", "postgresql://USER@HOST:PORT/DATABASE"),
        ("ledger_url", "postgresql://host", "postgresql://USER@HOST:PORT/DATABASE"),
        ("log", "kafka", "embedded, or kafka://HOST:PORT"),
        ("log", "kafka://", "embedded, or kafka://HOST:PORT"),
        ("log", "kafka://a:1,b", "HOST:PORT"),
        ("services", "dealer,croupier", "some of dealer, betting, showdown, wallet, session"),
        ("services", "dealer,dealer", "each once"),
        ("services", [], "each once"),
        ("services", [[]], "each once"),
        ("instance", "two words", "letters, digits and dashes"),
        ("instance", "", "letters, digits and dashes"),
        ("data", "", "a path"),
        ("data", 7, "a path"),
        ("log_level", "loud", "one of debug, info, warning, error"),
        ("token_issuer", "two words", "a word"),
    ],
)
def test_a_wrong_setting_is_named_with_its_source(name, raw, why):
    with pytest.raises(ConfigError) as raised:
        load(flags={name: raw})
    assert str(raised.value).startswith(f"{name}: must be ")
    assert why in str(raised.value)
    assert "(from the command line)" in str(raised.value)


def test_the_source_of_a_wrong_setting_is_told(write):
    with pytest.raises(ConfigError, match=r"\(from RIVERBOAT_PARTITIONS\)"):
        load(environment={"RIVERBOAT_PARTITIONS": "x"})
    with pytest.raises(ConfigError, match=r"\(from .*/riverboat.toml\)"):
        load(file=write("partitions = 0\n"))


def test_a_setting_that_is_not_there_is_refused_and_a_near_one_proposed(write):
    with pytest.raises(ConfigError, match="partition: no such setting; is partitions meant"):
        load(file=write("partition = 8\n"))


def test_a_file_that_cannot_be_read_is_named(write, tmp_path):
    with pytest.raises(ConfigError, match=r"riverboat.toml: .*line 1"):
        load(file=write("partitions = = 8\n"))
    with pytest.raises(ConfigError, match=r"nowhere.toml: No such file"):
        load(file=tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ({"tls_key": "k"}, "tls_certificate: must be set"),
        ({"tls_certificate": "c"}, "tls_key: must be set"),
        ({"ledger_password_file": "/p"}, "ledger_url: must be set"),
        ({"kafka_sasl": "PLAIN", "kafka_user": "u"}, "kafka_password_file: must be set"),
        ({"services": "dealer"}, "services: must be all of them"),
    ],
)
def test_settings_that_do_not_fit_each_other_are_refused(flags, why):
    with pytest.raises(ConfigError, match=why):
        load(flags=flags)


def test_every_setting_is_told_to_the_manual():
    told = {one.name: one for one in settings()}
    assert set(told) == set(Config.__dataclass_fields__)
    assert told["partitions"].environment == "RIVERBOAT_PARTITIONS"
    assert told["partitions"].default == 32
    assert all(one.about for one in told.values())


def test_every_default_is_a_value_that_could_be_set():
    for one in settings():
        raw = ",".join(SERVICES) if one.name == "services" else one.default
        raw = "none" if raw is None else raw
        raw = raw if isinstance(raw, int) else str(raw)
        if one.name not in ("tls_certificate", "tls_key"):
            assert getattr(load(flags={one.name: raw}), one.name) == one.default


def test_a_password_in_a_url_is_never_shown():
    url = "postgresql://riverboat:secret@db:5432/ledger"
    config = load(environment={"RIVERBOAT_LEDGER_URL": url})
    assert config.ledger_url == url
    assert "secret" not in repr(config)
    with pytest.raises(ConfigError, match="ledger_url: must be") as wrong:
        load(environment={"RIVERBOAT_LEDGER_URL": "mysql://riverboat:secret@db/ledger"})
    assert "secret" not in str(wrong.value)
    assert "riverboat:***@db" in str(wrong.value)


@pytest.mark.parametrize(
    "password", ["s3/cret", "s3@cret", "s3 cret", "s3\\cret", "s3'cret", "s3:cret"]
)
def test_no_sign_in_a_password_makes_it_shown(password):
    with pytest.raises(ConfigError, match="ledger_url: must be") as wrong:
        load(environment={"RIVERBOAT_LEDGER_URL": f"mysql://cashier:{password}@db/ledger"})
    assert "cret" not in str(wrong.value)
    assert "s3" not in str(wrong.value)
    assert "cashier:***@db" in str(wrong.value)
