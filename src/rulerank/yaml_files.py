"""YAML read with errors that say where: malformed text, and a key that stands twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rulerank.errors import InputError
from rulerank.files import read_text


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, which would keep the last of two equal keys without a word."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        known = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in known:
                    raise yaml.MarkedYAMLError(
                        problem=f"the key {key.value!r} stands twice", problem_mark=key.start_mark
                    )
                known.add((key.tag, key.value))
        return node


def parse_yaml(text: str, source: Path | str) -> Any:
    """Parse YAML; an error, such as a key that stands twice, names the file, line and column."""
    line: int | None
    column: int | None
    try:
        return yaml.load(text, _Loader)  # noqa: S506 - a safe loader
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


def read_yaml(path: Path) -> Any:
    """Read one YAML document from `path`."""
    return parse_yaml(read_text(path), path)
