"""Which recorded answers and judged questions rest on what an update changes."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rulerank.authority.in_force import Voiding, voidings
from rulerank.errors import InputError
from rulerank.upkeep import Changes
from rulerank.upkeep.touched import recorded_answers, touched_answers, touched_questions
from tests.upkeep.conftest import Quay

REPEAL = {"passage_id": "n1", "document_id": "quay", "section": "9", "text": "Rule 1.1 is repealed."}
CHANGES = Changes(frozenset({"f2"}), {"f1": {"text": "It is free."}}, {"n1": REPEAL})


def _record(query_id: str, *evidence: dict[str, Any], as_of: str = "2024-05-01") -> str:
    record = {"query_id": query_id, "question": f"{query_id}?", "as_of": as_of, "evidence": evidence}
    return json.dumps(record) + "\n"


def _voidings(quay: Quay) -> list[Voiding]:
    return voidings(quay.source.edges, quay.source.passages)


def test_answers_on_withdrawn_amended_or_newly_void_passages_are_listed(quay: Quay, tmp_path: Path) -> None:
    audit = tmp_path / "answers.jsonl"
    audit.write_text(
        _record("untouched", {"passage_id": "q3"}, {"passage_id": "q4"})
        + _record("touched", {"passage_id": "f1"}, {"passage_id": "f2"}, {"passage_id": "q3"})
        + _record("voided", {"passage_id": "q2", "voided_by": []})
        + _record("void before", {"passage_id": "q2", "voided_by": ["n1"]})
    )
    found = list(touched_answers(recorded_answers(audit), CHANGES, _voidings(quay.after(CHANGES))))
    assert [(each.query_id, each.question, each.source) for each in found] == [
        ("touched", "touched?", f"{audit}:2"),
        ("voided", "voided?", f"{audit}:3"),
    ]
    assert [each.because for each in found] == [
        {"withdrawn": ("f2",), "amended": ("f1",)},
        {"voided": ("q2",)},
    ]


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        (Changes(frozenset({"f2"}), {}, {}), {"withdrawn": ("f2",)}),
        (Changes(frozenset(), {"f2": {"text": "Fees are due."}}, {}), {"amended": ("f2",)}),
    ],
)
def test_answers_on_what_a_changed_passage_voided_are_listed(
    quay: Quay, tmp_path: Path, changes: Changes, because: dict[str, tuple[str, ...]]
) -> None:
    audit = tmp_path / "answers.jsonl"
    evidence = [{"passage_id": key, "voided_by": ["f2"]} for key in ("q2", "q3")]
    audit.write_text(_record("untouched", {"passage_id": "q4"}) + _record("touched", *evidence))
    found = touched_answers(recorded_answers(audit), changes, _voidings(quay.after(changes)))
    assert {each.query_id: each.because for each in found} == {"touched": because}


REPEALED_BY_EACH_OTHER = {
    **REPEAL,
    "passage_id": "n2",
    "section": "10",
    "text": "Rule 9 is repealed by Rule 1.1.",
}


@pytest.mark.filterwarnings("ignore:passages void one another")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        # The name by which the repeal cites the rule is gone; the repeal is as it was.
        (
            {
                "n1": {**REPEAL, "document_id": "fees", "text": "QR Rule 1.1 is repealed."},
                "n2": {
                    **REPEAL,
                    "passage_id": "n2",
                    "document_id": "fees",
                    "text": 'See the Quay Rules ("QR").',
                },
            },
            Changes(frozenset({"n2"}), {}, {}),
        ),
        # The two rules void each other, so neither is void.
        ({"n1": REPEAL}, Changes(frozenset(), {}, {"n2": REPEALED_BY_EACH_OTHER})),
    ],
)
def test_answers_whose_evidence_an_unchanged_passage_no_longer_voids_are_listed(
    quay: Quay, tmp_path: Path, before: dict[str, dict[str, str]], after: Changes
) -> None:
    voided = quay.after(Changes(frozenset(), {}, before))
    assert ("n1", "q2") in [(each.by, each.of) for each in _voidings(voided)]
    audit = tmp_path / "answers.jsonl"
    evidence = {"passage_id": "q2", "voided_by": ["n1"]}
    audit.write_text(_record("revived", evidence) + _record("untouched", {"passage_id": "q4"}))
    found = touched_answers(recorded_answers(audit), after, _voidings(voided.after(after)))
    assert {each.query_id: each.because for each in found} == {"revived": {"revived": ("q2",)}}


def test_withdrawn_evidence_is_not_in_force_again(quay: Quay, tmp_path: Path) -> None:
    changes = Changes(frozenset({"q2"}), {}, {})
    audit = tmp_path / "answers.jsonl"
    audit.write_text(_record("one", {"passage_id": "q2", "voided_by": ["f2"]}))
    found = touched_answers(recorded_answers(audit), changes, _voidings(quay.after(changes)))
    assert [each.because for each in found] == [{"withdrawn": ("q2",)}]


def test_answer_is_touched_by_what_was_law_on_its_day_alone(quay: Quay, tmp_path: Path) -> None:
    later = {**REPEAL, "effective_from": date(2024, 1, 1)}
    changes = Changes(frozenset(), {}, {"n1": later})
    audit = tmp_path / "answers.jsonl"
    evidence = {"passage_id": "q2", "voided_by": []}
    audit.write_text(_record("before", evidence, as_of="2023-12-31") + _record("after", evidence))
    found = touched_answers(recorded_answers(audit), changes, _voidings(quay.after(changes)))
    assert [each.query_id for each in found] == ["after"]


def test_judged_questions_on_withdrawn_or_amended_passages_are_listed(quay: Quay) -> None:
    source = quay.source
    ids = source.passages["passage_id"]
    found = touched_questions(quay.kept.judged, source.index.judgements, ids, CHANGES)
    assert {each.query_id: each.because for each in found} == {
        "t1": {"amended": ("f1",)},
        "t3": {"withdrawn": ("f2",)},
    }


def test_questions_that_a_server_only_ranked_are_passed_over(quay: Quay, tmp_path: Path) -> None:
    audit = tmp_path / "served.jsonl"
    ranked = {"route": "rank", "question": "Who?", "as_of": None, "passages": [{"passage_id": "f2"}]}
    answered = {**json.loads(_record("one", {"passage_id": "f2"})), "route": "answer"}
    audit.write_text(f"{json.dumps(ranked)}\n{json.dumps(answered)}\n")
    (found,) = touched_answers(recorded_answers(audit), CHANGES, _voidings(quay))
    assert (found.query_id, found.source) == ("one", f"{audit}:2")


def test_record_that_is_none_is_refused(tmp_path: Path) -> None:
    audit = tmp_path / "answers.jsonl"
    audit.write_text(_record("one") + '{"question": "Who?"}\n')
    with pytest.raises(InputError, match=r"answers\.jsonl:2: record: answer\.evidence: field required"):
        list(recorded_answers(audit))
