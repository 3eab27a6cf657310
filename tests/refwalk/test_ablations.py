from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rulerank.arrays import FloatArray, IntArray
from rulerank.graph.communities import Communities
from rulerank.refwalk.ablations import ablations, pools_of, sharing
from rulerank.refwalk.anchor import Anchor
from rulerank.refwalk.parts import citation_expansion
from rulerank.refwalk.walk import RefWalk
from rulerank.settings import RefWalkSettings
from rulerank.tables import EDGES

IDS = pl.Series([f"p{row}" for row in range(300)])
CITED = pl.DataFrame(
    [(f"p{row}", f"p{row + 250}", "REFERENCES", "") for row in range(10)],
    schema=dict(EDGES.columns),
    orient="row",
)
SETTINGS = RefWalkSettings()
PARTS = Communities(np.where(np.arange(300) < 255, 0, 1), 0.5)


def _search(text: str) -> FloatArray:
    scores = np.linspace(1, 0, 300, dtype=np.float32)
    return scores if "[Q]" in text else scores[::-1].copy()


@pytest.fixture
def walk() -> RefWalk:
    def scorer(text: str, passages: IntArray) -> FloatArray:
        return (passages * len(text) % 97).astype(np.float32)

    return RefWalk(
        anchors=lambda question: Anchor(question.lower()),
        search=_search,
        expand=citation_expansion(CITED, IDS, SETTINGS),
        scorer=scorer,
        tiers=np.ones(300, np.float32),
        settings=SETTINGS,
    )


def test_each_changed_walk_gathers_what_its_name_says(walk: RefWalk) -> None:
    changed = ablations(walk, CITED, IDS, PARTS, seed=7)
    pools = {name: each.gather("Fees").passages.tolist() for name, each in changed.items()}
    assert walk.gather("Fees").passages.tolist() == [*range(50), *range(250, 260)]
    assert pools["without graph"] == list(range(50))
    # The citations of the last five passages lead into another community.
    assert pools["within communities"] == [*range(50), *range(250, 255)]
    assert {name: len(pools[name]) for name in pools if name.startswith("pool")} == {
        "pool 10": 20,
        "pool 20": 30,
        "pool 100": 110,
        "pool 200": 210,
    }
    assert len(pools["20% of edges dropped"]) == 58
    assert len(set(pools["20% of edges rewired"]) & set(range(250, 260))) >= 8
    # With its own words only, the question finds the passages at the other end first.
    assert pools["without anchor"][-50:] == list(range(250, 300))
    assert changed["without anchor"].gather("Fees").views == {"narrow": "Fees"}


def test_pools_that_share_scores_are_those_of_each_walk_by_itself(walk: RefWalk) -> None:
    walks = {"refwalk": walk, **ablations(walk, CITED, IDS, PARTS, seed=7)}
    shared = pools_of(walks, "Fees")
    for name, each in walks.items():
        alone = each.pool("Fees")
        assert shared[name].passages.tolist() == alone.passages.tolist()
        for view, run in alone.runs.items():
            assert shared[name].runs[view].scores.tolist() == run.scores.tolist()


def test_sharing_walks_anchor_and_search_once(walk: RefWalk) -> None:
    asked: list[str] = []

    def search(text: str) -> FloatArray:
        asked.append(text)
        return _search(text)

    shared = sharing(replace(walk, search=search))
    pools_of({"refwalk": shared, "smaller": replace(shared, settings=RefWalkSettings(pool=10))}, "Fees")
    assert len(asked) == 1
