"""`riverboat simulate`: the whole network in one process, under virtual time and one seed.

Composes the real services and the real ledger for riverboat/sim; judges nothing itself.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import click

from riverboat.game.hand.events import Stakes
from riverboat.game.rules import MIXED, RulesError, game, mix
from riverboat.game.rules.schema import Forced, Game, Raise
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.game.table.given import Decks
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.sealing import SealedDecks
from riverboat.sim.asynclog import AsyncLog
from riverboat.sim.faults import PROFILES, alone
from riverboat.sim.house import House, Order
from riverboat.sim.life import player_name
from riverboat.sim.network import Network
from riverboat.sim.operating import OperatorProcess
from riverboat.sim.options import with_options
from riverboat.sim.run import Result, simulate, smallest
from services import betting, dealer, showdown
from services.cli.own_rules import adopt, rules_option
from services.operator.backroom import BackRoom
from services.operator.simulated import SimulatedRoom
from services.session.simulated import SimulatedAudience
from services.wallet.simulated import SimulatedLedger

CURRENCY: Final = "EUR"
# Of a game: its rulebook, variant and limit.
Ids = tuple[str, str, str]


def sealed_decks(entropy: Callable[[int], bytes], clock: Callable[[], int]) -> Decks:
    """Real sealed decks, under a key that the run's seed gives."""
    return SealedDecks(DerivedKeys(entropy(32)), entropy, clock)


def house() -> House:
    """The services of the network, as they are."""
    return House(
        (dealer.MANIFEST, betting.MANIFEST, showdown.MANIFEST),
        lambda: SimulatedLedger(Network.partitions, CURRENCY),
        sealed_decks,
        SimulatedAudience,
        room=room,
    )


def room(
    process: OperatorProcess, network: AsyncLog, kind: type[BackRoom] = BackRoom
) -> SimulatedRoom:
    """The operator's service of one life of one process."""
    ledger = process.ledger
    assert isinstance(ledger, SimulatedLedger), "composed above"
    return SimulatedRoom(
        network,
        process.tables,
        ledger.wallet(process.time),
        process.time,
        process.plan.entropy,
        process.name,
        process.fatal,
        kind,
    )


def stakes(rng: Random, played: Game, big: int) -> Stakes:
    """What the game costs where a big blind, or a lower bet, is `big`."""
    ante = max(big // 10, 1)
    spread = (big, 2 * big, 3 * big) if played.raise_rule is Raise.SPREAD else ()
    match played.forced:
        case Forced.BRING_IN:
            bring_in = min(rng.choice([ante, 2 * ante]), big - 1)
            return Stakes(ante=ante, bring_in=bring_in, small_bet=big, spread=spread)
        case Forced.BUTTON_BLIND:
            return Stakes(ante=rng.choice([ante, big]), button_blind=big)
        case Forced.BLINDS:
            return Stakes(
                small_blind=max(big // 2, 1),
                big_blind=big,
                ante=rng.choice([0, 0, 0, ante]),
                big_blind_ante=rng.choice([0, 0, 0, big]),
                spread=spread,
                straddles=rng.choice([(), (), (), (2 * big,), (2 * big, 4 * big)]),
            )


def settings(rng: Random, rulebook: str, variant: str, limit: str) -> Settings:
    """A table of this game, or of this list of games, its options drawn."""
    big = rng.choice([2, 10, 50, 100, 200])
    if limit == MIXED:
        each = [game(rulebook, of.variant, of.limit) for of in mix(rulebook, variant).games]
        ante = max(big // 10, 1)
        bring_in = min(2 * ante, big - 1)
        cost = Stakes(big // 2, big, ante=ante, bring_in=bring_in, small_bet=big)
    else:
        each = [game(rulebook, variant, limit)]
        cost = stakes(rng, each[0], big)
    seats = rng.randint(2, min(6, *(played.seats_most for played in each)))
    return Settings(
        name=f"{variant} {limit} {rulebook}",
        rulebook=rulebook,
        variant=variant,
        limit=limit,
        stakes=cost,
        currency=CURRENCY,
        seats=seats,
        raked=rng.random() < 0.8,
        button_rule=rng.choice(list(ButtonRule)),
        runs=rng.choice([1, 1, 2, 3]),
        buy_in_least=rng.choice([10, 20]) * big,
        buy_in_most=100 * big,
        turn_ms=rng.choice([3_000, 8_000]),
        grace_ms=60_000,
        reserve_ms=4_000,
        pause_ms=rng.choice([0, 500]),
    )


def tables(seed: int, count: int, games: Sequence[Ids]) -> list[Settings]:
    """So many tables, of which about every other has options."""
    return lively(seed, plain_tables(seed, count, games))


def plain_tables(seed: int, count: int, games: Sequence[Ids]) -> list[Settings]:
    """So many tables, each of one of the games; none twice before all were drawn."""
    rng = Random(f"tables {seed}")
    found: list[Settings] = []
    while len(found) < count:
        drawn = rng.sample(games, min(len(games), count - len(found)))
        found += [settings(rng, *ids) for ids in drawn]
    return found


def lively(seed: int, plain: Sequence[Settings]) -> list[Settings]:
    """The tables, at every other of which more may happen than play."""
    rng = Random(f"options {seed}")
    return [
        with_options(rng, each, [player_name(number, place) for place in range(each.seats)])
        if rng.random() < 0.5
        else each
        for number, each in enumerate(plain, 1)
    ]


@click.command("simulate")
@click.option("--seed", type=int, required=True, help="Everything follows from it.")
@click.option("--hands", type=click.IntRange(1), required=True, help="Hands to play to their end.")
@click.option("--tables", "count", type=click.IntRange(1, 64), default=6, show_default=True)
@click.option("--variant", help="[default: holdem]")
@click.option("--limit", help="[default: nl]")
@click.option("--rulebook", help="[default: standard]")
@rules_option
@click.option("--any", "any_game", is_flag=True, help="Every variant, limit and rulebook.")
@click.option("--faults", "profile", type=click.Choice(list(PROFILES)), default="none")
@click.option("--embedded", is_flag=True, help="One process on the embedded log.")
def simulate_command(
    seed: int,
    hands: int,
    count: int,
    variant: str | None,
    limit: str | None,
    rulebook: str | None,
    folder: Path | None,
    any_game: bool,
    profile: str,
    embedded: bool,
) -> None:
    """Play hands on a simulated network, and hold it to its laws."""
    # What the parts of a network that breaks all the time have to say is not for people.
    logging.getLogger("services").addHandler(logging.NullHandler())
    if any_game and (variant or limit or rulebook):
        raise click.UsageError("--any goes with no --variant, --limit or --rulebook")
    ids = rulebook or "standard", variant or "holdem", limit or "nl"
    try:
        found = adopt(folder)
        offered = (*found.offered(), *found.mixed())
        chosen = tables(seed, count, offered if any_game else [ids])
    except RulesError as error:
        raise click.UsageError(str(error)) from None
    faults = alone(PROFILES[profile]) if embedded else PROFILES[profile]
    order = Order(seed, hands, chosen, faults, embedded, progress=_progress(hands))
    own = f" --rules {folder}" if folder else ""
    games = "--any" if any_game else "--rulebook {} --variant {} --limit {}".format(*ids)
    again = f"riverboat simulate --seed {seed} --tables {count} {games}{own} --faults {profile}"
    if embedded:
        again += " --embedded"
    if told(house(), order, again).laws_broken:
        raise SystemExit(1)


def told(real: House, order: Order, again: str) -> Result:
    """Run it and say what came of it; `again` is the command that repeats it, but for the hands."""
    result = simulate(real, order)
    if result.laws_broken:
        _explain(real, order, result, again)
    click.echo(json.dumps(result.as_json()))
    return result


def _progress(hands: int) -> Callable[[int], None]:
    step = max(hands // 10, 1)
    told = 0

    def progress(ended: int) -> None:
        nonlocal told
        if ended >= told + step:
            told = ended - ended % step
            click.echo(f"{ended} of {hands} hands", err=True)

    return progress


def _explain(real: House, order: Order, result: Result, again: str) -> None:
    """What was seen, how to see it again, and how little of it is enough."""
    click.echo("looking for the smallest prefix that shows it", err=True)
    hands = smallest(real, replace(order, progress=_silent), result)
    for line in result.story:
        click.echo(line)
    for law, seen in result.laws_broken.items():
        click.echo(f"LAW BROKEN: {law}\n  {seen}")
    click.echo(f"seed {result.seed}; repeat: {again} --hands {order.hands}")
    click.echo(f"smallest prefix that shows it: {again} --hands {hands}")


def _silent(_ended: int) -> None:
    """For runs that nobody watches."""


if __name__ == "__main__":
    simulate_command()
