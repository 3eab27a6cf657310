"""The folder of a named experiment: a copy of the project's code, with its own params and its own DVC."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rulerank.errors import InputError, RulerankError, SettingsError
from rulerank.files import replacing
from rulerank.pipeline.declared import STAGE_FOLDERS
from rulerank.pipeline.experiment import Experiment, located, merged
from rulerank.pipeline.paths import OTHERS, SAMPLES
from rulerank.settings import Settings, load_settings
from rulerank.yaml_files import read_yaml

PARAMS, RUNS = Path("params.yaml"), Path("runs")
NAMED, EXPECTED = Path("experiments/named"), Path("experiments/expected")
CODE, FILES = ("src", *STAGE_FOLDERS), ("dvc.yaml", ".dvcignore")
FEEDBACK = Path("data/feedback")
SHARED = Path(".cache"), OTHERS, FEEDBACK
"""Folders shared by all runs; the samples are not among them, because each run writes its own."""
SQLITE = "sqlite:///"


@dataclass(frozen=True)
class RunFolder:
    """The folder where a named experiment runs; the current folder is the project's.

    Parameters
    ----------
    name : str
        Name of the experiment.
    path : Path
        The folder.
    params : mapping
        The project's params with the changes of the experiment on top.

    """

    name: str
    path: Path
    params: Mapping[str, Any]

    @classmethod
    def of(cls, experiment: Experiment, name: str, data: Path | None) -> RunFolder:
        """Return the folder `runs/<name>` with the project's code, for the given or the configured corpus.

        Raises
        ------
        InputError
            The corpus does not exist.
        SettingsError
            A setting of the experiment is unknown or out of range.

        """
        folder = cls(name, RUNS / name, _params(experiment, name, data))
        folder.write_params({})
        _refresh(folder.path)
        return folder

    def write_params(self, changes: Mapping[str, Any]) -> Settings:
        """Write params.yaml with changes on top, and return the settings in it.

        Raises
        ------
        SettingsError
            A key is unknown or a value out of range; the message names the experiment's file.

        """
        with replacing(self.path / PARAMS) as temporary:
            params = located(merged(self.params, changes))
            temporary.write_text(yaml.safe_dump(params, sort_keys=False), encoding="utf-8")
            try:
                return load_settings(temporary)
            except SettingsError as error:
                named = str(NAMED / f"{self.name}.yaml")
                raise SettingsError(str(error).replace(str(temporary), named)) from error

    def dvc(self, *arguments: str) -> None:
        """Run DVC in the folder; its output goes to the terminal.

        Raises
        ------
        RulerankError
            It failed.

        """
        if python(self.path, "-m", "dvc", *arguments):
            raise RulerankError(
                f"{self.path}: `dvc {arguments[0]}` failed; the reason is printed above. Finished stages "
                "are kept: correct the cause and run the same command again."
            )

    def python(self, script: str) -> None:
        """Run a script of the project in the folder, with the code there.

        Raises
        ------
        RulerankError
            It failed.

        """
        if python(self.path, script):
            raise RulerankError(f"{self.path}: {script} failed; the reason is printed above.")


def python(folder: Path, *arguments: str) -> int:
    """Run the current Python in a folder, with the code there, and return its exit status."""
    environment = {
        **{key: value for key, value in os.environ.items() if key != "RULERANK_DATA"},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str((folder / "src").resolve()),
        "DVC_NO_ANALYTICS": "1",
    }
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment).returncode  # noqa: S603


def _params(experiment: Experiment, name: str, data: Path | None) -> dict[str, Any]:
    """Return the project's params with those of the experiment on top, and with absolute paths."""
    settings = load_settings(PARAMS)
    root = data or settings.data.root
    if root not in SAMPLES and not root.is_dir():
        raise InputError(root, "expected a folder of regulations and questions, found none. Check the path.")
    store = settings.track.store
    if store.startswith(SQLITE):
        store = SQLITE + str(Path(store.removeprefix(SQLITE)).resolve())
    places = {
        "data": {"root": str(root if root in SAMPLES else root.resolve())},
        "track": {"store": store, "name": name},
    }
    if settings.prepare.feedback != FEEDBACK:
        places["prepare"] = {"feedback": str(settings.prepare.feedback.resolve())}
    return merged(merged(read_yaml(PARAMS), experiment.params), places)


def _refresh(folder: Path) -> None:
    """Update the folder's copy of the code, and give it its own DVC."""
    wanted = _code(Path())
    for path in wanted:
        source, target = Path(path), folder / path
        if not (target.is_file() and filecmp.cmp(source, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for path in set(_code(folder)) - set(wanted):
        (folder / path).unlink()
    for shared in SHARED:
        if not (folder / shared).exists():
            shared.mkdir(parents=True, exist_ok=True)
            (folder / shared).parent.mkdir(exist_ok=True)
            (folder / shared).unlink(missing_ok=True)  # it leads nowhere if the project was moved
            (folder / shared).symlink_to(shared.resolve(), target_is_directory=True)
    if not (folder / ".dvc").is_dir():
        python(folder, "-m", "dvc", "init", "--no-scm", "--quiet")


def _code(root: Path) -> list[str]:
    """Return the files that a run needs from a project, relative to `root`."""
    files = [root / name for name in FILES] + [path for folder in CODE for path in (root / folder).rglob("*")]
    kept = (path for path in files if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(root).as_posix() for path in kept)
