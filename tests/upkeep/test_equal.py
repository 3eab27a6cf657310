"""An update gives what a full build over the changed passages gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.bundle import Contents
from rulerank.retrieve.tokens import Tokens
from rulerank.upkeep import Changes
from rulerank.upkeep.update import changed
from tests.upkeep.conftest import HashingEncoder, Quay

IDS = ("q1", "q2", "q3", "q4", "f1", "f2", "f3")
ROUNDED = {
    ".texts.vectors": 1,
    ".centroid_lengths": 1e-3,
    ".codes": 1,
    ".scale": 1e-4,
}
"""How far arrays may be apart that follow from products of matrices, which round by the height of the matrix.

How much that is depends on the processor. What is rounded to whole steps may then be one step apart.
"""
TEXTS = st.sampled_from(
    [
        "",
        "\x1f",  # white space to Python, a text to Polars
        "A pilot must hold a licence under Rule 1.2.",
        "A Licence costs two coins.",
        "Rule 1.1 of the Fees Rules is revoked.",
        '"Tug" means a small vessel. See Rule 2 of QUA.',
        "The master of a Tug should pay.",
    ]
)
COLUMNS = {
    "text": TEXTS,
    "document_id": st.sampled_from(["quay", "fees", "tugs"]),
    "section": st.sampled_from(["", "1", "1.1", "1.2", "2.1", "3"]),
    "title": st.sampled_from(["", "Tugs"]),
    "tier": st.sampled_from([None, 1, 5]),
    "position": st.integers(0, 9),
    "scope": st.sampled_from([None, "tugs"]),
}
AMENDMENTS = st.fixed_dictionaries({}, optional=COLUMNS)
ADDITIONS = st.fixed_dictionaries(
    {name: COLUMNS[name] for name in ("text", "document_id")},
    optional={name: COLUMNS[name] for name in ("section", "tier", "position", "scope")},
)


@st.composite
def all_changes(draw: st.DrawFn) -> Changes:
    withdrawn = draw(st.sets(st.sampled_from(IDS[1:])))
    left = [each for each in IDS if each not in withdrawn]
    amended = draw(st.dictionaries(st.sampled_from(left), AMENDMENTS))
    added = draw(st.dictionaries(st.sampled_from(["n1", "n2", "n3"]), ADDITIONS))
    kept = {"n4": {"document_id": "quay", "text": "Something must be left."}}
    return Changes(frozenset(withdrawn), *map(_named, (amended, {**added, **kept})))


def _named(columns: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key: {"passage_id": key, **each} for key, each in columns.items()}


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=all_changes())
def test_update_is_the_full_build(quay: Quay, changes: Changes) -> None:
    assert_same(_after(quay, changes), _built(quay, changes))


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=all_changes())
def test_two_updates_are_one_full_build(quay: Quay, first: Changes) -> None:
    added = {"n5": {"document_id": "fees", "text": "Rule 1 is void."}}
    second = Changes(frozenset({"n4", "q1"}), {}, _named(added))
    between = quay.after(first)
    assert_same(_after(between, second), _built(between, second))


def test_back_and_forth_is_where_it_began(quay: Quay) -> None:
    row = quay.source.passages.row(by_predicate=pl.col("passage_id") == "f3", named=True)
    gone = quay.after(Changes(frozenset({"f3"}), {}, {}))
    back = _after(gone, Changes(frozenset(), {}, {"f3": row}))
    assert_same(back, quay.source)


def test_only_new_texts_are_encoded(quay: Quay) -> None:
    text = "A tug must hoist a lamp."
    changes = Changes(
        frozenset({"q2"}),
        {"q4": {"text": text}, "f1": {"tier": 1}},
        {
            "n1": {"passage_id": "n1", "document_id": "quay", "text": text},
            "n2": {"passage_id": "n2", "document_id": "quay", "text": "A Licence costs two coins."},
        },
    )
    _after(quay, changes)
    assert quay.source.encoder.encoded == [text]  # type: ignore[attr-defined]


def test_reference_to_a_passage_that_was_missing_leads_there_once_it_is_added(quay: Quay) -> None:
    added = {"n1": {"passage_id": "n1", "document_id": "fees", "text": "No coin is paid twice."}}
    edges = _after(quay, Changes(frozenset(), {}, added)).edges
    assert ("f3", "n1", "REFERENCES", "the next rule") in edges.rows()


def test_judgements_of_withdrawn_passages_go_and_those_of_amended_ones_stay(quay: Quay) -> None:
    changes = Changes(frozenset({"q2", "q3"}), {"f1": {"text": "It is free."}}, {})
    index = _after(quay, changes).index
    ids = index.passage_ids
    judged = [ids.gather(index.judgements.sets.of(row)).to_list() for row in range(3)]
    assert judged == [["f1"], [], ["f2"]]
    assert index.judgements.known is quay.source.index.judgements.known


def assert_same(one: Contents, other: Contents) -> None:
    """Compare the tables and every array of the index, by type and value."""
    tables = "documents", "passages", "edges", "index"
    parts = [
        dict(_parts({name: getattr(contents, name) for name in tables}, "")) for contents in (one, other)
    ]
    assert parts[0].keys() == parts[1].keys()
    for name, first in parts[0].items():
        second = parts[1][name]
        if not isinstance(first, np.ndarray):
            assert first == second, name
            continue
        assert (first.dtype, first.shape) == (second.dtype, second.shape), name
        apart = next((most for end, most in ROUNDED.items() if name.endswith(end)), 0)
        np.testing.assert_allclose(first, second, rtol=0, atol=apart, err_msg=name)


def _parts(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a value, by name."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        yield f"{name} keys", list(value)
        for key, each in value.items():
            yield from _parts(each, f"{name}.{key}")
    elif isinstance(value, pl.DataFrame | pl.Series):
        yield name, value.to_list() if isinstance(value, pl.Series) else (value.schema, value.rows())
    else:
        yield name, value


def _after(quay: Quay, changes: Changes) -> Contents:
    """Encode only the new texts."""
    return changed(quay.source, quay.kept, changes, quay.source.passages)[0]


def _built(quay: Quay, changes: Changes) -> Contents:
    """Encode every text."""
    return changed(quay.source, quay.kept, changes, quay.source.passages.clear())[0]


def test_texts_that_the_encoder_does_not_tell_apart_share_one_entry(quay: Quay) -> None:
    class Deaf(HashingEncoder):
        """Reads texts without regard to case."""

        def encode(self, texts: Sequence[str], kind: str) -> FloatArray:
            return super().encode([text.lower() for text in texts], kind)

        def tokens(self, texts: Sequence[str], kind: str) -> Tokens:
            return super().tokens([text.lower() for text in texts], kind)

    deaf = replace(quay.source, encoder=Deaf(), token_encoder=Deaf())  # type: ignore[arg-type]
    nothing = Changes(frozenset(), {}, {})
    heard = Quay(deaf, quay.kept)
    before = Quay(replace(deaf, index=_built(heard, nothing).index), quay.kept)
    shouted = {"n1": {"passage_id": "n1", "document_id": "quay", "text": "A LICENCE COSTS TWO COINS."}}
    changes = Changes(frozenset(), {}, shouted)
    after = _after(before, changes)
    assert_same(after, _built(before, changes))
    dense = after.index.dense
    assert dense.place.tolist() == [-1, 0, 1, 2, 3, 2, 4, 3]
    assert len(dense.vectors) == 5
