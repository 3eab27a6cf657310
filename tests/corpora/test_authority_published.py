"""The converters, on a pair and an example of our own in the published forms."""

import json
import re
from pathlib import Path

import pytest

from rulerank.corpora.advisories import convert_advisories
from rulerank.corpora.authority import read_authority
from rulerank.corpora.finance import convert_finance
from rulerank.errors import InputError

PAIR = {
    "id": "G-1",
    "cve_id": "CVE-2020-1",
    "product": "Lamp",
    "disclosure_text": "The lamp leaks.",
    "patch_text": "It leaks no more.",
    "severity": "high",
}


def _advisories(folder: Path, asked: str = "G-1") -> Path:
    (folder / "ghsa_real_pairs.json").write_text(json.dumps([PAIR]))
    question = json.dumps({"id": asked, "query": "Does it leak?"})
    (folder / "ghsa_freeform_cache.jsonl").write_text(question)
    return folder


def _example(number: int, employee: str, ticker: str) -> dict:
    day = f"January {number:02d}, 2024"
    told = [
        ("pre_clearance_approved", f"{employee} may trade {ticker} from {day}."),
        ("blackout_announced", f"Nobody may trade {ticker} from {day}."),
    ]
    events = [
        {"event_id": f"{number}{kind[0]}", "event_type": kind, "text": text, "timestamp": f"2024-01-0{place}"}
        for place, (kind, text) in enumerate(told, 1)
    ]
    return {
        "example_id": f"x{number}",
        "hop_type": "simple",
        "query": f"May {employee} trade {ticker}?",
        "answer": "non_compliant",
        "employee": employee,
        "ticker": ticker,
        "provenance": [{"event_id": event["event_id"]} for event in events],
        "kb": events,
    }


def test_advisories_become_two_documents_a_pair_and_seeded_distractors(tmp_path: Path) -> None:
    convert_advisories(_advisories(tmp_path), tmp_path / "out")
    data = read_authority(tmp_path / "out")
    assert data.documents.height == 2002
    assert data.documents["type"].to_list() == ["disclosure", "patch", *["disclosure"] * 2000]
    assert data.documents.row(1)[-1] == {"product": "lamp", "cve_id": "cve-2020-1"}
    assert data.documents["scope"].n_unique() == 2001
    assert data.queries.row(0)[:3] == ("G-1", "Does it leak?", ["G-1:patch"])
    first = (tmp_path / "out/documents.jsonl").read_bytes()
    convert_advisories(tmp_path, tmp_path / "out")
    assert (tmp_path / "out/documents.jsonl").read_bytes() == first


def test_question_about_no_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cache\.jsonl:1: expected the id of a pair, found 'G-2'"):
        convert_advisories(_advisories(tmp_path, "G-2"), tmp_path / "out")


def test_finance_examples_become_their_events_and_distractors_of_other_scopes(tmp_path: Path) -> None:
    examples = [_example(1, "E1-Ng", "AB"), _example(2, "E2-Ode", "CD")]
    (tmp_path / "finsuperqa_v1.jsonl").write_text("\n".join(map(json.dumps, examples)))
    convert_finance(tmp_path, tmp_path / "out")
    data = read_authority(tmp_path / "out")
    assert data.documents["document_id"].to_list()[:5] == ["1p", "1b", "2p", "2b", "distractor_000000"]
    assert data.documents.height == 4 + 20
    others = {tuple(scope.values()) for scope in data.documents["scope"].to_list()[4:]}
    assert others <= {("e1-ng", "cd"), ("e2-ode", "ab")}
    for text, scope in data.documents.select("text", "scope").rows()[4:]:
        assert re.search(rf"\b{scope['ticker']}\b", text.lower())
        assert not re.search(r"[{}]", text)
    assert data.queries["gold"].to_list() == [["1b"], ["2b"]]
    assert data.queries["group"].to_list() == ["simple", "simple"]


def test_published_file_without_a_line_is_refused_and_nothing_written(tmp_path: Path) -> None:
    _advisories(tmp_path)
    for name, convert in (("ghsa_freeform_cache", convert_advisories), ("finsuperqa_v1", convert_finance)):
        (tmp_path / f"{name}.jsonl").write_text("\n")
        with pytest.raises(InputError, match=rf"{name}\.jsonl: expected an? \w+ a line, found none"):
            convert(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()
