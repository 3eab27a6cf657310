from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
import typer

from rulerank.answer.extractive import ABSTENTION
from rulerank.cli import _plain, app, main
from rulerank.corpora import read_run, write_questions
from rulerank.files import read_json
from rulerank.ranker import RankedPassage, Reason
from rulerank.tables import JUDGEMENTS, PASSAGES, QUERIES

QUESTION = "What must the master do, and who has to be told before the vessel enters the harbour?"


class Said(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run the command line in this process."""

    def _call(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["rulerank", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        return Said(int(done.value.code or 0), *capsys.readouterr())

    return _call


@pytest.fixture
def questions(tmp_path: Path) -> Callable[[Any], Path]:
    def _write(value: Any) -> Path:
        path = tmp_path / "asked.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return _write


def test_rulerank_is_the_name_of_the_command() -> None:
    (point,) = entry_points(group="console_scripts", name="rulerank")
    assert point.load() is main


def test_every_command_and_argument_is_described() -> None:
    root = typer.main.get_command(app)
    commands = dict(_commands(root, "rulerank"))
    assert set(commands) >= {"rulerank rank", "rulerank answer", "rulerank evaluate", "rulerank data fetch"}
    for name, command in commands.items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name}: {parameter.name}"


def _commands(command: Any, name: str) -> list[tuple[str, Any]]:
    inner = getattr(command, "commands", {}).items()
    return [(name, command), *(each for key, sub in inner for each in _commands(sub, f"{name} {key}"))]


@pytest.mark.parametrize("command", [[], ["rank"], ["answer"], ["evaluate"], ["data"], ["data", "fetch"]])
def test_help_is_printed(call: Callable[..., Said], command: list[str]) -> None:
    said = call(*command, "--help")
    assert said.code == 0
    assert "Usage: rulerank" in said.out
    assert said.err == ""


def test_rank_prints_each_passage_with_its_score_and_what_mattered(
    call: Callable[..., Said], bundle: Path
) -> None:
    said = call("rank", bundle, QUESTION, "--k", 4)
    assert said.code == 0
    heads = re.findall(
        r"^ +(\d+)\. .+ score -?[\d.]+, probability 0\.\d\d  \[(.+)\]$", said.out, re.MULTILINE
    )
    assert [rank for rank, _ in heads] == ["1", "2", "3", "4"]
    assert len(re.findall(r"^ +because \w+ \S+ \([+-][\d.]+\), ", said.out, re.MULTILINE)) == 4


def test_rank_as_json_says_the_same(call: Callable[..., Said], bundle: Path) -> None:
    listed = json.loads(call("rank", bundle, QUESTION, "--k", 3, "--json").out)
    assert [passage["rank"] for passage in listed] == [1, 2, 3]
    text = call("rank", bundle, QUESTION, "--k", 3).out
    assert re.findall(r"\[(\S+)\]$", text, re.MULTILINE) == [passage["passage_id"] for passage in listed]


def test_rank_names_what_voids_a_passage_beside_it(call: Callable[..., Said], bundle: Path) -> None:
    voiding = pl.read_parquet(bundle / "edges.parquet").filter(type="SUPERSEDES")
    lower = voiding["target_id"][0]
    asked = pl.read_parquet(bundle / "passages.parquet").filter(passage_id=lower)["text"].item()
    listed = json.loads(call("rank", bundle, asked, "--k", 20, "--json").out)
    voided = {passage["passage_id"]: passage["voided_by"] for passage in listed if passage["voided_by"]}
    assert lower in voided
    said = call("rank", bundle, asked, "--k", 20).out
    shown = dict(re.findall(r"\[(\S+)\]\n +voided by (.+)$", said, re.MULTILINE))
    assert shown == {passage: ", ".join(upper) for passage, upper in voided.items()}


def test_json_holds_no_number_that_json_does_not_have(call: Callable[..., Said], bundle: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(call("rank", bundle, QUESTION, "--k", 30, "--json").out, parse_constant=refuse)


def test_missing_value_is_null_in_json() -> None:
    reasons = (Reason("closure_depth", float("nan"), 0.5), Reason("q_len", 7.0, -0.1))
    plain = _plain(RankedPassage(1, "act:1", "act", "Harbour Act", "1", "Pay.", 0.2, 0.5, reasons))
    assert [reason["value"] for reason in plain["reasons"]] == [None, 7.0]
    assert plain["passage_id"] == "act:1"


def test_answer_binds_every_bullet_to_a_passage_it_names(call: Callable[..., Said], bundle: Path) -> None:
    said = call("answer", bundle, QUESTION, "--k", 30)
    bullets = [line for line in said.out.splitlines() if line.startswith("- ")]
    assert bullets
    assert all(re.search(r"(\[P\d+\])+$", line) for line in bullets)
    named = set(re.findall(r"^(\[P\d+\]) \S+", said.out, re.MULTILINE))
    assert set(re.findall(r"\[P\d+\]", "\n".join(bullets))) <= named


def test_answer_without_an_obligation_is_the_abstention_alone(
    call: Callable[..., Said], bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = pl.read_parquet(bundle / "passages.parquet")
    silent = asked.filter(
        (pl.col("kind") == "definition") & ~pl.col("text").str.contains("must|shall|should|may")
    )
    outs = [call("answer", bundle, text, "--k", 1).out for text in silent["text"].head(8)]
    assert f"{ABSTENTION}\n" in outs


def test_evaluate_prints_the_figures_of_the_stage(
    call: Callable[..., Said], pipeline: Path, bundle: Path, tmp_path: Path
) -> None:
    tables = pipeline / "outputs/tables"
    queries = QUERIES.read(tables / "queries.parquet").filter(pl.col("split") == "test")
    judged = JUDGEMENTS.read(tables / "judgements.parquet").filter(
        pl.col("query_id").is_in(queries["query_id"].implode())
    )
    write_questions(tmp_path / "test.json", queries, judged, PASSAGES.read(tables / "passages.parquet"))
    said = call("evaluate", bundle, tmp_path / "test.json")
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
        assert found[run] == pytest.approx(scores), run


def test_evaluate_reads_the_questions_that_the_sample_comes_with(
    call: Callable[..., Said], pipeline: Path, bundle: Path
) -> None:
    result = json.loads(call("evaluate", bundle, pipeline / "data/sample/questions_test.json").out)
    expected = read_json(pipeline / "outputs/evaluation/metrics.json")["test"]
    # These have no grades, on which nDCG alone depends.
    for measure in ("Recall@10", "MAP@10", "FullCov@10"):
        assert result[measure] == pytest.approx(expected["runs"]["ranker"][measure])


def test_evaluate_writes_the_ranking_as_a_run_that_reads_back(
    call: Callable[..., Said], pipeline: Path, bundle: Path, tmp_path: Path
) -> None:
    asked = pipeline / "data/sample/questions_test.json"
    call("evaluate", bundle, asked, "--run", tmp_path / "out.trec")
    run = read_run(tmp_path / "out.trec")
    assert set(run["query_id"]) == {question["QuestionID"] for question in json.loads(asked.read_text())}
    assert run["run"].unique().to_list() == ["ranker"]
    assert run.filter(pl.col("rank") == 1).height == run["query_id"].n_unique()


def test_evaluate_warns_of_each_question_it_leaves_out_and_still_prints_one_object(
    call: Callable[..., Said], pipeline: Path, bundle: Path, questions: Callable[[Any], Path]
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
    call: Callable[..., Said], bundle: Path, questions: Callable[[Any], Path], content: Any, message: str
) -> None:
    said = call("evaluate", bundle, questions(content))
    assert (said.code, said.out) == (1, "")
    errors = [line for line in said.err.splitlines() if not line.startswith("warning: ")]
    assert len(errors) == 1
    assert errors[0].startswith("error: ")
    assert re.search(message, errors[0])


def test_error_leaves_no_run_behind(
    call: Callable[..., Said], bundle: Path, questions: Callable[[Any], Path]
) -> None:
    path = questions("[]")
    assert call("evaluate", bundle, path, "--run", path.parent / "out.trec").code == 1
    assert [each.name for each in path.parent.iterdir()] == ["asked.json"]


@pytest.mark.parametrize("command", ["rank", "answer", "evaluate"])
def test_missing_bundle_is_one_error(call: Callable[..., Said], tmp_path: Path, command: str) -> None:
    said = call(command, tmp_path / "none", "Who?")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"error: {tmp_path / 'none'}: expected an exported ranker")
    assert said.err.count("\n") == 1


def test_missing_questions_are_one_error(call: Callable[..., Said], bundle: Path, tmp_path: Path) -> None:
    said = call("evaluate", bundle, tmp_path / "none.json")
    assert said.code == 1
    assert said.err == f"error: {tmp_path / 'none.json'}: expected a file, found none. Check the path.\n"


@pytest.mark.parametrize("command", ["rank", "answer"])
def test_blank_question_is_one_error(call: Callable[..., Said], bundle: Path, command: str) -> None:
    said = call(command, bundle, "  ")
    assert said.code == 1
    assert said.err.startswith("error: question: expected a question, found blank text")


@pytest.mark.parametrize("command", ["rank", "answer", "refwalk"])
def test_question_in_another_encoding_is_one_error(
    call: Callable[..., Said], bundle: Path, command: str
) -> None:
    said = call(command, bundle, "Qui \udce9crit?")
    assert said.code == 1
    assert said.err == "error: question:5: expected UTF-8 text, found another encoding. Ask in UTF-8.\n"


@pytest.mark.parametrize(
    "command",
    [
        ["graph", "export", "--data"],
        ["citations", "extract", "--out", "edges.parquet", "--data"],
        ["authority", "evaluate", "--data", ".", "--adapter"],
    ],
)
def test_question_where_a_path_belongs_is_one_error(call: Callable[..., Said], command: list[str]) -> None:
    said = call(*command, QUESTION * 10)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"error: {QUESTION * 10}")
    assert said.err.endswith(": File name too long. Check path, permissions and space.\n")


def test_k_of_zero_is_a_usage_error(call: Callable[..., Said], bundle: Path) -> None:
    said = call("rank", bundle, QUESTION, "--k", 0)
    assert said.code == 2
    assert "--k" in said.err


def test_unknown_data_set_is_one_error(call: Callable[..., Said]) -> None:
    said = call("data", "fetch", "moon")
    assert said.code == 1
    assert said.err == "error: moon: expected the data set 'obliqa'. Run `rulerank data fetch obliqa`.\n"


def test_error_in_a_process_of_its_own_has_no_traceback(pipeline: Path, run: Callable[..., Any]) -> None:
    done = run(pipeline, "-c", "from rulerank.cli import main; main()", "rank", "none", "Who?")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: none: expected an exported ranker")
    assert "Traceback" not in done.stderr
