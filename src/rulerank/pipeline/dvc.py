"""The text of dvc.yaml, built from the stages that the project's scripts declare."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import yaml

from rulerank.pipeline.closure import ImportGraph
from rulerank.pipeline.declared import code_of, declared_stages, overlaps
from rulerank.pipeline.paths import DATA, FEEDBACK, FIGURES
from rulerank.pipeline.stage import Plot, Stage

PIPELINE = Path("dvc.yaml")

_HEAD = """\
# Written by `make dvc.yaml` from the stages that the scripts declare; a test compares the two.
# The dependencies of a stage are first what it reads, then its code: all that the script imports, directly or
# not, one line per folder. `persist` keeps the last good output in place while a stage runs: each is replaced
# whole when it succeeds.
stages:
"""
_WIDTH = 110


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent the items of a list below their key."""
        del indentless
        super().increase_indent(flow, indentless=False)


def render(project: Path) -> str:
    """Return the text of dvc.yaml for the project in a folder.

    Raises
    ------
    InputError
        A script imports `rulerank.pipeline.stage` and declares no stage, or more than one.

    """
    graph = ImportGraph(project / "src")
    stages = declared_stages(project, graph)
    entries = [_entry(each, script, code_of(each, script, project, graph)) for script, each in stages.items()]
    plots = _dump({"plots": [_drawn(plot) for each in stages.values() for plot in each.plots]})
    return _HEAD + "\n".join([*entries, plots])


def _entry(stage: Stage, script: Path, code: Iterable[Path]) -> str:
    """Return a stage's entry."""
    figures = [FIGURES / f"{stage.name}.json"] if stage.figures else []
    own_plots = {plot.file for plot in stage.plots if not overlaps(plot.file, stage.writes)}
    written = {
        "outs": _kept([*stage.writes, *figures]),
        "metrics": _kept(stage.metrics),
        "plots": _kept(sorted(own_plots)),
    }
    parts = [
        f"cmd: python {script.as_posix()}\n",
        _dependencies([script, *stage.reads], code),
        _dump({"params": list(stage.params)}),
        _dump({key: paths for key, paths in written.items() if paths}),
    ]
    return f"  {stage.name}:\n{indent(''.join(parts), '    ')}"


def _dependencies(reads: Sequence[Path], code: Iterable[Path]) -> str:
    """Return the dependencies: everything read on one line, then the code with one line per folder."""
    by_folder = groupby(sorted(code, key=lambda path: (path.parent, path)), key=lambda path: path.parent)
    groups = [reads, *(list(paths) for _, paths in by_folder)]
    lines = (", ".join(map(_quoted, paths)) + "," for paths in groups)
    margin = "  "
    filled = (fill(line, _WIDTH - 4, initial_indent=margin, subsequent_indent=margin * 2) for line in lines)
    return "\n".join(["deps: [", *filled, "]\n"])


def _quoted(path: Path) -> str:
    """Return a path as it is written in brackets, where braces would mean a mapping."""
    return f'"{path.as_posix()}"' if path in (DATA, FEEDBACK) else path.as_posix()


def _kept(paths: Iterable[Path]) -> list[dict[str, dict[str, bool]]]:
    return [{path.as_posix(): {"persist": True}} for path in paths]


def _drawn(plot: Plot) -> dict[str, Any]:
    template = {"template": plot.template} if plot.template else {}
    return {plot.title: {**template, "x": plot.x, "y": {plot.file.as_posix(): plot.y}, "title": plot.title}}


def _dump(value: dict[str, Any]) -> str:
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=_WIDTH)
    return text
