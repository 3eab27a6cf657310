"""What a service that imports rulerank does not have to load."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "torch",
    "lightgbm",
    "pandas",
    "mlflow",
    "openai",
    "fastapi",
    "uvicorn",
    "prometheus_client",
    "httpx2",
    "optuna",
    "networkx",
    "sentence_transformers",
    "scipy",
    "sklearn",
    "dvc",
    "matplotlib",
}


def _loaded(code: str) -> set[str]:
    """Return the top-level packages that a fresh interpreter has loaded after running `code`."""
    names = "sorted({name.partition('.')[0] for name in sys.modules})"
    program = f"{code}\nimport json, sys\nprint(json.dumps({names}))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(found.stdout.splitlines()[-1]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import rulerank",
        "import rulerank.answer.model, rulerank.answer.verify",
        "import rulerank.cli",
        "import rulerank.evaluate.repass, rulerank.evaluate.claim_f1",
        "import rulerank.features.registry as registry, rulerank.features.extract; registry.registered()",
    ],
)
def test_import_loads_no_training_package(code: str) -> None:
    assert not _loaded(code) & HEAVY


def test_commands_load_no_array_library_until_one_runs() -> None:
    # `rulerank serve` sets how many threads each library may have; they read it once, when they are loaded.
    assert not _loaded("import rulerank.cli") & {"numpy", "polars", "scipy", "onnxruntime"}


@pytest.mark.slow
def test_exported_ranker_runs_without_a_training_package() -> None:
    assert not _loaded("import rulerank.bundle, rulerank.ranker") & HEAVY


def test_import_of_a_training_package_would_show() -> None:
    assert "networkx" in _loaded("import rulerank.graph.export")
