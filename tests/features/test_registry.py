from __future__ import annotations

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.features import registry
from rulerank.features.pairs import Pairs
from rulerank.features.registry import GROUPS, feature, registered


@pytest.fixture
def empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    registered()
    monkeypatch.setattr(registry, "_REGISTRY", {})


def length(pairs: Pairs) -> FloatArray:
    """Length of something.

    This line is no part of the definition.
    """
    return np.zeros(len(pairs.rows), np.float32)


@pytest.mark.usefixtures("empty_registry")
def test_feature_declares_name_group_sign_and_definition() -> None:
    assert feature("lexical", monotone=-1)(length) is length
    feature("fusion", name="other")(length)
    assert registered().describe() == [
        {
            "name": "length",
            "group": "lexical",
            "monotone": -1,
            "pass": 1,
            "definition": "Length of something.",
        },
        {"name": "other", "group": "fusion", "monotone": 0, "pass": 1, "definition": "Length of something."},
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


def test_registered_features_stand_by_group() -> None:
    groups = [each.group for each in registered()]
    assert groups == sorted(groups, key=GROUPS.index)
    assert set(groups) == set(GROUPS)
    assert len(set(registered().names)) == len(registered())


def test_registered_features_hold_the_published_table() -> None:
    published = (
        "unigram_hits bigram_hits q_coverage idf_overlap_sum q_len d_len len_diff len_ratio_q_over_d"
        " pr hits_auth deg q_to_nbrcentroid_cos q_to_nbrmean_cos rank_diff rank_abs_diff rank_min rank_max"
    )
    assert set(published.split()) <= set(registered().names)
