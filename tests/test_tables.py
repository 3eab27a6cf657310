import polars as pl
import pytest

from rulerank import tables
from rulerank.errors import InputError
from rulerank.tables import FEATURES, JUDGEMENTS, QUERIES
from rulerank.tables.table import Table

TABLES = [value for value in vars(tables).values() if isinstance(value, Table)]


def _judgements(*rows: tuple[str | None, str, int]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row")


def _broken(frame: pl.DataFrame, table: Table = JUDGEMENTS) -> str:
    with pytest.raises(InputError) as caught:
        table.check(frame, "qrels.parquet")
    return str(caught.value)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_table_names_its_own_columns(table) -> None:
    assert {*table.key, *table.nullable, *filter(None, [table.contiguous])} <= set(table.columns)
    assert table.check(table.empty(), "empty").columns == list(table.columns)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_empty_table_survives_the_disk(table, tmp_path) -> None:
    table.write(table.empty(), tmp_path / "table.parquet")

    assert table.read(tmp_path / "table.parquet").schema == table.empty().schema


def test_rows_survive_the_disk(tmp_path) -> None:
    frame = _judgements(("q1", "a", 1), ("q1", "b", 2), ("q2", "a", 0))

    JUDGEMENTS.write(frame, tmp_path / "judgements.parquet")

    assert JUDGEMENTS.read(tmp_path / "judgements.parquet").equals(frame)


def test_every_query_belongs_to_a_collection() -> None:
    row = {"query_id": "q1", "text": None, "split": "train", "collection": None, "level": None, "group": None}

    message = _broken(pl.DataFrame([row], schema=dict(QUERIES.columns)), QUERIES)

    assert "queries table: column 'collection': expected a value, found none in row 0" in message


def test_missing_column_is_named_with_what_came() -> None:
    message = _broken(_judgements(("q1", "a", 1)).drop("relevance"))

    assert message.startswith(
        "qrels.parquet: judgements table: expected column 'relevance', found ['query_id'"
    )
    assert message.endswith("Rebuild it with `dvc repro`.")


def test_unexpected_column_is_named() -> None:
    assert "found also ['note']" in _broken(_judgements(("q1", "a", 1)).with_columns(note=pl.lit("x")))


def test_open_ended_table_takes_further_columns() -> None:
    frame = _judgements(("q1", "a", 1)).with_columns(bm25=pl.lit(0.5))

    assert FEATURES.check(frame, "features") is frame


def test_other_type_is_named_with_what_was_expected() -> None:
    frame = _judgements(("q1", "a", 1)).with_columns(pl.col("relevance").cast(pl.Float64))

    assert "column 'relevance': expected Int8, found Float64" in _broken(frame)


def test_null_is_named_with_its_row() -> None:
    assert "column 'query_id': expected a value, found none in row 1" in _broken(
        _judgements(("q1", "a", 1), (None, "b", 1))
    )


def test_repeated_key_is_named() -> None:
    message = _broken(_judgements(("q1", "a", 1), ("q1", "a", 2)))

    assert "('query_id', 'passage_id') must be unique, found ('q1', 'a') more than once" in message


def test_scattered_rows_of_a_query_are_an_error() -> None:
    message = _broken(_judgements(("q1", "a", 1), ("q2", "a", 1), ("q1", "b", 1)))

    assert "rows of one query_id must be together" in message


def test_breaking_the_contract_writes_nothing(tmp_path) -> None:
    with pytest.raises(InputError):
        JUDGEMENTS.write(_judgements(("q1", "a", 1), ("q1", "a", 1)), tmp_path / "judgements.parquet")

    assert list(tmp_path.iterdir()) == []


def test_scan_selects_from_a_checked_table(tmp_path) -> None:
    path = tmp_path / "features.parquet"
    FEATURES.write(
        _judgements(("q1", "a", 1), ("q1", "b", 2)).with_columns(bm25=pl.Series([0.5, 0.25])), path
    )

    assert FEATURES.scan(path).select("bm25").collect().to_series().to_list() == [0.5, 0.25]


def test_scan_refuses_what_breaks_the_contract(tmp_path) -> None:
    path = tmp_path / "features.parquet"
    _judgements(("q1", "a", 1), ("q1", "a", 2)).write_parquet(path)

    with pytest.raises(InputError, match=r"must be unique, found \('q1', 'a'\) more than once"):
        FEATURES.scan(path)


@pytest.mark.parametrize("read", [JUDGEMENTS.read, JUDGEMENTS.scan])
def test_missing_file_says_what_to_run(tmp_path, read) -> None:
    with pytest.raises(InputError, match=r"expected the judgements table, found no file\. Run `dvc repro`"):
        read(tmp_path / "judgements.parquet")


@pytest.mark.parametrize("read", [JUDGEMENTS.read, JUDGEMENTS.scan])
def test_file_that_is_no_parquet_is_an_error(tmp_path, read) -> None:
    (tmp_path / "judgements.parquet").write_text("query_id,passage_id")

    with pytest.raises(InputError, match="expected the judgements table as Parquet"):
        read(tmp_path / "judgements.parquet")


def test_text_is_blank_where_a_passage_of_it_has_none() -> None:
    texts = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]

    with_text = tables.has_text(pl.DataFrame({"text": texts}))

    assert [not tables.is_blank(text) for text in texts] == with_text.to_list()
    assert tables.is_blank("")


@pytest.mark.parametrize("name", ["a[1].parquet", "a*.parquet", "a?.parquet"])
def test_path_is_no_pattern(tmp_path, name) -> None:
    JUDGEMENTS.write(_judgements(("q1", "a", 1)), tmp_path / name)
    JUDGEMENTS.write(_judgements(("q2", "a", 1)), tmp_path / "a1.parquet")

    assert JUDGEMENTS.read(tmp_path / name)["query_id"].to_list() == ["q1"]
    assert JUDGEMENTS.scan(tmp_path / name).collect()["query_id"].to_list() == ["q1"]
