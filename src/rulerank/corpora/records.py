"""Published records, validated: an error names the file, the place in it and what was expected."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import AliasChoices, BaseModel, TypeAdapter, ValidationError, model_validator
from pydantic.fields import FieldInfo

from rulerank.errors import InputError
from rulerank.files import parse_json, read_json, read_text
from rulerank.text import composed

T = TypeVar("T")


class _UnknownKeyError(ValueError):
    """A key that a record does not have."""

    def __init__(self, key: str, near: str) -> None:
        super().__init__(f"expected known keys, found {key}; the nearest is {near}")
        self.key = key


class Record(BaseModel):
    """A published record: keys of other tools are accepted, a misspelt key of ours is not."""

    likeness: ClassVar[float] = 0.8
    """How like one of ours an unknown key is, from 0 to 1, to be taken for a misspelt one."""

    @model_validator(mode="before")
    @classmethod
    def _no_key_is_misspelt(cls, values: Any) -> Any:
        keys = [each for name, field in cls.model_fields.items() for each in _keys(name, field)]
        known = {each.lower(): each for each in keys}
        for key in values if isinstance(values, dict) else ():
            like = difflib.get_close_matches(key.lower(), known, n=1, cutoff=cls.likeness)
            if key not in keys and like:
                raise _UnknownKeyError(key, known[like[0]])
        return values


class OwnRecord(Record):
    """A record of a format of our own, in which no other key is accepted."""

    likeness: ClassVar[float] = 0.0


def _keys(name: str, field: FieldInfo) -> list[str]:
    """Return the keys that a field is read from."""
    if isinstance(field.validation_alias, AliasChoices):
        return [each for each in field.validation_alias.choices if isinstance(each, str)]
    return [field.alias or name]


def read_list(path: Path, record: type[T], identify: str) -> list[T]:
    """Read a JSON file that holds a list of records.

    Parameters
    ----------
    path : Path
        The file.
    record : type
        A pydantic model.
    identify : str
        The key whose value names a record in errors.

    Raises
    ------
    InputError
        The JSON is malformed (line and column), is not a list, or a record lacks a key or has a
        value of another type (number and id of the record).

    """
    text = read_text(path)
    if _is_of_lines(text):
        raise InputError(
            path,
            f"expected one JSON list of records with {identify}, found one object per line. "
            "Write them as one list, or check that this is the right file.",
        )
    values = _composed(parse_json(text, path))
    if not isinstance(values, list):
        raise InputError(
            path, f"expected a list of records, found {_kind(values)}. Check that this is the right file."
        )

    def place(where: Sequence[Any]) -> str:
        value = values[where[0]]
        name = value.get(identify) if isinstance(value, dict) else None
        return f"record {where[0] + 1}" + (f" ({identify} {name})" if name is not None else "")

    try:
        return TypeAdapter(list[record]).validate_python(values)  # type: ignore[valid-type]
    except ValidationError as error:
        raise _explain(error, path, place, depth=1) from error


def _is_of_lines(text: str) -> bool:
    """Return whether a file looks like JSON Lines: two lines, or more, that begin and end like objects."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(line.startswith("{") and line.endswith("}") for line in lines)


def read_lines(path: Path, record: type[T]) -> Iterator[tuple[int, T]]:
    """Yield line numbers (from 1) and records of a JSON Lines file; blank lines are skipped.

    Raises
    ------
    InputError
        A line is not JSON, or not such a record; the line is named.

    """
    adapter = TypeAdapter(record)
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            value = _composed(parse_json(line, path, line=number))
            try:
                yield number, adapter.validate_python(value)
            except ValidationError as error:
                raise _explain(error, path, lambda _: "record", depth=0, line=number, text=line) from error


def read_names(path: Path) -> dict[str, list[str]]:
    """Read `documents.json`, the names of each document by its id; a missing file names none."""
    if not path.exists():
        return {}
    try:
        return TypeAdapter(dict[str, list[str]]).validate_python(_composed(read_json(path)))
    except ValidationError as error:
        raise _explain(error, path, lambda _: "names of a document", depth=0) from error


def _composed(value: Any) -> Any:
    """Return a JSON value with all strings, keys too, in the form of `composed`."""
    if isinstance(value, str):
        return composed(value)
    if isinstance(value, list):
        return [_composed(each) for each in value]
    if isinstance(value, dict):
        return {composed(key): _composed(each) for key, each in value.items()}
    return value


def _explain(
    error: ValidationError,
    path: Path,
    place: Callable[[Sequence[Any]], str],
    depth: int,
    line: int | None = None,
    text: str = "",
) -> InputError:
    problem = error.errors()[0]
    where = problem["loc"]
    field = ".".join(str(part) for part in where[depth:])
    found = "" if problem["type"] == "missing" else f", found {_kind(problem['input'])}"
    if problem["type"] == "value_error":
        found = "" if isinstance(problem["input"], dict) else found
        cause = problem["ctx"]["error"]
        where = (*where, cause.key) if isinstance(cause, _UnknownKeyError) else where
        said = str(cause)
    elif problem["type"] == "union_tag_invalid":
        context = problem["ctx"]
        field = context["discriminator"].strip("'")
        where = (*where, field)
        said, found = f"expected one of {context['expected_tags']}", f", found {context['tag']!r}"
    elif problem["type"] == "union_tag_not_found":
        field, found = problem["ctx"]["discriminator"].strip("'"), ", found none"
        said = "expected a value"
    else:
        said = "expected an object" if problem["type"] == "model_type" else problem["msg"].lower()
    message = f"{place(where)}: {field + ': ' if field else ''}{said}{found}. Correct the file."
    return InputError(path, message, line=line, column=_key_column(where, text))


def _key_column(where: Sequence[Any], text: str) -> int | None:
    """Return the column (from 1) of the key that an error names, or None if the key is not in the line."""
    places = (
        text.find(json.dumps(key, ensure_ascii=False)) for key in reversed(where) if isinstance(key, str)
    )
    return next((place + 1 for place in places if place >= 0), None)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value), repr(value)[:80])
