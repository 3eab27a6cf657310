from __future__ import annotations

from pathlib import Path

import pytest

from rulerank.bundle.room import require_room
from rulerank.errors import InputError


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder that root may not write to")
def test_folder_that_may_not_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected that /proc/\d+ may be written to, where it is put"):
        require_room(Path("/proc/self/new/bundle"))
    require_room(tmp_path / "new" / "bundle")
