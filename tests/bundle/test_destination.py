from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerank.bundle.destination import known_as, require_replaceable
from rulerank.errors import InputError


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that root may not write to")
def test_folder_that_may_not_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a folder to write in, found /proc/\d+ write-protected"):
        require_replaceable(Path("/proc/self/new/bundle"))
    require_replaceable(tmp_path / "new" / "bundle")


def test_ranker_is_known_by_its_corpus_and_digest(tmp_path: Path) -> None:
    assert known_as(tmp_path / "none") is None
    assert known_as(tmp_path) is None
    (tmp_path / "features.json").write_text("{}")
    (tmp_path / "manifest.json").write_text(
        json.dumps({"data": {"name": "harbour"}, "digest": "0123456789abcdef"})
    )
    assert known_as(tmp_path) == "harbour, digest 0123456789ab"
