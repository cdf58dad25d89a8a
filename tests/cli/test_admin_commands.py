"""The operator's commands against a network that runs: what they do, and what they print."""

from __future__ import annotations

import asyncio
from pathlib import Path

from riverboat.runtime.codes import code_digest
from scripts.check_case import check
from services.cli.main import run
from tests.cli.house import Network, network
from tests.services.operator.operating import options, running, templates
from tests.waiting import until


class Admin:
    """`riverboat admin` as somebody."""

    def __init__(self, net: Network, capfd) -> None:
        self.net = net
        self.capfd = capfd

    async def __call__(self, *words: str, by: str = "ann", status: int = 0) -> str:
        where = ("--data", str(self.net.config.data), "--server", self.net.where["operator"])
        line = ["admin", *where, "--as", by, *words]
        ended = await asyncio.to_thread(run, line)
        said = self.capfd.readouterr()
        assert ended == status, said.err
        return str(said.err if status else said.out)


async def test_tables_from_the_command_line(tmp_path: Path, capfd) -> None:
    async with network(tmp_path, table_templates=templates(tmp_path)) as net:
        admin = Admin(net, capfd)
        opened = await admin("open", "evening", "--why", "friday", "--key", "k")
        assert await admin("open", "evening", "--why", "friday", "--key", "k") == opened
        (table,) = net.house.tables
        assert f"table {table}" in opened
        changed = ("change", table, 'name="Memphis"', "stakes.ante=1", "turn_ms=15000")
        await admin(*changed, "--why", "slower")
        await until(lambda: options(net, table).name == "Memphis")
        assert (options(net, table).stakes.ante, options(net, table).turn_ms) == (1, 15_000)
        await admin("change", table, "code=sesame", "--why", "a private evening")
        await until(lambda: options(net, table).code_digest == code_digest(table, "sesame"))
        said = await admin("change", table, "code=1234", "--why", "x", status=2)
        assert "6 signs at least" in said
        await admin("change", table, "code=", "--why", "for all again")
        await until(lambda: options(net, table).code_digest == b"")
        said = await admin("change", table, "colour=3", "--why", "x", status=2)
        assert "colour is no option of a table" in said
        said = await admin("change", table, "seats=many", "--why", "x", status=2)
        assert "seats: not a value of it" in said
        await admin("pause", table, "--for", "60", "--why", "fire alarm")
        shown = await admin("table", table)
        assert shown.startswith(f"Memphis ({table})  version ")
        assert "paused (operator)" in shown
        said = await admin("pause", table, "--why", "again", status=1)
        assert "already paused" in said
        assert "(key " in said
        await admin("resume", table, "--why", "over")
        await admin("keep", "evening", "1", "--why", "weekend")
        assert f"evening  nl holdem  keep 1  {table}" in await admin("templates")
        await admin("say", "--table", table, "last hands", "--why", "closing")
        await admin("drain", table, "--why", "late")
        await until(lambda: net.house.tables[table].closed)
        told = await admin("measures", "--about", f"table:{table}")
        kinds = [line.split("  ")[4].split()[0] for line in told.splitlines()]
        assert kinds == ["drain", "say", "resume", "pause", "pause", "change", "change", "change"]
        assert '"fire alarm"  done' in told
        assert '"again"  refused: ALREADY_PAUSED' in told
        said = await admin("open", "evening", status=2)
        assert "Missing option '--why'" in said


async def test_a_player_is_silenced_from_the_command_line(tmp_path: Path, capfd) -> None:
    async with network(tmp_path) as net:
        admin = Admin(net, capfd)
        asked = ("silence", "huck", "--for", "60", "--why", "abuse", "--key", "k")
        assert await admin(*asked) == await admin(*asked), "once, however often it is asked"
        told = await admin("silence", "huck", "--for", "61", "--why", "x", "--key", "k", status=1)
        assert "measure key reused" in told
        await admin("silence", "huck", "--why", "he was sorry")
        shown = await admin("player", "huck")
        assert "abuse" in shown
        assert "he was sorry" in shown
        refused = await admin("silence", "huck", "--for", "40000000", "--why", "x", status=2)
        assert "31536000" in refused


async def test_a_dispute_from_the_command_line(tmp_path: Path, capfd) -> None:
    async with network(tmp_path) as net:
        admin = Admin(net, capfd)
        table = await net.open_table("Natchez")
        async with net.bots(table, 3, hands=3) as crowd:
            await crowd.done.wait()
        await until(lambda: not net.house.tables[table].sittings)
        hand, huck, jim = f"{table}-1", f"bot0@{table}", f"bot1@{table}"
        taken = await admin("complain", huck, "cut off", "--hand", hand, "--why", "a call")
        complaint = taken.split()[0]
        assert huck in await admin("complaints", "--state", "open")
        assert await admin("complaints", "--overdue") == ""
        told = await admin("hand", hand, "--cards", "--why", "the complaint")
        assert told.startswith(f"Hand {hand} at Natchez")
        assert told.count(" held ") == 3
        said = await admin("hand", hand, "--cards", status=2)
        assert "who looks at private cards says why" in said
        legs = (f"{huck}=-50", f"{jim}=+45", "house=5")
        proposed = (await admin("correct", hand, *legs, "--why", "wrong pot")).split()[0]
        said = await admin("approve", proposed, "--why", "mine", status=1)
        assert "own correction" in said
        booked = await admin("approve", proposed, "--why", "looked at it", by="bob")
        assert f"posting correct:operator:{proposed}" in booked
        told = await admin("corrections", "--state", "booked")
        assert f"{huck}=-50 {jim}=45 house=5 PLAY  by ann, bob" in told
        out = tmp_path / "case.jsonl"
        made = await admin("case", hand, "--out", str(out), "--why", "for the file")
        found = check(out.read_bytes())
        assert made.startswith(f"{out}  SHA-256 ")
        corrected = [one["posting"] for one in found["ledger"]["postings"]]
        assert f"correct:operator:{proposed}" in corrected
        answer = ("answered", "--answer", "you got it back", "--why", "corrected")
        await admin("handle", complaint, *answer, by="bob")
        assert 'answered: "you got it back"' in await admin("complaints")
        await admin("warn", huck, "--text", "no more", "--why", "rude")
        told = await admin("player", huck)
        assert told.startswith(f"{huck}  ")
        assert "  1 warnings" in told
        assert await admin("flags") == ""


async def test_a_token_says_who_and_what_he_may(tmp_path: Path, capfd) -> None:
    async with network(tmp_path) as net:
        admin = Admin(net, capfd)
        table = await net.open_table()
        async with net.bots(table, 3, think_ms=60_000):
            await until(lambda: net.house.tables[table].deal is not None)
            hand = running(net, table)
            signed = ["token", "--player", "cat", "--role", "operator", "--right", "players"]
            assert await asyncio.to_thread(run, [*signed, "--data", str(net.config.data)]) == 0
            token = tmp_path / "cat.token"
            token.write_text(capfd.readouterr().out)
            whose = ("--token-file", str(token))
            said = await admin(*whose, "void", hand, "--why", "x", status=1)
            assert "only with the right tables" in said
            await admin(*whose, "warn", "huck", "--why", "rude")
            assert "  cat  warn " in await admin("measures")
            await admin("void", hand, "--why", "a fire")
