from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.retrieve.latent import LatentSpace, append_latent, load_latent

SPACE = LatentSpace({"fee": 0, "pilot": 1, "tug": 2}, np.array([[3, 0], [0, 4], [0, 0]], np.float32))
ENCODED = np.array([[0.6, 0.8]], np.float32)


def test_embed_sums_the_axes_of_the_terms_by_their_logarithmic_count() -> None:
    # fee twice: (1 + ln 2) (3, 0); pilot once: (0, 4).
    (found,) = SPACE.embed([["fee", "pilot", "fee", "unheard"]])
    twice = 3 * (1 + np.log(2))
    assert found == pytest.approx(np.array([twice, 4]) / np.hypot(twice, 4))


def test_embed_gives_zeros_where_no_term_is_known() -> None:
    found = SPACE.embed([["unheard"], [], ["tug"]])
    assert found.shape == (3, 2)
    assert not found.any()


def test_beside_gives_both_halves_one_weight_and_unit_length() -> None:
    (found,) = append_latent(ENCODED, ["Fees"], SPACE)
    assert found == pytest.approx(np.array([0.6, 0.8, 1, 0]) / np.sqrt(2))


def test_beside_leaves_the_encoder_alone_with_a_text_of_unknown_terms() -> None:
    (found,) = append_latent(ENCODED, ["zebra"], SPACE)
    assert found == pytest.approx(np.array([0.6, 0.8, 0, 0]))


def test_beside_leaves_the_encoder_alone_without_a_space() -> None:
    assert append_latent(ENCODED, ["Fees"], None) is ENCODED


@given(st.lists(st.lists(st.sampled_from(["fee", "pilot", "tug", "unheard"]), max_size=5), max_size=4))
def test_embed_of_a_batch_is_that_of_its_texts_one_by_one(texts: list[list[str]]) -> None:
    alone = [SPACE.embed([terms])[0] for terms in texts]
    assert SPACE.embed(texts).tolist() == [vector.tolist() for vector in alone]


def test_load_gives_what_was_saved(tmp_path: Path) -> None:
    SPACE.save(tmp_path / "latent.safetensors")
    found = load_latent(tmp_path / "latent.safetensors")
    assert found is not None
    assert found.vocabulary == SPACE.vocabulary
    assert found.axes.tolist() == SPACE.axes.tolist()


def test_load_finds_none_where_none_was_saved(tmp_path: Path) -> None:
    assert load_latent(tmp_path / "latent.safetensors") is None
