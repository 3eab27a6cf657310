"""Check the figures of a named experiment against those recorded of it, or record them.

python experiments/check.py full
python experiments/check.py full --record
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.expected import Expected, check, read_found, recorded
from rulerank.evaluate.experiment import read_described
from rulerank.files import write_json

EXPECTED, RUNS = Path("experiments/expected"), Path("runs")


def main(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The experiment, run before.")],
    record: Annotated[bool, typer.Option(help="Write what it measured as what is expected.")] = False,
    split: Annotated[str, typer.Option(help="The split to record.")] = "validation",
) -> None:
    """Print each expectation with what was found; exit with 1 unless all are met."""
    with reported():
        path, outputs = EXPECTED / f"{name}.json", RUNS / name / "outputs"
        if not (outputs / "evaluation/metrics.json").is_file():
            raise InputError(
                outputs, f"expected the results of a run, found none. Run `make experiment NAME={name}`."
            )
        found = read_found(outputs)
        earlier = read_described(path, Expected) if path.is_file() else None
        if record:
            now = recorded(found, split, earlier)
            write_json(path, now.model_dump(mode="json", exclude_none=True))
            typer.echo(f"recorded in {path}")
            return
        if earlier is None:
            raise InputError(
                path,
                "expected a file of expected results, found none. Make one from this run: "
                f"`python experiments/check.py {name} --record`.",
            )
        checked = check(earlier, found, path)
    table = Table(
        "run", "measure", "found", "expected", "ok", title=f"{name}: {earlier.data}, {earlier.split}"
    )
    for run, measure, value, stated, met in checked.iter_rows():
        table.add_row(run, measure, "–" if value is None else f"{value:.4f}", stated, "yes" if met else "NO")
    Console(highlight=False).print(table)
    if not checked["ok"].all():
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
