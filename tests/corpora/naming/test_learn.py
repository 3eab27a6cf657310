"""Names and tiers learned from small rulebooks of a port."""

from pathlib import Path

import polars as pl
import pytest

from rulerank.corpora import read_obliqa
from rulerank.corpora.naming import learn_names, tiers_of
from rulerank.graph.build import curated
from rulerank.graph.citations import compare, extract, load_grammar

HARBOUR = [
    ("1", "HARBOUR REGULATIONS 2004"),
    ("1.1", "These Regulations bind every ship."),
    ("1.2", "The Board may make rules under these Regulations."),
    ("2", "A ship must signal before it enters."),
]
PILOTS = [
    ("1.1", 'This Rulebook ("PIL") applies to every Pilot.'),
    ("1.2", "A Pilot must read BERTH 17.2.3, BERTH 17.4 and BERTH Rule 18.1, BERTH 18.2 and BERTH 18.3."),
    ("1.3", "See section 2 of the Harbour Regulations 2004 and section 9 of the Customs Regulations 1999."),
]
BERTHS = [
    ("1.1", "These Rules apply to a berth."),
    ("17.2.3", "A berth must have fenders, and each berth a light."),
    ("17.4", "The Harbour Master of the berth keeps a ledger of each berth."),
    ("18.1", "PIL 1.2 applies to a berth."),
    ("18.2", "A rope must be dry."),
    ("18.3", "A rope must be whole."),
]
ADVICE = [
    ("1", 'This Guidance explains the Berthing Rules ("BERTH").'),
    ("2", "A berth should be swept daily, see PIL 1.1."),
    ("3", "Moor as the Berthing Rules say."),
]
PORT = {"harbour": HARBOUR, "pilots": PILOTS, "berths": BERTHS, "advice": ADVICE}


def _passages(port: dict[str, list[tuple[str, str]]]) -> pl.DataFrame:
    rows = [(document, *passage) for document, passages in port.items() for passage in passages]
    return pl.DataFrame(rows, schema=["document_id", "section", "text"], orient="row")


def test_documents_are_called_what_the_texts_call_them() -> None:
    assert learn_names(_passages(PORT)) == {
        "harbour": ["HARBOUR REGULATIONS 2004"],
        "pilots": ["PIL"],
        "berths": ["BERTH", "Berthing Rules"],
        "advice": [],
    }


def test_tier_is_stated_by_the_names_or_where_the_document_begins() -> None:
    passages = _passages(PORT)

    assert tiers_of(passages, learn_names(passages)) == {
        "harbour": 1,
        "pilots": 3,
        "berths": 3,
        "advice": 5,
    }


def test_names_that_are_given_decide_the_tier() -> None:
    assert tiers_of(_passages({"pilots": PILOTS}), {"pilots": ["Pilots Decree"]}) == {"pilots": 2}


def test_no_name_where_two_documents_fit_alike() -> None:
    twins = {"pilots": PILOTS, "one": BERTHS, "other": BERTHS}

    names = learn_names(_passages(twins))

    assert names["one"] == names["other"] == []


def test_no_name_without_evidence() -> None:
    names = learn_names(_passages({"harbour": HARBOUR, "pilots": PILOTS, "advice": ADVICE[1:]}))

    assert names["advice"] == []
    assert "Customs Regulations 1999" not in names["harbour"]


def test_no_passages_no_names() -> None:
    assert learn_names(_passages({})) == {}


def test_citations_by_learnt_names_are_resolved(write, tmp_path) -> None:
    for number, passages in enumerate(PORT.values(), start=1):
        records = [
            {"ID": f"{number}-{section}", "DocumentID": number, "PassageID": section, "Passage": text}
            for section, text in passages
        ]
        write(f"StructuredRegulatoryDocuments/{number}.json", records)

    corpus = read_obliqa(tmp_path)
    edges = extract(corpus.passages, corpus.documents, load_grammar("english_rulebook")).edges

    cited = edges.filter(pl.col("type") == "REFERENCES").select("source_id", "target_id").rows()
    assert sorted(cited) == [
        ("2-1.2", "3-17.2.3"),
        ("2-1.2", "3-17.4"),
        ("2-1.2", "3-18.1"),
        ("2-1.2", "3-18.2"),
        ("2-1.2", "3-18.3"),
        ("2-1.3", "1-2"),
        ("3-18.1", "2-1.2"),
        ("4-2", "2-1.1"),
    ]


@pytest.fixture(scope="module")
def unnamed(obliqa: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The public data without documents.json."""
    root = tmp_path_factory.mktemp("unnamed")
    for path in obliqa.iterdir():
        if path.name != "documents.json":
            (root / path.name).symlink_to(path.resolve())
    return root


@pytest.mark.real
def test_learnt_names_and_tiers_come_close_to_those_given(obliqa: Path, unnamed: Path) -> None:
    grammar = load_grammar("english_rulebook")
    given, learnt = read_obliqa(obliqa), read_obliqa(unnamed)
    gold = curated(given.references, given.passages)
    assert gold is not None
    compared = []
    for corpus in (given, learnt):
        edges = extract(corpus.passages, corpus.documents, grammar).edges
        result = compare(edges, gold, corpus.passages)
        tiers = corpus.passages["tier"].is_not_null().mean()
        types = dict(edges["type"].value_counts().iter_rows())
        compared.append((tiers, result.precision, result.recall, types))

    for stated, found in zip(compared[0][:3], compared[1][:3], strict=True):
        assert found == pytest.approx(stated, abs=0.02)
    for kind in ("SPECIFIES", "DELEGATES_TO", "MENTIONS"):
        assert compared[1][3][kind] == pytest.approx(compared[0][3][kind], rel=0.02)


@pytest.mark.real
def test_no_learnt_tier_contradicts_the_given_names(obliqa: Path, unnamed: Path) -> None:
    given, learnt = read_obliqa(obliqa).passages, read_obliqa(unnamed).passages

    both = given.select("passage_id", given="tier").join(
        learnt.select("passage_id", "tier"), on="passage_id", validate="1:1"
    )

    assert both.filter(pl.col("tier") != pl.col("given")).height == 0
    assert both.filter(pl.col("tier").is_null(), pl.col("given").is_not_null()).height == 170
