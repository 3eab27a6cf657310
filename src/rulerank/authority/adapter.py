"""Domain adapters: a YAML file that says which type of document voids which, and within what scope."""

from __future__ import annotations

import difflib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from rulerank.errors import InputError
from rulerank.files import read_text
from rulerank.text import normalise

SHIPPED = files("rulerank.authority") / "adapters"
"""Where the adapters that come with the package are."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str | int) else value


Name = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
Type = Annotated[Name, BeforeValidator(lambda value: normalise(str(value)) if value is not None else value)]
"""Types are compared without regard to case and surrounding space, as documents' types are."""
Types = Annotated[tuple[Type, ...], BeforeValidator(_listed), Field(min_length=1)]
Keys = Annotated[tuple[Name, ...], BeforeValidator(_listed), Field(min_length=1)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Rule(_Section):
    """A document of type `later` voids those of type `earlier` that agree with it on `scope_keys`."""

    later: Type = Field(validation_alias=AliasChoices("later", "later_type"))
    earlier: Type = Field(validation_alias=AliasChoices("earlier", "earlier_type"))
    scope_keys: Keys = Field(validation_alias=AliasChoices("scope_keys", "scope"))
    name: Name | None = None


class Answer(_Section):
    """What a question is answered by when a document of `type` is retrieved and in force."""

    type: Type
    answer: Name


class Adapter(_Section):
    """What is peculiar to a domain.

    Parameters
    ----------
    anchor_type : str or list of str
        Types of the documents that questions resemble.
    superseding_type : str or list of str
        Types of the documents that can void others.
    scope_keys : str or list of str
        The keys whose values two documents must share to have to do with one another.
    rules : list, optional
        Of `later`, `earlier` (types) and `scope_keys` (by default those of the adapter), each as a mapping
        or a list in this order. By default each superseding type voids each anchor type.
    answers : list, optional
        Of `type` and `answer`, the strongest first.
    name, description : str, optional
        For people; a rule may have a name too.

    """

    anchor_type: Types
    superseding_type: Types
    scope_keys: Keys
    rules: tuple[Rule, ...] = Field(min_length=1)
    answers: tuple[Answer, ...] = ()
    name: Name | None = None
    description: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        rules = values.get("rules")
        if rules is None:
            pairs = (_listed(values.get(side)) or () for side in ("superseding_type", "anchor_type"))
            later, earlier = (tuple(side) if isinstance(side, list | tuple) else () for side in pairs)
            rules = [[new, old] for new in later for old in earlier] or [["", ""]]
        if isinstance(rules, list):
            rules = [_rule(rule, values.get("scope_keys")) for rule in rules]
        return {**values, "rules": rules}

    @property
    def types(self) -> tuple[str, ...]:
        """Every type that the adapter names, in order."""
        ruled = (name for rule in self.rules for name in (rule.earlier, rule.later))
        return tuple(dict.fromkeys((*self.anchor_type, *self.superseding_type, *ruled)))

    @property
    def keys(self) -> tuple[str, ...]:
        """Every scope key that the adapter names, in order."""
        return tuple(
            dict.fromkeys((*self.scope_keys, *(key for rule in self.rules for key in rule.scope_keys)))
        )


def shipped_adapters() -> list[str]:
    """Return the names of the adapters that come with the package."""
    return sorted(
        entry.name.removesuffix(".yaml") for entry in SHIPPED.iterdir() if entry.name.endswith(".yaml")
    )


def load_adapter(name: str | Path) -> Adapter:
    """Read an adapter by the name of a shipped one or by its path.

    Raises
    ------
    InputError
        There is no such adapter or file; the file is not YAML; a key is unknown (the nearest valid one is
        named) or missing, or a value is not what it must be.

    """
    path = Path(name)
    if str(name) in shipped_adapters():
        path = Path(str(SHIPPED / f"{name}.yaml"))
    elif not path.suffix and not path.exists():
        near = difflib.get_close_matches(str(name), shipped_adapters(), n=1, cutoff=0)[0]
        raise InputError(
            name,
            f"expected a YAML file or one of the adapters {', '.join(shipped_adapters())}; the nearest is "
            f"{near}. Check the name.",
        )
    text = read_text(path)
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            path,
            f"malformed YAML: {getattr(error, 'problem', None) or error}. Correct the file at this place.",
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
        ) from error
    if not isinstance(values, dict):
        raise InputError(path, f"expected the keys {', '.join(Adapter.model_fields)}, found none. Add them.")
    try:
        return Adapter.model_validate(values)
    except ValidationError as error:
        raise InputError(path, _explain(error)) from error


def _rule(rule: Any, scope_keys: Any) -> Any:
    """Return a rule as a mapping that has its scope keys."""
    if isinstance(rule, list | tuple) and len(rule) in (2, 3):
        rule = dict(zip(("later", "earlier", "scope_keys"), rule, strict=False))
    if isinstance(rule, dict) and not {"scope_keys", "scope"} & rule.keys():
        rule = {**rule, "scope_keys": scope_keys}
    return rule


def _explain(error: ValidationError) -> str:
    # A key misspelt is also a key missing: say the first.
    told = ("extra_forbidden", "missing")
    problem = min(error.errors(), key=lambda each: told.index(each["type"]) if each["type"] in told else 2)
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        sections: dict[str, type[_Section]] = {"rules": Rule, "answers": Answer}
        inner = len(problem["loc"]) > 1
        section = sections[str(problem["loc"][0])] if inner else Adapter
        near = difflib.get_close_matches(str(problem["loc"][-1]), section.model_fields, n=1, cutoff=0)[0]
        return f"{place}: unknown key; the nearest valid key is {near}. Correct the key."
    if problem["type"] == "missing":
        return f"{place}: expected this key, found none. Add it."
    return f"{place}: {problem['msg'].lower()}, found {problem['input']!r}. Correct the value."
