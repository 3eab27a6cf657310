"""The prompts: one file each, with a version, identified by the hash of its bytes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from string import Template

from rulerank.yaml_files import parse_yaml


@dataclass(frozen=True)
class Prompt:
    """A pair of messages with placeholders, `$name`.

    Parameters
    ----------
    name : str
        The name of its file.
    version : int
        Increased with every change of meaning.
    digest : str
        SHA-256 of the file, in hexadecimal. A kept reply is bound to it.
    system, user : str
        The messages.

    """

    name: str
    version: int
    digest: str
    system: str
    user: str

    @property
    def label(self) -> str:
        """Its name in logs and runs."""
        return f"{self.name}@{self.version}:{self.digest[:12]}"

    def filled(self, **values: str) -> tuple[str, str]:
        """Return both messages with every placeholder filled; KeyError for one without a value."""
        return Template(self.system).substitute(values), Template(self.user).substitute(values)


def read_prompt(folder: Traversable, name: str) -> Prompt:
    """Return a prompt from a folder by the name of its file."""
    text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
    said = parse_yaml(text, f"{name}.yaml")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(name, said["version"], digest, said["system"].strip(), said["user"].strip())
