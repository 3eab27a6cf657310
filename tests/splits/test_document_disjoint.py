import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.splits.document_disjoint import ELSEWHERE, STRADDLING, TEXTLESS, document_disjoint
from rulerank.tables import JUDGEMENTS, PASSAGES, QUERIES

Rows = list[tuple[str, str | None, str]]

PASSAGES_OF = {"a": "one", "b": "one", "c": "two", "d": "two", "e": "three"}


def _passages() -> pl.DataFrame:
    rows = [
        (passage, document, "", "", "text", None, "rule", place, None, None)
        for place, (passage, document) in enumerate(PASSAGES_OF.items())
    ]
    return pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")


def _tables(rows: Rows) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Questions q0, q1, ... from (split, text, letters of the relevant passages)."""
    queries = [(f"q{place}", text, split, "own", None, None) for place, (split, text, _) in enumerate(rows)]
    judged = [(f"q{place}", passage, 1) for place, (*_, letters) in enumerate(rows) for passage in letters]
    return (
        pl.DataFrame(queries, schema=dict(QUERIES.columns), orient="row"),
        pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row"),
    )


def test_questions_go_by_the_documents_of_their_passages() -> None:
    rows: Rows = [
        ("train", "?", "ab"),
        ("train", "?", "c"),
        ("train", "?", "bc"),
        ("train", None, "a"),
        ("train", None, "e"),
        ("validation", "?", "a"),
        ("validation", "?", "e"),
        ("test", "?", "b"),
        ("test", "?", "ae"),
    ]
    split = document_disjoint(*_tables(rows), _passages(), ["one"])
    assert dict(split.queries.select("query_id", "split").iter_rows()) == {
        "q0": "validation",
        "q1": "train",
        "q4": "train",
        "q5": "validation",
        "q7": "test",
    }
    assert split.dropped.rows() == [
        ("q2", None, STRADDLING),
        ("q3", None, TEXTLESS),
        ("q6", None, ELSEWHERE),
        ("q8", None, STRADDLING),
    ]
    assert split.judgements["query_id"].to_list() == ["q0", "q0", "q1", "q4", "q5", "q7"]
    assert split.figures == {"dropped_documents": 4}


def test_passages_judged_unrelated_say_nothing_of_a_question() -> None:
    queries, judgements = _tables([("train", "?", "ac"), ("train", "?", "e")])
    unrelated = pl.when(pl.col("passage_id") == "c").then(0).otherwise("relevance").cast(pl.Int8)
    split = document_disjoint(queries, judgements.with_columns(relevance=unrelated), _passages(), ["one"])
    assert split.queries["split"].to_list() == ["validation", "train"]


def test_unknown_document_is_named_beside_the_known_ones() -> None:
    tables = _tables([("train", "?", "a"), ("train", "?", "c")])
    with pytest.raises(InputError, match="found four, which the corpus does not have; it has one, two"):
        document_disjoint(*tables, _passages(), ["one", "four"])


@pytest.mark.parametrize(("letters", "split"), [("ab", "train"), ("ce", "validation")])
def test_protocol_without_questions_on_one_side_is_refused(letters, split) -> None:
    tables = _tables([("train", "?", letter) for letter in letters])
    with pytest.raises(InputError, match=rf"expected {split} questions only about .* documents, found none"):
        document_disjoint(*tables, _passages(), ["one"])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["train", "train", "validation", "test"]),
            st.sampled_from(["?", "?", None]),
            st.sets(st.sampled_from("abcde"), min_size=1, max_size=3).map(lambda each: "".join(sorted(each))),
        ),
        min_size=2,
        max_size=25,
    ),
    st.sets(st.sampled_from(["one", "two", "three"]), min_size=1, max_size=2),
)
def test_no_document_is_asked_about_on_both_sides(rows: Rows, held_out: set[str]) -> None:
    queries, judgements = _tables(rows)
    try:
        split = document_disjoint(queries, judgements, _passages(), sorted(held_out))
    except InputError:
        return
    asked = split.judgements.join(split.queries, on="query_id")
    for passage, name in asked.select("passage_id", "split").iter_rows():
        assert (PASSAGES_OF[passage] in held_out) == (name != "train")
    named = split.queries["query_id"].to_list() + split.dropped["query_id"].to_list()
    assert sorted(named) == sorted(queries["query_id"].to_list())
    assert set(split.judgements["query_id"]) == set(split.queries["query_id"])
    # Questions that were published as held out are never trained on.
    before = dict(queries.select("query_id", "split").iter_rows())
    kept = split.queries.select("query_id", "split").iter_rows()
    assert all(before[name] in ("train", now) for name, now in kept)
