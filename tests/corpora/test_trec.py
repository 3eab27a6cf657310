import math
import unicodedata

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.corpora import read_letor, read_qrels, read_run, write_letor, write_qrels, write_run
from rulerank.errors import InputError
from rulerank.tables import FEATURES, JUDGEMENTS, RUNS
from rulerank.text import composed

IDS = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=8).map(composed)
# One folder serves all examples of a test: each example overwrites the file of the one before.
ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def _runs(rows: list[tuple[str, str, str, int, float]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(RUNS.columns), orient="row")


def test_run_is_read_in_file_order(write) -> None:
    path = write("run.txt", "q1 Q0 b 1 0.5 bm25\nq1  Q0\ta 2 0.5 bm25\r\n\nq0 Q0 a 1 -3e2 bm25\n")

    assert read_run(path).rows() == [
        ("bm25", "q1", "b", 1, 0.5),
        ("bm25", "q1", "a", 2, 0.5),
        ("bm25", "q0", "a", 1, -300.0),
    ]


def test_ids_are_read_in_one_form_of_unicode(write) -> None:
    path = write("r.trec", unicodedata.normalize("NFD", "가 Q0 é 1 2.0 x\n"))
    assert read_run(path).select("query_id", "passage_id").row(0) == ("가", "é")


def test_ranks_of_a_run_that_counts_from_zero_are_raised(tmp_path) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 0 0.5 x\nq1 Q0 b 1 0.4 x\nq2 Q0 a 0 0.3 x\n")
    assert read_run(tmp_path / "run")["rank"].to_list() == [1, 2, 1]


def test_run_is_written_by_rank_with_ties_as_ranked(tmp_path) -> None:
    path = tmp_path / "run.txt"

    write_run(_runs([("x", "q2", "b", 2, 0.1), ("x", "q1", "a", 1, 1 / 3), ("x", "q2", "a", 1, 0.1)]), path)

    assert path.read_text() == "q2 Q0 a 1 0.1 x\nq2 Q0 b 2 0.1 x\nq1 Q0 a 1 0.3333333333333333 x\n"


@ONE_FOLDER
@given(
    st.dictionaries(
        st.tuples(IDS, IDS),
        st.dictionaries(IDS, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4),
        min_size=1,
        max_size=4,
    )
)
def test_run_is_read_back_exactly(tmp_path, lists) -> None:
    runs = _runs(
        [
            (run, query_id, passage_id, rank, score)
            for (run, query_id), scored in sorted(lists.items())
            for rank, (passage_id, score) in enumerate(scored.items(), start=1)
        ]
    )

    write_run(runs, tmp_path / "run.txt")
    read = read_run(tmp_path / "run.txt")

    assert read.equals(runs)
    assert [math.copysign(1, score) for score in read["score"]] == [
        math.copysign(1, s) for s in runs["score"]
    ]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("q1 Q0 a 1 0.5\n", 1, "expected 6 fields .*, found 5"),
        ("q1 Q0 a 1 0.5 x\nq1 Q0 b one 0.4 x\n", 2, "rank: expected a whole number from .*, found 'one'"),
        ("q1 Q0 a -1 0.5 x\n", 1, "rank: expected a whole number from 0 or 1 to 2147483646, found -1"),
        ("q1 Q0 a 0 1 x\nq1 Q0 b 2147483647 0.5 x\n", 2, "from 0 or 1 to 2147483646, found 2147483647"),
        ("q1 Q0 a 1 0.5 x\nq1 Q0 b 1 0.4 x\n", 2, "rank 1: expected once, found on lines 1 and 2"),
        ("q1 Q0 a 1 nan x\n", 1, "score: expected a finite number, found 'nan'"),
        ("q1 Q0 a 1 inf x\n", 1, "score: expected a finite number, found 'inf'"),
        ("q1 Q0 a 1 high x\n", 1, "score: expected a finite number, found 'high'"),
        ("q1 Q0 a 1 0.5 x\nq1 Q0 b 2 0.4 x\nq1 Q0 a 3 0.3 x\n", 3, "found on lines 1 and 3"),
    ],
)
def test_broken_run_names_the_line(write, content, line, message) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_run(write("run.txt", content))

    assert caught.value.line == line


@pytest.mark.parametrize("bad", ["", "two words", "line\nbreak"])
def test_id_that_the_format_cannot_hold_is_an_error(tmp_path, bad) -> None:
    with pytest.raises(InputError, match="expected an id without white space"):
        write_run(_runs([("x", "q1", bad, 1, 0.5)]), tmp_path / "run.txt")

    assert not (tmp_path / "run.txt").exists()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("x", "q1", "b", 2, None), "score: expected a finite number, found None in row 1"),
        (("x", "q1", "b", 2, math.nan), "score: expected a finite number, found nan in row 1"),
        (("x", "q1", "b", None, 0.5), "rank: expected a finite number, found None in row 1"),
        (("x", "q1", None, 2, 0.5), "passage_id None: expected an id"),
        (("x", "q1", "b", 0, 0.5), "query q1: expected ranks from 1 on, each once, found 0"),
        (("x", "q1", "b", 1, 0.5), "query q1: expected ranks from 1 on, each once, found 1"),
    ],
)
def test_run_that_could_not_be_read_back_is_not_written(tmp_path, row, message) -> None:
    with pytest.raises(InputError, match=message):
        write_run(_runs([("x", "q1", "a", 1, 0.5), row]), tmp_path / "run.txt")

    assert not (tmp_path / "run.txt").exists()


def test_missing_relevance_is_not_written(tmp_path) -> None:
    unjudged = pl.DataFrame([("q1", "a", None)], schema=dict(JUDGEMENTS.columns), orient="row")
    features = unjudged.with_columns(first=0.5)

    with pytest.raises(InputError, match="relevance: expected a finite number, found None in row 0"):
        write_qrels(unjudged, tmp_path / "qrels.txt")
    with pytest.raises(InputError, match="relevance: expected a finite number, found None in row 0"):
        write_letor(features, ["first"], tmp_path / "letor.txt")

    assert not list(tmp_path.iterdir())


def test_relevance_out_of_range_names_limits_line_and_column(write) -> None:
    with pytest.raises(InputError, match="expected a whole number from -128 to 127, found '200'") as caught:
        read_qrels(write("qrels.txt", "q1 0 a 1\nq1  0 b\t200\n"))

    assert (caught.value.line, caught.value.column) == (2, 9)


@pytest.mark.parametrize("relevance", [-1, 9, 1000])
def test_letor_relevance_out_of_range_names_the_line(write, relevance) -> None:
    with pytest.raises(InputError, match=f"expected a whole number from 0 to 3, found {relevance}") as caught:
        read_letor(write("letor.txt", f"0 qid:q1 1:0.5 # p9\n{relevance} qid:q1 1:0.5 # p0\n"), ["a"])

    assert caught.value.line == 2


def test_qrels_of_one_query_are_brought_together(write) -> None:
    path = write("qrels.txt", "q2 0 a 1\nq1 0 a 2\nq2 0 b 0\n")

    assert read_qrels(path).rows() == [("q2", "a", 1), ("q2", "b", 0), ("q1", "a", 2)]


@ONE_FOLDER
@given(st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 5), min_size=1, max_size=4), max_size=4))
def test_qrels_are_read_back(tmp_path, judged) -> None:
    rows = [
        (query_id, passage, grade) for query_id, graded in judged.items() for passage, grade in graded.items()
    ]
    judgements = pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row")

    write_qrels(judgements, tmp_path / "qrels.txt")

    assert read_qrels(tmp_path / "qrels.txt").equals(judgements)


def _features(values: object, names: list[str]) -> pl.DataFrame:
    matrix = pl.DataFrame(values, schema=names, orient="row")
    rows = [("q1", f"p{row}", row % 3) for row in range(matrix.height)]
    return pl.DataFrame(rows, schema=dict(FEATURES.columns), orient="row").hstack(matrix)


def test_letor_line_ends_in_the_passage_id(tmp_path) -> None:
    features = _features([[0.5, float("nan")]], ["first", "second"])

    write_letor(features, ["second", "first"], tmp_path / "letor.txt")

    assert (tmp_path / "letor.txt").read_text() == "0 qid:q1 1:NaN 2:0.5 # p0\n"


@ONE_FOLDER
@given(arrays("float64", st.tuples(st.integers(1, 4), st.just(3)), elements=st.floats(allow_infinity=False)))
def test_letor_is_read_back_exactly(tmp_path, values) -> None:
    features = _features(values, ["a", "b", "c"])

    write_letor(features, ["a", "b", "c"], tmp_path / "letor.txt")

    assert read_letor(tmp_path / "letor.txt", ["a", "b", "c"]).equals(features)


@ONE_FOLDER
@given(
    arrays(
        "float32",
        st.tuples(st.integers(1, 4), st.just(2)),
        elements=st.floats(allow_infinity=False, width=32),
    )
)
def test_letor_keeps_single_precision_exactly(tmp_path, values) -> None:
    features = _features(values, ["a", "b"])

    write_letor(features, ["a", "b"], tmp_path / "letor.txt")
    read = read_letor(tmp_path / "letor.txt", ["a", "b"])

    assert read.with_columns(pl.col("a", "b").cast(pl.Float32)).equals(features)


def test_infinity_is_not_written(tmp_path) -> None:
    features = _features([[0.5, float("-inf")]], ["a", "b"])
    with pytest.raises(InputError, match="b: expected numbers or NaN, found infinity"):
        write_letor(features, ["a", "b"], tmp_path / "letor.txt")
    assert not list(tmp_path.iterdir())


def test_letor_feature_that_a_line_does_not_give_is_zero(write) -> None:
    path = write("letor.txt", "1 qid:q1 2:0.5 # p0\n")

    assert read_letor(path, ["a", "b", "c"]).rows() == [("q1", "p0", 1, 0.0, 0.5, 0.0)]


@pytest.mark.parametrize(
    "line",
    [
        "1 q1 1:0.5 # p0",
        "1 qid:q1 1:0.5",
        "1 qid:q1 1:half # p0",
        "1 qid: 1:0.5 # p0",
        "1 qid:q1 0:0.5 # p0",
        "1 qid:q1 3:0.5 # p0",
        "x qid:q1 1:0.5 # p0",
        "1 qid:q1 1:0.5 1:0.7 # p0",
        "1 qid:q1 1:inf # p0",
        "1 qid:q1 1:1e400 # p0",
    ],
)
def test_broken_letor_line_is_named(write, line) -> None:
    with pytest.raises(InputError, match="at most 2 features") as caught:
        read_letor(write("letor.txt", f"0 qid:q1 1:0.5 # p9\n{line}\n"), ["a", "b"])

    assert caught.value.line == 2
