from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from experiments.analysers import Enquiry
from experiments.enquiries import by_words, compared, filled, own_ranks, write_corpus
from rulerank.corpora.beir import read_beir
from rulerank.tables import RUNS

ENQUIRIES = [
    Enquiry(question="비상구는 어디에", answer="비상구를 설치한다"),
    Enquiry(question="유도등이 필요한가", answer="유도등은 면제된다"),
    Enquiry(question="what of this", answer="nothing alike"),
]


def test_every_reply_is_the_one_relevant_passage_of_its_question(tmp_path: Path) -> None:
    write_corpus(ENQUIRIES, tmp_path)
    corpus = read_beir(tmp_path)
    assert corpus.passages["text"].to_list() == [each.answer for each in ENQUIRIES]
    assert corpus.queries.select("text", "split").rows() == [(each.question, "train") for each in ENQUIRIES]
    judged = corpus.judgements.select("query_id", "passage_id", "relevance").rows()
    assert judged == [("0", "0", 1), ("1", "1", 1), ("2", "2", 1)]


def test_reciprocal_rank_is_that_of_the_own_reply_and_0_without_it() -> None:
    rows = [("ranker", "0", "2", 1, 2.0), ("ranker", "0", "0", 2, 1.0), ("ranker", "1", "2", 1, 1.0)]
    run = pl.DataFrame(rows, schema=["run", "query_id", "passage_id", "rank", "score"], orient="row")
    found = own_ranks(run.select(list(RUNS.columns)))
    assert found.rows() == [("0", "ranker", 0.5), ("1", "ranker", 0.0)]


def test_runs_are_compared_on_all_questions_and_one_not_found_counts_0() -> None:
    words = by_words(ENQUIRIES).filter(pl.col("run") == "BM25 of syllables")
    ranker = pl.DataFrame({"query_id": ["0", "1"], "run": "ranker", "MRR": [1.0, 0.5]})
    table = compared(filled(pl.concat([ranker, words])), "BM25 of syllables")
    assert table["run"].to_list() == ["BM25 of syllables", "ranker"]
    assert table["MRR"].to_list() == pytest.approx([7 / 9, 0.5])
    assert table["first"].to_list() == pytest.approx([2 / 3, 1 / 3])
    assert table["difference"].to_list() == [None, pytest.approx(-5 / 18)]


def test_p_values_are_corrected_for_the_number_of_runs() -> None:
    ranks = {"words": 0.0, "one": 0.5, "two": 1.0}
    rows = [(str(query), run, rank) for run, rank in ranks.items() for query in range(30)]
    table = compared(pl.DataFrame(rows, schema=["query_id", "run", "MRR"], orient="row"), "words")
    assert table["run"].to_list() == ["two", "one", "words"]
    assert table["p_value"].to_list() == pytest.approx([1 / 10_001, 1 / 10_001, None])
    assert table["p_holm"].to_list() == pytest.approx([2 / 10_001, 2 / 10_001, None])
