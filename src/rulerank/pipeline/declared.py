"""The stages that a project's scripts declare, in order, and the code that each depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from graphlib import TopologicalSorter
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from rulerank.errors import InputError
from rulerank.pipeline.closure import ImportGraph
from rulerank.pipeline.stage import Stage

STAGE_FOLDERS = ("features", "train", "experiments")
"""The folders of the scripts."""


def declared_stages(project: Path, graph: ImportGraph) -> dict[Path, Stage]:
    """Return the stages by script, relative to the project, each after the stages whose outputs it reads.

    Raises
    ------
    InputError
        A script imports `rulerank.pipeline.stage` and declares no stage, or more than one.

    """
    scripts = sorted(path for folder in STAGE_FOLDERS for path in (project / folder).glob("*.py"))
    declaring = (path for path in scripts if Stage.__module__ in graph.source(path).loaded)
    stages = {path.relative_to(project): load_stage(path) for path in declaring}
    return {script: stages[script] for script in _in_order(stages)}


def load_stage(script: Path) -> Stage:
    """Import a script and return the stage it declares; InputError unless it declares exactly one."""
    spec = spec_from_file_location(f"stage_{script.stem}", script)
    if spec is None or spec.loader is None:
        raise InputError(script, "expected a Python script, found another file. Name it with .py.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    declared = [value for value in vars(module).values() if isinstance(value, Stage)]
    if len(declared) != 1:
        raise InputError(
            script,
            f"expected one function under `@stage`, found {len(declared)}. Write one script per stage.",
        )
    return declared[0]


def code_of(stage: Stage, script: Path, project: Path, graph: ImportGraph) -> list[Path]:
    """Return the library files and whole folders that a stage depends on, relative to the project."""
    scripts = [script, *(path for path in stage.reads if path.suffix == ".py")]
    files = set[Path]().union(*(graph.closure(project / each) for each in scripts))
    return [path.relative_to(project) for path in whole_folders(graph.root, files)]


def whole_folders(folder: Path, files: Set[Path]) -> Iterator[Path]:
    """Yield the fewest paths below a folder that hold these files and no others, in order of name."""
    for path in sorted(folder.iterdir()):
        inside = set(_files(path))
        if inside and inside <= files:
            yield path
        elif inside & files:
            yield from whole_folders(path, files)


def overlaps(path: Path, others: Iterable[Path]) -> bool:
    """Return whether a path equals, lies in or contains one of the others."""
    return any(path == other or other in path.parents or path in other.parents for other in others)


def _files(path: Path) -> Iterator[Path]:
    """Yield the files at or below a path that DVC sees."""
    below = path.rglob("*") if path.is_dir() else [path]
    return (each for each in below if "__pycache__" not in each.parts and each.is_file())


def _in_order(stages: Mapping[Path, Stage]) -> Iterator[Path]:
    """Yield each script after those whose outputs its stage reads; among several, fewest reads first."""
    sorter: TopologicalSorter[Path] = TopologicalSorter()
    for script, stage in stages.items():
        sorter.add(script, *(other for other, writer in stages.items() if _follows(stage, writer)))
    sorter.prepare()
    while ready := sorter.get_ready():
        yield from sorted(ready, key=lambda script: (len(stages[script].reads), script))
        sorter.done(*ready)


def _follows(stage: Stage, other: Stage) -> bool:
    """Return whether a stage reads what another writes."""
    written = [*other.writes, *other.metrics, *(plot.file for plot in other.plots)]
    return any(overlaps(path, written) for path in stage.reads)
