from __future__ import annotations

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.features import registry
from rulerank.features.feature_set import Feature
from rulerank.features.pairs import Pairs
from rulerank.features.registry import GROUPS, declare, feature, registered


@pytest.fixture
def empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    registered()
    monkeypatch.setattr(registry, "_REGISTRY", {})


def length(pairs: Pairs) -> FloatArray:
    """Length of something.

    This line is no part of the definition.
    """
    return np.zeros(len(pairs.rows), np.float32)


def breadth(pairs: Pairs) -> FloatArray:
    """Breadth of something."""
    return length(pairs)


@pytest.mark.usefixtures("empty_registry")
def test_feature_declares_name_group_pass_version_constants_and_definition() -> None:
    assert feature("lexical", version=3, constants={"NEAR": 5})(length) is length
    feature("fusion", in_pass=2)(breadth)
    assert registered().describe() == [
        {
            "name": "length",
            "group": "lexical",
            "pass": 1,
            "version": 3,
            "constants": {"NEAR": 5},
            "definition": "Length of something.",
        },
        {
            "name": "breadth",
            "group": "fusion",
            "pass": 2,
            "version": 1,
            "constants": {},
            "definition": "Breadth of something.",
        },
    ]


@pytest.mark.usefixtures("empty_registry")
def test_feature_of_a_taken_name_raises() -> None:
    feature("lexical")(length)
    with pytest.raises(ValueError, match="'length' is declared twice"):
        feature("fusion")(length)


@pytest.mark.usefixtures("empty_registry")
def test_feature_of_an_unknown_group_raises() -> None:
    with pytest.raises(ValueError, match=r"'length': expected a group of .*, found 'lexicon'"):
        feature("lexicon")(length)


@pytest.mark.usefixtures("empty_registry")
def test_feature_without_docstring_raises() -> None:
    def silent(pairs: Pairs) -> FloatArray:
        return length(pairs)

    with pytest.raises(ValueError, match="'silent': expected a docstring"):
        feature("lexical")(silent)


@pytest.mark.usefixtures("empty_registry")
def test_features_stand_by_pass_then_group_then_declaration() -> None:
    for name, group, in_pass in (
        ("a", "listwise", 2),
        ("b", "judgement", 2),
        ("c", "judgement", 1),
        ("d", "lexical", 1),
        ("e", "judgement", 1),
    ):
        declare(Feature(name, group, "Length of something.", length, in_pass, 1, {}))
    assert registered().names == ["d", "c", "e", "b", "a"]


def test_run_from_outside_has_the_features_of_every_run() -> None:
    own = registered().of_pass(1).without("judgement")
    assert registered([]).names == registered().names
    added = [each for each in registered(["tfidf"]) if each.name not in registered().names]
    assert [(each.name, each.group) for each in added] == [
        ("tfidf_score", "fusion"),
        ("tfidf_rank", "fusion"),
        ("tfidf_share", "fusion"),
    ]
    # They are listed with their group, and declaring them does not change the registry.
    groups = [each.group for each in registered(["tfidf"]).of_pass(1)]
    assert groups == sorted(groups, key=GROUPS.index)
    assert registered().of_pass(1).without("judgement").names == own.names


@pytest.mark.parametrize("runs", [["bm25"], ["late"], ["fused"], ["tfidf", "tfidf"]])
def test_run_from_outside_whose_features_have_names_of_others_raises(runs: list[str]) -> None:
    with pytest.raises(ValueError, match=f"found '{runs[-1]}' with .*{runs[-1]}_score.*give it another name"):
        registered(runs)


def test_every_group_has_features() -> None:
    assert {each.group for each in registered()} == set(GROUPS)
    assert len(set(registered().names)) == len(registered())


def test_registered_features_hold_the_published_table() -> None:
    published = (
        "unigram_hits bigram_hits q_coverage idf_overlap_sum q_len d_len len_diff len_ratio_q_over_d"
        " pr hits_auth deg q_to_nbrcentroid_cos q_to_nbrmean_cos rank_diff rank_abs_diff rank_min rank_max"
    )
    assert set(published.split()) <= set(registered().names)
