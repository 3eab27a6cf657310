from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.pipeline.experiment import grid_points, located, merged, other_settings, read_experiment
from rulerank.settings import nested

PARAMS = st.recursive(
    st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=8
)
SECTIONS = st.dictionaries(st.sampled_from("abc"), PARAMS, max_size=3)


def test_merge_changes_what_is_named_at_any_depth() -> None:
    base = {"seed": 7, "candidates": {"depth": 150, "bm25": {"k1": 1.2, "b": 0.75}}, "runs": [1, 2]}
    changes = {"candidates": {"bm25": {"k1": 1.5}}, "runs": [3]}
    assert merged(base, changes) == {
        "seed": 7,
        "candidates": {"depth": 150, "bm25": {"k1": 1.5, "b": 0.75}},
        "runs": [3],
    }
    assert base["candidates"]["bm25"]["k1"] == 1.2  # type: ignore[index]


@given(SECTIONS, SECTIONS)
def test_merge_holds_every_change_and_merges_once(base: dict[str, Any], changes: dict[str, Any]) -> None:
    result = merged(base, changes)
    assert merged(result, changes) == result
    assert merged(base, {}) == base
    assert set(result) == set(base) | set(changes)


def test_paths_to_what_the_project_has_hold_in_the_folder_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "encoder").mkdir()
    (tmp_path / "korean").mkdir()
    for name in ("own.yaml", "labelled.json"):
        (tmp_path / name).write_text("")
    params = {
        "seed": 7,
        "answer": {"obligations": "labelled.json"},
        "encoder": {"name": "encoder", "max_tokens": 64},
        "graph": {"grammar": "own.yaml"},
    }
    assert located(params) == {
        "seed": 7,
        "answer": {"obligations": f"{tmp_path}/labelled.json"},
        "encoder": {"name": f"{tmp_path}/encoder", "max_tokens": 64},
        "graph": {"grammar": f"{tmp_path}/own.yaml"},
    }
    # A grammar by its name, an encoder of the hub, nothing, and what the settings will refuse.
    names = {
        "answer": {"obligations": None},
        "encoder": {"name": "hub/encoder"},
        "graph": {"grammar": "korean"},
    }
    assert located(names) == names
    assert located({"answer": None, "encoder": {"name": " "}}) == {"answer": None, "encoder": {"name": " "}}


def test_settings_that_differ_are_named_at_any_depth() -> None:
    used = {"seed": 7, "candidates": {"depth": 150, "bm25": {"k1": 1.2, "b": 0.75}}, "runs": [1, 2]}
    wanted = {"seed": 7, "candidates": {"bm25": {"k1": 1.5, "b": 0.75}}, "runs": [1], "track": {"name": "x"}}
    assert other_settings(wanted, used) == ["candidates.bm25.k1", "runs"]


@given(SECTIONS, SECTIONS)
def test_what_changes_are_merged_into_has_no_other_settings(
    base: dict[str, Any], changes: dict[str, Any]
) -> None:
    assert other_settings(changes, merged(base, changes)) == []


def test_grid_has_every_combination_once() -> None:
    points = grid_points({"candidates.depth": (100, 200), "ranker.num_leaves": (63, 127)})
    assert [tuple(point.values()) for point in points] == [(100, 63), (100, 127), (200, 63), (200, 127)]


def test_point_becomes_sections() -> None:
    point = {"candidates.depth": 100, "ranker.num_leaves": 63, "candidates.bm25.k1": 1.5, "seed": 1}
    assert nested(point) == {
        "candidates": {"depth": 100, "bm25": {"k1": 1.5}},
        "ranker": {"num_leaves": 63},
        "seed": 1,
    }


def test_unknown_experiment_names_the_known_ones(tmp_path: Path) -> None:
    for name in ("slow", "fast"):
        (tmp_path / f"{name}.yaml").write_text("about: nothing\n")
    with pytest.raises(InputError, match="fats: expected the name of an experiment, one of: fast, slow"):
        read_experiment(tmp_path, "fats")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("about: x\nparam: {}\n", "param: extra inputs are not permitted"),
        ("params: {}\n", "about: field required"),
        ("about: [\n", r"e\.yaml:2:1: malformed"),
        ("", "the file: input should be a valid dictionary"),
        ("about: x\ngrid: {seed: 3}\n", "grid.seed: input should be a valid tuple"),
    ],
)
def test_spoilt_experiment_is_one_clear_error(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "e.yaml").write_text(text)
    with pytest.raises(InputError, match=said):
        read_experiment(tmp_path, "e")


def test_varied_experiment_keeps_what_it_does_not_change(tmp_path: Path) -> None:
    (tmp_path / "paper.yaml").write_text(
        "about: as published\nparams: {finetune: {epochs: 1, parts: 2}, seed: 3}\n"
        "published: [one]\ngrid: {seed: [1, 2]}\n"
    )
    (tmp_path / "frozen.yaml").write_text(
        "about: not fine-tuned\nof: paper\nparams: {finetune: {epochs: 0}}\ngrid: {seed: [4]}\n"
    )
    varied = read_experiment(tmp_path, "frozen")
    assert varied.params == {"finetune": {"epochs": 0, "parts": 2}, "seed": 3}
    assert (varied.about, varied.published, varied.grid) == ("not fine-tuned", ("one",), {"seed": (4,)})
    (tmp_path / "again.yaml").write_text("about: twice removed\nof: frozen\n")
    with pytest.raises(InputError, match=r"found frozen, which varies paper\. Vary paper"):
        read_experiment(tmp_path, "again")
