from collections.abc import Callable

import polars as pl
import pytest

from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

Rows = list[tuple[str, str, str]]


@pytest.fixture
def passages_of() -> Callable[[Rows], pl.DataFrame]:
    """Passages from (document, section, text), named `<document>:<section>`; a repeated name gets a `'`."""

    def build(rows: Rows) -> pl.DataFrame:
        names: list[str] = []
        for document, section, _ in rows:
            name = f"{document}:{section}"
            while name in names:
                name += "'"
            names.append(name)
        positions = [sum(d == document for d, _, _ in rows[:i]) for i, (document, _, _) in enumerate(rows)]
        return pl.DataFrame(
            [
                (name, document, section, "", text, None, "text", position, None, None)
                for name, (document, section, text), position in zip(names, rows, positions, strict=True)
            ],
            schema=dict(PASSAGES.columns),
            orient="row",
        )

    return build


@pytest.fixture
def documents_of() -> Callable[[dict[str, list[str]]], pl.DataFrame]:
    def build(names: dict[str, list[str]]) -> pl.DataFrame:
        rows = [(document, aliases[0], aliases) for document, aliases in names.items()]
        return pl.DataFrame(rows, schema=dict(DOCUMENTS.columns), orient="row")

    return build


@pytest.fixture
def edges_of() -> Callable[..., pl.DataFrame]:
    """Edges from one string per type: `edges_of(REFERENCES="a>b b>c")`."""

    def build(**types: str) -> pl.DataFrame:
        rows = [(*pair.split(">"), kind, "") for kind, pairs in types.items() for pair in pairs.split()]
        return pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")

    return build
