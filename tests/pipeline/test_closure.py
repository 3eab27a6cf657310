"""Which modules running a script can load, and which it cannot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulerank.pipeline.closure import ImportGraph, data_files

PROJECT = Path(__file__).parents[2]
FILES = {
    "lib/__init__.py": "def load():\n    from lib import engine\n    return engine",
    "lib/engine.py": "import lib.text as text",
    "lib/text.py": "import json",
    "lib/room/__init__.py": "from lib.room.door import open_door",
    "lib/room/door.py": "from __future__ import annotations\n\nfrom numpy import array",
    "lib/room/window.py": "from ..text import json",
    "lib/room/wall.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from lib import engine",
    "lib/words/__init__.py": "",
    "lib/words/read.py": "from importlib.resources import files\n\nWORDS = files('lib.words') / 'list.yaml'",
    "lib/words/list.yaml": "",
    "lib/words/more/list.yaml": "",
    "lib/words/inner/__init__.py": "",
    "lib/words/inner/other.yaml": "",
    "lib/note.txt": "",
    "lib/beside.py": "from pathlib import Path\n\nFOLDER = Path(__file__).parent",
}
LIB, ROOM, WORDS = "lib/__init__.py", "lib/room/__init__.py", "lib/words/__init__.py"
LISTS = "lib/words/list.yaml", "lib/words/more/list.yaml"


@pytest.fixture
def closure(tmp_path: Path):
    for name, text in FILES.items():
        (tmp_path / "src" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / name).write_text(text)

    def _closure(text: str) -> set[str]:
        script = tmp_path / "script.py"
        script.write_text(text)
        root = tmp_path / "src"
        return {path.relative_to(root).as_posix() for path in ImportGraph(root).closure(script)}

    return _closure


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("import json, numpy", set()),
        ("from lib.text import json", {LIB, "lib/text.py"}),
        ("import lib.engine as engine", {LIB, "lib/engine.py", "lib/text.py"}),
        ("def later():\n    from lib import text", {LIB, "lib/text.py"}),
        ("class A:\n    def later(self):\n        from lib import text", {LIB, "lib/text.py"}),
        ("from lib.room import open_door", {LIB, ROOM, "lib/room/door.py"}),
        ("from lib.room import window", {LIB, ROOM, "lib/room/door.py", "lib/room/window.py", "lib/text.py"}),
        ("from lib.room import wall", {LIB, ROOM, "lib/room/door.py", "lib/room/wall.py"}),
        ("from lib.beside import FOLDER", {LIB, "lib/beside.py", "lib/note.txt"}),
        ("from lib.words.read import WORDS", {LIB, WORDS, "lib/words/read.py", *LISTS}),
        ("import lib.words.inner as inner", {LIB, WORDS, "lib/words/inner/__init__.py"}),
    ],
)
def test_closure_is_what_the_script_can_load(closure, text: str, files: set[str]) -> None:
    assert closure(text) == files


@pytest.mark.parametrize("text", ["import lib", "from lib import load", "import lib.text"])
def test_functions_of_a_package_count_once_a_script_can_call_them(closure, text: str) -> None:
    assert closure(text) == {LIB, "lib/engine.py", "lib/text.py"}


@pytest.mark.parametrize("script", ["features/prepare.py", "features/graph.py", "train/tune.py"])
def test_whatever_python_loads_for_a_stage_is_in_the_closure(script: str) -> None:
    program = (
        "import json, runpy, sys; runpy.run_path(sys.argv[1]); "
        "print(json.dumps([m.__file__ for n, m in sys.modules.items() if n.partition('.')[0] == 'rulerank']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, PROJECT / script],
        env={**os.environ, "PYTHONPATH": str(PROJECT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {Path(name) for name in json.loads(done.stdout)}
    assert PROJECT / "src/rulerank/files/reading.py" in loaded
    assert loaded <= ImportGraph(PROJECT / "src").closure(PROJECT / script)


def test_every_data_file_of_the_library_belongs_to_a_module_that_reads_it() -> None:
    root = PROJECT / "src"
    graph = ImportGraph(root)
    readers = [path for path in root.rglob("*.py") if graph.source(path).reads_data]
    data = {
        path for path in root.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc", ".typed"}
    }
    assert set().union(*map(data_files, readers)) == data
