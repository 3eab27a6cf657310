"""How a stage of the pipeline is declared, and the frame in which every stage runs.

    @stage("late", reads=[CANDIDATE_TABLE, TABLES], writes=[LATE], params=["late", "seed", "threads"])
    def main(settings: Settings) -> Outcome:
        ...
        return Outcome({"maps": len(maps)})

    if __name__ == "__main__":
        main.run()

This is the only declaration: dvc.yaml is generated from it (`rulerank.pipeline.dvc`). The code that a stage
depends on is computed from the script's imports, never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from rulerank.console import reported
from rulerank.files import write_json
from rulerank.pipeline.paths import FIGURES
from rulerank.settings import Settings, load_settings
from rulerank.timing import timed


@dataclass(frozen=True)
class Outcome:
    """What a stage reports in addition to the files that it writes.

    Parameters
    ----------
    figures : mapping, optional
        What follows from the inputs alone; written to `outputs/figures/<stage>.json`.
    timing : mapping, optional
        Measurements that differ from run to run, such as a rate; kept with the stage's seconds.

    """

    figures: Mapping[str, Any] = field(default_factory=dict)
    timing: Mapping[str, float] = field(default_factory=dict)


Work = Callable[[Settings], Outcome]


@dataclass(frozen=True)
class Plot:
    """A plot that `dvc plots` draws from a file of the stage.

    Parameters
    ----------
    title : str
        Its heading.
    file : path
        A CSV file. It becomes an output itself unless it is in a folder that the stage writes.
    x, y : str
        The columns on the axes.
    template : str, optional
        A template of DVC; its default draws lines.

    """

    title: str
    file: Path
    x: str
    y: str
    template: str | None = None


@dataclass(frozen=True)
class Stage:
    """A stage of the pipeline; call it to run it in the current folder.

    Parameters
    ----------
    name : str
        Its name in dvc.yaml and in the names of its figures and timings.
    function : callable
        From the settings to the stage's outcome.
    reads : sequence of paths
        Files and folders that it depends on. A Python file among them counts with everything that it imports.
    writes : sequence of paths
        Files and folders that it replaces whole.
    params : sequence of str
        Sections and keys of params.yaml that it depends on.
    figures : bool
        Whether its outcome has figures.
    metrics : sequence of paths
        Files that `dvc metrics` shows, which the function writes itself.
    plots : sequence of Plot
        What `dvc plots` draws.

    """

    name: str
    function: Work
    reads: Sequence[Path]
    writes: Sequence[Path]
    params: Sequence[str]
    figures: bool
    metrics: Sequence[Path]
    plots: Sequence[Plot]

    def __call__(self) -> None:
        """Run the stage; its figures, seconds and peak memory are written when it succeeds."""
        settings = load_settings()
        # How BLAS rounds depends on its threads; by default it takes as many as there are cores.
        with timed(self.name) as timing, threadpool_limits(settings.threads, "blas"):
            outcome = self.function(settings)
            timing.update(outcome.timing)
        if self.figures:
            write_json(FIGURES / f"{self.name}.json", outcome.figures)

    def run(self) -> None:
        """Run the stage as a command: an error that a user can fix becomes one message and exit code 1."""
        with reported():
            self()


def stage(
    name: str,
    *,
    reads: Sequence[Path],
    writes: Sequence[Path],
    params: Sequence[str],
    figures: bool = True,
    metrics: Sequence[Path] = (),
    plots: Sequence[Plot] = (),
) -> Callable[[Work], Stage]:
    """Declare a function as a stage; the arguments are those of `Stage`."""

    def declare(function: Work) -> Stage:
        return Stage(name, function, reads, writes, params, figures, metrics, plots)

    return declare
