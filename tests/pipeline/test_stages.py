"""The stages one by one: reproducible results, no skew, readable errors, one MLflow run."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER
from rulerank.features.extract import extract, named_pairs
from rulerank.features.registry import registered
from rulerank.features.withheld import nothing_withheld
from rulerank.files import read_json
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.pipeline.workspace import Workspace
from rulerank.ranker import Ranker
from rulerank.retrieve.product import ASKED_STEPS, STEPS, quantize_rows
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import load_settings
from rulerank.tables import FEATURES, FOLDS, PASSAGES, QUERIES


def test_same_inputs_twice_give_the_same_bytes(workshop: Any, rulebook: Any) -> None:
    rulebook.write(workshop.folder / "data")
    made = []
    for _ in range(2):
        workshop.up_to("evaluate")
        made.append({name: workshop.content(name) for name in ("tables", "ranker", "figures")})
        made[-1]["metrics"] = (workshop.outputs / "evaluation/metrics.json").read_bytes()
        made[-1]["features"] = (workshop.outputs / "features.parquet").read_bytes()
    assert made[0] == made[1]
    assert made[0]["ranker"]["ranker/models/full"].startswith(b"tree\n")


def test_validation_judgements_take_no_part_in_training(workshop: Any, rulebook: Any) -> None:
    models = []
    for dev in (rulebook.judged["dev"], [(query, "baker-fee", 1) for query, _, _ in rulebook.judged["dev"]]):
        rulebook.judged["dev"] = dev
        rulebook.write(workshop.folder / "data")
        workshop.up_to("ranker")
        models.append(workshop.content("ranker"))
    assert models[0] == models[1]


def test_other_seed_gives_other_folds(workshop: Any, rulebook: Any) -> None:
    rulebook.write(workshop.folder / "data")
    workshop.stage("prepare")
    first = pl.read_parquet("outputs/tables/folds.parquet")
    workshop.write_params(workshop.folder, {"data": {"root": "data"}, "seed": 8})
    workshop.stage("prepare")
    assert not first["fold"].equals(pl.read_parquet("outputs/tables/folds.parquet")["fold"])


def test_features_of_validation_questions_are_the_same_from_their_text_at_run_time(
    pipeline: Path, ranker: Ranker
) -> None:
    table = FEATURES.read(pipeline / "outputs/features.parquet")
    queries = QUERIES.read(pipeline / "outputs/tables/queries.parquet").filter(
        pl.col("split") == "validation"
    )
    bundle, features = ranker.bundle, ranker.bundle.models[RANKER].features
    asked = bundle.queries(queries["query_id"].to_list(), queries["text"].to_list())
    (batch,) = extract(
        bundle.index,
        asked,
        nothing_withheld(asked),
        features,
        bundle.candidates,
        first_pass=bundle.first_pass,
    )
    now = named_pairs(batch.pairs).hstack(features.frame(batch.matrix))
    key = ["query_id", "passage_id"]
    then = table.filter(pl.col("query_id").is_in(queries["query_id"].implode()))
    assert then.select(key).sort(key).equals(now.select(key).sort(key))
    # At run time the first pass sums in single precision. If two of its scores are almost equal, the
    # passages may change places.
    ordered = then.sort("query_id", "first_score")
    step = pl.col("first_score").diff().over("query_id")
    near = (step > 0) & (step < 1e-5)
    close = ordered.filter(near | near.shift(-1).over("query_id")).select(key)
    assert close.height < 0.01 * then.height
    before, after = (
        frame.join(close, on=key, how="anti").sort(key).select(features.names).to_numpy()
        for frame in (then, now)
    )
    np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-5)


def test_training_questions_are_scored_by_adapter_maps_and_table_without_their_fold(
    pipeline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pipeline)
    workspace = Workspace(load_settings())
    asked = workspace.asked("train").select("query_id", "served_by", "row")
    columns = workspace.passages.select("passage_id").with_row_index("column")
    table = (
        FEATURES.read(Path("outputs/features.parquet"))
        .join(asked, on="query_id")
        .join(columns, on="passage_id")
    )
    folds = table["served_by"].unique().to_list()
    assert len(folds) == 6
    for fold in folds:
        pairs = table.filter(served_by=fold)
        own = _scores(workspace, fold, pairs)
        for name, scores in zip(("dense_score", "late_score", "translation_score"), own, strict=True):
            np.testing.assert_allclose(scores, pairs[name].to_numpy(), atol=1e-5)
        for of_all, of_fold in zip(_scores(workspace, None, pairs), own, strict=True):
            assert np.abs(of_all - of_fold).max() > 1e-4


def _scores(workspace: Workspace, fold: int | None, pairs: pl.DataFrame) -> tuple[np.ndarray, ...]:
    """Return dense, late-interaction and translation scores of pairs, by what was trained without a fold."""
    row, column = (pairs[each].to_numpy().astype(np.int64) for each in ("row", "column"))
    adapter, maps = workspace.adapters.for_fold(fold), workspace.late_maps.for_fold(fold)
    queries = adapter.queries(workspace.queries_by(fold))[row]
    passages = QuantizedVectors.of(adapter.passages(workspace.passages_by(fold))).numbers()[column]
    asked = workspace.tokens_of("queries").mapped(maps.query)
    texts = workspace.tokens_of("passages").mapped(maps.passage).rounded()
    late = [_max_sim(asked.slice(q, q + 1), texts.slice(p, p + 1)) for q, p in zip(row, column, strict=True)]
    texts_asked = dict(workspace.queries.select("query_id", "text").iter_rows())
    order = np.argsort(row, kind="stable")
    ids = pairs["query_id"][order].unique(maintain_order=True).to_list()
    numbers = np.unique(row[order], return_inverse=True)[1]
    terms = Queries(ids, workspace.analyser([texts_asked[each] for each in ids]), np.empty((len(ids), 0)))
    translated = np.empty(len(row), np.float32)
    translation = workspace.index(fold).translation
    assert translation is not None
    translated[order] = translation.score(terms, numbers, column[order])
    return (queries * passages).sum(axis=1), np.array(late), translated


def _max_sim(question: Tokens, passage: Tokens) -> float:
    """Return the mean over the question's tokens of the highest cosine with a token of the passage."""
    steps, widths = quantize_rows(question.vectors.astype(np.float32), ASKED_STEPS)
    cosines = (steps * widths[:, None]) @ (passage.vectors / np.float32(STEPS)).T
    return float(cosines.max(axis=1).mean())


def test_training_questions_are_never_listed_by_a_first_pass_that_saw_them(
    pipeline: Path, ranker: Ranker
) -> None:
    queries = QUERIES.read(pipeline / "outputs/tables/queries.parquet").filter(pl.col("split") == "train")
    folds = FOLDS.read(pipeline / "outputs/tables/folds.parquet").join(queries, on="query_id", how="semi")
    table = FEATURES.read(pipeline / "outputs/features.parquet").join(folds, on="query_id")
    first = ranker.bundle.first_pass
    assert first is not None
    matrix = table.select(first.features.names).to_numpy()
    by_all = first.trees.scores(matrix)
    assert np.abs(by_all - table["first_score"].to_numpy()).max() > 1e-3
    passes = load_first_passes(pipeline / "outputs/first_pass", registered())
    assert passes is not None
    assert sorted(passes.without) == table["fold"].unique().sort().to_list()
    for (fold,), rows in table.with_row_index("row").group_by("fold"):
        own = passes.without[fold].trees.scores(matrix[rows["row"].to_numpy()])
        np.testing.assert_allclose(own, rows["first_score"].to_numpy(), rtol=1e-5, atol=1e-5)


def test_questions_are_never_ranked_by_models_that_saw_their_fold(workshop: Any, rulebook: Any) -> None:
    rulebook.write(workshop.folder / "data")
    workshop.up_to("ranker")
    trained = [*(workshop.outputs / "ranker").rglob("full"), *(workshop.outputs / "first_pass").rglob("full")]

    def ranked() -> list[bytes]:
        workshop.stage("trust", "unanswered")
        return [(workshop.outputs / name).read_bytes() for name in ("trust/trust.csv", "unanswered.parquet")]

    before = ranked()
    for full in trained:
        _turn_round(full)
    assert ranked() == before
    for model in (each for full in trained for each in full.parent.glob("without_fold_*")):
        _turn_round(model)
    assert all(now != then for now, then in zip(ranked(), before, strict=True))


def _turn_round(model: Path) -> None:
    """Let the leaves of each tree change places."""
    turned = re.sub(r"(?<=^leaf_value=).+$", _backwards, model.read_text(), flags=re.MULTILINE)
    model.write_text(turned)


def _backwards(values: re.Match[str]) -> str:
    return " ".join(reversed(values[0].split(" ")))


def test_every_candidate_has_its_features_once(pipeline: Path) -> None:
    candidates = pl.read_parquet(pipeline / "outputs/candidates.parquet")
    table = FEATURES.read(pipeline / "outputs/features.parquet")
    assert table.select("query_id", "passage_id").equals(candidates.select("query_id", "passage_id"))
    with_text = PASSAGES.read(pipeline / "outputs/tables/passages.parquet").filter(pl.col("text") != "")
    assert table["passage_id"].is_in(with_text["passage_id"].implode()).all()


def test_test_questions_are_in_no_table_but_the_first(pipeline: Path) -> None:
    queries = QUERIES.read(pipeline / "outputs/tables/queries.parquet")
    hidden = queries.filter(pl.col("split") == "test")["query_id"]
    assert hidden.len() > 0
    for name in ("candidates.parquet", "pairs.parquet", "features.parquet"):
        asked = pl.read_parquet(pipeline / "outputs" / name)["query_id"]
        assert not asked.is_in(hidden.implode()).any()


def test_every_stage_says_how_long_it_took_and_what_memory_it_needed(pipeline: Path) -> None:
    timings = {path.stem: read_json(path) for path in (pipeline / "outputs/timings").glob("*.json")}
    stages = (
        "sample obligations prepare graph index encoder dense candidates late translation extract first_pass "
        "listwise tune ranker trust unanswered selection export evaluate answers explain track"
    )
    assert set(timings) == set(stages.split())
    assert all(each["seconds"] >= 0 and each["peak_memory_mib"] > 10 for each in timings.values())


def test_metrics_name_every_run_of_both_splits(pipeline: Path) -> None:
    metrics = read_json(pipeline / "outputs/evaluation/metrics.json")
    retrieved = {"bm25", "bm25_context", "dense", "semantic", "hybrid", "closure", "rrf"}
    further = {"ranker_on_new_rules", "ranker_with_judgement", "ranker_without_judgement"}
    runs = {*retrieved, "first_pass", "ranker", *further}
    measures = {"Recall@10", "MAP@10", "nDCG@10", "FullCov@10", "Recall@20", "MAP@20"}
    assert set(metrics) == {"validation", "test"}
    for split in metrics.values():
        assert set(split["runs"]) == runs
        assert all(set(scores) == measures for scores in split["runs"].values())
        assert all(scores["Recall@10"] <= split["candidate_recall"] for scores in split["runs"].values())


def test_report_says_what_every_number_needs(pipeline: Path) -> None:
    report = (pipeline / "outputs/evaluation/report.md").read_text()
    for said in ("data: sample", "queries: ", "candidate recall: ", "seed: 7", "threads: 1", "nDCG: linear"):
        assert said in report
    assert "| validation | ranker | rrf | nDCG@10 |" in report


def test_stage_that_fails_prints_one_message_without_a_traceback(
    tmp_path: Path, write_params: Callable[..., None], run: Callable[..., Any], pipeline: Path
) -> None:
    shutil.copytree(pipeline / "features", tmp_path / "features")
    shutil.copytree(pipeline / "src", tmp_path / "src")
    write_params(tmp_path, {"data": {"root": "nowhere"}})
    done = run(tmp_path, "features/prepare.py")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: nowhere: expected a folder with ")
    assert done.stderr.count("\n") == 1
