"""The contract of a table, and the check that enforces it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rulerank.errors import InputError
from rulerank.files import replacing
from rulerank.tables.arrow_file import read_arrow


@dataclass(frozen=True)
class Table:
    """The contract of one table.

    Parameters
    ----------
    name : str
        The name of the table in error messages.
    columns : mapping of str to polars type
        Every column the table must have, in order.
    key : tuple of str, optional
        Columns whose values together are unique. If empty, rows may repeat.
    nullable : frozenset of str, optional
        Columns that may hold nulls.
    contiguous : str, optional
        Column whose equal values must be in one unbroken block of rows.
    open_ended : bool, optional (default=False)
        Whether further columns may follow (the features table has one per feature).
    advice : str, optional (default="Rebuild it with `dvc repro`.")
        What an error tells the user to do.

    """

    name: str
    columns: Mapping[str, pl.DataType]
    key: tuple[str, ...] = ()
    nullable: frozenset[str] = frozenset()
    contiguous: str | None = None
    open_ended: bool = False
    advice: str = "Rebuild it with `dvc repro`."

    def check(self, frame: pl.DataFrame, source: Path | str) -> pl.DataFrame:
        """Return `frame` unchanged if it keeps the contract.

        Raises
        ------
        InputError
            A column is missing, unexpected or of another type; a null or a repeated key is where none is
            allowed; or the rows of one query are scattered.

        """
        self._check_columns(frame.schema, source)
        for column in self.columns:
            if column not in self.nullable and frame[column].null_count():
                row = int(frame[column].is_null().arg_max() or 0)
                raise self._broken(source, f"column {column!r}: expected a value, found none in row {row}")
        self._check_rows(frame, source)
        return frame

    def _check_columns(self, schema: pl.Schema, source: Path | str) -> None:
        missing = [column for column in self.columns if column not in schema]
        if missing:
            raise self._broken(source, f"expected column {missing[0]!r}, found {list(schema)}")
        extra = [column for column in schema if column not in self.columns]
        if extra and not self.open_ended:
            raise self._broken(source, f"expected columns {list(self.columns)}, found also {extra}")
        for column, expected in self.columns.items():
            found = schema[column]
            if found != expected:
                raise self._broken(source, f"column {column!r}: expected {expected}, found {found}")

    def further(self, columns: Sequence[str]) -> list[str]:
        """Return the columns of an open-ended table that follow its own."""
        return list(columns[len(self.columns) :])

    def empty(self) -> pl.DataFrame:
        """Return the table without rows."""
        return pl.DataFrame(schema=dict(self.columns))

    def read(self, path: Path) -> pl.DataFrame:
        """Read the table from Parquet and check it."""
        with self._reading(path, "Parquet"):
            frame = pl.read_parquet(path, glob=False)
        return self.check(frame, path)

    def scan(self, path: Path) -> pl.LazyFrame:
        """Check the table in Parquet and return it unread; `collect` reads what is selected from it.

        Only the columns of the contract are read for the check, so a wide table need not fit into memory.
        """
        with self._reading(path, "Parquet"):
            table = pl.scan_parquet(path, glob=False)
            schema = table.collect_schema()
        self._check_columns(schema, path)
        with self._reading(path, "Parquet"):
            contract = table.select(list(self.columns)).collect()
        self.check(contract, path)
        return table

    def map(self, path: Path) -> pl.DataFrame:
        """Map a table written by `write_mapped` into memory; its columns are checked, its rows are not."""
        with self._reading(path, "Arrow"):
            frame = read_arrow(path)
        self._check_columns(frame.schema, path)
        return frame

    def write_mapped(self, frame: pl.DataFrame, path: Path) -> None:
        """Check the table and write it uncompressed for `map`, whole or not at all."""
        self.check(frame, path)
        with replacing(path) as temporary:
            frame.write_ipc(temporary, compression="uncompressed")

    def write(self, frame: pl.DataFrame, path: Path) -> None:
        """Check the table and write it to Parquet, whole or not at all."""
        self.check(frame, path)
        with replacing(path) as temporary:
            frame.write_parquet(temporary)

    def _check_rows(self, frame: pl.DataFrame, source: Path | str) -> None:
        if self.key:
            # Unlike `select`, this does not copy a frame of many chunks, even the columns that are not taken.
            keys = frame[list(self.key)]
            # Hashes first: comparing all keys directly would take several times their memory.
            hashes = keys.hash_rows()
            alike = keys.filter(hashes.is_duplicated()) if hashes.n_unique() < keys.height else keys.clear()
            repeated = alike.filter(alike.is_duplicated())
            if repeated.height:
                value = repeated.row(0)
                raise self._broken(source, f"{self.key} must be unique, found {value} more than once")
        if self.contiguous is not None and frame.height:
            column = frame[self.contiguous]
            if column.rle().len() != column.n_unique():
                raise self._broken(source, f"rows of one {self.contiguous} must be together")

    @contextmanager
    def _reading(self, path: Path, form: str) -> Iterator[None]:
        """Turn errors of a block that reads the table from a file into an error that says what to run."""
        if not path.is_file():
            raise InputError(path, f"expected the {self.name} table, found no file. Run `dvc repro`.")
        try:
            yield
        except (pl.exceptions.PolarsError, OSError) as error:
            raise InputError(
                path, f"expected the {self.name} table as {form}: {error}. Run `dvc repro`."
            ) from error

    def _broken(self, source: Path | str, message: str) -> InputError:
        return InputError(source, f"{self.name} table: {message}. {self.advice}")
