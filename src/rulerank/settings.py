"""params.yaml as frozen, validated objects: one section per stage, every number of the pipeline."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rulerank.errors import InputError, SettingsError
from rulerank.files import read_text

Generator = Literal["bm25", "bm25_context", "dense"]
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
    protocol: Literal["published", "evidence_disjoint"] = "published"
    """The splits as published, or less the training questions that share evidence with held-out ones."""


class Graph(Section):
    """What is read out of the passages as edges."""

    max_term_share: float = Field(0.1, gt=0, le=1)
    """A defined term used by more than this share of the passages says nothing, and gets no edges."""
    grammar: str = "english_rulebook"
    """How the corpus cites: the name of a grammar of this package, or the path of a YAML file."""
    references: Literal["curated", "text"] = "curated"
    """Where REFERENCES come from when the corpus has a curated table of them; without one, from the text."""


class Encoder(Section):
    """The sentence encoder: a hub name or a local path, and how texts are given to it."""

    name: str = "sentence-transformers/all-MiniLM-L6-v2"
    max_tokens: int = Field(256, ge=16, le=8192)
    batch_size: int = Field(16, ge=1, le=4096)
    query_prefix: str = ""
    passage_prefix: str = ""


class Finetune(Section):
    """Training of the encoder itself; with 0 epochs it stays as it comes, and only the adapter learns."""

    epochs: int = Field(0, ge=0, le=100)
    loss: Literal["corpus_softmax", "multiple_negatives", "cached_multiple_negatives"] = "corpus_softmax"
    """The first trains the question side alone against every passage; the others train both sides."""
    batch_size: int = Field(64, ge=1)
    mini_batch_size: int = Field(16, ge=1)
    """Rows held in memory at once by the cached loss."""
    learning_rate: float = Field(5e-5, gt=0, le=1)
    warmup: float = Field(0.1, ge=0, le=1)
    """Share of the steps over which the learning rate rises; it then falls to 0."""
    max_tokens: int = Field(128, ge=16, le=8192)
    """Tokens of a text while training; `encoder.max_tokens` holds afterwards."""
    scale: float = Field(20.0, gt=0)
    negatives: int = Field(0, ge=0, le=50)
    """Mined hard negatives a question, for the losses that train both sides."""
    dropout: float = Field(0.0, ge=0, lt=1)
    head: int | None = Field(None, ge=8, le=8192)
    """Width of an added embedding layer; none leaves the encoder's own."""
    parts: int = Field(5, ge=2, le=20)
    """Encoders trained without a share of the folds each, to serve the questions of those folds."""

    @model_validator(mode="after")
    def _head_needs_both_sides(self) -> Finetune:
        if self.head is not None and self.loss == "corpus_softmax":
            raise ValueError(
                "head needs a loss that trains both sides: multiple_negatives or its cached variant"
            )
        return self


class Adapter(Section):
    """The corpus-softmax adapter trained on top of the frozen encoder."""

    epochs: int = Field(8, ge=0, le=200)
    learning_rate: float = Field(1.5e-3, gt=0, le=1)
    batch_size: int = Field(512, ge=1)
    scale: float = Field(20.0, gt=0)


class Late(Section):
    """Late interaction: token by token, over a frozen encoder; with 0 epochs there is none."""

    epochs: int = Field(0, ge=0, le=100)
    width: int = Field(128, ge=1, le=8192)
    """Principal axes kept of a token vector."""
    dimension: int = Field(64, ge=1, le=8192)
    """Width of a token after the learned map: what an exported ranker holds."""
    learning_rate: float = Field(1e-3, gt=0, le=1)
    batch_size: int = Field(16, ge=1)
    scale: float = Field(20.0, gt=0)
    pool: int = Field(100, ge=1)
    """First ranks by RRF that hard negatives are drawn from."""
    negatives: int = Field(24, ge=1)
    """Hard negatives shown with a question, drawn anew each epoch."""
    others: int = Field(4, ge=0)
    """Passages of the whole corpus shown with it."""


class Bm25(Section):
    """Okapi BM25 with the idf of Lucene; the backends give the same scores."""

    backend: Literal["bm25s", "rank_bm25"] = "bm25s"
    k1: float = Field(1.2, ge=0, le=10)
    b: float = Field(0.75, ge=0, le=1)


class Candidates(Section):
    """The runs whose union is ranked."""

    runs: tuple[Generator, ...] = Field(("bm25", "bm25_context", "dense"), min_length=1)
    """The generators whose first passages are candidates; `rrf` fuses them."""
    depth: int = Field(150, ge=1, le=10_000)
    rrf_k: int = Field(60, ge=1)
    dense_weight: float = Field(0.65, ge=0, le=1)
    """Share of the dense score in the run `hybrid`, measured beside the others; BM25 has the rest."""
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
    features: tuple[str, ...] | None = None
    """Names of the features used, all by default."""
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
    bagging_fraction: float = Field(1.0, gt=0, le=1)
    """Share of the queries that each tree sees."""
    several_weight: float = Field(3.0, gt=0, le=1000)
    """Weight of a question with two relevant passages or more; one with a single passage weighs 1."""
    num_iterations: int = Field(600, ge=1)
    early_stopping_rounds: int = Field(50, ge=1)


class Tune(Section):
    """The search for better `ranker` settings; without trials the section `ranker` is used as it stands."""

    trials: int = Field(0, ge=0, le=10_000)
    workers: int = Field(2, ge=1, le=256)
    """Trials run side by side, each on its share of `threads`."""
    folds: int = Field(2, ge=1, le=20)
    """Training folds that a trial is measured on; a trial that lags after the first is pruned."""
    seeds: int = Field(3, ge=1, le=20)
    """Seeds with which the winner is measured again."""


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
    name: str = ""
    """Name of the run; by default that of the data and a hash."""
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
    finetune: Finetune = Finetune()
    adapter: Adapter = Adapter()
    candidates: Candidates = Candidates()
    late: Late = Late()
    extract: Extract = Extract()
    tune: Tune = Tune()
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
