from __future__ import annotations

from pathlib import Path

import pytest

from rulerank.errors import InputError
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.published import Publication, read_published, with_published
from rulerank.evaluate.results import Results

ELSEWHERE = Publication(
    title="Guild Review", data="guild", split="test", queries=4, systems={"scribe": {"Recall@10": 0.5}}
)


def _found(split: str, queries: int) -> Results:
    measures = dict.fromkeys(MEASURES, 0.25)
    return Results("guild", {split: queries}, {split: {"rrf": measures}}, {})


def test_published_rows_stand_below_with_their_own_questions() -> None:
    table = with_published(_found("validation", 9), [ELSEWHERE], "published")
    assert table.rows() == [
        ("this run", "rrf", "guild", "validation", 9, "–", 0.25, 0.25, 0.25, 0.25),
        ("Guild Review", "scribe", "guild", "test", 4, "no", 0.5, None, None, None),
    ]


@pytest.mark.parametrize(
    ("split", "queries", "protocol", "same"),
    [
        ("test", 4, "published", "likely"),
        ("test", 5, "published", "no"),
        ("validation", 4, "published", "no"),
        ("test", 4, "evidence_disjoint", "no"),
    ],
)
def test_questions_are_the_same_only_by_split_number_and_protocol(
    split: str, queries: int, protocol: str, same: str
) -> None:
    assert with_published(_found(split, queries), [ELSEWHERE], protocol)["same questions"][-1] == same


def test_unknown_publication_names_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "published.yaml"
    path.write_text("publications: {}\n")
    with pytest.raises(InputError, match=r"expected one of \[\], found 'guild'"):
        read_published(path, ["guild"])


def test_measure_that_is_none_of_ours_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "published.yaml"
    path.write_text(
        "publications:\n  guild: {title: T, data: d, split: test, queries: 1, systems: {s: {recall: 1}}}\n"
    )
    with pytest.raises(InputError, match=r"unknown measures \['recall'\]"):
        read_published(path, ["guild"])
