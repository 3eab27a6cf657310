from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import (
    ON_NEW_RULES,
    RANKER,
    WITH_JUDGEMENT,
    WITHOUT_JUDGEMENT,
    compare_bundles,
    load_bundle,
    slim_bundle,
    verify_bundle,
)
from rulerank.bundle.diff import agreement
from rulerank.bundle.reference import read_reference
from rulerank.errors import InputError
from rulerank.evaluate.served import read_log
from rulerank.evaluate.skew import feature_skew
from rulerank.ranker import Ranker
from rulerank.ranker.feature_log import FeatureLog, LoggedRanker

QUESTION = "Who has to keep the register?"


@pytest.fixture(scope="module")
def general(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with the model without judgement."""
    out = tmp_path_factory.mktemp("slim") / "general"
    said = slim_bundle(bundle, out, WITHOUT_JUDGEMENT)
    kept_for_updates = [each for each in load_bundle(bundle).manifest["files"] if each.startswith("upkeep/")]
    assert kept_for_updates
    others = (WITHOUT_JUDGEMENT, ON_NEW_RULES)
    gone = [name for name in load_bundle(bundle).forests if name.startswith(others)]
    assert said["left_out"] == sorted(
        [
            *(f"golden/{name}.arrow" for name in gone),
            *(f"{name}{suffix}" for name in gone for suffix in (".onnx", ".txt")),
            *kept_for_updates,
        ]
    )
    assert said["bytes"][1] < said["bytes"][0]
    assert said["golden"] == {"candidates": 1.0, "difference": 0.0, "leaders": 1.0}
    return out


def test_slim_copy_ranks_as_its_model_does_in_the_whole(general: Path, ranker: Ranker) -> None:
    slim = Ranker.load(general)
    expected = ranker.rank(QUESTION, model=WITHOUT_JUDGEMENT)
    assert [(each.passage_id, each.score) for each in slim.rank(QUESTION)] == [
        (each.passage_id, each.score) for each in expected
    ]
    verify_bundle(general)


def test_slim_copy_without_features_of_judgements_holds_nothing_of_training_questions(general: Path) -> None:
    bundle = load_bundle(general)
    assert list(bundle.trained) == [RANKER, "first_pass"]
    assert "judgement" not in bundle.manifest["groups"]
    assert len(bundle.index.judgements.known) == len(bundle.index.judgements.sets) == 0
    assert np.array_equal(bundle.index.judgements.judged.sizes, np.zeros(bundle.passages.height))
    assert "whose vectors the bundle holds: 0" in (general / "MODEL_CARD.md").read_text()


def test_slim_copy_compares_served_features_with_those_it_has(general: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    slim = LoggedRanker(load_bundle(general), FeatureLog(log))
    slim.rank(QUESTION)
    reference = read_reference(general)
    assert set(reference) <= set(slim.bundle.features.names)
    served, _ = read_log(log, slim.bundle)
    assert feature_skew(served, reference).height == len(reference) > 0


def test_slim_copy_goes_where_a_link_points(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(tmp_path / "2026")
    slim_bundle(bundle, tmp_path / "current")
    assert (tmp_path / "current").is_symlink()
    assert load_bundle(tmp_path / "2026").models


def test_slim_copy_of_one_model_answers_all_questions_by_it(
    bundle: Path, tmp_path: Path, ranker: Ranker
) -> None:
    slim_bundle(bundle, tmp_path / "own", WITH_JUDGEMENT)
    slim = Ranker.load(tmp_path / "own")
    assert slim.bundle.trust is None
    expected = ranker.rank(QUESTION, model=WITH_JUDGEMENT)
    assert [each.passage_id for each in slim.rank(QUESTION)] == [each.passage_id for each in expected]


def test_slim_copy_of_the_ranker_keeps_the_model_to_which_it_leaves_questions(
    bundle: Path, tmp_path: Path, ranker: Ranker
) -> None:
    slim_bundle(bundle, tmp_path / "slim")
    slim = load_bundle(tmp_path / "slim")
    assert list(slim.models) == [RANKER, ON_NEW_RULES]
    nobody_judged = Ranker(replace(slim, trust={"leaders_covered": (1.1, 1.1)})).rank(QUESTION)
    expected = ranker.rank(QUESTION, model=ON_NEW_RULES)
    assert [(each.passage_id, each.score) for each in nobody_judged] == [
        (each.passage_id, each.score) for each in expected
    ]


def test_copy_may_not_replace_its_bundle_and_keeps_a_known_model(copy: Path) -> None:
    with pytest.raises(InputError, match="expected a folder for the copy, found the bundle"):
        slim_bundle(copy, copy)
    for around in (copy / "slim", copy.parent):
        with pytest.raises(InputError, match="expected a folder outside"):
            slim_bundle(copy, around)
    with pytest.raises(InputError, match=r"expected one of ranker, .*, found 'other'\. Use `--model ranker"):
        slim_bundle(copy, copy.parent / "out", "other")


def test_copy_replaces_no_folder_of_other_files(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("kept")
    with pytest.raises(InputError, match="expected a new folder, or an earlier output to replace, found"):
        slim_bundle(bundle, tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["letter.txt"]


def test_difference_names_files_models_features_and_scores(bundle: Path, general: Path) -> None:
    said = compare_bundles(bundle, general)
    assert said["files"][f"{WITHOUT_JUDGEMENT}.txt"] == "only in the first"
    assert said["models"] == dict.fromkeys([WITHOUT_JUDGEMENT, ON_NEW_RULES], "only in the first")
    assert said["features"][RANKER]["relevance_prior"] == "only in the first"
    assert said["settings"] == {}
    assert said["golden"]["first_pass"] == {"candidates": 1.0, "difference": 0.0, "leaders": 1.0}
    assert said["golden"][RANKER]["difference"] > 0


def test_bundle_does_not_differ_from_itself(bundle: Path) -> None:
    said = compare_bundles(bundle, bundle)
    assert [said[name] for name in ("files", "settings", "models", "features")] == [{}, {}, {}, {}]
    assert {each["difference"] for each in said["golden"].values()} == {0.0}


def test_table_that_differs_in_its_bytes_alone_is_said_to_be_the_same(
    bundle: Path, copy: Path, seal: Callable[..., None]
) -> None:
    edges = pl.read_ipc(bundle / "edges.arrow")
    # Two batches of rows instead of one.
    pl.concat([edges[:3], edges[3:]], rechunk=False).write_ipc(copy / "edges.arrow")
    seal(copy)
    assert compare_bundles(bundle, copy)["files"] == {"edges.arrow": "other bytes, the same table"}


def test_comparison_sees_what_is_added_to_the_trees(bundle: Path) -> None:
    whole, questions = load_bundle(bundle), pl.read_ipc(bundle / "golden/questions.arrow")
    model = whole.models[ON_NEW_RULES]
    assert model.standing is not None
    turned = replace(model, standing=replace(model.standing, weights=-model.standing.weights))
    other = replace(whole, models={**whole.models, ON_NEW_RULES: turned})
    said = agreement(whole, other, questions)
    assert said[RANKER] == {"candidates": 1.0, "difference": 0.0, "leaders": 1.0}
    assert said[ON_NEW_RULES]["difference"] > 0.1
    assert said[ON_NEW_RULES]["leaders"] < 1
