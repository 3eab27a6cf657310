from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.evaluate.statute_search import StatuteSearch, links_of
from rulerank.retrieve.context import prefixed
from rulerank.retrieve.queries import Queries
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from rulerank.text import analyse

TEXTS = ["tug log", "pilot fee", "", "ledger", "ballast"]
PASSAGE_TABLE = pl.DataFrame(
    [
        (f"p{row}", "d", f"제{row}조", "점검", text, 2, "rule", row, None, None)
        for row, text in enumerate(TEXTS)
    ],
    schema=dict(PASSAGES.columns),
    orient="row",
)
DOCUMENT_TABLE = pl.DataFrame([("d", "창고 안전법 시행령", [])], schema=dict(DOCUMENTS.columns), orient="row")
LINKS = pl.DataFrame([("p0", "p4", "REFERENCES", "")], schema=dict(EDGES.columns), orient="row")


@pytest.fixture
def search() -> StatuteSearch:
    vectors = np.eye(5, dtype=np.float32)
    has_text = np.array([bool(text) for text in TEXTS])
    return StatuteSearch.build(analyse(TEXTS), vectors, has_text, LINKS, PASSAGE_TABLE["passage_id"])


@pytest.fixture
def queries() -> Queries:
    asked = np.array([[0.8, 0.6, 0, 0, 0]], np.float32)
    return Queries(["q"], analyse(["which pilot fee"]), asked)


def test_every_run_of_the_paper_is_there(search: StatuteSearch, queries: Queries) -> None:
    found = search.runs(queries)

    assert found["bm25"].columns.tolist() == found["tfidf"].columns.tolist() == [1]
    assert found["dense"].columns.tolist() == [0, 1, 3, 4]
    # 0.1 / 6 + 0.9 / 7 of the second dense hit against 0.9 / 6 of the first.
    assert found["wrrf"].columns.tolist()[:2] == [0, 1]
    assert found["rrf"].columns.tolist()[:2] == [1, 0]
    assert found["dense + links"].columns.tolist() == [0, 4, 1, 3]
    assert found["structure-aware, directed"].columns.tolist() == [0, 1, 3, 4]


def test_texts_have_law_level_article_and_heading_before_them() -> None:
    assert prefixed(PASSAGE_TABLE, DOCUMENT_TABLE)[0] == "창고 안전법 시행령 | 시행령 | 제0조 | 점검\ntug log"


def test_without_a_table_links_are_read_from_the_text() -> None:
    beyond = pl.concat([LINKS, LINKS[:1].with_columns(target_id=pl.lit("gone"))])
    assert links_of(PASSAGE_TABLE, DOCUMENT_TABLE, beyond).equals(LINKS)
    cited = PASSAGE_TABLE.with_columns(text=pl.Series(["제3조에 따른다.", *["창고를 점검한다."] * 4]))
    read = links_of(cited, DOCUMENT_TABLE, None)
    assert read.select("source_id", "target_id").rows() == [("p0", "p3")]
