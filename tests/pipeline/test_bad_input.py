"""Input that is wrong, odd or too little: one clear error, or a stated behaviour; nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.errors import DataWarning, InputError, SettingsError
from rulerank.ranker import Ranker


@pytest.fixture
def write(rulebook: Any, workshop: Any) -> Callable[[], Path]:
    """Write the rulebook, spoilt or not, to the folder that params.yaml names."""
    return lambda: rulebook.write(workshop.folder / "data")


def _judge(rulebook: Any, passage: str) -> None:
    """Judge one passage relevant to every question."""
    for rows in rulebook.judged.values():
        rows[:] = [(query, passage, 1) for query, _, _ in rows]


def test_data_folder_that_is_missing_is_named(workshop: Any) -> None:
    with pytest.raises(InputError, match=r"^data: expected a folder .* found no such folder"):
        workshop.stage("prepare")
    assert not workshop.outputs.exists()


def test_data_folder_that_is_empty_is_named(workshop: Any) -> None:
    (workshop.folder / "data").mkdir()
    with pytest.raises(InputError, match=r"^data: expected a folder .* found an empty folder"):
        workshop.stage("prepare")


def test_corpus_without_a_line_is_an_error(workshop: Any, rulebook: Any, write: Any) -> None:
    rulebook.passages = []
    write()
    with pytest.raises(InputError, match=r"corpus\.jsonl: expected passages, found an empty file"):
        workshop.stage("prepare")


@pytest.mark.parametrize("name", ["passages", "queries"])
def test_id_that_stands_twice_is_named_with_both_lines(
    workshop: Any, rulebook: Any, write: Any, name: str
) -> None:
    rows = getattr(rulebook, name)
    rows.append(rows[3])
    write()
    twice = rf"\.jsonl:{len(rows)}: expected each _id once, found {rows[3]['_id']} also on line 4"
    with pytest.raises(InputError, match=twice):
        workshop.stage("prepare")


def test_malformed_json_is_placed_by_line_and_column(workshop: Any, write: Any) -> None:
    queries = write() / "queries.jsonl"
    lines = queries.read_text().splitlines()
    lines[6] = '{"_id": "q", "text" "no colon"}'
    queries.write_text("\n".join(lines))
    with pytest.raises(InputError, match=r"queries\.jsonl:7:21: malformed JSON"):
        workshop.stage("prepare")


def test_relevance_above_the_scale_is_refused_before_anything_is_trained(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    query, passage, _ = rulebook.judged["train"][0]
    rulebook.judged["train"][0] = (query, passage, 4)
    write()
    with pytest.raises(
        InputError, match=f"{query}, passage {passage}: expected a relevance of 0 to 3, found 4"
    ):
        workshop.stage("prepare")


def test_questions_that_cannot_be_used_are_left_out_and_listed(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    rulebook.queries[0]["text"] = " "
    rulebook.judged["train"][1] = ("q-baker-ledger", "nowhere", 1)
    del rulebook.judged["train"][2]
    write()
    with pytest.warns(DataWarning, match=r"4 things left out or repaired: outputs/tables/problems\.json"):
        workshop.stage("prepare")
    assert workshop.read("tables/problems.json") == [
        "qrels/train.tsv: question q-baker-ledger: passage nowhere is not in the corpus; judgement left out",
        "qrels/train.tsv: question q-baker-licence: has no text; left out",
        "qrels/train.tsv: question q-baker-ledger: has no relevant passage in the corpus; left out",
        "queries.jsonl: question q-baker-visit: has no judgement; left out",
    ]
    kept = pl.read_parquet(workshop.outputs / "tables/queries.parquet")["query_id"].to_list()
    assert kept == [row["_id"] for row in rulebook.queries if row["_id"] not in _of_baker()]
    assert workshop.read("figures/prepare.json")["problems"] == 4


def _of_baker() -> set[str]:
    return {"q-baker-licence", "q-baker-ledger", "q-baker-visit"}


def test_headings_without_text_are_kept_and_never_candidates(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    write()
    workshop.up_to("candidates")
    headings = {row["_id"] for row in rulebook.passages if not row["text"]}
    kept = pl.read_parquet(workshop.outputs / "tables/passages.parquet")
    assert set(kept.filter(pl.col("kind") == "heading")["passage_id"]) == headings
    found = pl.read_parquet(workshop.outputs / "candidates.parquet")
    assert found.group_by("query_id").len()["len"].unique().to_list() == [40]
    assert headings.isdisjoint(found["passage_id"])


def test_text_in_other_scripts_is_found_by_its_own_words(workshop: Any, rulebook: Any, write: Any) -> None:
    texts = [
        "빵집은 첫 판매 전에 허가를 받아야 한다.",
        "يجب على الخباز أن يسجل كل بيع في دفتر.",
        "面包师必须随时接待检查员。",
    ]
    for row, text in zip(rulebook.passages[1:4], texts, strict=True):
        row["text"] = text
    write()
    workshop.up_to("export")
    runs, _ = Ranker.load("outputs/bundle").runs(_queries(["허가를 받아야", "يسجل كل بيع", "接待检查员"]))
    first = runs.filter((pl.col("run") == "bm25") & (pl.col("rank") == 1))
    assert first["passage_id"].to_list() == ["baker-licence", "baker-ledger", "baker-visit"]


def _queries(texts: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"query_id": [f"q{place}" for place in range(len(texts))], "text": texts})


def test_passage_of_24_000_words_is_ranked_like_any_other(workshop: Any, rulebook: Any, write: Any) -> None:
    rulebook.passages[1]["text"] = " ".join(["The baker weighs every loaf at dawn."] * 3429)
    write()
    workshop.up_to("export")
    ranked = Ranker.load("outputs/bundle").rank("Who weighs loaves at dawn?", k=40)
    assert len(rulebook.passages[1]["text"].split()) > 24_000
    assert "baker-licence" in [passage.passage_id for passage in ranked]


def test_corpus_without_an_edge_is_ranked_on_its_words(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages:
        row["metadata"] = {}
        row["text"] = row["text"].split(" under Rule")[0]
    write()
    workshop.up_to("evaluate")
    assert "PARENT_OF" not in workshop.read("figures/graph.json")
    assert workshop.read("evaluation/metrics.json")["validation"]["candidate_recall"] == 1


def test_one_document_is_enough(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages:
        row["metadata"]["document_id"] = "ONLY"
    write()
    workshop.up_to("evaluate")
    assert workshop.read("figures/prepare.json")["documents"] == 1
    assert set(workshop.read("evaluation/metrics.json")) == {"validation", "test"}


def test_one_passage_with_text_is_the_answer_to_everything(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages[2:]:
        row["text"] = ""
    _judge(rulebook, "baker-licence")
    write()
    workshop.up_to("evaluate")
    assert workshop.read("evaluation/metrics.json")["test"]["runs"]["ranker"]["FullCov@10"] == 1
    ranked = Ranker.load("outputs/bundle").rank("Who?", k=10)
    assert [passage.passage_id for passage in ranked] == ["baker-licence"]


def test_corpus_of_one_passage_goes_through(workshop: Any, rulebook: Any, write: Any) -> None:
    rulebook.passages = rulebook.passages[1:2]
    _judge(rulebook, "baker-licence")
    write()
    workshop.up_to("evaluate")
    assert workshop.read("figures/prepare.json")["passages"] == 1


def test_corpus_without_any_text_is_an_error(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages:
        row["text"] = " "
    write()
    with pytest.raises(InputError, match="expected passages with text, found 50 headings alone"):
        workshop.stage("prepare")


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
    workshop.up_to("evaluate")
    assert workshop.read("evaluation/metrics.json") == {}
    assert Ranker.load("outputs/bundle").rank("Who enters sales in a ledger?")


def test_training_questions_that_all_say_the_same_are_an_error(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    for row in rulebook.queries[:32]:
        row["text"] = "What must be done before selling at the fair?"
    write()
    with pytest.raises(InputError, match="expected training questions in two folds or more"):
        workshop.up_to("ranker")


def test_first_fold_without_a_question_does_not_stop_the_training(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    write()
    workshop.stage("prepare")
    folds = pl.read_parquet(workshop.outputs / "tables/folds.parquet")
    folds.with_columns(pl.col("fold").replace(0, 1)).write_parquet(workshop.outputs / "tables/folds.parquet")
    workshop.stage("graph", "encoder", "dense", "candidates", "late")
    workshop.stage("extract", "first_pass", "listwise", "tune", "ranker")
    assert workshop.read("figures/ranker.json")["queries"] == 32


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_no_training_question_with_a_relevant_candidate_is_an_error(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    train = rulebook.judged["train"]
    train[:] = [(query, passage.split("-")[0], 1) for query, passage, _ in train]
    write()
    with pytest.raises(InputError, match="a training question with a relevant candidate, found none"):
        workshop.up_to("ranker")


def test_unknown_key_in_params_is_answered_with_the_nearest_one(workshop: Any, write: Any) -> None:
    write()
    workshop.write_params(workshop.folder, {"ranker": {"num_leafs": 3}})
    with pytest.raises(SettingsError, match=r"ranker\.num_leafs: unknown key.* ranker\.num_leaves"):
        workshop.stage("prepare")


def test_value_out_of_range_in_params_is_named_with_its_limit(workshop: Any, write: Any) -> None:
    write()
    workshop.write_params(workshop.folder, {"prepare": {"folds": 1}})
    with pytest.raises(
        SettingsError, match=r"prepare\.folds: input should be greater than or equal to 2, found 1"
    ):
        workshop.stage("prepare")


def test_data_folder_that_dvc_does_not_know_of_is_refused(
    workshop: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    monkeypatch.setenv("RULERANK_DATA", "elsewhere")
    with pytest.raises(SettingsError, match="make reproduce DATA=elsewhere"):
        workshop.stage("prepare")


def test_stage_that_fails_leaves_the_last_good_tables(workshop: Any, rulebook: Any, write: Any) -> None:
    write()
    workshop.stage("prepare")
    good = workshop.content("tables")
    rulebook.passages.append(rulebook.passages[0])
    write()
    with pytest.raises(InputError):
        workshop.stage("prepare")
    assert workshop.content("tables") == good
    assert [path.name for path in workshop.outputs.iterdir() if path.name.startswith(".")] == []


def test_ranker_that_fails_leaves_the_last_good_models(workshop: Any, write: Any) -> None:
    write()
    workshop.up_to("ranker")
    good = workshop.content("ranker")
    table = pl.read_parquet(workshop.outputs / "features.parquet")
    table.with_columns(relevance=pl.lit(0, pl.Int8)).write_parquet(workshop.outputs / "features.parquet")
    with pytest.raises(InputError):
        workshop.stage("ranker")
    assert workshop.content("ranker") == good


def test_stage_without_the_one_before_it_says_what_to_run(workshop: Any) -> None:
    with pytest.raises(InputError, match=r"passages\.parquet: expected the passages table, found no file"):
        workshop.stage("graph")


def test_judgements_switched_off_give_one_model_without_their_features(workshop: Any, write: Any) -> None:
    write()
    changes = {"data": {"root": "data"}, "adapter": {"epochs": 0}, "extract": {"judgement": False}}
    workshop.write_params(workshop.folder, changes)
    workshop.up_to("evaluate")
    groups = {
        row["group"] for row in json.loads((workshop.outputs / "ranker/ranker.features.json").read_text())
    }
    assert "judgement" not in groups
    assert "ranker_without_judgement" not in workshop.read("evaluation/metrics.json")["test"]["runs"]
