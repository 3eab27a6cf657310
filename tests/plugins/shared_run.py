"""One whole run of the pipeline, and the ranker that it exported, for all tests that need either."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from filelock import FileLock

from rulerank.corpora.sample import write_sample
from rulerank.pipeline.run_folder import CODE
from rulerank.ranker import Ranker

PROJECT = Path(__file__).parents[2]
SMALL = {
    "threads": 1,
    "sample": {"questions": 80, "korean": 40},
    "prepare": {"folds": 3},
    "encoder": {"max_tokens": 64},
    "latent": {"dimension": 16},
    "adapter": {"epochs": 2, "learning_rate": 0.003, "batch_size": 512},
    "candidates": {"depth": 50},
    "late": {"epochs": 1, "width": 16, "dimension": 8},
    "ranker": {"num_iterations": 40, "num_leaves": 14},
    "affinity": {"trees": 20, "min_data_in_leaf": 10},
    "evaluate": {"permutations": 200},
}
"""What keeps a whole run small; everything else is as in params.yaml."""

EVERY_STAGE = """
from pathlib import Path
from rulerank.pipeline.closure import ImportGraph
from rulerank.pipeline.declared import declared_stages

for stage in declared_stages(Path(), ImportGraph(Path("src"))).values():
    stage()
"""
"""Runs what `dvc repro` would, in one process: importing the libraries twenty times takes long."""


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A local model of one layer with random weights, which encodes the sample in a second."""
    import torch
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import WordPiece
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    write_sample(folder / "sample", seed=1, questions=40)
    words = Counter(re.findall(r"[a-z]+", (folder / "sample/corpus.jsonl").read_text().lower()))
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    pieces = [*letters, *(f"##{letter}" for letter in letters)]
    common = sorted(words, key=lambda word: (-words[word], word))[:800]
    tokens = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *pieces, *common])
    vocabulary = {token: place for place, token in enumerate(tokens)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(
        ("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"])
    )
    torch.manual_seed(1)
    layers = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    BertModel(layers).save_pretrained(folder / "tiny")
    special = {f"{name.lower()}_token": f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder / "tiny")
    return folder / "tiny"


@pytest.fixture(scope="session")
def write_params(tiny_encoder: Path) -> Callable[..., None]:
    """Write a params.yaml that keeps a run small, with these sections merged over it."""

    def _write(folder: Path, further: Mapping[str, Any] | None = None) -> None:
        params = yaml.safe_load((PROJECT / "params.yaml").read_text())
        for changes in (SMALL, {"encoder": {"name": str(tiny_encoder)}}, further or {}):
            for section, values in changes.items():
                params[section] = {**params[section], **values} if isinstance(values, dict) else values
        (folder / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False))

    return _write


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run this Python with arguments in a folder with a copy of the project, without network."""

    def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **{key: value for key, value in os.environ.items() if key != "RULERANK_DATA"},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "src"),
            "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1",
        }
        return subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True
        )

    return _run


@pytest.fixture(scope="session")
def shared_run(
    tmp_path_factory: pytest.TempPathFactory, write_params: Callable[..., None], run: Callable[..., Any]
) -> Path:
    """A copy of the project under git and DVC after a run of every stage, and the ranker that it exported.

    The workers of pytest-xdist share it: the first that needs it makes it, and the others wait.
    """
    worker = "PYTEST_XDIST_WORKER" in os.environ
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if worker else base) / "shared"
    with FileLock(folder.with_suffix(".lock")):
        if not folder.is_dir():
            _make_run(folder / "project", write_params, run)
            shutil.copytree(folder / "project/outputs/bundle", folder / "bundle")
    assert (folder / "bundle").is_dir(), "the shared run failed in another worker"
    return folder


def _make_run(folder: Path, write_params: Callable[..., None], run: Callable[..., Any]) -> None:
    for room in CODE:
        shutil.copytree(PROJECT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("dvc.yaml", ".dvcignore", ".gitignore"):
        shutil.copy(PROJECT / name, folder / name)
    for kept in ("others/pairs", "others/features", "feedback"):
        (folder / "data" / kept).mkdir(parents=True)
    write_params(folder)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    dvc = ("-m", "dvc")
    for arguments in (
        (*dvc, "init", "--quiet"),
        (*dvc, "config", "core.analytics", "false"),
        ("-c", EVERY_STAGE),
        (*dvc, "commit", "--force", "--quiet"),
    ):
        done = run(folder, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def pipeline(shared_run: Path) -> Path:
    """The folder of the shared run. A test that changes it must restore it."""
    return shared_run / "project"


@pytest.fixture(scope="session")
def bundle(shared_run: Path) -> Path:
    """A copy of the ranker that this run exported. Do not change it; copy it first."""
    return shared_run / "bundle"


@pytest.fixture(scope="session")
def ranker(bundle: Path) -> Ranker:
    """The same, loaded."""
    return Ranker.load(bundle)


@pytest.fixture(scope="session")
def answered(pipeline: Path, ranker: Ranker) -> str:
    """A question that this ranker answers; which ones it declines depends on the processor."""
    asked = pl.read_parquet(pipeline / "outputs/tables/queries.parquet")["text"].drop_nulls()
    return next(text for text in asked if ranker.answer(text).claims)
