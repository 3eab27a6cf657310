"""The Korean sample: Korean wording in the same structure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulerank.corpora import Corpus, read_corpus
from rulerank.corpora.sample import write_sample
from rulerank.corpora.sample.korean import Korean, particles
from rulerank.graph.citations import fitting_grammar, references_in
from rulerank.tables import KINDS
from tests.corpora.sample.contents import contents

CITATION = re.compile(r"(?:「(?P<law>[^」]+)」 )?(?P<article>제\d+조(?:제\d+호)?)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("korean") / "sample"
    write_sample(root, seed=7, questions=240, language="korean")
    return root


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    return read_corpus(folder)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("예인(은/는) 잠수(은/는)", "예인은 잠수는"),
        ("“화약류”(이란/란) “예인”(이란/란)", "“화약류”란 “예인”이란"),
        ("서울(으로/로) 부산(으로/로) 여수(으로/로)", "서울로 부산으로 여수로"),
        ("A(을/를) 3(이/가)", "A를 3가"),
    ],
)
def test_particles_fit_the_syllable_before(written: str, printed: str) -> None:
    assert particles(written) == printed


def test_articles_are_numbered_through_the_document() -> None:
    places = [("1",), ("1", "1"), ("2",), ("2", "1"), ("2", "1", "(b)"), ("2", "2")]

    assert Korean().sections(places) == [
        "제1장",
        "제1장.제1조",
        "제2장",
        "제2장.제2조",
        "제2장.제2조.제2호",
        "제2장.제3조",
    ]


def test_nothing_is_left_to_fill_in(corpus: Corpus) -> None:
    texts = [*corpus.passages["text"], *corpus.queries["text"]]

    assert not [text for text in texts if re.search(r"[{}|]|\([가-힣]+/[가-힣]+\)|[A-Za-z]{2}", text)]


def test_rulebook_has_five_tiers_and_every_kind(corpus: Corpus) -> None:
    assert set(corpus.passages["tier"]) == {1, 2, 3, 4, 5}
    assert set(corpus.passages["kind"]) == set(KINDS)
    assert corpus.problems == ()


def test_questions_have_every_level_in_every_split(corpus: Corpus) -> None:
    found = set(corpus.queries.select("split", "level").iter_rows())

    splits, levels = ("train", "validation", "test"), ("L1", "L2", "L3", "L4")
    assert found == {(split, level) for split in splits for level in levels}


def test_the_korean_grammar_reads_every_citation_and_no_other(corpus: Corpus) -> None:
    grammar = fitting_grammar("auto", corpus.passages["text"].to_list())
    called = {name: document for document, _, names in corpus.documents.iter_rows() for name in names}
    places = {
        (document, "".join(section.split(".")[1:])): passage_id
        for passage_id, document, section in corpus.passages.select(
            "passage_id", "document_id", "section"
        ).iter_rows()
    }
    written = {
        (passage_id, places[called.get(match["law"], document), match["article"]])
        for passage_id, document, text in corpus.passages.select(
            "passage_id", "document_id", "text"
        ).iter_rows()
        for match in CITATION.finditer(text)
    }

    edges = references_in(corpus.passages, corpus.documents, grammar)

    read = set(edges.filter(edges["type"] == "REFERENCES").select("source_id", "target_id").iter_rows())
    assert grammar.name == "korean"
    assert len(written) > 100
    assert read == {(source, target) for source, target in written if source != target}


def test_changes_and_delegations_are_read_from_the_words(corpus: Corpus) -> None:
    grammar = fitting_grammar("korean", ())
    types = references_in(corpus.passages, corpus.documents, grammar)["type"].value_counts()

    assert {"SUPERSEDES", "DELEGATES_TO", "SPECIFIES"} <= set(types["type"])


def test_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write_sample(tmp_path / "again", seed=7, questions=240, language="korean")

    assert contents(tmp_path / "again") == contents(folder)
