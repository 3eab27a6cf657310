from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.corpora import read_run
from rulerank.files import read_json
from rulerank.tables import JUDGEMENTS, PASSAGES, QUERIES


@pytest.fixture
def questions(tmp_path: Path) -> Callable[[Any], Path]:
    def _write(value: Any) -> Path:
        path = tmp_path / "asked.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return _write


def in_obliqa_format(queries: pl.DataFrame, judged: pl.DataFrame) -> list[dict[str, Any]]:
    connection = {2: "Directly Connected", 1: "Indirectly Connected"}
    return [
        {
            "QuestionID": query_id,
            "Question": text,
            "Passages": [
                {
                    "DocumentID": row["document_id"],
                    "PassageID": row["section"],
                    "Passage": row["text"],
                    "ID": row["passage_id"],
                    "Connection": connection[row["relevance"]],
                }
                for row in judged.filter(pl.col("relevance") > 0, query_id=query_id).iter_rows(named=True)
            ],
        }
        for query_id, text in queries.select("query_id", "text").iter_rows()
    ]


def test_evaluate_prints_the_figures_of_the_stage(
    call: Callable[..., Any], pipeline: Path, bundle: Path, questions: Callable[[Any], Path]
) -> None:
    tables = pipeline / "outputs/tables"
    queries = QUERIES.read(tables / "queries.parquet").filter(pl.col("split") == "test")
    judged = JUDGEMENTS.read(tables / "judgements.parquet").join(
        PASSAGES.read(tables / "passages.parquet"), on="passage_id"
    )
    said = call("evaluate", bundle, questions(in_obliqa_format(queries, judged)))
    assert (said.code, said.err) == (0, "")
    result = json.loads(said.out)
    expected = read_json(pipeline / "outputs/evaluation/metrics.json")["test"]
    measures = ["Recall@10", "MAP@10", "nDCG@10", "FullCov@10"]
    assert list(result) == ["queries", *measures, "candidate_recall", "runs"]
    assert result["queries"] == expected["queries"]
    assert result["candidate_recall"] == pytest.approx(expected["candidate_recall"])
    found = {"ranker": {name: result[name] for name in measures}, **result["runs"]}
    assert set(found) == set(expected["runs"])
    for run, scores in expected["runs"].items():
        assert found[run] == pytest.approx({name: scores[name] for name in measures}), run


def test_evaluate_reads_the_questions_that_the_sample_comes_with(
    call: Callable[..., Any], pipeline: Path, bundle: Path
) -> None:
    result = json.loads(call("evaluate", bundle, pipeline / "data/sample/questions_test.json").out)
    expected = read_json(pipeline / "outputs/evaluation/metrics.json")["test"]
    # These have no grades. Only nDCG depends on grades.
    for measure in ("Recall@10", "MAP@10", "FullCov@10"):
        assert result[measure] == pytest.approx(expected["runs"]["ranker"][measure])


def test_evaluate_writes_the_ranking_as_a_run_that_reads_back(
    call: Callable[..., Any], pipeline: Path, bundle: Path, tmp_path: Path
) -> None:
    asked = pipeline / "data/sample/questions_test.json"
    call("evaluate", bundle, asked, "--run", tmp_path / "out.trec")
    run = read_run(tmp_path / "out.trec")
    assert set(run["query_id"]) == {question["QuestionID"] for question in json.loads(asked.read_text())}
    assert run["run"].unique().to_list() == ["ranker"]
    assert run.filter(pl.col("rank") == 1).height == run["query_id"].n_unique()


def test_evaluate_warns_of_each_question_it_leaves_out_and_still_prints_one_object(
    call: Callable[..., Any], pipeline: Path, bundle: Path, questions: Callable[[Any], Path]
) -> None:
    asked = json.loads((pipeline / "data/sample/questions_test.json").read_text())
    asked[0]["Question"] = ""
    path = questions(asked)
    said = call("evaluate", bundle, path)
    assert said.code == 0
    assert json.loads(said.out)["queries"] == len(asked) - 1
    assert said.err == f"warning: asked.json: question {asked[0]['QuestionID']}: has no text; left out\n"


FOREIGN = [
    {
        "QuestionID": "q1",
        "Question": "Which moon?",
        "Passages": [{"DocumentID": 1, "PassageID": "1", "Passage": "The moon of another corpus."}],
    }
]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "expected a question with a text and a passage of this corpus, found none"),
        (FOREIGN, "expected a question with a text and a passage of this corpus, found none"),
        ('[\n{"QuestionID": 1\n"x"]', r"asked\.json:3:1: malformed JSON"),
        ("{}", "expected a list of records"),
        ('[{"Question": "?"}]', r"record 1.*QuestionID"),
    ],
)
def test_questions_that_cannot_be_used_are_one_error(
    call: Callable[..., Any], bundle: Path, questions: Callable[[Any], Path], content: Any, message: str
) -> None:
    said = call("evaluate", bundle, questions(content))
    assert (said.code, said.out) == (1, "")
    errors = [line for line in said.err.splitlines() if not line.startswith("warning: ")]
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert re.search(message, errors[0])


def test_error_leaves_no_run_behind(
    call: Callable[..., Any], bundle: Path, questions: Callable[[Any], Path]
) -> None:
    path = questions("[]")
    assert call("evaluate", bundle, path, "--run", path.parent / "out.trec").code == 1
    assert [each.name for each in path.parent.iterdir()] == ["asked.json"]


def test_missing_questions_are_one_error(call: Callable[..., Any], bundle: Path, tmp_path: Path) -> None:
    said = call("evaluate", bundle, tmp_path / "none.json")
    assert said.code == 1
    assert said.err == f"error: {tmp_path / 'none.json'}: expected a file, found none. Check the path.\n"
