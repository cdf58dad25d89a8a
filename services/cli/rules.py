"""The command `rules`: the games that can be dealt, and whether an operator's folder holds.

Reads tables and writes lines; nothing is opened or dealt.
"""

from __future__ import annotations

from pathlib import Path

import click

from riverboat.game.rules import Rules
from services.cli.own_rules import adopt, rules_option


@click.command("rules", short_help="List the games; check a folder of own rules.")
@rules_option
@click.option("--rulebook", help="Only this one. [default: all of them]")
def command(folder: Path | None, rulebook: str | None) -> None:
    """List every game that can be dealt, by rulebook: its seats at most, and its limits.

    With --rules the folder's tables are read beside the built-in ones, and the first mistake in
    them is told by its file and key.
    """
    found = adopt(folder)
    if rulebook is not None and rulebook not in found.rulebooks:
        known = ", ".join(found.rulebooks)
        raise click.UsageError(f"no rulebook {rulebook!r}; there are {known}")
    for name in found.rulebooks if rulebook is None else (rulebook,):
        _tell(found, name)
    if folder is not None:
        click.echo(f"{folder} holds: {len(found.offered())} games can be dealt")


def _tell(found: Rules, rulebook: str) -> None:
    click.echo(f"{rulebook}: {found.title(rulebook)}")
    for variant in found.variants(rulebook):
        limits = found.limits_of(rulebook, variant)
        played = found.game(rulebook, variant, limits[0])
        click.echo(
            f"  {variant:16}  {played.name:28}  {played.seats_most:2} seats  {' '.join(limits)}"
        )
        for limit in found.limits:
            if limit not in limits:
                why = found.barred(rulebook, variant, limit)
                click.echo(f"  {'':16}  not in {limit}: {why}")
    for of, name, limit in found.mixed():
        if of == rulebook:
            mixed = found.mix(rulebook, name)
            how = "in order" if mixed.chooser is None else f"chosen by who has the {mixed.chooser}"
            how = "drawn" if mixed.drawn else how
            click.echo(f"  {name:16}  {mixed.name:28}  {len(mixed.games):2} games  {limit}, {how}")
