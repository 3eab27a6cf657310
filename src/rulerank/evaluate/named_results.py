"""Results by name: the folder of an evaluation, or a tracked run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from rulerank.bundle import MANIFEST
from rulerank.errors import InputError
from rulerank.evaluate.comparison import Result
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.tracking import require_existing, use_store
from rulerank.files import read_json

if TYPE_CHECKING:
    from mlflow.entities import Run

SCORES, FACTS, RECALL = "per_query.parquet", "queries.parquet", "recall_by_depth.csv"

PUBLISHED = "published"
"""The protocol of results that were written when there was only one."""
SHORTEST = 4
"""How many characters of a run's id suffice to look it up."""


@dataclass(frozen=True)
class Evaluation:
    """The files of one evaluation.

    Parameters
    ----------
    name : str
        The name that the caller gave.
    folder : Path
        The folder with the files.
    data, protocol : str
        Name of the corpus, and how its questions were split.

    """

    name: str
    folder: Path
    data: str
    protocol: str


def find_result(name: str, split: str, model: str, store: str) -> tuple[Evaluation, Result]:
    """Find the evaluation with a name, and one of its rankings.

    Parameters
    ----------
    name : str
        The folder of an evaluation, or a tracked run by its id, the start of its id, or its name. A colon and
        the name of one of its rankings may follow.
    split : str
        The split of the questions.
    model : str
        The ranking to use if `name` names none.
    store : str
        The MLflow store of the tracked runs.

    Raises
    ------
    InputError
        The store or the evaluation does not exist, or several evaluations match, or the split or the ranking
        is missing.

    """
    before, _, run = name.rpartition(":")
    readings = [(name, model), *([(before, run)] if before else [])]
    for find in (_folder, partial(_tracked, store=store)):
        for place, ranking in readings:
            if (evaluation := find(place)) is not None:
                return evaluation, read_result(evaluation, ranking, split, name)
    raise InputError(
        name,
        f"expected a run of {store} or a folder outputs/evaluation, found neither. "
        f"Run `mlflow ui --backend-store-uri {store}` to see the runs.",
    )


def _folder(name: str) -> Evaluation | None:
    if not (Path(name) / SCORES).is_file():
        return None
    manifest = Path(name).parent / "bundle" / MANIFEST
    facts = read_json(manifest) if manifest.is_file() else {"data": {}, "settings": {}}
    protocol = facts["settings"].get("prepare", {}).get("protocol", PUBLISHED)
    return Evaluation(name, Path(name), facts["data"].get("name", name), protocol)


def _tracked(name: str, store: str) -> Evaluation | None:
    require_existing(store)
    import mlflow

    runs = _runs(name, store)
    if len(runs) > 1:
        ids = ", ".join(run.info.run_id for run in runs)
        raise InputError(
            name,
            f"expected one run, found {len(runs)}, newest first: {ids}. Give one of these ids, or the "
            "folder outputs/evaluation of a run.",
        )
    if not runs:
        return None
    run_id = runs[0].info.run_id
    artifacts = [file.path for file in mlflow.artifacts.list_artifacts(run_id=run_id, tracking_uri=store)]
    if SCORES not in artifacts:
        raise InputError(
            name, f"expected {SCORES} among its artifacts, found {artifacts}. Choose a run of `track`."
        )
    folder = Path(mlflow.artifacts.download_artifacts(run_id=run_id, tracking_uri=store))
    params = runs[0].data.params
    return Evaluation(name, folder, params.get("data.name", name), params.get("prepare.protocol", PUBLISHED))


def _runs(name: str, store: str) -> list[Run]:
    """Return the runs with that id, else with that name, else with ids that start with it; newest first."""
    import mlflow

    use_store(store)
    runs: list[Run] = mlflow.search_runs(search_all_experiments=True, output_format="list")
    choices: tuple[Callable[[Run], bool], ...] = (
        lambda run: run.info.run_id == name,
        lambda run: run.info.run_name == name,
        lambda run: len(name) >= SHORTEST and run.info.run_id.startswith(name),
    )
    return next((matches for choice in choices if (matches := list(filter(choice, runs)))), [])


def read_result(evaluation: Evaluation, run: str, split: str, label: str) -> Result:
    """Read the measures of one ranking of an evaluation on the questions of a split; see `find_result`."""
    scores = _read(evaluation.folder / SCORES, ["run", "split", "query_id", *MEASURES])
    for column, value in (("split", split), ("run", run)):
        known = scores[column].unique(maintain_order=True).to_list()
        if value not in known:
            raise InputError(
                label, f"expected a {column} among {known}, found {value!r}. Choose one of them."
            )
        scores = scores.filter(pl.col(column) == value)
    facts, recall = _table(evaluation, FACTS), _table(evaluation, RECALL)
    named, here = pl.lit(label).alias("run"), (pl.col("split") == split)
    return Result(
        label,
        run,
        evaluation.data,
        evaluation.protocol,
        scores.select(named, "query_id", *MEASURES),
        None if facts is None else facts.filter(here),
        None
        if recall is None
        else recall.filter(here, pl.col("run") == run).select(named, "depth", "recall"),
    )


def _table(evaluation: Evaluation, name: str) -> pl.DataFrame | None:
    path = evaluation.folder / name
    return _read(path) if path.is_file() else None


def _read(path: Path, columns: list[str] | None = None) -> pl.DataFrame:
    """Read a table of an evaluation, all columns by default; raise InputError if it holds something else."""
    read = pl.read_csv if path.suffix == ".csv" else pl.read_parquet
    try:
        return read(path, columns=columns, glob=False)
    except pl.exceptions.PolarsError as error:
        found = str(error).partition("\n")[0]
        raise InputError(
            path,
            f"expected a table of an evaluation, found another file ({found}). Run `dvc repro evaluate`.",
        ) from error
