"""Fine-tuned encoders in the stages: no question is embedded by an encoder that learned from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import yaml

from rulerank.learn.encoder import fit
from rulerank.learn.encoder.plan import BASE, FULL, without_part
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.workspace import Workspace
from rulerank.ranker import Ranker
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.latent import append_latent
from rulerank.settings import load_settings

FEW = {"epochs": 1, "parts": 2, "max_tokens": 32, "batch_size": 8, "learning_rate": 0.001}
ENCODERS = {FULL, without_part(0), without_part(1)}


@pytest.fixture
def tuned(workshop: Any, rulebook: Any) -> Callable[..., None]:
    """Write the rulebook, and params.yaml with fine-tuning switched on."""

    def write(**changes: object) -> None:
        rulebook.write(workshop.folder / "data")
        tuning = {
            "data": {"root": "data"},
            "prepare": {"as_new": 0.5},
            "finetune": {**FEW, **changes},
            "ranker": {"num_iterations": 5},
        }
        workshop.write_params(workshop.folder, tuning)

    return write


def _models(workshop: Any) -> dict[str, bytes]:
    return {
        path.parent.name: path.read_bytes() for path in (workshop.outputs / "encoder").glob("*/weights.bin")
    }


def _assert_served_by_strangers() -> None:
    """Every training question is embedded by the encoder that was not shown its fold."""
    workspace = Workspace(load_settings())
    served = set()
    for asked in workspace.served():
        questions = workspace.queries.filter(pl.col("query_id").is_in(asked.queries.ids))
        assert asked.fold is None or set(questions["fold"]) == {asked.fold}
        if set(questions["split"]) == {"train"}:
            (fold,) = set(questions["served_by"])
            name = without_part(fold % 2)
        else:
            name = FULL
        texts = questions["text"].to_list()
        encoded = Encoder(Path("outputs/encoder") / name).encode(texts, "query")
        expected = append_latent(encoded, texts, asked.index.dense.latent)
        np.testing.assert_allclose(asked.queries.embeddings, expected, atol=1e-5)
        served.add(name)
    assert served == ENCODERS


def test_question_side_is_trained_and_each_fold_served_by_a_stranger(workshop: Any, tuned: Any) -> None:
    tuned(loss="corpus_softmax")
    workshop.up_to("evaluate")
    assert set(_models(workshop)) == {BASE, *ENCODERS}
    assert len(set(_models(workshop).values())) == 4
    assert set(workshop.read("figures/encoder.json")) == {"encoder", *ENCODERS}
    _assert_served_by_strangers()
    # The pretrained encoder embeds the passages; its tokens serve late interaction.
    assert {name for name in Outputs().embeddings if name.startswith("passages")} == {f"passages.{BASE}"}
    ranker = Ranker.load("outputs/bundle")
    assert (workshop.outputs / "bundle/token_encoder/weights.bin").read_bytes() == _models(workshop)[BASE]
    assert (workshop.outputs / "bundle/encoder/weights.bin").read_bytes() == _models(workshop)[FULL]
    assert len(ranker.rank("What does a baker owe?", k=3)) == 3


def test_both_sides_are_trained_and_each_fold_served_by_a_stranger(workshop: Any, tuned: Any) -> None:
    tuned(loss="multiple_negatives", negatives=1)
    workshop.up_to("evaluate")
    _assert_served_by_strangers()
    passages = {name for name in Outputs().embeddings if name.startswith("passages")}
    assert passages == {f"passages.{name}" for name in ENCODERS}
    assert Ranker.load("outputs/bundle").rank("What does a baker owe?", k=1)


def test_leak_encoder_without_a_part_does_not_see_its_judgements(workshop: Any, tuned: Any) -> None:
    tuned(loss="corpus_softmax")
    workshop.up_to("encoder")
    before = _models(workshop)
    folds = pl.read_parquet("outputs/tables/folds.parquet")
    part = folds.filter((pl.col("fold") % 2 == 0) | (pl.col("served_by") % 2 == 0))["query_id"]
    judgements = pl.read_parquet("outputs/tables/judgements.parquet")
    other = pl.when(pl.col("query_id").is_in(part.implode())).then(pl.lit("smith-fee"))
    judgements.with_columns(passage_id=other.otherwise("passage_id")).write_parquet(
        "outputs/tables/judgements.parquet"
    )
    workshop.stage("encoder")
    changed = {name for name, model in _models(workshop).items() if model != before[name]}
    # The other encoders learn from them, so the test can fail.
    assert changed == {FULL, without_part(1)}


def test_killed_stage_goes_on_with_the_encoders_that_were_finished(
    workshop: Any, tuned: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned(loss="corpus_softmax")
    workshop.up_to("graph")
    calls: list[Path] = []
    fit_encoder = fit.fit_encoder

    def until_the_third(*arguments: Any) -> dict[str, float]:
        calls.append(arguments[-1])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return fit_encoder(*arguments)

    monkeypatch.setattr(fit, "fit_encoder", until_the_third)
    with pytest.raises(KeyboardInterrupt):
        workshop.stage("encoder")
    assert not (workshop.outputs / "encoder").exists()
    kept = {path.name for path in Path(".cache/encoders").iterdir() if path.suffix != ".checkpoints"}
    assert len(kept) == 2
    workshop.stage("encoder")
    assert calls[3:] == calls[2:3]  # only the one that was being trained
    assert set(_models(workshop)) == {BASE, *ENCODERS}


def test_trained_encoder_is_run_as_the_params_say_now(
    workshop: Any, tuned: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuned(loss="corpus_softmax")
    workshop.up_to("encoder")
    params = yaml.safe_load(Path("params.yaml").read_text())
    params["encoder"]["batch_size"] = 3
    Path("params.yaml").write_text(yaml.safe_dump(params))
    monkeypatch.setattr(fit, "fit_encoder", None)  # nothing is trained again
    workshop.stage("encoder")
    assert {Encoder(Path("outputs/encoder") / name).batch_size for name in (BASE, *ENCODERS)} == {3}


@pytest.mark.filterwarnings("ignore::rulerank.errors.DataWarning")
def test_fine_tuning_without_validation_questions_measures_the_parts_alone(
    workshop: Any, rulebook: Any, tuned: Any
) -> None:
    del rulebook.judged["dev"]
    tuned(loss="multiple_negatives", negatives=1)
    workshop.up_to("encoder")
    figures = workshop.read("figures/encoder.json")
    assert figures[FULL] == {}
    assert set(figures[without_part(0)]) == {"nDCG@10", "Recall@10"}
