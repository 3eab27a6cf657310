from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.corpora.authority import write_authority

DOMAIN = "anchor_type: title\nsuperseding_type: lien\nscope_keys: plot\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two plots, the second of which has a lien that shares no word with its question."""
    documents = [
        {"id": "t1", "type": "title", "text": "Ownership: Ash farm.", "scope": {"plot": "Ash"}},
        {"id": "t2", "type": "title", "text": "Ownership: Elm farm.", "scope": {"plot": "Elm"}},
        {"id": "l2", "type": "lien", "text": "A bank holds security.", "scope": {"plot": "Elm"}},
    ]
    queries = [
        {"id": "q1", "text": "Is the ownership of Ash farm unburdened?", "gold": ["t1"]},
        {"id": "q2", "text": "Is the ownership of Elm farm unburdened?", "gold": ["l2"]},
    ]
    write_authority(tmp_path, documents, queries)
    (tmp_path / "land.yaml").write_text(DOMAIN)
    return tmp_path


def _evaluate(call: Callable[..., Any], folder: Path, *more: object) -> Any:
    return call("authority", "evaluate", "--domain", folder / "land.yaml", "--data", folder, *more)


def test_evaluate_prints_the_tables_and_writes_everything(call: Callable[..., Any], folder: Path) -> None:
    said = _evaluate(call, folder, "--no-dense", "--k1", 1.2, "--out", folder / "out.json")
    assert (said.code, said.err) == (0, "")
    assert "TCA@20" in said.out
    # Wilson's interval of 2 of 2 begins at 1 / (1 + 1.96^2 / 2) = .342.
    assert "1.000 [0.342, 1.000]" in said.out
    assert said.out.endswith(f"everything in {folder / 'out.json'}\n")
    written = json.loads((folder / "out.json").read_text())
    assert written["domain"] == str(folder / "land.yaml")
    assert written["settings"] == {
        "anchors": 10,
        "bm25": {"k1": 1.2, "b": 0.75},
        "names": True,
        "dense": False,
    }
    assert written["problems"] == []
    assert list(written["systems"]) == ["bm25", "two_stage", "two_stage_rules"]
    assert written["per_query"][1]["systems"]["two_stage_rules"]["documents"][0] == "l2"


def test_evaluate_takes_several_authorities_over_one_corpus(call: Callable[..., Any], folder: Path) -> None:
    (folder / "more.yaml").write_text("anchor_type: permit\nsuperseding_type: ban\nscope_keys: holder\n")
    documents = [
        {"id": "t2", "type": "title", "text": "Ownership: Elm farm.", "scope": {"plot": "Elm"}},
        {"id": "l2", "type": "lien", "text": "A bank holds security.", "scope": {"plot": "Elm"}},
        {"id": "p1", "type": "permit", "text": "Ann may farm.", "scope": {"holder": "Ann"}},
        {"id": "b1", "type": "ban", "text": "Withdrawn by order.", "scope": {"holder": "Ann"}},
    ]
    queries = [{"id": "q1", "text": "May Ann use Elm farm?", "gold": ["l2", "b1"]}]
    write_authority(folder, documents, queries)
    out = folder / "out.json"
    said = _evaluate(call, folder, "--domain", folder / "more.yaml", "--no-dense", "--out", out)
    assert (said.code, said.err) == (0, "")
    written = json.loads(out.read_text())
    assert written["domain"] == [str(folder / "land.yaml"), str(folder / "more.yaml")]
    listed = written["per_query"][0]["systems"]["two_stage_rules"]
    assert sorted(listed["documents"][:2]) == ["b1", "l2"]
    assert listed["measures"]["TCA@5"] is True


def test_rule_between_types_that_are_not_there_needs_no_scope_key(
    call: Callable[..., Any], folder: Path
) -> None:
    rules = "rules: [[lien, title], {later: lien, earlier: deed, scope_keys: [parish]}]\n"
    (folder / "land.yaml").write_text(DOMAIN + rules)
    said = _evaluate(call, folder, "--no-dense")
    assert said.code == 0
    assert "no document is of type 'deed'" in said.err


def test_evaluate_warns_of_a_type_that_no_document_has(call: Callable[..., Any], folder: Path) -> None:
    (folder / "land.yaml").write_text(DOMAIN.replace("lien", "[lien, leen]"))
    said = _evaluate(call, folder, "--no-dense")
    assert said.code == 0
    assert said.err.startswith("warning: no document is of type 'leen', which the domain names; the nearest ")


def test_k1_that_is_not_finite_is_a_usage_error(call: Callable[..., Any], folder: Path) -> None:
    said = _evaluate(call, folder, "--no-dense", "--k1", "inf")
    assert said.code == 2
    assert "--k1" in said.err


def test_convert_refuses_an_unknown_domain(call: Callable[..., Any], tmp_path: Path) -> None:
    said = call("authority", "convert", "--domain", "land", "--data", tmp_path, "--out", tmp_path)
    assert (said.code, said.out) == (1, "")
    expected = (
        "expected one of security_advisories, finance_events, contaminated_finance_events, drug_labels, "
        "court_opinions, found 'land'. Check the name."
    )
    assert said.err == f"error: --domain: {expected}\n"
