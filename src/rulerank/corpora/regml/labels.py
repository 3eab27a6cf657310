"""Labels as ids: each is given once, and every file of the pipeline can hold it."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rulerank.corpora.keys import PassageKey
from rulerank.corpora.regml.elements import Element
from rulerank.errors import InputError

_KEY: TypeAdapter[str] = TypeAdapter(PassageKey)


def require_label(path: Path, element: Element, label: str, known: Container[str]) -> None:
    """Raise InputError, with line and column, unless a label is new and can be the id of a passage.

    Parameters
    ----------
    path : Path
        The file.
    element : Element
        What has the label.
    label : str
        The label.
    known : container of str
        The labels before it.

    """
    try:
        _KEY.validate_python(label)
        problem = f"expected each label once, found {label} twice" if label in known else None
    except ValidationError as error:
        problem = f"label: {error.errors()[0]['ctx']['error']}, found {label!r}"
    if problem:
        raise InputError(path, f"{problem}. Change this one.", line=element.line, column=element.column)
