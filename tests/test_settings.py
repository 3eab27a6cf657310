from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from rulerank.errors import InputError, SettingsError
from rulerank.settings import Settings, load_settings


@pytest.fixture
def params(tmp_path: Path) -> Path:
    return tmp_path / "params.yaml"


def _fail(params: Path, text: str) -> str:
    params.write_text(text)
    with pytest.raises(SettingsError) as raised:
        load_settings(params)
    assert str(raised.value).startswith(f"{params}:")
    return str(raised.value)


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n", "{}"])
def test_empty_file_gives_the_defaults(params: Path, text: str) -> None:
    params.write_text(text)
    assert load_settings(params) == Settings()


def test_defaults_written_out_are_the_defaults(params: Path) -> None:
    params.write_text(yaml.safe_dump(Settings().model_dump(mode="json")))
    assert load_settings(params) == Settings()


def test_params_of_the_project_say_the_defaults() -> None:
    """A key that is left out gets the value in the project's own file."""
    assert load_settings(Path(__file__).parents[1] / "params.yaml") == Settings()


def test_one_value_leaves_the_rest_as_it_is(params: Path) -> None:
    params.write_text("candidates:\n  bm25:\n    k1: 0.9\n")
    found = load_settings(params)
    assert found.candidates.bm25.k1 == 0.9
    assert found.candidates.bm25.b == Settings().candidates.bm25.b
    assert found.ranker == Settings().ranker


@pytest.mark.parametrize(
    ("text", "key", "near"),
    [
        ("sead: 1", "sead", "seed"),
        ("ranker:\n  num_leafs: 31", "ranker.num_leafs", "ranker.num_leaves"),
        ("candidate:\n  depth: 5", "candidate", "candidates"),
        ("candidates:\n  bm25:\n    k_1: 1", "candidates.bm25.k_1", "candidates.bm25.k1"),
        ("extract:\n  closure:\n    depht: 2", "extract.closure.depht", "extract.closure.depth"),
    ],
)
def test_unknown_key_names_the_nearest_valid_one(params: Path, text: str, key: str, near: str) -> None:
    assert f"{key}: unknown key; the nearest valid key is {near}" in _fail(params, text)


@pytest.mark.parametrize(
    ("text", "key", "found"),
    [
        ("candidates:\n  depth: 0", "candidates.depth", "found 0"),
        ("candidates:\n  bm25:\n    b: 1.5", "candidates.bm25.b", "found 1.5"),
        ("prepare:\n  near_duplicate: 0", "prepare.near_duplicate", "found 0"),
        ("adapter:\n  learning_rate: .nan", "adapter.learning_rate", "found nan"),
        ("candidates:\n  bm25:\n    backend: lucene", "candidates.bm25.backend", "found 'lucene'"),
        ("finetune:\n  warmup: 1.0", "finetune.warmup", "found 1.0"),
        ("seed: many", "seed", "found 'many'"),
        ("extract:\n  closure:\n    edge_types: [LIKES]", "extract.closure.edge_types.0", "found 'LIKES'"),
        ("ranker:", "ranker", "found None"),
        ("adapter:\n  scale: .inf", "adapter.scale", "found inf"),
        ("device: tpu", "device", "found 'tpu'"),
        ("finetune:\n  precision: fp16", "finetune.precision", "found 'fp16'"),
        ("ranker:\n  lambda_l2: .nan", "ranker.lambda_l2", "found nan"),
        ("refwalk:\n  weights: [1, .inf, 1]", "refwalk.weights.1", "found inf"),
        (f"seed: {2**31}", "seed", f"found {2**31}"),
        ("encoder:\n  name: ''", "encoder.name", "expected a name, found ''"),
        ("track:\n  experiment: ' '", "track.experiment", "expected a name, found ' '"),
        ("track:\n  store: ''", "track.store", "expected an MLflow store, such as"),
        ("track:\n  store: 'sqlite:'", "track.store", "found 'sqlite:'"),
        ("track:\n  store: foo://bar", "track.store", "found 'foo://bar'"),
        ("track:\n  store: mlflow.db", "track.store", "found 'mlflow.db'"),
        ("threads: true", "threads", "found True"),
        ("seed: 017", "seed", "found '017'"),
        ("seed: 1:30", "seed", "found '1:30'"),
        ("seed: 7.0", "seed", "found 7.0"),
        ("seed: '7'", "seed", "found '7'"),
        ("adapter:\n  scale: true", "adapter.scale", "found True"),
        ("extract:\n  judgement: yes", "extract.judgement", "found 'yes'"),
        ("data:\n  root: ''", "data.root", "expected a path, found ''"),
        ("prepare:\n  feedback: ''", "prepare.feedback", "expected a path, found ''"),
        ("prepare:\n  feedback: ' '", "prepare.feedback", "expected a path, found ' '"),
        ("answer:\n  obligations: ' '", "answer.obligations", "expected a path, found ' '"),
        ("graph:\n  grammar: ''", "graph.grammar", "expected a name, found ''"),
        ("graph:\n  centrality: [REFERENCE]", "graph.centrality", "the nearest name is REFERENCES"),
        ("evaluate:\n  dense_weights: [0.5, 2]", "evaluate.dense_weights.1", "found 2"),
        ("encoder:\n  name: 384", "encoder.name", "found 384"),
        ("text:\n  analyser: englsh", "text.analyser", "the nearest name is english"),
        ("text:\n  analyser: ''", "text.analyser", "found ''"),
        ("extract:\n  features: []", "extract.features", "found []; null takes all"),
        ("extract:\n  features: [tier, rank, tier]", "extract.features", "found tier more than once"),
    ],
)
def test_value_that_is_not_accepted_names_key_and_value(
    params: Path, text: str, key: str, found: str
) -> None:
    message = _fail(params, text)
    assert f"  {key}: " in message
    assert found in message


@pytest.mark.parametrize(
    "store",
    [
        "sqlite:///mlflow.db",
        "postgresql+psycopg2://user@host/runs",
        "https://host",
        "file:runs",
        "databricks",
        "databricks://profile",
    ],
)
def test_store_of_each_kind_is_accepted(params: Path, store: str) -> None:
    params.write_text(f"track: {{store: '{store}'}}")
    assert load_settings(params).track.store == store


def test_more_parts_than_folds_are_refused_where_an_encoder_is_trained(params: Path) -> None:
    message = _fail(params, "prepare:\n  folds: 3\nfinetune:\n  epochs: 1\n  parts: 4\n")
    assert "  finetune.parts: expected at most the 3 of prepare.folds, found 4;" in message
    for accepted in ("epochs: 1, parts: 3", "epochs: 0, parts: 4"):
        params.write_text(f"prepare: {{folds: 3}}\nfinetune: {{{accepted}}}")
        load_settings(params)


def test_loss_of_another_package_is_accepted_and_a_misspelt_one_refused(params: Path) -> None:
    params.write_text("finetune:\n  loss: my_package.losses:MyLoss\n")
    assert load_settings(params).finetune.loss == "my_package.losses:MyLoss"
    message = _fail(params, "finetune:\n  loss: multiple_negative\n")
    assert "finetune.loss: expected one of corpus_softmax" in message
    assert "the nearest name is multiple_negatives" in message


def test_number_is_read_as_yaml_1_2_has_it(params: Path) -> None:
    params.write_text(
        "adapter: {learning_rate: 5e-5, scale: 20}\nranker: {feature_fraction: .5}\nfinetune: {head: ~}\n"
        "prepare: {protocol: document_disjoint, held_out_documents: [1005, NAV, 2024-01-01]}\n"
    )
    found = load_settings(params)
    assert (found.adapter.learning_rate, found.adapter.scale) == (5e-5, 20.0)
    assert (found.ranker.feature_fraction, found.finetune.head) == (0.5, None)
    assert found.prepare.held_out_documents == ("1005", "NAV", "2024-01-01")


def test_message_stays_short_whatever_was_written(params: Path) -> None:
    for runs in (["x" * 1000] * 9, [["x" * 1000] * 9]):
        assert len(_fail(params, yaml.safe_dump({"candidates": {"runs": runs}}))) < 1000


def test_every_problem_is_listed(params: Path) -> None:
    message = _fail(params, "sead: 1\nthreads: 0\ncandidates:\n  depth: -1\n")
    assert all(f"  {key}: " in message for key in ("sead", "threads", "candidates.depth"))


def test_file_that_is_no_mapping_is_refused(params: Path) -> None:
    assert "- seed" not in _fail(params, "- seed\n- 7\n")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("seed: 7\nranker: [1, 2\n", 3, 1),
        ("seed: 7\n  threads: 2\n", 2, 10),
        ("seed: 7\nthreads:\n\t- 2\n", 3, 1),
        ("seed: 7\nthreads: \x00\n", 2, 10),
    ],
)
def test_malformed_yaml_says_line_and_column(params: Path, text: str, line: int, column: int) -> None:
    params.write_text(text)
    with pytest.raises(InputError, match="malformed YAML") as raised:
        load_settings(params)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert f"{params}:{line}:{column}" in str(raised.value)


def test_missing_file_is_named(params: Path) -> None:
    with pytest.raises(InputError, match=r"params\.yaml: expected a file"):
        load_settings(params)


def test_settings_are_frozen() -> None:
    settings = Settings()
    with pytest.raises(ValidationError):
        settings.seed = 8
    with pytest.raises(ValidationError):
        settings.candidates.bm25.k1 = 2


def test_held_out_documents_may_be_numbers(params: Path) -> None:
    params.write_text("prepare: {protocol: document_disjoint, held_out_documents: [1005, A]}\n")
    assert load_settings(params).prepare.held_out_documents == ("1005", "A")


def test_held_out_part_is_one_of_those_that_the_share_gives(params: Path) -> None:
    params.write_text("prepare: {held_out_share: 0.2, held_out_part: 4}\n")
    assert load_settings(params).prepare.held_out_part == 4
    params.write_text("prepare: {held_out_share: 0.2, held_out_part: 5}\n")
    with pytest.raises(SettingsError, match="expected less than 1 / held_out_share, 5, found 5"):
        load_settings(params)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            "{protocol: document_disjoint}",
            "expected document ids with the protocol document_disjoint, found none",
        ),
        ("{held_out_documents: [A, B]}", "expected none with the protocol published, found A, B"),
    ],
)
def test_documents_are_held_out_by_their_protocol_alone(params: Path, written: str, message: str) -> None:
    params.write_text(f"prepare: {written}\n")
    with pytest.raises(SettingsError, match=message):
        load_settings(params)
