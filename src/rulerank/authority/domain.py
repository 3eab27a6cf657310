"""Domains: which type of document voids which, and within what scope."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from rulerank.corpora.keys import listed
from rulerank.text import normalise

_SPELLINGS = {
    "anchor_types": "anchor_type",
    "superseding_types": "superseding_type",
    "scope_key": "scope_keys",
    "scope": "scope_keys",
    "later_type": "later",
    "earlier_type": "earlier",
    "domain": "name",
}
"""Other spellings of the keys of a domain."""


def keyed(values: Any) -> Any:
    """Return a mapping under the usual spelling of its keys: case, `-` and spaces make no difference."""
    if not isinstance(values, dict):
        return values
    keyed_values: dict[str, Any] = {}
    for key, value in values.items():
        plain = "_".join(normalise(str(key)).replace("-", " ").split())
        name = _SPELLINGS.get(plain, plain)
        if name in keyed_values:
            raise ValueError(f"expected the key {name} once, found it again as {key!r}")
        keyed_values[name] = value
    return keyed_values


def _type(value: Any) -> Any:
    return normalise(str(value)) if isinstance(value, str | int | float) else value


Name = Annotated[str, Field(min_length=1, coerce_numbers_to_str=True)]
Type = Annotated[Name, BeforeValidator(_type)]
"""Types are compared without regard to case and extra white space, as those of documents are."""
Types = Annotated[tuple[Type, ...], BeforeValidator(listed), Field(min_length=1)]
Keys = Annotated[tuple[Name, ...], BeforeValidator(listed), Field(min_length=1)]


class Section(BaseModel):
    """A mapping in a domain's file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Rule(Section):
    """A document of type `later` voids those of type `earlier` that agree with it on `scope_keys`."""

    later: Type
    earlier: Type
    scope_keys: Keys
    name: Name | None = None


class DerivedAnswer(Section):
    """The answer to a question when a document of `type` is retrieved and in force."""

    type: Type
    answer: Name


class Domain(Section):
    """The types of the documents of one domain, and which void which.

    Parameters
    ----------
    anchor_type : str or list of str
        Types of the documents that questions are worded like.
    superseding_type : str or list of str
        Types of the documents that can void others.
    scope_keys : str or list of str
        The keys whose values two documents must share for one to void the other.
    rules : list, optional
        Each has `later`, `earlier` (one type each, or several: then each of the later voids each of the
        earlier) and `scope_keys` (by default those of the domain), as a mapping or a list in this order. By
        default each superseding type voids each anchor type.
    answers : list, optional
        Each has `type` and `answer`; the strongest comes first.
    name, description : str, optional
        For people; a rule may have a name too.

    """

    anchor_type: Types
    superseding_type: Types
    scope_keys: Keys
    rules: tuple[Rule, ...]
    answers: tuple[DerivedAnswer, ...] = ()
    name: Name | None = None
    description: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, values: Any) -> Any:
        values = keyed(values)
        rules = values.get("rules") or [[values.get("superseding_type"), values.get("anchor_type")]]
        if isinstance(rules, dict) and "later" in keyed(rules):
            rules = [rules]
        elif isinstance(rules, dict) and all(isinstance(rule, dict) for rule in rules.values()):
            rules = list(rules.values())
        if isinstance(rules, list | tuple):
            rules = [single for rule in rules for single in _single(rule, values.get("scope_keys"))]
        return {**values, "rules": rules}

    @property
    def types(self) -> tuple[str, ...]:
        """Every type that the domain names, in order."""
        ruled = (name for rule in self.rules for name in (rule.earlier, rule.later))
        return tuple(dict.fromkeys((*self.anchor_type, *self.superseding_type, *ruled)))

    @property
    def keys(self) -> tuple[str, ...]:
        """Every scope key that the domain names, in order."""
        return tuple(
            dict.fromkeys((*self.scope_keys, *(key for rule in self.rules for key in rule.scope_keys)))
        )


def _single(rule: Any, scope_keys: Any) -> Iterator[Any]:
    """Yield a rule as mappings of one later and one earlier type each, with their scope keys."""
    if isinstance(rule, list | tuple) and len(rule) in (2, 3):
        rule = dict(zip(("later", "earlier", "scope_keys"), rule, strict=False))
    if not isinstance(rule, dict):
        yield rule
        return
    rule = {"scope_keys": scope_keys, **keyed(rule)}
    later, earlier = (listed(rule.get(side)) for side in ("later", "earlier"))
    if later and earlier and isinstance(later, list | tuple) and isinstance(earlier, list | tuple):
        yield from ({**rule, "later": new, "earlier": old} for new, old in product(later, earlier))
    else:
        yield rule
