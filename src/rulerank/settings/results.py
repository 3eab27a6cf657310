"""Sections of params.yaml on the use of a trained ranker: answers, measures, explanations, tracking."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from rulerank.settings.section import Name, Place, Section

STORES = ("sqlite", "mysql", "postgresql", "mssql", "http", "https", "file", "databricks", "databricks-uc")
"""Schemes of the addresses where MLflow keeps runs; a database scheme may name its driver after a +."""

AnswerStyle = Literal["list", "per-rule"]
"""The forms of an answer that a language model can be asked for."""


def require_store(store: str) -> str:
    """Return the address of an MLflow store; ValueError if its scheme is not one of `STORES`."""
    scheme, _, rest = store.partition(":")
    if scheme.partition("+")[0] not in STORES or not (rest or scheme.startswith("databricks")):
        raise ValueError(
            "expected an MLflow store, such as sqlite:///mlflow.db, another database (mysql://, "
            f"postgresql://, mssql://), http(s)://, file: or databricks, found {store!r}"
        )
    return store


MOST_EXAMPLES = 3
"""Worked examples that there are to show to a language model."""


_OF_SENDING = {"timeout", "retries", "workers", "token_budget", "prompt_price", "completion_price"}
"""Settings of requests to a language model, which do not change what it is asked."""


class ModelAnswers(Section):
    """How a language model is asked for an answer."""

    style: AnswerStyle = "list"
    """`list`: one line per rule, with [P#]; `per-rule`: JSON, from each source to its claims (RefWalk)."""
    temperature: float = Field(0.0, ge=0, le=2)
    max_tokens: int = Field(1024, ge=16)
    """Maximum length of an answer; one that is cut off there is asked for once more, with twice the room."""
    examples: int = Field(0, ge=0, le=MOST_EXAMPLES)
    """Worked examples that a model is shown before the question (few-shot)."""
    passage_characters: int = Field(3000, ge=100)
    """Characters of a passage that are shown (RefWalk's bound); verification reads the whole passage."""
    timeout: float = Field(120.0, gt=0)
    """Seconds to wait for a whole answer."""
    retries: int = Field(4, ge=0, le=20)
    """How often a request is sent again if the endpoint is busy."""
    workers: int = Field(4, ge=1, le=64)
    """Questions of a batch that are asked in parallel."""
    token_budget: int = Field(0, ge=0)
    """Maximum number of tokens of a run; 0 sets no bound."""
    prompt_price: float = Field(0.0, ge=0)
    """Price of a million tokens, for the log of costs."""
    completion_price: float = Field(0.0, ge=0)

    @property
    def asked(self) -> dict[str, Any]:
        """The settings that change what a language model is asked, by name."""
        return self.model_dump(mode="json", exclude=_OF_SENDING)


class MeasuredByModels(Section):
    """The models with which the stage answers measures, each by a hub name or a folder."""

    obligations: Name | None = None
    """The classifier of RePASs: two classes, 1 an obligation; or outputs/obligations. Null: no RePASs."""
    entailment: Name = "cross-encoder/nli-deberta-v3-xsmall"
    """A cross-encoder with the classes contradiction, entailment, neutral (as published)."""
    coverage: Name = "microsoft/deberta-large-mnli"
    """A classifier with the class entailment (as published)."""
    judge: bool = False
    """Claim F1, judged by the language model that RULERANK_LLM_URL and RULERANK_LLM_MODEL name."""


class Answering(Section):
    """When a question is answered, and how a language model is asked if one answers."""

    obligations: Place | None = None
    """Labelled sentences for training the classifier of obligations; with null, the rules decide."""
    wrong_abstentions: float = Field(0.1, ge=0, lt=1)
    """Share of the training questions that may be declined although the rulebook answers them."""
    model: ModelAnswers = Field(default_factory=ModelAnswers)
    measured: MeasuredByModels = Field(default_factory=MeasuredByModels)


class Evaluate(Section):
    """What is measured."""

    permutations: int = Field(10_000, ge=100)
    """Rounds of the paired randomisation test."""
    dense_weights: tuple[Annotated[float, Field(ge=0, le=1)], ...] = ()
    """Shares of the dense score in weighted sums that are measured next to the run `hybrid`."""


class Explain(Section):
    """Bounds of the stage explain: one prediction by the trees costs more than everything else in it."""

    pairs: int = Field(20_000, ge=1)
    """Maximum number of pairs of validation questions that are shuffled: whole questions, at least one."""
    repeats: int = Field(1, ge=1, le=100)
    """Shuffles of each column."""
    drawn: int = Field(1_000, ge=1)
    """Maximum number of pairs whose SHAP values are drawn."""
    depth: int = Field(20, ge=1)
    """First passages of each question, in the ranker's order, from which those pairs are drawn."""


class Track(Section):
    """Where MLflow keeps the runs."""

    store: Annotated[str, AfterValidator(require_store)] = "sqlite:///mlflow.db"
    name: str = ""
    """Name of the run; by default the name of the data and a hash."""
    experiment: Name = "rulerank"
    model: Name = "rulerank"
    """Name under which each run registers its ranker, with the alias `candidate`; the model over features
    has the same name followed by `-features`."""
