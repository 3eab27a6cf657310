"""Data that is missing, wrong or spoilt gives one clear error, or is left out and listed."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from rulerank.errors import DataWarning, InputError


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


def test_corpus_without_any_text_is_an_error(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages:
        row["text"] = " "
    write()
    with pytest.raises(InputError, match="expected passages with text, found only 50 headings"):
        workshop.stage("prepare")


def test_questions_that_are_all_of_one_group_are_an_error(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.queries:
        row["metadata"] = {"group": "trades"}
    write()
    with pytest.raises(InputError, match="found all 32 in one: they are nearly the same, or of one group"):
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
