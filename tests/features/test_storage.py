from __future__ import annotations

from dataclasses import replace
from mmap import mmap
from pathlib import Path

import numpy as np
import pytest

from rulerank.errors import InputError
from rulerank.features.index import DESCRIBED, RankingIndex
from rulerank.features.registry import registered
from rulerank.features.storage import load_index, save_index
from rulerank.settings import Candidates
from tests.features.plugged import RUN, TfIdf

CANDIDATES = Candidates(runs=(*DESCRIBED, RUN))


def _mapped(values: np.ndarray) -> bool:
    """Return whether an array is mapped from a file."""
    return isinstance(values.base, mmap) or (isinstance(values.base, np.ndarray) and _mapped(values.base))


@pytest.fixture(scope="module")
def harbour(world):
    """The harbour with a run from outside, some of its passages voided."""
    return world.with_tfidf().amended()


@pytest.fixture(scope="module")
def loaded(harbour, tmp_path_factory: pytest.TempPathFactory) -> RankingIndex:
    """The world's index, written and read again."""
    folder = tmp_path_factory.mktemp("index")
    save_index(harbour.index, folder)
    return load_index(folder, harbour.index.passage_ids, CANDIDATES, harbour.index.settings)


@pytest.mark.parametrize("runs", [CANDIDATES.runs, ("dense",)], ids=["all runs", "dense"])
@pytest.mark.parametrize("depth", [1, 150])
def test_stored_index_gives_the_same_features_to_the_last_bit(
    harbour, loaded: RankingIndex, runs: tuple[str, ...], depth: int
) -> None:
    features = registered([TfIdf.name])
    before = features.compute(harbour.pairs(depth=depth, runs=runs))
    again = features.compute(replace(harbour, index=loaded).pairs(depth=depth, runs=runs))
    assert again.tobytes() == before.tobytes()


def test_loaded_arrays_are_mapped_into_memory(loaded: RankingIndex) -> None:
    around, judgements = loaded.around, loaded.judgements
    arrays = {
        "vectors": loaded.dense.vectors.codes,
        "pretrained": loaded.dense.pretrained.codes,
        "postings": loaded.bm25.postings.items,
        "holdings": loaded.bm25_context.holdings.weights,
        "tokens": loaded.late.texts.vectors,
        "known": judgements.known.codes,
        "judged": judgements.judged.items,
        "bigrams": around.bigrams.postings.items,
        "bigram keys": around.bigrams.keys,
        "neighbours": around.neighbours.weights,
        "closure": around.closure.links.items,
        "authority": around.authority.chain_length,
        "superseders": around.superseders.starts,
        "lengths": loaded.centroid_lengths,
        **around.static,
    }
    assert [name for name, values in arrays.items() if not _mapped(values)] == []


def test_loaded_index_knows_what_the_built_one_knows(harbour, loaded: RankingIndex) -> None:
    assert len(loaded) == 13
    assert loaded.plugged_in == harbour.index.plugged_in == ("tfidf",)
    assert loaded.voided_by(1) == harbour.index.voided_by(1) == ("code:3",)
    assert set(loaded.around.static) == set(harbour.index.around.static)


def test_index_without_late_interaction_is_loaded_without(world, tmp_path: Path) -> None:
    save_index(world.without("late").index, tmp_path)
    index = load_index(tmp_path, world.index.passage_ids, Candidates(runs=DESCRIBED), world.index.settings)
    assert index.late is None


def test_index_without_judgements_is_loaded_without(world, tmp_path: Path) -> None:
    nothing = world.judged({})
    save_index(nothing.index, tmp_path)
    index = load_index(tmp_path, world.index.passage_ids, Candidates(runs=DESCRIBED), world.index.settings)
    features = registered()
    again = features.compute(replace(world, index=index).pairs())
    assert again.tobytes() == features.compute(nothing.pairs()).tobytes()


def test_stored_index_is_the_same_twice(harbour, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save_index(harbour.index, tmp_path / name)
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    again = [tmp_path / "two" / path.relative_to(tmp_path / "one") for path in files]
    assert len(files) > 50
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]


def test_folder_without_an_index_says_what_to_run(world, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder of arrays, found none"):
        load_index(tmp_path, world.index.passage_ids, Candidates(runs=DESCRIBED), world.index.settings)
