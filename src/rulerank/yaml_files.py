"""YAML 1.2, the version that DVC reads; errors say where, and a duplicate key is an error."""

from __future__ import annotations

import re
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

from rulerank.errors import InputError
from rulerank.files import read_text

_DIGITS = [*"0123456789"]
_PLAIN = {
    "null": (r"~|null|Null|NULL|", ["", *"~nN"]),
    "bool": (r"true|True|TRUE|false|False|FALSE", [*"tTfF"]),
    "int": (r"[-+]?(?:0|[1-9][0-9]*)", [*"-+", *_DIGITS]),
    "float": (
        r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        [*"-+.", *_DIGITS],
    ),
    "timestamp": (r"[0-9]{4}-[0-9]{2}-[0-9]{2}", _DIGITS),
    "merge": (r"<<", ["<"]),
}
"""The form and first characters of a plain scalar, by tag: the core schema of YAML 1.2, and dates."""


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, except that two equal keys are an error, not silently the last one.

    PyYAML would also read 017 as 15, 1:30 as 90 and no as false, as YAML 1.1 does; here all of these are
    text.
    """

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        known = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in known:
                    raise yaml.MarkedYAMLError(
                        problem=f"the key {key.value!r} occurs twice", problem_mark=key.start_mark
                    )
                known.add((key.tag, key.value))
        return node


for _tag, (_form, _first) in _PLAIN.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_form})\Z"), _first)


MOST = 100_000
"""The most values that aliases may stand for: each level of aliases can multiply them."""


def _expanded(node: yaml.Node, sizes: dict[yaml.Node, int]) -> int:
    """Return how many values a node stands for, counting those of an alias at each of its uses."""
    if sizes.setdefault(node, 0):
        return sizes[node]
    parts = [] if isinstance(node, yaml.ScalarNode) else node.value
    inner = [each for part in parts for each in (part if isinstance(part, tuple) else (part,))]
    if any(sizes.get(each) == 0 for each in inner):
        raise yaml.MarkedYAMLError(
            problem="an alias is inside the value that it names", problem_mark=node.start_mark
        )
    sizes[node] = 1 + sum(_expanded(each, sizes) for each in inner)
    return sizes[node]


def _load(text: str) -> Any:
    loader = _Loader(text)
    node = loader.get_single_node()
    if node is None:
        return None
    if _expanded(node, {}) > max(MOST, len(text)):
        raise yaml.MarkedYAMLError(problem=f"aliases stand for more than {MOST:,} values")
    return loader.construct_document(node)


def parse_yaml(text: str, source: Path | str) -> Any:
    """Parse YAML; an error, such as a key that occurs twice, names the file, line and column."""
    line: int | None
    column: int | None
    try:
        return _load(text)
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        place: tuple[int | None, int | None] = (
            before.count("\n") + 1,
            error.position - before.rfind("\n"),
        )
        reason = error.reason
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = (mark.line + 1, mark.column + 1) if mark else (None, None)
        reason = str(error.problem)
    except (RecursionError, ValueError) as error:
        place, reason = (None, None), str(error)
    line, column = place
    raise InputError(
        source, f"malformed YAML: {reason}. Correct the file at this place.", line=line, column=column
    )


def yaml_names(folder: Traversable) -> list[str]:
    """Return the names of a folder's YAML files, without `.yaml`, in order."""
    return sorted(each.name.removesuffix(".yaml") for each in folder.iterdir() if each.name.endswith(".yaml"))


def read_yaml(path: Path) -> Any:
    """Read one YAML document from `path`."""
    return parse_yaml(read_text(path), path)
