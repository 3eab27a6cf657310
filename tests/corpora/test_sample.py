from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import bm25s
import networkx as nx
import numpy as np
import pytest

from rulerank.corpora import read_corpus
from rulerank.corpora.sample import questions as sample_questions
from rulerank.corpora.sample import write_sample
from rulerank.corpora.sample.difficulty import LEVELS, Properties, level
from rulerank.corpora.sample.documents import sentence_case
from rulerank.corpora.sample.questions import TYPES
from rulerank.corpora.sample.world import load
from rulerank.errors import SettingsError
from rulerank.graph.citations import load_grammar, references_in
from rulerank.tables import KINDS
from rulerank.text import analyse

SPLITS = ("train", "dev", "test")
HARD = ("L3", "L4")
RIDERS = ("N7", "N8", "HMI")
"""The documents that hold nothing but riders, after the general words of their first section."""
CITATION = re.compile(
    r"\b(?:[Rr]ule|[Ss]ection|[Aa]rticle|[Pp]aragraph) (\d[\d.]*\d)"
    r"(?: of (?:the )?(Act|[A-Z][a-z]+(?: [A-Z][a-z]+)* (?:Decree|Rules|Manual)|Notice \d))?"
)


@dataclass(frozen=True)
class Sample:
    """The files of one sample folder, parsed."""

    corpus: dict[str, dict[str, Any]]
    queries: dict[str, dict[str, Any]]
    qrels: dict[str, dict[str, dict[str, int]]]
    documents: dict[str, list[str]]
    questions_test: list[dict[str, Any]]

    @property
    def judged(self) -> dict[str, dict[str, int]]:
        return {query: found for split in SPLITS for query, found in self.qrels[split].items()}

    def document(self, passage_id: str) -> str:
        document_id: str = self.corpus[passage_id]["metadata"]["document_id"]
        return document_id


def read_sample(root: Path) -> Sample:
    def lines(name: str) -> dict[str, dict[str, Any]]:
        rows = [json.loads(line) for line in (root / name).read_text(encoding="utf-8").splitlines()]
        assert len({row["_id"] for row in rows}) == len(rows)
        return {row["_id"]: row for row in rows}

    qrels: dict[str, dict[str, dict[str, int]]] = {}
    for split in SPLITS:
        header, *rows = (root / "qrels" / f"{split}.tsv").read_text(encoding="utf-8").splitlines()
        assert header == "query-id\tcorpus-id\tscore"
        judged: dict[str, dict[str, int]] = {}
        for query_id, passage_id, score in (row.split("\t") for row in rows):
            judged.setdefault(query_id, {})[passage_id] = int(score)
        qrels[split] = judged
    return Sample(
        corpus=lines("corpus.jsonl"),
        queries=lines("queries.jsonl"),
        qrels=qrels,
        documents=json.loads((root / "documents.json").read_text(encoding="utf-8")),
        questions_test=json.loads((root / "questions_test.json").read_text(encoding="utf-8")),
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sample") / "sample"
    write_sample(root, seed=7, questions=480)
    return root


@pytest.fixture(scope="module")
def sample(folder: Path) -> Sample:
    return read_sample(folder)


@pytest.fixture(scope="module")
def bm25(sample: Sample) -> dict[str, list[str]]:
    """The whole BM25 ranking of every question, over the passages that have text."""
    passages = [key for key, row in sample.corpus.items() if row["text"]]
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(analyse([sample.corpus[key]["text"] for key in passages]), show_progress=False)
    terms = analyse([row["text"] for row in sample.queries.values()])
    return {
        query: [passages[row] for row in np.argsort(-index.get_scores(found), kind="stable")]
        for query, found in zip(sample.queries, terms, strict=True)
    }


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_write_sample_same_seed_gives_same_bytes_in_another_process(folder: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from rulerank.corpora.sample import write_sample; "
        "write_sample(Path(sys.argv[1]), seed=7, questions=480)"
    )
    environment = os.environ | {"PYTHONHASHSEED": "11"}
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "again")], check=True, env=environment)
    assert contents(tmp_path / "again") == contents(folder)


def test_write_sample_other_seed_gives_other_questions_and_texts(sample: Sample, tmp_path: Path) -> None:
    write_sample(tmp_path / "other", seed=8, questions=480)
    other = read_sample(tmp_path / "other")
    texts = {row["text"] for row in sample.queries.values()}
    assert len(texts & {row["text"] for row in other.queries.values()}) < 0.25 * len(texts)
    assert {row["text"] for row in sample.corpus.values()} != {row["text"] for row in other.corpus.values()}


def test_write_sample_counts_what_it_wrote(tmp_path: Path) -> None:
    counts = write_sample(tmp_path / "small", seed=3, questions=60)
    small = read_sample(tmp_path / "small")
    assert counts == {
        "documents": len(small.documents),
        "passages": len(small.corpus),
        "questions": 60,
        **{split: len(small.qrels[split]) for split in SPLITS},
    }
    assert all(counts[split] > 0 for split in SPLITS)


def test_write_sample_replaces_the_folder_whole(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "stale.txt").write_text("old")
    write_sample(tmp_path / "sample", seed=7, questions=480)
    assert contents(tmp_path / "sample") == contents(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


def test_write_sample_more_questions_than_there_are_leaves_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_questions, "_ATTEMPTS", 1)
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "kept.txt").write_text("old")
    with pytest.raises(SettingsError, match=r"sample\.questions: .* or less"):
        write_sample(tmp_path / "sample", seed=7, questions=480)
    assert contents(tmp_path / "sample") == {"kept.txt": b"old"}


def test_corpus_is_a_rulebook_of_five_tiers(sample: Sample) -> None:
    assert len(sample.documents) >= 12
    assert len(sample.corpus) >= 800
    assert {row["metadata"]["tier"] for row in sample.corpus.values()} == {1, 2, 3, 4, 5}
    assert {row["metadata"]["kind"] for row in sample.corpus.values()} == set(KINDS)
    assert {row["metadata"]["document_id"] for row in sample.corpus.values()} == set(sample.documents)
    assert all(names[0] == key and len(names) >= 3 for key, names in sample.documents.items())


def test_headings_alone_have_no_text(sample: Sample) -> None:
    for row in sample.corpus.values():
        heading = row["metadata"]["kind"] == "heading"
        assert bool(row["title"]) == heading
        assert bool(row["text"]) != heading


def test_every_section_has_its_ancestors_and_follows_in_order(sample: Sample) -> None:
    positions: Counter[str] = Counter()
    for key, row in sample.corpus.items():
        document, section = row["metadata"]["document_id"], row["metadata"]["section"]
        positions[document] += 1
        assert key == f"{document}-{section}"
        assert row["metadata"]["position"] == positions[document]
        if "." in section:
            assert f"{document}-{section.rpartition('.')[0]}" in sample.corpus


def test_every_citation_leads_to_a_passage(sample: Sample) -> None:
    called = {name.removeprefix("the "): key for key, names in sample.documents.items() for name in names}
    found = 0
    for row in sample.corpus.values():
        for section, name in CITATION.findall(row["text"]):
            document = called[name] if name else row["metadata"]["document_id"]
            assert f"{document}-{section}" in sample.corpus, row["text"]
            found += 1
    assert found > 200


def test_changes_come_later_than_what_they_change(sample: Sample) -> None:
    scopes: dict[str, list[dict[str, Any]]] = {}
    for row in sample.corpus.values():
        if row["metadata"]["scope"]:
            scopes.setdefault(row["metadata"]["scope"], []).append(row["metadata"])
    assert len(scopes) > 20
    for members in scopes.values():
        first, *changes = sorted(members, key=lambda member: str(member["effective_from"]))
        assert changes
        assert first["tier"] in (2, 3)
        assert all(change["effective_from"] > first["effective_from"] for change in changes)


def test_questions_are_judged_in_one_split_with_a_direct_passage(sample: Sample) -> None:
    assert sorted(query for split in SPLITS for query in sample.qrels[split]) == sorted(sample.queries)
    for grades in sample.judged.values():
        assert set(grades.values()) <= {1, 2}
        assert 2 in grades.values()
        assert all(sample.corpus[key]["text"] for key in grades)


def test_splits_are_about_seventy_fifteen_fifteen(sample: Sample) -> None:
    shares = {split: len(sample.qrels[split]) / len(sample.queries) for split in SPLITS}
    assert shares == pytest.approx({"train": 0.7, "dev": 0.15, "test": 0.15}, abs=0.04)


def test_splits_never_share_the_provision_a_question_is_about(sample: Sample) -> None:
    about = {split: {next(iter(grades)) for grades in sample.qrels[split].values()} for split in SPLITS}
    assert not about["train"] & about["dev"]
    assert not about["train"] & about["test"]
    assert not about["dev"] & about["test"]


def test_general_provisions_recur_across_splits(sample: Sample) -> None:
    judged = [{key for grades in sample.qrels[split].values() for key in grades} for split in SPLITS]
    assert len(set.intersection(*judged)) >= 5


def test_no_question_is_asked_twice(sample: Sample) -> None:
    assert len({row["text"] for row in sample.queries.values()}) == len(sample.queries) == 480


def test_obliqa_file_holds_the_test_questions(sample: Sample) -> None:
    assert {entry["QuestionID"] for entry in sample.questions_test} == set(sample.qrels["test"])
    for entry in sample.questions_test:
        assert entry["Question"] == sample.queries[entry["QuestionID"]]["text"]
        assert [passage["ID"] for passage in entry["Passages"]] == list(
            sample.qrels["test"][entry["QuestionID"]]
        )
        for passage in entry["Passages"]:
            row = sample.corpus[passage["ID"]]
            assert passage["DocumentID"] == row["metadata"]["document_id"]
            assert passage["PassageID"] == row["metadata"]["section"]
            assert passage["Passage"] == row["text"]


EASY = {
    "references": 1,
    "documents": 1,
    "facets": 1,
    "institutions": 1,
    "conditional": False,
    "sanction": False,
}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "L1"),
        ({"sanction": True}, "L1"),
        ({"conditional": True}, "L2"),
        ({"references": 2}, "L2"),
        ({"references": 3, "facets": 2}, "L2"),
        ({"references": 4, "conditional": True}, "L3"),
        ({"references": 2, "documents": 2}, "L3"),
        ({"references": 4}, "L3"),
        ({"facets": 3}, "L3"),
        ({"institutions": 2}, "L3"),
        ({"conditional": True, "documents": 2}, "L4"),
        ({"conditional": True, "sanction": True}, "L4"),
        ({"conditional": True, "institutions": 2}, "L4"),
        ({"conditional": True, "facets": 3}, "L4"),
    ],
)
def test_level_is_the_first_rule_that_holds(changes: dict[str, int], expected: str) -> None:
    assert level(Properties(**(EASY | changes))) == expected


def test_levels_agree_with_the_judgements(sample: Sample) -> None:
    for query_id, grades in sample.judged.items():
        found = sample.queries[query_id]["metadata"]["level"]
        if len({sample.document(key) for key in grades}) > 1:
            assert found in ("L3", "L4")
        elif len(grades) >= 4:
            assert found != "L1"
        if found == "L1":
            assert len(grades) == 1


def test_type_and_level_vary_independently(sample: Sample) -> None:
    pairs = Counter((row["metadata"]["type"], row["metadata"]["level"]) for row in sample.queries.values())
    table = np.array([[pairs[kind, found] for found in LEVELS] for kind in TYPES], dtype=float)
    assert sum(pairs.values()) == table.sum()
    assert table.min() >= 10
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / table.sum()
    cramers_v = np.sqrt(((table - expected) ** 2 / expected).sum() / table.sum() / (min(table.shape) - 1))
    assert cramers_v < 0.05


@pytest.mark.parametrize(("kind", "found"), list(product(TYPES, LEVELS)))
def test_every_type_occurs_at_every_level_in_training(sample: Sample, kind: str, found: str) -> None:
    training = (sample.queries[query]["metadata"] for query in sample.qrels["train"])
    assert {"level": found, "type": kind} in [dict(sorted(metadata.items())) for metadata in training]


def test_bm25_finds_half_to_three_quarters(sample: Sample, bm25: dict[str, list[str]]) -> None:
    held_out = sample.qrels["dev"] | sample.qrels["test"]
    recall = [len(grades.keys() & set(bm25[query][:10])) / len(grades) for query, grades in held_out.items()]
    assert 0.45 <= np.mean(recall) <= 0.75


def test_hard_questions_need_passages_that_words_do_not_reach(
    sample: Sample, bm25: dict[str, list[str]]
) -> None:
    """At L3 and L4, a good part of the supporting passages is out of BM25's reach."""
    ranks = [
        bm25[query].index(key)
        for query, grades in sample.judged.items()
        if sample.queries[query]["metadata"]["level"] in ("L3", "L4")
        for key, grade in grades.items()
        if grade == 1
    ]
    assert np.mean([rank >= 50 for rank in ranks]) > 0.15


@pytest.fixture(scope="module")
def citations(folder: Path) -> nx.Graph:
    """The citations that are read from the texts, without direction."""
    corpus = read_corpus(folder)
    edges = references_in(corpus.passages, corpus.documents, load_grammar("english_rulebook"))
    return nx.Graph(edges.select("source_id", "target_id").iter_rows())


def of_level(sample: Sample, levels: tuple[str, ...]) -> dict[str, dict[str, int]]:
    return {
        query: grades
        for query, grades in sample.judged.items()
        if sample.queries[query]["metadata"]["level"] in levels
    }


def test_hard_questions_rest_on_passages_that_only_citations_lead_to(
    sample: Sample, citations: nx.Graph
) -> None:
    """A part of each set shares no stem with the question and is three hops or less from another part."""
    hard = of_level(sample, HARD)
    assert len(hard) > 200
    for query, grades in hard.items():
        asked = set(analyse([sample.queries[query]["text"]])[0])
        stems = {key: set(analyse([sample.corpus[key]["text"]])[0]) for key in grades}
        hidden = {key for key in grades if sample.document(key) in RIDERS and not stems[key] & asked}
        others = {key for key in grades if sample.document(key) not in RIDERS}
        assert any(
            others & nx.single_source_shortest_path_length(citations, key, cutoff=3).keys()
            for key in hidden
            if key in citations
        ), query


def test_easy_questions_need_no_citations(sample: Sample) -> None:
    for grades in of_level(sample, ("L1", "L2")).values():
        assert not {sample.document(key) for key in grades} & set(RIDERS)


def test_reference_sets_hold_the_riders_of_their_members(sample: Sample, citations: nx.Graph) -> None:
    for grades in sample.judged.values():
        for key in grades:
            riders = {each for each in citations.adj.get(key, ()) if sample.document(each) in RIDERS}
            assert riders <= grades.keys()


def test_words_cannot_tell_one_rider_from_another(sample: Sample) -> None:
    """Apart from figures, months and citations, each is worded as five others or more."""
    drawn = [value for values in load("riders.yaml")["slots"].values() for value in values]
    codes = [rf"{key}(?= \d)" for key in sample.documents]
    codes.append(r"Paragraph \d[\d.]*(?:\([a-z]\))? of Notice(?= \d+:)")
    slot = re.compile(rf"\b(?:\d[\d.]*(?:\([a-z]\))?|{'|'.join([*drawn, *codes])})(?!\w)")
    riders = [
        row["text"]
        for key, row in sample.corpus.items()
        if sample.document(key) in RIDERS and row["text"] and not key.endswith("-1.1")
    ]
    wordings = Counter(slot.sub("_", text) for text in riders)
    assert len(riders) > 200
    assert len(wordings) <= 15
    assert min(wordings.values()) > 5


def test_riders_stand_in_no_order(sample: Sample) -> None:
    """What stands next to a rider belongs to another provision's regime more often than to its own."""
    numbers = [
        [int(part) for part in re.findall(r"\d+", row["text"])[:2]]
        for key, row in sample.corpus.items()
        if sample.document(key) == "HMI" and row["metadata"]["kind"] == "rule"
    ]
    assert len(numbers) > 50
    assert np.mean([left == right for left, right in pairwise(numbers)]) < 0.25


def test_questions_depart_from_the_wording_of_their_passages(sample: Sample) -> None:
    """On average, less than half of a passage's terms occur in its question, and never all of them."""
    queries = dict(zip(sample.queries, analyse([r["text"] for r in sample.queries.values()]), strict=True))
    passages = dict(zip(sample.corpus, analyse([r["text"] for r in sample.corpus.values()]), strict=True))
    shares = [
        len(set(passages[key]) & set(queries[query])) / len(set(passages[key]))
        for query, grades in sample.judged.items()
        for key, grade in grades.items()
        if grade == 2
    ]
    assert np.mean(shares) < 0.5


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(r"[{}|_]", id="placeholder"),
        pytest.param(r"\b([A-Za-z]+) \1\b", id="doubled word"),
        pytest.param(r"\b[Aa] (?!use|uni)[aeiou]\w*", id="a before a vowel"),
        pytest.param(r"\b[Aa]n (?!hour)[^aeiouAEIO“\W]\w*", id="an before a consonant"),
        pytest.param(r"  | [,.;:?]|[,.;?]{2}|\s$|^\s", id="stray mark or space"),
        pytest.param(r"(?:^|[.?!] )“?[a-z]", id="sentence without a capital"),
    ],
)
def test_texts_and_questions_read_well(sample: Sample, mistake: str) -> None:
    texts = [row["text"] for row in (*sample.corpus.values(), *sample.queries.values()) if row["text"]]
    assert [text for text in texts if re.search(mistake, text)] == []


def test_passages_and_questions_end_as_sentences_do(sample: Sample) -> None:
    assert [row["text"] for row in sample.corpus.values() if not re.search(r"(^|[.:;])$", row["text"])] == []
    assert [row["text"] for row in sample.queries.values() if not row["text"].endswith("?")] == []


def test_passages_are_distinct(sample: Sample) -> None:
    texts = Counter(row["text"] for row in sample.corpus.values() if row["text"])
    assert len(texts) > 0.98 * sum(texts.values())


def test_most_passages_have_a_near_miss(sample: Sample) -> None:
    """Another passage shares two fifths of their terms: other actor, other figure, other document."""
    terms = [set(found) for found in analyse([row["text"] for row in sample.corpus.values() if row["text"]])]
    columns = {term: column for column, term in enumerate(sorted(set.union(*terms)))}
    matrix = np.zeros((len(terms), len(columns)), dtype=np.float32)
    for row, found in enumerate(terms):
        matrix[row, [columns[term] for term in found]] = 1
    shared = matrix @ matrix.T
    sizes = matrix.sum(axis=1)
    overlap = shared / (sizes[:, None] + sizes - shared)
    np.fill_diagonal(overlap, 0)
    assert np.mean(overlap.max(axis=1) >= 0.4) > 0.4


def test_sentence_case_capitalises_sentences_and_a_leading_quoted_term() -> None:
    assert sentence_case("“quay” is here. is it? yes.") == "“Quay” is here. Is it? Yes."
    assert sentence_case("(a) keep watch;") == "(a) keep watch;"


def test_documents_stand_in_order_of_authority(sample: Sample) -> None:
    tiers = [row["metadata"]["tier"] for row in sample.corpus.values()]
    assert all(left <= right for left, right in pairwise(tiers))
