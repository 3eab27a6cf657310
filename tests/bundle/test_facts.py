from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.bundle import describe_bundle, load_bundle
from rulerank.errors import BundleError


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("data", [], "data"),
        ("data", {"name": "corpus", "files": ["rules.json"]}, "data.files"),
        ("questions", {"train": "many"}, "questions.train"),
        ("questions", {"train": -1}, "questions.train"),
        ("groups", "lexical", "groups"),
        ("versions", {"polars": 2}, "versions.polars"),
        ("out_of_fold", {"ranker": 0.7}, "out_of_fold.ranker"),
        ("out_of_fold", {"ranker": {"nDCG@10": {"mean": 0.7}}}, "out_of_fold.ranker.nDCG@10.low"),
        ("updates", "none", "updates"),
        ("trained", "elsewhere", "trained"),
        ("settings", {"prepare": "published"}, "settings.prepare"),
    ],
)
def test_fact_of_another_shape_is_refused_by_name_though_the_hashes_match(
    copy: Path, seal: Callable[..., None], key: str, value: Any, place: str
) -> None:
    seal(copy, **{key: value})
    for read in (describe_bundle, load_bundle):
        with pytest.raises(BundleError, match=rf"manifest.json: expected .*: {place}"):
            read(copy)


def test_graph_settings_that_an_update_could_not_read_are_refused(
    copy: Path, seal: Callable[..., None]
) -> None:
    settings = json.loads((copy / "manifest.json").read_text())["settings"]
    seal(copy, settings=settings | {"graph": {"grammar": 7}})
    with pytest.raises(BundleError, match=r"manifest.json: expected settings of this version: grammar"):
        load_bundle(copy)


def test_bundle_may_say_nothing_of_its_making(copy: Path, seal: Callable[..., None]) -> None:
    seal(copy, versions={}, questions={}, out_of_fold={}, groups=[], data={})
    assert load_bundle(copy).passages.height == describe_bundle(copy)["rows"]["passages"]
