"""A rulebook of a few lines, and the stages run on it one by one in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulerank.pipeline.declared import load_stage

PROJECT = Path(__file__).parent.parent.parent
STAGES = {
    name: PROJECT / stage["cmd"].removeprefix("python ")
    for name, stage in yaml.safe_load((PROJECT / "dvc.yaml").read_text())["stages"].items()
    if name not in {"sample", "explain"}
}
"""The scripts of the stages that are run here, in order."""
TRADES = ("baker", "tanner", "cooper", "miller", "smith", "weaver", "potter", "brewer", "joiner", "glazier")
DUTIES = {
    "licence": "A {trade} must hold a licence under Rule {next} before the first sale.",
    "ledger": "Every {trade} shall enter each sale in a ledger by nightfall.",
    "visit": "The {trade} must admit the inspector of weights at any hour.",
    "fee": "A {trade} who sells at the fair pays a fee of two coins.",
}
ASKED = {
    "licence": "What does a {trade} need in hand before selling anything?",
    "ledger": "Where does the {trade} write down what was sold, and by when?",
    "visit": "May the inspector come to the {trade} in the evening?",
    "fee": "How much does the {trade} owe for a stall at the fair?",
}


@dataclass
class Rulebook:
    """The three files of a BEIR folder, which a test may spoil before they are written."""

    passages: list[dict[str, Any]]
    queries: list[dict[str, Any]]
    judged: dict[str, list[tuple[str, str, int]]]

    def write(self, root: Path) -> Path:
        (root / "qrels").mkdir(parents=True, exist_ok=True)
        for name, rows in (("corpus", self.passages), ("queries", self.queries)):
            (root / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        for split, rows in self.judged.items():
            lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in rows)]
            (root / f"qrels/{split}.tsv").write_text("\n".join(lines) + "\n")
        return root


def _passage(key: str, document: str, section: str, text: str, kind: str) -> dict[str, Any]:
    return {
        "_id": key,
        "title": "",
        "text": text,
        "metadata": {"document_id": document, "section": section, "kind": kind},
    }


@pytest.fixture
def rulebook() -> Rulebook:
    """Return ten trades with four duties each: 50 passages of which 10 are headings, 40 questions."""
    passages, queries = [], []
    judged: dict[str, list[tuple[str, str, int]]] = {"train": [], "dev": [], "test": []}
    for number, trade in enumerate(TRADES, start=1):
        document = "GUILD" if number <= 5 else "FAIR"
        passages.append(_passage(f"{trade}", document, f"{number}", "", "heading"))
        for place, (duty, text) in enumerate(DUTIES.items(), start=1):
            key = f"{trade}-{duty}"
            words = text.format(trade=trade, next=f"{number}.{place + 1}")
            passages.append(_passage(key, document, f"{number}.{place}", words, "rule"))
            queries.append({"_id": f"q-{key}", "text": ASKED[duty].format(trade=trade)})
            split = {9: "dev", 10: "test"}.get(number, "train")
            judged[split].append((f"q-{key}", key, 1))
    return Rulebook(passages, queries, judged)


@dataclass
class Workshop:
    """A folder in which stages run.

    `stage` runs some of them and lets their errors through.
    """

    folder: Path
    write_params: Callable[..., None]

    @property
    def outputs(self) -> Path:
        return self.folder / "outputs"

    def stage(self, *names: str) -> None:
        for name in names:
            run_stage(name)

    def up_to(self, last: str) -> None:
        self.stage(*list(STAGES)[: list(STAGES).index(last) + 1])

    def read(self, name: str) -> Any:
        return json.loads((self.outputs / name).read_text())

    def content(self, name: str) -> Mapping[str, bytes]:
        root = self.outputs / name
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def run_stage(name: str) -> None:
    load_stage(STAGES[name])()


@pytest.fixture
def stage() -> Callable[[str], None]:
    """Run one stage in the current folder."""
    return run_stage


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_params: Callable[..., None]) -> Workshop:
    """Return a folder with a params.yaml that names `data` as the corpus, which does not exist yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULERANK_DATA", raising=False)
    few = {"data": {"root": "data"}, "adapter": {"epochs": 1}, "ranker": {"num_iterations": 5}}
    write_params(tmp_path, few)
    return Workshop(tmp_path, write_params)


@pytest.fixture
def write(rulebook: Rulebook, workshop: Workshop) -> Callable[[], Path]:
    """Write the rulebook, spoilt or not, to the folder named in params.yaml."""
    return lambda: rulebook.write(workshop.folder / "data")
