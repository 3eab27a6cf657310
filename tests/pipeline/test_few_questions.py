"""Too few questions, or questions too much alike: one clear error, or less is measured."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.learn.ranker.trust import USUAL
from rulerank.ranker import Ranker

OTHER_QUESTIONS = Path(__file__).parent.parent.parent / "experiments/other_questions.yaml"


@pytest.mark.parametrize("rows", [None, []])
def test_no_training_question_is_an_error(
    workshop: Any, rulebook: Any, write: Any, rows: list[Any] | None
) -> None:
    rulebook.judged["train"] = rows
    if rows is None:
        del rulebook.judged["train"]
    write()
    with pytest.raises(InputError, match="expected training questions with text, found none"):
        workshop.stage("prepare")


def test_training_questions_that_are_all_test_questions_too_are_named_as_the_cause(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    rulebook.judged["test"] += rulebook.judged["train"]
    write()
    with pytest.raises(InputError, match=r"qrels/train\.tsv: question \S+ also a test question"):
        workshop.stage("prepare")


def test_training_questions_that_all_repeat_held_out_ones_are_named_as_the_cause(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    query_id, passage_id, relevance = rulebook.judged["train"][0]
    text = next(row["text"] for row in rulebook.queries if row["_id"] == query_id)
    rulebook.queries.append({"_id": "again", "text": text})
    rulebook.judged["train"] = rulebook.judged["train"][:1]
    rulebook.judged["test"].append(("again", passage_id, relevance))
    write()
    with pytest.raises(InputError, match="All 1 say the same, or nearly the same, as a validation or test"):
        workshop.stage("prepare")


@pytest.mark.filterwarnings("ignore::rulerank.errors.DataWarning")
def test_no_validation_question_leaves_the_test_split_to_measure(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    del rulebook.judged["dev"]
    write()
    workshop.up_to("evaluate")
    assert set(workshop.read("evaluation/metrics.json")) == {"test"}


@pytest.mark.filterwarnings("ignore::rulerank.errors.DataWarning")
def test_training_questions_alone_are_trained_on_and_nothing_is_measured(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    del rulebook.judged["dev"], rulebook.judged["test"]
    write()
    (workshop.folder / "experiments").mkdir()
    shutil.copy(OTHER_QUESTIONS, workshop.folder / "experiments")
    workshop.up_to("answers")
    assert workshop.read("evaluation/metrics.json") == {}
    assert set(workshop.read("answers/metrics.json")) == {"other"}
    assert Ranker.load("outputs/bundle").rank("Who enters sales in a ledger?")


def test_training_questions_that_all_say_the_same_are_an_error(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    for row in rulebook.queries[:32]:
        row["text"] = "What must be done before selling at the fair?"
    write()
    with pytest.raises(InputError, match="expected training questions in two folds or more"):
        workshop.stage("prepare")


def test_first_fold_without_a_question_does_not_stop_the_training(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    write()
    workshop.stage("prepare")
    folds = pl.read_parquet(workshop.outputs / "tables/folds.parquet")
    folds.with_columns(pl.col("fold").replace(0, 1)).write_parquet(workshop.outputs / "tables/folds.parquet")
    workshop.stage("graph", "index", "encoder", "dense", "candidates", "late", "translation")
    workshop.stage("extract", "first_pass", "listwise", "tune", "ranker")
    assert workshop.read("figures/ranker.json")["queries"] == 32


def test_fold_whose_questions_find_nothing_relevant_does_not_stop_the_training(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    write()
    workshop.stage("prepare")
    tables = workshop.outputs / "tables"
    judgements, folds = (pl.read_parquet(tables / f"{name}.parquet") for name in ("judgements", "folds"))
    fold = folds["fold"].min()
    lost = pl.col("query_id").is_in(folds.filter(pl.col("fold") == fold)["query_id"].implode())
    # Headings, which are never candidates.
    heading = pl.col("passage_id").str.split("-").list.first()
    judged = judgements.with_columns(passage_id=pl.when(lost).then(heading).otherwise("passage_id"))
    judged.unique(["query_id", "passage_id"], maintain_order=True).write_parquet(
        tables / "judgements.parquet"
    )
    workshop.stage("graph", "index", "encoder", "dense", "candidates", "late", "translation")
    workshop.stage("extract", "first_pass", "listwise", "tune", "ranker")
    assert fold not in workshop.read("first_pass/models/folds.json")
    listed = pl.read_parquet(workshop.outputs / "features.parquet").filter(lost)
    assert listed["first_score"].n_unique() > 1


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_no_training_question_with_a_relevant_candidate_is_an_error(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    train = rulebook.judged["train"]
    train[:] = [(query, passage.split("-")[0], 1) for query, passage, _ in train]
    write()
    with pytest.raises(InputError, match="a training question with a relevant candidate, found none"):
        workshop.up_to("ranker")


@pytest.mark.filterwarnings("ignore::rulerank.errors.DataWarning")
def test_half_of_the_rulebook_hidden_from_every_training_question_leaves_no_filter_to_learn(
    workshop: Any, write: Any, write_params: Any
) -> None:
    write_params(
        workshop.folder,
        {
            "data": {"root": "data"},
            "prepare": {"as_new": 1.0},
            "adapter": {"epochs": 1},
            "ranker": {"num_iterations": 5},
        },
    )
    write()
    (workshop.folder / "experiments").mkdir()
    shutil.copy(OTHER_QUESTIONS, workshop.folder / "experiments")
    workshop.up_to("answers")
    assert workshop.read("trust/limits.json")["leaders_judged"] == list(USUAL)
    assert workshop.read("figures/unanswered.json")["lists"] == 0
    lists = pl.read_parquet(workshop.outputs / "unanswered.parquet")
    assert lists.schema["fold"] == pl.Int8
    assert set(workshop.read("selection.json").values()) == {None}
    assert Ranker.load("outputs/bundle").answer("Who enters sales in a ledger?").claims
