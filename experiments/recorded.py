"""Run the named experiments with recorded results for a corpus, each in its folder, and check them all.

    python experiments/recorded.py --data path/to/obliqa

An experiment with another encoder than that of params.yaml is left out, because its encoder would have to be
downloaded. Each takes minutes or hours; what has not changed since its last run is not run again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.expected import Expected
from rulerank.pipeline.experiment import read_experiment
from rulerank.pipeline.run_folder import EXPECTED, NAMED, python
from rulerank.settings import load_settings, read_described


def main(
    data: Annotated[Path, typer.Option(help="The corpus.")],
    listed: Annotated[bool, typer.Option("--list", help="Only print the names.")] = False,
) -> None:
    """Run each experiment in turn; exit with 1 if one fails or gives figures other than those recorded."""
    with reported():
        names = list(recorded(data.resolve().name))
        if not names:
            raise InputError(
                data,
                f"expected a corpus of which results are recorded in {EXPECTED}, found none of that name.",
            )
    if listed:
        typer.echo("\n".join(names))
        return
    failed = [name for name in names if python(Path(), "experiments/run.py", name, "--data", str(data))]
    typer.echo(f"{len(names) - len(failed)} of {len(names)} as recorded")
    if failed:
        typer.echo(f"not as recorded: {', '.join(failed)}", err=True)
        raise typer.Exit(1)


def recorded(data: str) -> Iterator[str]:
    """Yield the experiments with recorded results of a data set that need no download."""
    at_hand = load_settings().encoder.name
    for path in sorted(EXPECTED.glob("*.json")):
        encoder = read_experiment(NAMED, path.stem).params.get("encoder", {}).get("name", at_hand)
        if read_described(path, Expected).data == data and (encoder == at_hand or Path(encoder).is_dir()):
            yield path.stem


if __name__ == "__main__":
    typer.run(main)
