"""Domains read by name or path from YAML files, with errors that name the key at fault."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from rulerank.authority.domain import DerivedAnswer, Domain, Rule, Section
from rulerank.errors import InputError, nearest
from rulerank.yaml_files import read_yaml, yaml_names

SHIPPED = files("rulerank.authority") / "domains"
"""The folder of the domains that come with the package."""


def shipped_domains() -> list[str]:
    """Return the names of the domains that come with the package."""
    return yaml_names(SHIPPED)


def load_domain(name: str | Path) -> Domain:
    """Read a domain by its name, if it comes with the package, or by its path.

    Raises
    ------
    InputError
        There is no such domain or file; the file is not YAML; a key is unknown (the nearest valid one is
        named) or missing, or a value is invalid.

    """
    path = Path(name)
    if str(name) in shipped_domains():
        path = Path(str(SHIPPED / f"{name}.yaml"))
    elif not path.suffix and not path.exists():
        near = nearest(str(name), shipped_domains())
        raise InputError(
            name,
            f"expected a YAML file or one of the domains {', '.join(shipped_domains())}; the nearest is "
            f"{near}. Check the name.",
        )
    values = read_yaml(path)
    if not isinstance(values, dict):
        raise InputError(path, f"expected the keys {', '.join(Domain.model_fields)}, found none. Add them.")
    try:
        return Domain.model_validate(values)
    except ValidationError as error:
        raise InputError(path, _explain(error)) from error


def _explain(error: ValidationError) -> str:
    # A misspelt key also means a missing key: report the misspelling.
    first = ("extra_forbidden", "missing")
    problem = min(error.errors(), key=lambda each: first.index(each["type"]) if each["type"] in first else 2)
    place = ".".join(str(part) for part in problem["loc"])
    found = repr(problem["input"])
    if problem["type"] == "extra_forbidden":
        sections: dict[str, type[Section]] = {"rules": Rule, "answers": DerivedAnswer}
        inner = len(problem["loc"]) > 1
        section = sections[str(problem["loc"][0])] if inner else Domain
        near = nearest(str(problem["loc"][-1]), section.model_fields)
        return f"{place}: unknown key; the nearest valid key is {near}. Correct the key."
    if problem["type"] == "missing":
        return f"{place}: expected this key, found none. Add it."
    if problem["type"] == "value_error":  # of several keys together
        return f"{problem['ctx']['error']}. Correct the key."
    if place == "rules":
        return f"rules: expected a list of rules, found {found}. Correct the value."
    if problem["type"] == "model_type" and place.startswith("rules."):
        return (
            f"{place}: expected a rule, {{later: ..., earlier: ..., scope_keys: [...]}} or a list in this "
            f"order, found {found}. Correct the rule."
        )
    return f"{place}: {problem['msg'].lower()}, found {found}. Correct the value."
