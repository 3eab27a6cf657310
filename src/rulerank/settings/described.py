"""A file that describes something other than the pipeline, read as a frozen, validated object."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from rulerank.errors import InputError
from rulerank.settings.section import Section
from rulerank.yaml_files import read_yaml

Described = TypeVar("Described", bound=Section)


def read_described(path: Path, model: type[Described]) -> Described:
    """Read a YAML or JSON file as the object that `model` describes.

    Raises
    ------
    InputError
        The file is missing or malformed, lacks a key, or has an unknown key or value.

    """
    try:
        return model.model_validate(read_yaml(path))
    except ValidationError as error:
        problems = (
            f"{'.'.join(map(str, each['loc'])) or 'the file'}: {each['msg'].lower()}"
            for each in error.errors()
        )
        raise InputError(path, f"{'; '.join(problems)}. Correct the file.") from error
