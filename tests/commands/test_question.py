"""A question on the command line: the replies of `rank` and `answer`, and what they refuse as a question."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.answer import ABSTENTION, INCOMPLETE

QUESTION = "What must the master do, and who has to be told before the vessel enters the harbour?"


def test_rank_prints_each_passage_with_its_score_and_what_mattered(
    call: Callable[..., Any], bundle: Path
) -> None:
    said = call("rank", bundle, QUESTION, "--k", 4)
    assert said.code == 0
    heads = re.findall(
        r"^ +(\d+)\. .+ score -?[\d.]+, probability 0\.\d\d  \[(.+)\]$", said.out, re.MULTILINE
    )
    assert [rank for rank, _ in heads] == ["1", "2", "3", "4"]
    assert len(re.findall(r"^ +because \w+ \S+ \([+-][\d.]+\), ", said.out, re.MULTILINE)) == 4


def test_rank_as_json_says_the_same(call: Callable[..., Any], bundle: Path) -> None:
    listed = json.loads(call("rank", bundle, QUESTION, "--k", 3, "--json").out)
    assert [passage["rank"] for passage in listed] == [1, 2, 3]
    text = call("rank", bundle, QUESTION, "--k", 3).out
    assert re.findall(r"\[(\S+)\]$", text, re.MULTILINE) == [passage["passage_id"] for passage in listed]


def test_rank_names_what_voids_a_passage_beside_it(call: Callable[..., Any], bundle: Path) -> None:
    voiding = pl.read_ipc(bundle / "edges.arrow").filter(type="SUPERSEDES")
    lower = voiding["target_id"][0]
    asked = pl.read_ipc(bundle / "passages.arrow").filter(passage_id=lower)["text"].item()
    listed = json.loads(call("rank", bundle, asked, "--k", 20, "--json").out)
    voided = {passage["passage_id"]: passage["voided_by"] for passage in listed if passage["voided_by"]}
    assert lower in voided
    said = call("rank", bundle, asked, "--k", 20).out
    shown = dict(re.findall(r"\[(\S+)\]\n +voided by (.+)$", said, re.MULTILINE))
    assert shown == {passage: ", ".join(upper) for passage, upper in voided.items()}


def test_json_holds_no_number_that_json_does_not_have(call: Callable[..., Any], bundle: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(call("rank", bundle, QUESTION, "--k", 30, "--json").out, parse_constant=refuse)


def test_k_of_zero_is_a_usage_error(call: Callable[..., Any], bundle: Path) -> None:
    said = call("rank", bundle, QUESTION, "--k", 0)
    assert said.code == 2
    assert "--k" in said.err


def test_answer_binds_every_bullet_to_a_passage_it_names(
    call: Callable[..., Any], bundle: Path, answered: str
) -> None:
    said = call("answer", bundle, answered)
    bullets = [line for line in said.out.splitlines() if line.startswith("- ")]
    assert bullets
    assert all(re.search(r"(\[P\d+\])+$", line) for line in bullets)
    named = set(re.findall(r"^(\[P\d+\]) \S+", said.out, re.MULTILINE))
    assert set(re.findall(r"\[P\d+\]", "\n".join(bullets))) <= named


def test_before_any_rule_took_effect_there_is_no_answer(call: Callable[..., Any], bundle: Path) -> None:
    said = call("answer", bundle, QUESTION, "--as-of", "1900-01-01")
    assert said.code == 0
    assert said.out.splitlines()[0] == ABSTENTION
    for as_json, said in (([], ""), (["--json"], "[]\n")):
        ranked = call("rank", bundle, QUESTION, "--as-of", "1900-01-01", *as_json)
        assert ranked.out == said
        assert ranked.err == "warning: none of the passages found had taken effect by that day\n"


def test_answer_as_json_page_and_audit(call: Callable[..., Any], bundle: Path, tmp_path: Path) -> None:
    page, audit = tmp_path / "answer.html", tmp_path / "audit.jsonl"
    said = call("answer", bundle, QUESTION, "--json", "--html", page, "--audit", audit)
    record = json.loads(said.out)
    assert record["answered"] is bool(record["claims"])
    assert "<h1>" in page.read_text()
    audited = json.loads(audit.read_text())
    assert audited["bundle"] == json.loads((bundle / "manifest.json").read_text())["digest"]
    assert audited["claims"] == record["claims"]
    call("answer", bundle, QUESTION, "--audit", audit)
    assert [json.loads(line) for line in audit.read_text().splitlines()] == [audited, audited]


def test_page_and_audit_are_written_though_nobody_reads_what_is_printed(bundle: Path, tmp_path: Path) -> None:
    page, audit = tmp_path / "answer.html", tmp_path / "audit.jsonl"
    command = [sys.executable, "-m", "rulerank", "answer", bundle, QUESTION, "--html", page, "--audit", audit]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
    assert "<h1>" in page.read_text()
    assert audit.read_text().count("\n") == 1


@pytest.mark.parametrize(("command", "option"), [("answer", "--audit"), ("rank", "--features-log")])
def test_file_of_something_else_gets_no_line(
    call: Callable[..., Any], bundle: Path, tmp_path: Path, command: str, option: str
) -> None:
    (tmp_path / "questions.json").write_text("[]\n")
    said = call(command, bundle, QUESTION, option, tmp_path / "questions.json")
    assert (said.code, said.out) == (1, "")
    assert "questions.json: expected lines that begin with" in said.err
    assert (tmp_path / "questions.json").read_text() == "[]\n"


def test_batch_answers_every_question_once(call: Callable[..., Any], bundle: Path, tmp_path: Path) -> None:
    asked, out = tmp_path / "queries.jsonl", tmp_path / "answers.jsonl"
    asked.write_text(json.dumps({"_id": "a", "text": QUESTION}) + "\n")
    assert "1 of 1 questions answered now" in call("answer", bundle, "--questions", asked, "--out", out).out
    assert "0 of 1 questions answered now" in call("answer", bundle, "--questions", asked, "--out", out).out
    assert json.loads(out.read_text())["query_id"] == "a"
    said = call("answer", bundle, "--questions", asked, "--out", out, "--json")
    assert (said.code, said.out) == (1, "")
    assert "--json: expected one question, found a file of them" in said.err


@pytest.mark.parametrize("arguments", [(), ("Who?", "--questions", "x.json"), ("--questions", "x.json")])
def test_answer_needs_a_question_or_a_file_of_them(
    call: Callable[..., Any], bundle: Path, arguments: tuple[str, ...]
) -> None:
    said = call("answer", bundle, *arguments)
    assert said.code == 1
    assert "expected a question, or --questions with --out" in said.err


@pytest.mark.parametrize("command", ["rank", "answer"])
def test_blank_question_is_one_error(call: Callable[..., Any], bundle: Path, command: str) -> None:
    said = call(command, bundle, "  ")
    assert said.code == 1
    assert said.err.startswith("error: question: expected a question, found blank text")


@pytest.mark.parametrize("command", ["rank", "answer", "refwalk"])
def test_question_in_another_encoding_is_one_error(
    call: Callable[..., Any], bundle: Path, command: str
) -> None:
    said = call(command, bundle, "Qui \udce9crit?")
    assert said.code == 1
    assert said.err == "error: question:5: expected UTF-8 text, found another encoding. Ask in UTF-8.\n"


@pytest.mark.parametrize(
    "command",
    [
        ["graph", "export", "--data"],
        ["citations", "extract", "--out", "edges.parquet", "--data"],
        ["authority", "evaluate", "--data", ".", "--domain"],
    ],
)
def test_question_where_a_path_belongs_is_one_error(call: Callable[..., Any], command: list[str]) -> None:
    said = call(*command, QUESTION * 10)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"error: {QUESTION * 10}")
    assert said.err.endswith(": File name too long. Check path, permissions and space.\n")


def test_model_of_the_bundle_can_be_chosen(call: Callable[..., Any], bundle: Path) -> None:
    chosen, default = (
        json.loads(call("rank", bundle, QUESTION, "--json", *more).out)
        for more in (("--model", "ranker_without_judgement"), ())
    )
    assert [passage["score"] for passage in chosen] != [passage["score"] for passage in default]


@pytest.mark.parametrize("command", ["rank", "answer"])
def test_unknown_model_is_one_error(call: Callable[..., Any], bundle: Path, command: str) -> None:
    said = call(command, bundle, QUESTION, "--model", "best")
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "error: model: expected a model of this bundle, ranker, ranker_on_new_rules, "
        "ranker_without_judgement or ranker_with_judgement, found 'best'. Choose one of them.\n"
    )


def test_a_language_model_is_shown_the_examples_that_are_asked_for(
    call: Callable[..., Any], bundle: Path, answered: str, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)
    chat.says = lambda request: ABSTENTION
    for number in (0, 2):
        said = call("answer", bundle, answered, "--llm", chat.model.url, "--examples", number)
        assert (said.code, said.out.splitlines()[0]) == (0, ABSTENTION)
    assert [len(request["messages"]) for request in chat.asked] == [2, 6]
    assert call("answer", bundle, answered, "--llm", chat.model.url, "--examples", 4).code == 2


def test_a_batch_by_a_language_model_is_asked_as_a_file_says_and_counted(
    call: Callable[..., Any], bundle: Path, chat: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)
    chat.says = lambda request: ABSTENTION
    (tmp_path / "params.yaml").write_text(
        "answer: {model: {workers: 3, temperature: 0.5, completion_price: 10.0, examples: 1}}"
    )
    asked = [{"_id": f"q{number}", "text": f"{QUESTION} ({number})"} for number in range(7)]
    (tmp_path / "asked.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in asked))
    batch = ("--questions", tmp_path / "asked.jsonl", "--out", tmp_path / "answers.jsonl")
    model = ("--llm", chat.model.url, "--settings", tmp_path / "params.yaml", "--examples", 0)
    assert call("answer", bundle, *batch, *model, "--log", tmp_path / "new/log.jsonl").code == 0
    answers = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert [each["query_id"] for each in answers] == [each["_id"] for each in asked]
    assert {each["llm"] for each in answers} == {chat.model.name}
    assert answers[0]["asked"]["temperature"] == 0.5
    said = call("answer", bundle, *batch, *model, "--style", "per-rule")
    assert said.code == 1
    assert "expected asked.style per-rule, found list" in said.err
    assert "max_tokens" not in said.err
    requests = [json.loads(line) for line in (tmp_path / "new/log.jsonl").read_text().splitlines()]
    assert len(requests) == len(chat.asked) > 0
    assert {(each["outcome"], each["cost"]) for each in requests} == {("answered", 0.0001)}
    assert {(request["temperature"], len(request["messages"])) for request in chat.asked} == {(0.5, 2)}


def test_an_answer_that_was_cut_off_says_so_on_the_terminal_in_its_record_and_on_its_page(
    call: Callable[..., Any],
    bundle: Path,
    answered: str,
    chat: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)
    chat.cuts = lambda request: True
    page, model = tmp_path / "answer.html", ("--llm", chat.model.url)
    assert call("answer", bundle, answered, *model, "--html", page).out.splitlines()[-1] == INCOMPLETE
    assert "This answer may be incomplete" in page.read_text()
    assert json.loads(call("answer", bundle, answered, *model, "--json").out)["incomplete"] is True


def test_a_question_that_is_refused_leaves_the_others_answered_and_is_asked_again(
    call: Callable[..., Any], bundle: Path, chat: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)
    chat.says = lambda request: ABSTENTION
    chat.refuses = lambda request: 413 if "(1)" in request["messages"][1]["content"] else None
    asked = [{"_id": f"q{number}", "text": f"{QUESTION} ({number})"} for number in range(3)]
    (tmp_path / "asked.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in asked))
    out = tmp_path / "answers.jsonl"
    batch = ("--questions", tmp_path / "asked.jsonl", "--out", out, "--llm", chat.model.url)
    for requests in (3, 1):
        chat.asked.clear()
        said = call("answer", bundle, *batch)
        assert said.code == 1
        assert said.err.startswith("error: question q1: ")
        assert "expected status 200, found 413" in said.err
        assert [json.loads(line)["query_id"] for line in out.read_text().splitlines()] == ["q0", "q2"]
        assert len(chat.asked) == requests
    chat.refuses = lambda request: None
    assert call("answer", bundle, *batch).code == 0


@pytest.mark.parametrize(
    "option", [("--examples", 1), ("--style", "list"), ("--settings", "params.yaml"), ("--log", "log.jsonl")]
)
def test_what_is_said_to_a_language_model_needs_one(
    call: Callable[..., Any], bundle: Path, option: tuple[str, object]
) -> None:
    said = call("answer", bundle, QUESTION, *option)
    assert (said.code, said.err) == (
        1,
        f"error: {option[0]}: is only for answers by a language model. Add --llm URL, or leave it out.\n",
    )
