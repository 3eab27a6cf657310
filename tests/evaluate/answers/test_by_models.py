from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from rulerank.answer import Answer, Claim
from rulerank.errors import InputError, SettingsError, UnansweredError
from rulerank.evaluate.answers.by_models import ByModels, by_models
from rulerank.evaluate.claim_f1 import Judge
from rulerank.evaluate.repass import Parts
from rulerank.llm import MODEL, URL
from rulerank.passages import Passage
from rulerank.settings import MeasuredByModels

SOURCE = Passage(
    passage_id="a", document_id="d", document="Act", section="1", text="A must rest. B must ring."
)


def _split(text: str) -> list[str]:
    return [f"{part.strip()}." for part in text.split(".") if part.strip()]


def _alike(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    return np.array([one == other for one, other in pairs])


WORDS = Parts(
    split=_split,
    infer=lambda pairs: np.stack([np.zeros(len(pairs)), _alike(pairs)], axis=1),
    obliges=lambda sentences: np.array(["must" in sentence for sentence in sentences]),
    covers=_alike,
)


def _answer(*claims: str) -> Answer:
    stated = tuple(Claim(text, "obligation", ("a",)) for text in claims)
    return Answer("Who?", date(2026, 1, 1), stated, (SOURCE,), None if claims else "nothing is near")


def test_nothing_is_measured_without_models() -> None:
    assert by_models(MeasuredByModels(), "cpu")([_answer("A must rest.")], [_answer()]) == {}


def test_repass_without_an_answer_has_no_published_means() -> None:
    assert ByModels(WORDS)([_answer()], [_answer()])["repass"] == {"answered": 0, "score_of_all": 0}


def test_repass_is_of_what_was_shown_and_of_all_questions_in_a_second_mean() -> None:
    found = ByModels(WORDS)([_answer("A must rest."), _answer()], [_answer(), _answer()])
    # Every sentence is entailed, none contradicted, one of two obligations covered: (.5 + 1 - 0 + 1) / 3.
    assert found["repass"] == pytest.approx(
        {
            "answered": 1,
            "entailment": 1,
            "contradiction": 0,
            "coverage": 0.5,
            "score": 0.83333,
            "score_of_all": 0.83333 / 2,
        }
    )


def test_claim_f1_is_beside_what_should_have_been_answered(chat) -> None:
    def judged(request) -> str:
        system, user = (message["content"] for message in request["messages"])
        if "take a text" in system:
            return json.dumps({"claims": _split(user)})
        return json.dumps({"verdicts": [{"claim": 1, "expected": 1, "verdict": "match"}]})

    chat.says = judged
    expected = _answer("A must rest.", "B must ring.")
    found = ByModels(judge=Judge(chat.model))([_answer("A must rest."), _answer()], [expected, expected])
    assert found == {
        "claim_f1": pytest.approx({"precision": 1 / 2, "recall": 1 / 4, "f1": 1 / 3, "unread": 0})
    }


def test_questions_whose_judgement_cannot_be_read_are_left_out_and_counted(chat) -> None:
    def judged(request) -> str:
        system, user = (message["content"] for message in request["messages"][:2])
        if "take a text" in system:
            return "I cannot do that." if "ring" in user else json.dumps({"claims": _split(user)})
        return json.dumps({"verdicts": [{"claim": 1, "expected": 1, "verdict": "match"}]})

    chat.says = judged
    rests, rings, both = (
        _answer("A must rest."),
        _answer("B must ring."),
        _answer("A must rest.", "B must run."),
    )
    found = ByModels(judge=Judge(chat.model))([rests, rings], [both, rings])
    assert found == {"claim_f1": pytest.approx({"precision": 1, "recall": 1 / 2, "f1": 2 / 3, "unread": 1})}


def test_a_judge_of_whom_nothing_can_be_read_is_an_error(chat) -> None:
    chat.says = lambda request: "I cannot do that."
    with pytest.raises(UnansweredError, match="Use a model that follows instructions"):
        ByModels(judge=Judge(chat.model))([_answer("A must rest.")], [_answer("A must rest.")])


def test_models_are_named_by_the_settings(tmp_path: Path, tiny_classifier, monkeypatch) -> None:
    monkeypatch.setattr("rulerank.evaluate.repass.models.punkt", lambda: _split)
    named = MeasuredByModels(
        obligations=tiny_classifier(tmp_path / "two", ("other", "obligation")),
        entailment=tiny_classifier(tmp_path / "nli", ("contradiction", "entailment", "neutral")),
        coverage=str(tmp_path / "nli"),
    )
    found = by_models(named, "cpu")([_answer("A must rest.")], [_answer("A must rest.")])
    assert found.keys() == {"repass"}
    assert 0 <= found["repass"]["score"] <= 1


def test_what_is_named_and_not_there_is_an_error(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("rulerank.evaluate.repass.models.punkt", lambda: _split)
    with pytest.raises(InputError, match="expected a classifier, by hub name or folder"):
        by_models(MeasuredByModels(obligations=str(tmp_path), entailment=str(tmp_path)), "cpu")
    for name in (URL, MODEL):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match=f"expected an endpoint, found none. Set {URL} and {MODEL}"):
        by_models(MeasuredByModels(judge=True), "cpu")
