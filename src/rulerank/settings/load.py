"""params.yaml read as one frozen, validated object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, model_validator
from pydantic_core import PydanticSerializationError, to_json

from rulerank.errors import SettingsError, nearest
from rulerank.settings.data import Data, Graph, Prepare, Sample
from rulerank.settings.encoder import Adapter, Encoder, Finetune, Late, Latent, Translation
from rulerank.settings.features import Candidates, Extract
from rulerank.settings.ranker import Affinity, Ranker, Standing, Trust, Tune
from rulerank.settings.refwalk import RefWalkSettings
from rulerank.settings.results import Answering, Evaluate, Explain, Track
from rulerank.settings.section import Device, Section
from rulerank.settings.text import Text
from rulerank.yaml_files import read_yaml


class Settings(Section):
    """The whole of params.yaml."""

    seed: int = Field(7, ge=0, lt=2**31)
    """LightGBM reads it as a signed 32-bit integer."""
    threads: int = Field(2, ge=1, le=1024)
    device: Device = "auto"
    """Device of fine-tuning, embedding, cross-encoders and RePASs; a service embeds questions on the CPU."""
    data: Data = Field(default_factory=Data)
    sample: Sample = Field(default_factory=Sample)
    prepare: Prepare = Field(default_factory=Prepare)
    text: Text = Field(default_factory=Text)
    graph: Graph = Field(default_factory=Graph)
    encoder: Encoder = Field(default_factory=Encoder)
    finetune: Finetune = Field(default_factory=Finetune)
    latent: Latent = Field(default_factory=Latent)
    adapter: Adapter = Field(default_factory=Adapter)
    translation: Translation = Field(default_factory=Translation)
    candidates: Candidates = Field(default_factory=Candidates)
    late: Late = Field(default_factory=Late)
    extract: Extract = Field(default_factory=Extract)
    tune: Tune = Field(default_factory=Tune)
    ranker: Ranker = Field(default_factory=Ranker)
    affinity: Affinity = Field(default_factory=Affinity)
    standing: Standing = Field(default_factory=Standing)
    trust: Trust = Field(default_factory=Trust)
    evaluate: Evaluate = Field(default_factory=Evaluate)
    explain: Explain = Field(default_factory=Explain)
    refwalk: RefWalkSettings = Field(default_factory=RefWalkSettings)
    answer: Answering = Field(default_factory=Answering)
    track: Track = Field(default_factory=Track)

    @model_validator(mode="after")
    def _a_part_is_a_fold_or_more(self) -> Settings:
        if self.finetune.epochs and self.finetune.parts > self.prepare.folds:
            raise ValueError(
                f"finetune.parts: expected at most the {self.prepare.folds} of prepare.folds, found "
                f"{self.finetune.parts}; a part without a fold would be an encoder that serves nobody"
            )
        return self


def load_settings(path: Path = Path("params.yaml")) -> Settings:
    """Read and validate params.yaml.

    Raises
    ------
    InputError
        The file is missing or not YAML.
    SettingsError
        A key is unknown (the nearest valid one is named) or a value is out of range.

    """
    values = read_yaml(path) or {}
    try:
        # As JSON, where a list may become a tuple and a text a path, but 1.0 is not a whole number.
        return Settings.model_validate_json(to_json(values, inf_nan_mode="constants"), strict=True)
    except PydanticSerializationError as error:
        raise SettingsError(
            f"{path}: expected text in UTF-8, found a character that it cannot hold: {error}. Remove it."
        ) from error
    except ValidationError as error:
        problems = "\n".join(f"  {_cut(line, 400)}" for line in _explain(error))
        raise SettingsError(f"{path}:\n{problems}\nCorrect these values and run again.") from error


def _explain(error: ValidationError) -> Iterator[str]:
    for problem in error.errors():
        place = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            keys, (section, _, _) = _keys(Settings), place.rpartition(".")
            beside = [key for key in keys if key.rpartition(".")[0] == section]
            yield f"{place}: unknown key; the nearest valid key is {nearest(place, beside or keys)}"
        elif problem["type"] == "value_error":  # about several values together, named by its raiser
            yield ": ".join([*filter(None, [place]), str(problem["ctx"]["error"])])
        else:
            yield f"{place}: {problem['msg'].lower()}, found {_cut(repr(problem['input']), 80)}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _keys(model: type[BaseModel], prefix: Sequence[str] = ()) -> list[str]:
    keys: list[str] = []
    for name, field in model.model_fields.items():
        path = (*prefix, name)
        keys.append(".".join(path))
        kind: Any = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            keys.extend(_keys(kind, path))
    return keys
