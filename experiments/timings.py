"""Print the seconds, peak memory and rates of each stage of the last run."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.files import read_json
from rulerank.timing import TIMINGS
from rulerank.yaml_files import read_yaml

PIPELINE = Path("dvc.yaml")
MEASURED = ("seconds", "peak_memory_mib")


def main() -> None:
    """Print one row per stage that has run, in the order of dvc.yaml."""
    stages = read_yaml(PIPELINE)["stages"]
    timings = {stage: read_json(path) for stage in stages if (path := TIMINGS / f"{stage}.json").is_file()}
    if not timings:
        raise InputError(TIMINGS, "expected the timings of a run, found none. Run `make reproduce`.")
    Console(highlight=False).print(_table(timings))


def _table(timings: dict[str, dict[str, float]]) -> Table:
    table = Table("stage", title="The last run of each stage", show_footer=True, pad_edge=False)
    table.columns[0].footer = "sum, maximum"
    seconds = sum(each["seconds"] for each in timings.values())
    memory = max(each["peak_memory_mib"] for each in timings.values())
    table.add_column("seconds", f"{seconds:.1f}", justify="right")
    table.add_column("peak memory, MiB", f"{memory:,.0f}", justify="right")
    table.add_column("rates and sizes")
    for stage, measured in timings.items():
        further = (
            f"{name.replace('_', ' ')} {value:,.0f}"
            for name, value in measured.items()
            if name not in MEASURED
        )
        table.add_row(
            stage,
            f"{measured['seconds']:.1f}",
            f"{measured['peak_memory_mib']:,.0f}",
            ", ".join(further),
        )
    return table


if __name__ == "__main__":
    with reported():
        main()
