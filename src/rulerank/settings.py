"""params.yaml as frozen, validated objects: one section per stage, every number of the pipeline."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rulerank.errors import InputError, SettingsError
from rulerank.files import read_text

EdgeType = Literal["PARENT_OF", "REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM", "SUPERSEDES"]


class Section(BaseModel):
    """A part of params.yaml; unknown keys and out-of-range values are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Data(Section):
    """Where the regulations and questions are."""

    root: Path = Path("data/sample")


class Sample(Section):
    """Size and seed of the generated sample corpus."""

    seed: int = Field(7, ge=0)
    questions: int = Field(480, ge=40, le=5000)


class Prepare(Section):
    """How questions are cleaned and folded."""

    folds: int = Field(5, ge=2, le=20)
    near_duplicate: float = Field(0.8, gt=0, le=1)
    """TF-IDF cosine from which two questions count as one."""


class Graph(Section):
    """What is read out of the passages as edges."""

    max_term_share: float = Field(0.1, gt=0, le=1)
    """A defined term used by more than this share of the passages says nothing, and gets no edges."""


class Encoder(Section):
    """The sentence encoder: a hub name or a local path, and how texts are given to it."""

    name: str = "sentence-transformers/all-MiniLM-L6-v2"
    max_tokens: int = Field(256, ge=16, le=8192)
    batch_size: int = Field(16, ge=1, le=4096)
    query_prefix: str = ""
    passage_prefix: str = ""


class Adapter(Section):
    """The corpus-softmax adapter trained on top of the frozen encoder."""

    epochs: int = Field(8, ge=0, le=200)
    learning_rate: float = Field(1.5e-3, gt=0, le=1)
    batch_size: int = Field(512, ge=1)
    scale: float = Field(20.0, gt=0)


class Bm25(Section):
    """Okapi BM25 with the idf of Lucene; the backends give the same scores."""

    backend: Literal["bm25s", "rank_bm25"] = "bm25s"
    k1: float = Field(1.2, ge=0, le=10)
    b: float = Field(0.75, ge=0, le=1)


class Candidates(Section):
    """The runs whose union is ranked."""

    depth: int = Field(150, ge=1, le=10_000)
    rrf_k: int = Field(60, ge=1)
    bm25: Bm25 = Bm25()


class Closure(Section):
    """The walk along citation-bearing edges from the best candidates."""

    seeds: int = Field(10, ge=1, le=1000)
    depth: int = Field(3, ge=1, le=10)
    decay: float = Field(0.7, gt=0, le=1)
    edge_types: tuple[EdgeType, ...] = ("REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM")


class Extract(Section):
    """The feature matrix."""

    judgement: bool = True
    """Whether the features made from training judgements are used. They say nothing on a new rulebook."""
    neighbours: int = Field(10, ge=1, le=1000)
    closure: Closure = Closure()


class Ranker(Section):
    """LightGBM's own parameter names, unchanged, and the early stopping around them."""

    num_leaves: int = Field(63, ge=2, le=131072)
    learning_rate: float = Field(0.05, gt=0, le=1)
    min_data_in_leaf: int = Field(100, ge=0)
    feature_fraction: float = Field(0.3, gt=0, le=1)
    lambda_l2: float = Field(5.0, ge=0)
    lambdarank_truncation_level: int = Field(15, ge=1)
    num_iterations: int = Field(600, ge=1)
    early_stopping_rounds: int = Field(50, ge=1)


class Answer(Section):
    """The score-based tail filter (ObliQA-MP) before an answer is put together."""

    tau_min: float = Field(0.7, ge=0, le=1)
    tau_delta: float = Field(0.2, ge=0, le=1)


class Evaluate(Section):
    """What is measured."""

    permutations: int = Field(10_000, ge=100)
    """Rounds of the paired randomisation test."""


class Track(Section):
    """Where MLflow keeps the runs."""

    store: str = "sqlite:///mlflow.db"
    experiment: str = "rulerank"


class Settings(Section):
    """The whole of params.yaml."""

    seed: int = Field(7, ge=0)
    threads: int = Field(2, ge=1, le=1024)
    data: Data = Data()
    sample: Sample = Sample()
    prepare: Prepare = Prepare()
    graph: Graph = Graph()
    encoder: Encoder = Encoder()
    adapter: Adapter = Adapter()
    candidates: Candidates = Candidates()
    extract: Extract = Extract()
    ranker: Ranker = Ranker()
    evaluate: Evaluate = Evaluate()
    answer: Answer = Answer()
    track: Track = Track()


def load_settings(path: Path = Path("params.yaml")) -> Settings:
    """Read and validate params.yaml.

    Raises
    ------
    InputError
        The file is missing or not YAML.
    SettingsError
        A key is unknown (the nearest valid one is named) or a value is out of range.

    """
    text = read_text(path)
    try:
        values = yaml.safe_load(text) or {}
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise InputError(
            path,
            f"malformed YAML: {error.problem}. Correct the file at this place.",
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
        ) from error
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        raise InputError(
            path,
            f"malformed YAML: {error.reason}. Correct the file at this place.",
            line=before.count("\n") + 1,
            column=error.position - before.rfind("\n"),
        ) from error
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = "\n".join(f"  {line}" for line in _explain(error))
        raise SettingsError(f"{path}:\n{problems}\nCorrect these values and run again.") from error


def _explain(error: ValidationError) -> Iterator[str]:
    for problem in error.errors():
        place = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            keys, (section, _, _) = _keys(Settings), place.rpartition(".")
            beside = [key for key in keys if key.rpartition(".")[0] == section]
            near = difflib.get_close_matches(place, beside or keys, n=1, cutoff=0)
            yield f"{place}: unknown key; the nearest valid key is {near[0]}"
        else:
            yield f"{place}: {problem['msg'].lower()}, found {problem['input']!r}"


def _keys(model: type[BaseModel], prefix: Sequence[str] = ()) -> list[str]:
    keys: list[str] = []
    for name, field in model.model_fields.items():
        path = (*prefix, name)
        keys.append(".".join(path))
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            keys.extend(_keys(kind, path))
    return keys
