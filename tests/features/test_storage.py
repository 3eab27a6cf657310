from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulerank.features.registry import registered
from rulerank.features.storage import load_index, save_index


def test_stored_index_gives_the_same_features_to_the_last_bit(world, tmp_path: Path) -> None:
    save_index(world.index, tmp_path)
    loaded = load_index(tmp_path, world.index.passage_ids, world.index.settings)
    features = registered()
    again = features.compute(replace(world, index=loaded).pairs())
    assert again.tobytes() == features.compute(world.pairs()).tobytes()


def test_stored_index_is_the_same_twice(world, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        save_index(world.index, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
