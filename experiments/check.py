"""Check the figures of a named experiment against its recorded ones, or record them.

python experiments/check.py full
python experiments/check.py full --record

Training on another processor gives different figures, since sums round differently there. The allowed
distance of a mean from the recorded one follows from the questions. If the same recipe is run twice, one
figure in four hundred differs by more than three standard errors of the paired difference. That is one and a
half standard errors of the mean if their values correlate by 7/8. The tolerance is never less than 1 / n,
which is what one question of n can change. It is exactly that for the lexical runs, which learn nothing. So
the file records each mean with its standard error.
"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rulerank.bundle import MANIFEST
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.expected import Expected, check, recorded
from rulerank.evaluate.results import read_results
from rulerank.files import read_json, write_json
from rulerank.pipeline.experiment import located, other_settings, read_experiment
from rulerank.pipeline.run_folder import EXPECTED, NAMED, RUNS
from rulerank.settings import read_described


def main(
    name: Annotated[str, typer.Argument(metavar="NAME", help="An experiment that has been run.")],
    record: Annotated[bool, typer.Option(help="Record its results as the expected ones.")] = False,
    split: Annotated[str, typer.Option(help="The split to record.")] = "validation",
) -> None:
    """Print each expectation with the measured value; exit with 1 unless all are met."""
    with reported():
        path, outputs = EXPECTED / f"{name}.json", RUNS / name / "outputs"
        if not (outputs / "evaluation/metrics.json").is_file():
            raise InputError(
                outputs, f"expected the results of a run, found none. Run `make experiment NAME={name}`."
            )
        made_with = read_json(outputs / "bundle" / MANIFEST)["settings"]
        if others := other_settings(located(read_experiment(NAMED, name).params), made_with):
            raise InputError(
                outputs,
                f"expected results of the experiment {name}, found results of another {', '.join(others)}: "
                f"its last run did not finish. Run `make experiment NAME={name}`.",
            )
        results = read_results(outputs)
        earlier = read_described(path, Expected) if path.is_file() else None
        if record:
            now = recorded(results, split, earlier)
            write_json(path, now.model_dump(mode="json", exclude_none=True))
            typer.echo(f"recorded in {path}")
            return
        if earlier is None:
            raise InputError(
                path,
                "expected a file of expected results, found none. Make one from this run: "
                f"`python experiments/check.py {name} --record`.",
            )
        checked = check(earlier, results, path)
    table = Table(
        "run", "measure", "value", "expected", "ok", title=f"{name}: {earlier.data}, {earlier.split}"
    )
    for run, measure, value, stated, met in checked.iter_rows():
        table.add_row(run, measure, "–" if value is None else f"{value:.4f}", stated, "yes" if met else "NO")
    Console(highlight=False).print(table)
    if not checked["ok"].all():
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
