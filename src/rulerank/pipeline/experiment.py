"""A named experiment: the params it fixes, the publications listed with it, and its grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import Field

from rulerank.errors import InputError
from rulerank.settings import Section, read_described

PLACES: Mapping[tuple[str, str], Callable[[Path], bool]] = {
    ("answer", "obligations"): Path.exists,
    ("encoder", "name"): Path.is_dir,
    ("graph", "grammar"): Path.is_file,
}
"""Settings that are paths, or names unless there is such a folder or file."""


class Experiment(Section):
    """A file of `experiments/named`."""

    about: str
    """What it is, and how it differs from the publication it follows; one paragraph."""
    of: str | None = None
    """The experiment that it varies: `params` are changes to its params; missing fields come from it."""
    params: dict[str, Any] = Field(default_factory=dict)
    """The params it fixes, section by section; the rest is params.yaml."""
    published: tuple[str, ...] = ()
    """Keys of `experiments/published.yaml`, whose rows are listed with the results."""
    grid: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    """Values to try, by dotted key such as `ranker.num_leaves`; every combination is a point."""


def read_experiment(folder: Path, name: str) -> Experiment:
    """Read the experiment of that name, merged onto the one that it varies.

    Raises
    ------
    InputError
        There is no experiment of that name (the message lists the known ones), or the experiment that it
        varies is itself a variation.

    """
    own = _read(folder, name)
    if own.of is None:
        return own
    varied = _read(folder, own.of)
    if varied.of is not None:
        raise InputError(
            folder / f"{name}.yaml",
            f"of: expected an experiment that varies no other, found {own.of}, which varies {varied.of}. "
            f"Vary {varied.of}.",
        )
    return varied.model_copy(
        update={**own.model_dump(exclude_unset=True), "params": merged(varied.params, own.params)}
    )


def _read(folder: Path, name: str) -> Experiment:
    path = folder / f"{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(each.stem for each in folder.glob("*.yaml")))
        raise InputError(name, f"expected the name of an experiment, one of: {known}.")
    return read_described(path, Experiment)


def merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with `changes` on top: mappings are merged at every depth, anything else is replaced."""
    result = dict(base)
    for key, value in changes.items():
        inner = result.get(key)
        if isinstance(inner, Mapping) and isinstance(value, Mapping):
            value = merged(inner, value)
        result[key] = value
    return result


def located(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return params whose paths to what the current folder has hold in every folder."""
    result = dict(params)
    for (section, key), there in PLACES.items():
        values = result.get(section)
        value = values.get(key) if isinstance(values, Mapping) else None
        if isinstance(value, str) and value.strip() and there(Path(value)):
            result = merged(result, {section: {key: str(Path(value).resolve())}})
    return result


def other_settings(wanted: Mapping[str, Any], used: Mapping[str, Any]) -> list[str]:
    """Return the dotted keys whose wanted value is not the used one; keys that were not used are left out."""
    others = []
    for key in wanted.keys() & used.keys():
        if isinstance(wanted[key], Mapping) and isinstance(used[key], Mapping):
            others += [f"{key}.{below}" for below in other_settings(wanted[key], used[key])]
        elif wanted[key] != used[key]:
            others.append(key)
    return sorted(others)


def grid_points(grid: Mapping[str, tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Return every combination of a grid's values, by dotted key; the last key varies fastest."""
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
