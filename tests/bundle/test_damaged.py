from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

UNREAD = ("reference.json", "upkeep")
"""What a ranker does not read: `rulerank skew` and `update` check it when they do."""


@pytest.fixture(scope="module")
def said(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The result of loading after each damage to each file: name, damage, error, message and seconds."""
    copy = shutil.copytree(bundle, tmp_path_factory.mktemp("damaged") / "bundle")
    program = Path(__file__).with_name("damaged.py")
    done = subprocess.run([sys.executable, program, copy], capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout[-500:]}\n{done.stderr[-2000:]}"
    read = (json.loads(line) for line in done.stdout.splitlines())
    return [each for each in read if each[0].partition("/")[0] not in UNREAD]


def test_every_damage_to_every_file_is_refused_though_the_hashes_are_right(said: list[list[str]]) -> None:
    odd = [each[:4] for each in said if each[2] != "BundleError"]
    assert not odd, odd
    names = {name for name, *_ in said}
    assert {"ranker.txt", "golden/questions.arrow", "index/around/parents.npy"} <= names
    assert all(
        Counter(each[1] for each in said)[kind] > 3 for kind in ("truncated", "nan", "beyond", "header")
    )


def test_error_names_the_file_or_one_that_it_contradicts(said: list[list[str]]) -> None:
    unnamed = [
        (name, damage, message)
        for name, damage, _, message, _ in said
        if Path(name).name.split(".")[0] not in message and not _related(name, message)
    ]
    assert not unnamed, unnamed


def _related(name: str, message: str) -> bool:
    """Return whether an error names the golden questions or a file of the same folder."""
    return "/golden" in message or str(Path(name).parent) in message or "index/around" in message


def test_every_damage_is_refused_within_seconds(said: list[list[str]]) -> None:
    assert max(float(each[4]) for each in said) < 5
