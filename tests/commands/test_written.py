"""A command never overwrites its input, a link or a device."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMANDS = {
    "answer --out": ["answer", "B", "--questions", "q.json", "--out"],
    "answer --html": ["answer", "B", "Who?", "--html"],
    "answer --audit": ["answer", "B", "Who?", "--audit"],
    "evaluate": ["evaluate", "B", "q.json", "--run"],
    "authority evaluate": ["authority", "evaluate", "--domain", "d.yaml", "--data", "D", "--out"],
    "citations evaluate": ["citations", "evaluate", "--data", "D", "--gold", "g.csv", "--errors"],
    "citations extract": ["citations", "extract", "--data", "D", "--out"],
    "citations unresolved": ["citations", "extract", "--data", "D", "--out", "new", "--unresolved"],
    "graph export": ["graph", "export", "--data", "B", "--out"],
}
READ = {
    "answer --out": ["q.json", "B/manifest.json", "B/new"],
    "answer --html": ["B/manifest.json", "B/new"],
    "answer --audit": ["B/manifest.json", "B/new"],
    "evaluate": ["q.json", "B/manifest.json", "B/new"],
    "authority evaluate": ["d.yaml", "D/documents.jsonl", "D/queries.jsonl"],
    "citations evaluate": ["g.csv", "D/corpus.jsonl"],
    "citations extract": ["D/corpus.jsonl"],
    "citations unresolved": ["D/corpus.jsonl", "new"],
    "graph export": ["B/manifest.json", "B/new"],
}
FILES = (
    "q.json",
    "g.csv",
    "d.yaml",
    "B/manifest.json",
    "D/corpus.jsonl",
    "D/documents.jsonl",
    "D/queries.jsonl",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a blank input for each command: an output must be refused before the input is read."""
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    return tmp_path


def _content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): "" if path.is_symlink() else path.read_text()
        for path in folder.rglob("*")
        if not path.is_dir()
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_output_that_would_destroy_something_is_refused_before_anything_is_read(
    call: Callable[..., Any], folder: Path, command: str
) -> None:
    before = _content(folder)
    for output in ("link", "/dev/null", ".", *READ[command]):
        said = call(*COMMANDS[command], output)
        assert (said.code, said.out) == (1, ""), output
        assert said.err.startswith(f"error: {output}: expected a file"), output
        assert said.err.count("\n") == 1
    assert _content(folder) == before
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("domain", ["security_advisories", "finance_events"])
def test_conversion_replaces_no_link(call: Callable[..., Any], folder: Path, domain: str) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "queries.jsonl").symlink_to(folder / "q.json")
    said = call("authority", "convert", "--domain", domain, "--data", "D", "--out", "out")
    assert said.code == 1
    assert said.err.startswith("error: out/queries.jsonl: expected a file to write, found a link to ")


def test_page_replaces_no_corpus(call: Callable[..., Any], folder: Path) -> None:
    before = _content(folder)
    said = call("answer", "B", "Who?", "--html", "D/corpus.jsonl")
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "error: D/corpus.jsonl: expected a new file, or an HTML page to replace, which begins with "
        "<!doctype html; found another file. Choose another path.\n"
    )
    assert _content(folder) == before
