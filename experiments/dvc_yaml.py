"""Write dvc.yaml from the stages that the scripts declare."""

from __future__ import annotations

from pathlib import Path

from rulerank.console import reported
from rulerank.files import write_text
from rulerank.pipeline.dvc import PIPELINE, render


def main() -> None:
    """Write dvc.yaml in the current folder, which is the project's."""
    write_text(PIPELINE, render(Path()))


if __name__ == "__main__":
    with reported():
        main()
