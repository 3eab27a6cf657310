"""Set `data.root` in params.yaml, where DVC looks for the corpus."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import yaml

from rulerank.console import reported
from rulerank.errors import InputError, SettingsError
from rulerank.files import read_text, write_text
from rulerank.pipeline.chosen import chosen
from rulerank.pipeline.paths import SAMPLES
from rulerank.settings import load_settings

PARAMS = Path("params.yaml")
VALUE = re.compile(r"""^(  root: )('[^']*'|"[^"]*"|.*?)(?=[ ]+#|$)""", re.MULTILINE)


def main(root: str) -> None:
    """Write `root` into params.yaml, and leave everything else in the file unchanged.

    What no stage reads before the encoder is trained is checked now: the names of features and runs.
    """
    settings = load_settings(PARAMS)
    chosen(settings)
    if settings.data.root == Path(root):
        return
    if Path(root) not in SAMPLES and not Path(root).is_dir():
        raise InputError(root, "expected a folder of regulations and questions, found none. Check the path.")
    written = yaml.safe_dump(root, width=sys.maxsize).splitlines()[0]
    text, found = VALUE.subn(lambda line: line[1] + written, read_text(PARAMS), count=1)
    if not found:
        raise SettingsError(f"{PARAMS}: expected a line `  root:` in the section data, found none.")
    write_text(PARAMS, text)
    print(f"{PARAMS}: data.root is now {root}", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    with reported():
        if len(sys.argv) != 2:
            raise InputError("DATA", "expected one folder. Run `make reproduce DATA=path/to/folder`.")
        main(sys.argv[1])
