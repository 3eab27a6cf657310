"""Features of the shared run's ranker, logged and compared again."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.bundle.reference import read_reference
from rulerank.errors import BundleError, InputError
from rulerank.evaluate.served import read_log
from rulerank.evaluate.skew import replay
from rulerank.ranker import Ranker
from rulerank.ranker.feature_log import FeatureLog, LoggedRanker

QUESTIONS = ("Who must keep the register?", "May a tug tow at night?", "Of the?")


@pytest.fixture(scope="module")
def log(ranker: Ranker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "served.jsonl"
    served = LoggedRanker(ranker.bundle, FeatureLog(path))
    for question in QUESTIONS:
        # Compared as text, because missing values are then equal.
        assert str(served.rank(question, 3)) == str(ranker.rank(question, 3))
    return path


def test_log_has_every_candidate_with_the_features_that_ranked_it(log: Path, ranker: Ranker) -> None:
    names = ranker.bundle.features.names
    read, other = read_log(log, ranker.bundle)
    assert other == 0
    assert read["question"].to_list() == list(QUESTIONS)
    for row in read.iter_rows(named=True):
        ranking = ranker.ranking(row["question"])
        assert row["passage_id"] == ranking.first(len(ranking.rows))
        assert row["score"] == ranking.scores.tolist()
        logged = np.array([row["features"][name] for name in names], np.float32).T
        np.testing.assert_array_equal(logged, ranking.matrix)


def test_replay_of_what_was_served_differs_by_0(log: Path, ranker: Ranker) -> None:
    again = replay(read_log(log, ranker.bundle)[0], ranker)
    assert again.same
    assert again.questions == 3


def test_several_models_are_compared_each_with_itself(
    ranker: Ranker, bundle: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "served.jsonl"
    served = LoggedRanker(ranker.bundle, FeatureLog(path))
    models = (RANKER, WITHOUT_JUDGEMENT)
    for model in models:
        for question in QUESTIONS:
            served.rank(question, model=model)
    # The second model is asked a day later.
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    days = [f"2026-01-0{1 + models.index(line['model'])}T00:00:00.000000Z" for line in lines]
    stamped = [{**line, "time": day} for line, day in zip(lines, days, strict=True)]
    path.write_text("".join(json.dumps(line) + "\n" for line in stamped))
    said = json.loads(call("skew", path, "--bundle", bundle, "--json").out)
    assert [(each["model"], each["questions"], each["psi"]) for each in said["windows"]] == [
        (RANKER, 3, 0),
        (WITHOUT_JUDGEMENT, 3, 0),
    ]
    assert (said["replay"]["questions"], said["replay"]["lost"], said["replay"]["difference"]) == (6, 0, 0)
    # Both models see the same features, so those of one alone are distributed as those of both.
    path.write_text("".join(json.dumps(line) + "\n" for line in stamped[:3]))
    alone = json.loads(call("skew", path, "--bundle", bundle, "--json").out)
    psi, of_one = ({each["feature"]: each["psi"] for each in facts["features"]} for facts in (said, alone))
    assert psi == of_one


def test_replay_names_the_feature_that_is_off(log: Path, ranker: Ranker, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines[0]["features"]["pr"][2] += 0.5
    lines[1]["passage_id"][0] = "elsewhere"
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = replay(read_log(changed, ranker.bundle)[0], ranker)
    assert not again.same
    assert (again.questions, again.lost) == (3, 2)
    assert again.difference == pytest.approx(0.5)
    assert again.worst == f"pr of {QUESTIONS[0]!r}"


def test_lines_of_other_rankers_are_left_out_whatever_features_they_have(
    log: Path, ranker: Ranker, bundle: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    others = [line | {"bundle": "another", "features": {"pr": [9.0]}} for line in lines]
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("".join(json.dumps(line) + "\n" for line in [others[0], *lines, *others[1:]]))
    read, other = read_log(mixed, ranker.bundle)
    assert read.equals(read_log(log, ranker.bundle)[0])
    assert other == 3
    options = ("--bundle", bundle, "--json")
    alone, among = (json.loads(call("skew", path, *options).out) for path in (log, mixed))
    assert (alone.pop("other"), among.pop("other")) == (0, 3)
    assert alone == among
    del lines[1]["features"]["deg"]
    mixed.write_text("".join(json.dumps(line) + "\n" for line in [others[0], *lines]))
    with pytest.raises(InputError, match=r"mixed\.jsonl:3: .* found no deg\. "):
        read_log(mixed, ranker.bundle)


def test_question_asked_without_a_passage_is_not_logged(ranker: Ranker, tmp_path: Path) -> None:
    path = tmp_path / "served.jsonl"
    served = LoggedRanker(ranker.bundle, FeatureLog(path))
    found = [passage.passage_id for passage in ranker.rank(QUESTIONS[0], 3)]
    served.answer(QUESTIONS[0], without=found)
    assert not path.exists()
    served.answer(QUESTIONS[0])
    assert replay(read_log(path, ranker.bundle)[0], ranker).same


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("model", "nope", "model: expected a model of this bundle, .* found 'nope'"),
        ("question", " ", "question: expected a question, found blank text"),
        ("time", "9999-12-31T23:59:59-14:00", "time: expected one of the years 1970 to 9999 in UTC"),
    ],
)
def test_line_that_cannot_be_asked_again_is_named(
    log: Path, ranker: Ranker, tmp_path: Path, key: str, value: str, said: str
) -> None:
    first, second = log.read_text().splitlines()[:2]
    (tmp_path / "odd.jsonl").write_text(f"{first}\n\n{json.dumps(json.loads(second) | {key: value})}\n")
    with pytest.raises(InputError, match=rf"odd\.jsonl:3: {said}"):
        read_log(tmp_path / "odd.jsonl", ranker.bundle)


def test_log_is_the_file_named_and_no_pattern(log: Path, ranker: Ranker, tmp_path: Path) -> None:
    for name in ("a[1].jsonl", "a*.jsonl"):
        shutil.copy(log, tmp_path / name)
        shutil.copy(log, tmp_path / "a1.jsonl")
        assert read_log(tmp_path / name, ranker.bundle)[0].height == len(QUESTIONS)


def test_threads_write_whole_lines(ranker: Ranker, tmp_path: Path) -> None:
    keep, ranking = FeatureLog(tmp_path / "served.jsonl"), ranker.ranking(QUESTIONS[0])
    threads = [threading.Thread(target=keep, args=(QUESTIONS[0], ranking)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read_log(tmp_path / "served.jsonl", ranker.bundle)[0].height == 8


@pytest.mark.parametrize("content", ["", "{}\n", '{"question": "q"}\n', "no json\n"])
def test_file_that_is_no_log_is_an_error(content: str, ranker: Ranker, tmp_path: Path) -> None:
    path = tmp_path / "served.jsonl"
    path.write_text(content)
    named = r"served\.jsonl(:1:1: malformed JSON|:1: expected|: expected rankings)"
    with pytest.raises(InputError, match=named):
        read_log(path, ranker.bundle)


def test_line_that_was_cut_off_is_named(log: Path, ranker: Ranker, tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(log.read_bytes()[:-100])
    last = len(log.read_text().splitlines())
    with pytest.raises(InputError, match=rf"cut\.jsonl:{last}:\d+: malformed JSON"):
        read_log(tmp_path / "cut.jsonl", ranker.bundle)


def test_line_of_too_few_scores_is_named(log: Path, ranker: Ranker, tmp_path: Path) -> None:
    first, second = log.read_text().splitlines()[:2]
    short = {**json.loads(second), "score": json.loads(second)["score"][1:]}
    (tmp_path / "short.jsonl").write_text(f"{first}\n{json.dumps(short)}\n")
    with pytest.raises(InputError, match=r"short\.jsonl:2: expected as many scores"):
        read_log(tmp_path / "short.jsonl", ranker.bundle)


def test_line_without_a_feature_is_named(log: Path, ranker: Ranker, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    del lines[1]["features"]["dense_score"], lines[2]["features"]["deg"]
    # Blank lines are skipped, and counted.
    (tmp_path / "lacking.jsonl").write_text("\n" + "\n\n".join(map(json.dumps, lines)))
    with pytest.raises(InputError, match=r"lacking\.jsonl:4: .* found no dense_score\. "):
        read_log(tmp_path / "lacking.jsonl", ranker.bundle)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("score", "high"),
        ("time", "yesterday"),
        ("time", "2026-01-01T00:00:00"),
        ("as_of", "2026-13-01"),
        ("features", []),
    ],
)
def test_line_of_another_shape_is_named(
    log: Path, ranker: Ranker, tmp_path: Path, key: str, value: Any
) -> None:
    first, second = log.read_text().splitlines()[:2]
    other = json.dumps(json.loads(second) | {key: value})
    (tmp_path / "other.jsonl").write_text(f"{first}\n\n{other}\n")
    with pytest.raises(InputError, match=r"other\.jsonl:3: expected a ranking of `rulerank rank"):
        read_log(tmp_path / "other.jsonl", ranker.bundle)


def test_commands_log_and_compare(bundle: Path, call: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "served.jsonl"
    for question in QUESTIONS[:2]:
        assert call("rank", bundle, question, "--features-log", log).code == 0
    said = call("skew", log, "--bundle", bundle)
    assert said.code == 0, said.err
    assert "replay: 2 questions (0 of another bundle left out), 0 candidates lost, difference 0" in said.out
    facts = json.loads(call("skew", log, "--bundle", bundle, "--json").out)
    assert {each["feature"] for each in facts["features"]} == set(read_reference(bundle))
    assert [each["questions"] for each in facts["windows"]] == [2]


def test_log_of_another_ranker_is_no_success(
    log: Path, ranker: Ranker, bundle: Path, call: Any, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(log.read_text().replace(ranker.bundle.manifest["digest"], "0" * 64))
    said = call("skew", other, "--bundle", bundle)
    assert said.code == 1
    assert "expected questions that the ranker in" in said.err


def test_ranker_without_its_reference_is_an_error(log: Path, bundle: Path, call: Any, tmp_path: Path) -> None:
    copy = shutil.copytree(bundle, tmp_path / "bundle")
    (copy / "reference.json").unlink()
    said = call("skew", log, "--bundle", copy)
    assert said.code == 1
    assert "reference.json" in said.err


@pytest.mark.parametrize("content", ["{", "[1]", '{"idf": {}}'])
def test_damaged_reference_is_a_bundle_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "reference.json").write_text(content)
    with pytest.raises(BundleError, match=r"reference\.json"):
        read_reference(tmp_path)
