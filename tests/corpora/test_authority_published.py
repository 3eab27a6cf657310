"""The converters, on a pair and an example of our own in the published forms."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from rulerank.corpora.advisories import convert_advisories
from rulerank.corpora.authority import read_authority
from rulerank.corpora.drugs import convert_drugs
from rulerank.corpora.finance import convert_contaminated_finance, convert_finance
from rulerank.corpora.opinions import convert_opinions
from rulerank.errors import InputError

PAIR = {
    "id": "G-1",
    "cve_id": "CVE-2020-1",
    "product": "Lamp",
    "disclosure_text": "The lamp leaks.",
    "patch_text": "It leaks no more.",
    "severity": "high",
}


RECALL = {
    "id": "d1",
    "norm_name": "Lampadol",
    "query": "Is it still approved for fever?",
    "anchor_text": "Lampadol is indicated for fever.",
    "superseder_text": "Lot 7 is recalled.",
    "recall_date": "20230401",
    "brand_name": "Lamp",
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


def test_contaminated_examples_share_their_scopes_with_events_that_void_nothing(tmp_path: Path) -> None:
    examples = [_example(number, f"E{number}-Ng", "AB") for number in range(1, 5)]
    (tmp_path / "finsuperqa_v1.jsonl").write_text("\n".join(map(json.dumps, examples)))
    convert_contaminated_finance(tmp_path, tmp_path / "out")
    data = read_authority(tmp_path / "out")
    added = data.documents[8:]
    assert added.height == 40
    assert set(added["scope"].struct.field("ticker")) == {"ab"}
    assert set(added["type"]) <= {
        "conflict_disclosed",
        "policy_acknowledged",
        "pre_clearance_approved",
        "pre_clearance_denied",
    }
    # Example 1 begins on 1 January 2024: its distractors lie within five days of that.
    assert added["timestamp"][:10].is_between(datetime(2023, 12, 27), datetime(2024, 1, 6)).all()
    assert data.queries["provenance"].to_list()[0] == ["1p", "1b"]
    first = (tmp_path / "out/documents.jsonl").read_bytes()
    convert_contaminated_finance(tmp_path, tmp_path / "out")
    assert (tmp_path / "out/documents.jsonl").read_bytes() == first


def test_drug_pairs_become_labels_and_recalls_of_one_drug_and_seeded_distractors(tmp_path: Path) -> None:
    (tmp_path / "fda_recall_pairs.json").write_text(json.dumps([RECALL]))
    convert_drugs(tmp_path, tmp_path / "out")
    data = read_authority(tmp_path / "out")
    assert data.documents.rows()[:2] == [
        ("d1:label", "label", "Lampadol is indicated for fever.", None, {"drug": "lampadol"}),
        ("d1:recall", "recall", "Lot 7 is recalled.", datetime(2023, 4, 1), {"drug": "lampadol"}),
    ]
    assert data.documents.height == 2002
    assert data.documents["scope"].n_unique() == 2001
    assert data.queries.row(0)[:3] == ("d1", "Is it still approved for fever?", ["d1:recall"])


def test_opinions_become_documents_of_the_overruled_case(tmp_path: Path) -> None:
    pair = {
        "id": "s1",
        "case_slug": "ash_v_birch",
        "query": "Is Ash v. Birch still good law?",
        "original_text": "A tenant must pay.",
        "overruling_text": "A tenant need not pay.",
    }
    (tmp_path / "legal_scotus_expanded_pairs.json").write_text(json.dumps([pair]))
    convert_opinions(tmp_path, tmp_path / "out")
    data = read_authority(tmp_path / "out")
    assert data.documents.select("document_id", "type", "scope").rows() == [
        ("s1:opinion", "opinion", {"case": "ash v birch"}),
        ("s1:overruling", "overruling", {"case": "ash v birch"}),
    ]
    assert data.queries["gold"].to_list() == [["s1:overruling"]]


@pytest.mark.parametrize(
    ("name", "convert"),
    [("fda_recall_pairs", convert_drugs), ("legal_scotus_expanded_pairs", convert_opinions)],
)
def test_published_list_without_a_pair_is_refused(tmp_path: Path, name: str, convert: Any) -> None:
    (tmp_path / f"{name}.json").write_text("[]")
    with pytest.raises(InputError, match=rf"{name}\.json: expected a list of pairs, found an empty one"):
        convert(tmp_path, tmp_path / "out")


def test_published_file_without_a_line_is_refused_and_nothing_written(tmp_path: Path) -> None:
    _advisories(tmp_path)
    for name, convert in (("ghsa_freeform_cache", convert_advisories), ("finsuperqa_v1", convert_finance)):
        (tmp_path / f"{name}.jsonl").write_text("\n")
        with pytest.raises(InputError, match=rf"{name}\.jsonl: expected one \w+ per line, found none"):
            convert(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"timestamp": "31/12/2020"}, "kb.0.timestamp: expected an ISO date"),
        ({"timestamp": ""}, "kb.0.timestamp: expected the time of the event"),
        ({"employee": ""}, "employee: string should have at least 1 character"),
    ],
)
def test_finance_example_that_cannot_be_used_is_named(tmp_path: Path, change: dict, said: str) -> None:
    example = _example(1, "E1-Ng", "AB")
    example["kb"][0] |= {name: value for name, value in change.items() if name == "timestamp"}
    example |= {name: value for name, value in change.items() if name != "timestamp"}
    (tmp_path / "finsuperqa_v1.jsonl").write_text(json.dumps(example))
    for convert in (convert_finance, convert_contaminated_finance):
        with pytest.raises(InputError, match=said):
            convert(tmp_path, tmp_path / "out")


def test_times_with_and_without_a_zone_compare(tmp_path: Path) -> None:
    example = _example(1, "E1-Ng", "AB")
    example["kb"][0]["timestamp"] = "2024-01-01T00:00Z"
    (tmp_path / "finsuperqa_v1.jsonl").write_text(json.dumps(example))
    convert_contaminated_finance(tmp_path, tmp_path / "out")
    assert read_authority(tmp_path / "out").documents.height == 12


@pytest.mark.parametrize(
    ("written", "read"),
    [("20230401", datetime(2023, 4, 1)), ("2023-04-01", datetime(2023, 4, 1)), (" ", None), (None, None)],
)
def test_recall_date_in_either_form(tmp_path: Path, written: str | None, read: datetime | None) -> None:
    (tmp_path / "fda_recall_pairs.json").write_text(json.dumps([{**RECALL, "recall_date": written}]))
    convert_drugs(tmp_path, tmp_path / "out")
    assert read_authority(tmp_path / "out").documents["timestamp"][1] == read


@pytest.mark.parametrize("written", ["01/31/2024", "20243131", 20240131])
def test_recall_date_in_another_form_is_refused(tmp_path: Path, written: object) -> None:
    (tmp_path / "fda_recall_pairs.json").write_text(json.dumps([{**RECALL, "recall_date": written}]))
    with pytest.raises(InputError, match="recall_date: expected a date such as 20240131"):
        convert_drugs(tmp_path, tmp_path / "out")
