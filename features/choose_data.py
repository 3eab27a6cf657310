"""Set `data.root` in params.yaml, which is where DVC looks for the corpus."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from rulerank.errors import SettingsError
from rulerank.files import read_text, write_text
from rulerank.settings import load_settings

PARAMS = Path("params.yaml")


def main(root: str) -> None:
    """Write `root` into params.yaml, leaving everything else in the file as it is."""
    if load_settings(PARAMS).data.root == Path(root):
        return
    text, found = re.subn(r"(?m)^(  root: )\S+", rf"\g<1>{root}", read_text(PARAMS), count=1)
    if not found:
        raise SettingsError(f"{PARAMS}: expected a line `  root:` in the section data, found none.")
    write_text(PARAMS, text)
    print(f"{PARAMS}: data.root is now {root}", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
