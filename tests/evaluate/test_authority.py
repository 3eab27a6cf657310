"""Ten plots with a title each; the odd ones also have a lien that shares no word with any question."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.arrays import normalise_rows
from rulerank.authority.index import index_domain
from rulerank.authority.loading import load_domain
from rulerank.authority.search import Embeddings, search
from rulerank.corpora.authority import read_authority, write_authority
from rulerank.errors import InputError
from rulerank.evaluate.authority import DomainEvaluation, embed
from rulerank.evaluate.authority_failures import chains
from rulerank.evaluate.authority_measures import by_group, per_question, summarise
from rulerank.settings import Bm25

DOMAIN = """
anchor_type: title
superseding_type: lien
scope_keys: plot
answers: [{type: lien, answer: burdened}, {type: title, answer: clear}]
"""
NAMES = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine"]


def _documents() -> list[dict[str, Any]]:
    titles = [
        {"id": f"t{number}", "type": "title", "text": f"Ownership: {name} farm.", "scope": {"plot": name}}
        for number, name in enumerate(NAMES)
    ]
    liens = [
        {"id": f"l{number}", "type": "lien", "text": "A bank holds security.", "scope": {"plot": name}}
        for number, name in enumerate(NAMES)
        if number % 2
    ]
    return [*titles, *liens]


def _queries() -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{number}",
            "text": f"Is the ownership of {name} farm unburdened?",
            "gold": [f"l{number}" if number % 2 else f"t{number}"],
            "group": "odd" if number % 2 else "even",
            "answer": "burdened" if number % 2 else "clear",
        }
        for number, name in enumerate(NAMES)
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_authority(tmp_path, _documents(), _queries())
    (tmp_path / "land.yaml").write_text(DOMAIN)
    return tmp_path


def _rows(folder: Path, **how: Any) -> pl.DataFrame:
    data = read_authority(folder)
    index = index_domain(data.documents, load_domain(folder / "land.yaml"), "x", Bm25())
    retrievals = search(index, data.queries, how.pop("embeddings", None), how.pop("anchors", 10), **how)
    return per_question(index, data.queries, retrievals)


def test_both_two_stage_systems_find_what_words_cannot(folder: Path) -> None:
    systems = summarise(_rows(folder))
    assert list(systems) == ["bm25", "two_stage", "two_stage_rules"]
    assert systems["bm25"]["hit@5"]["mean"] == 0.5
    assert systems["two_stage"]["TCA@5"]["mean"] == 1
    assert systems["two_stage_rules"]["TCA@5"]["mean"] == 1
    assert systems["two_stage_rules"]["answer_and_direct_closure@5"]["mean"] == 1
    assert systems["two_stage_rules"]["anchor_recall"]["n"] == 10
    assert systems["bm25"]["anchor_recall"] is None


def test_measures_of_one_question_are_those_worked_out_by_hand(folder: Path) -> None:
    row = _rows(folder, read_names=False).filter(system="bm25", query_id="q1").row(0, named=True)
    # BM25 ranks the ten titles, with the right one first. It ranks no lien, since none shares a word.
    assert (row["rank"], row["hit@10"], row["TCA@5"], row["document_hit@20"]) == (16, False, False, False)
    assert row["mrr"] == 1 / 16
    row = _rows(folder, read_names=False).filter(system="two_stage_rules", query_id="q1").row(0, named=True)
    assert (row["rank"], row["TCA@5"], row["anchor_recall"]) == (1, True, True)


def test_scope_given_with_a_question_leads_to_its_chain_without_a_common_word(folder: Path) -> None:
    queries = [{"id": "q", "text": "And now?", "gold": ["l3"], "scope": {"plot": "ELM"}}]
    write_authority(folder, _documents(), queries)
    row = _rows(folder, anchors=1).filter(system="two_stage_rules").row(0, named=True)
    assert (row["rank"], row["TCA@5"]) == (1, True)


def test_documents_that_void_do_not_crowd_out_the_anchors(folder: Path) -> None:
    # Nine notes of the bank share more words with the question than the one title that it is about.
    notes = [
        {
            "id": f"n{number}",
            "type": "lien",
            "text": "Is it unburdened? A bank note.",
            "scope": {"plot": number},
        }
        for number in range(9)
    ]
    query = {"id": "q", "text": "Is the bank note on Elm unburdened?", "gold": ["l3"]}
    write_authority(folder, [*_documents(), *notes], [query])
    row = _rows(folder, anchors=1, read_names=False).filter(system="two_stage_rules").row(0, named=True)
    assert (row["rank"], row["TCA@5"], row["failure"]) == (1, True, None)


def test_scope_with_many_chains_leaves_room_for_the_chain_of_the_next_anchor(folder: Path) -> None:
    crowd = [
        {"id": f"c{number}", "type": "lien", "text": "A bank holds security.", "scope": {"plot": "Birch"}}
        for number in range(9)
    ]
    query = {"id": "q", "text": "Who owns Birch and Elm farm?", "gold": ["l3"]}
    write_authority(folder, [*_documents(), *crowd], [query])
    row = _rows(folder, read_names=False).filter(system="two_stage_rules").row(0, named=True)
    assert row["hit@5"]


def test_dense_anchors_are_fused_with_those_of_bm25(folder: Path) -> None:
    write_authority(folder, _documents(), [{"id": "q", "text": "Nothing alike", "gold": ["l5"]}])
    vectors = normalise_rows(np.eye(15, dtype=np.float32) + 0.01)
    rows = _rows(folder, embeddings=Embeddings(vectors, vectors[5:6]), anchors=1)
    assert rows["system"].to_list() == ["bm25", "dense", "two_stage", "two_stage_rules"]
    assert rows["rank"].to_list() == [16, rows["rank"][1], 1, 1]
    assert rows["rank"][1] > 1


def test_groups_are_measured_apart(folder: Path) -> None:
    groups = by_group(_rows(folder))
    assert list(groups) == ["even", "odd"]
    assert groups["odd"]["bm25"]["hit@1"]["mean"] == 0
    assert groups["even"]["bm25"]["hit@1"]["mean"] == 1


def test_interval_is_wilsons(folder: Path) -> None:
    rate = summarise(_rows(folder))["bm25"]["hit@5"]
    # Wilson 1927 for 5 of 10: centre 0.5, half-width 1.96 sqrt(0.025 + 0.0096) / 1.384.
    assert (rate["low"], rate["high"], rate["n"]) == (
        pytest.approx(0.2366, abs=1e-4),
        pytest.approx(0.7634, abs=1e-4),
        10,
    )


def test_chains_per_scope_are_counted(folder: Path) -> None:
    data = read_authority(folder)
    index = index_domain(data.documents, load_domain(folder / "land.yaml"), "x", Bm25())
    assert chains(index, data.queries) == {
        "mean": 1.0,
        "mean_inverse": 1.0,
        "identifiability": 1.0,
    }


def test_evaluation_as_json_names_the_documents_of_each_question(folder: Path) -> None:
    data = read_authority(folder)
    index = index_domain(data.documents, load_domain(folder / "land.yaml"), "x", Bm25())
    evaluation = DomainEvaluation(index, data.queries, list(search(index, data.queries, None, 10)))
    result = json.loads(json.dumps(evaluation.as_json()))
    assert (result["documents"], result["queries"], result["superseded"]) == (15, 10, 5)
    assert result["systems"]["two_stage_rules"]["TCA@5"]["mean"] == 1
    first = result["per_query"][1]
    assert (first["query_id"], first["group"], first["anchors"][0]) == ("q1", "odd", "t1")
    assert first["systems"]["two_stage_rules"]["documents"][0] == "l1"
    assert first["systems"]["two_stage_rules"]["measures"]["TCA@5"] is True


def test_encoder_that_was_named_and_cannot_be_loaded_is_refused(folder: Path) -> None:
    data = read_authority(folder)
    with pytest.raises(InputError, match="--encoder: expected a folder or a model of the hub, found"):
        embed(data.documents, data.queries, str(folder / "none"))
