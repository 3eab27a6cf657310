"""dvc.yaml agrees with what the scripts declare and import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.pipeline.closure import ImportGraph
from rulerank.pipeline.declared import code_of, declared_stages, load_stage, overlaps, whole_folders
from rulerank.pipeline.dvc import render
from rulerank.pipeline.paths import OUTPUTS
from rulerank.pipeline.stage import Stage

PROJECT = Path(__file__).parents[2]
STAGE = """\
from pathlib import Path
from rulerank.pipeline.stage import Outcome, stage

@stage("{name}", reads=[Path(each) for each in {reads}], writes=[Path("{writes}")], params=[])
def {name}(settings):
    return Outcome()
"""


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return ImportGraph(PROJECT / "src")


@pytest.fixture(scope="module")
def stages(graph: ImportGraph) -> dict[Path, Stage]:
    return declared_stages(PROJECT, graph)


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    return yaml.safe_load((PROJECT / "dvc.yaml").read_text())


def test_committed_file_is_what_the_command_writes() -> None:
    assert (PROJECT / "dvc.yaml").read_text() == render(PROJECT), "run `make dvc.yaml` and commit dvc.yaml"


def test_every_script_runs_its_stage_as_a_command(stages: dict[Path, Stage]) -> None:
    for script in stages:
        assert (PROJECT / script).read_text().endswith('\n\nif __name__ == "__main__":\n    main.run()\n')


def test_code_dependencies_are_the_import_closure_and_no_more(
    written: dict[str, Any], graph: ImportGraph
) -> None:
    assert len(written["stages"]) == 23
    for entry in written["stages"].values():
        scripts = [
            PROJECT / each for each in entry["deps"] if each.endswith(".py") and not each.startswith("src")
        ]
        code = [PROJECT / each for each in entry["deps"] if each.startswith("src")]
        files = {file for path in code for file in _files(path)}
        assert files == set().union(*map(graph.closure, scripts))
        assert scripts[0] == PROJECT / entry["cmd"].removeprefix("python ")


def test_an_import_added_to_a_script_is_a_dependency(tmp_path: Path) -> None:
    (tmp_path / "src").symlink_to(PROJECT / "src")
    script = Path("features/sample.py")
    (tmp_path / script).parent.mkdir()
    text = (PROJECT / script).read_text()
    found = []
    for added in ("", "\n\ndef _later():\n    from rulerank.graph import terms\n"):
        (tmp_path / script).write_text(text + added)
        stage = load_stage(tmp_path / script)
        found.append(set(code_of(stage, script, tmp_path, ImportGraph(tmp_path / "src"))))
    assert found[1] - found[0] >= {
        Path("src/rulerank/graph/terms.py"),
        Path("src/rulerank/graph/__init__.py"),
    }
    assert found[0] <= found[1]


def test_what_a_stage_reads_was_written_by_a_stage_before_it(stages: dict[Path, Stage]) -> None:
    before: list[Path] = []
    for stage in stages.values():
        for path in stage.reads:
            if OUTPUTS in path.parents:
                assert overlaps(path, before), f"{stage.name} reads {path}"
        before += [*stage.writes, *stage.metrics, *(plot.file for plot in stage.plots)]


def test_no_stage_imports_a_script_beside_it(stages: dict[Path, Stage], graph: ImportGraph) -> None:
    for script in stages:
        beside = {path.stem for path in (PROJECT / script).parent.glob("*.py")}
        assert not beside & {name.partition(".")[0] for name in graph.source(PROJECT / script).used}


def test_params_of_every_stage_are_in_params_yaml(stages: dict[Path, Stage]) -> None:
    params = yaml.safe_load((PROJECT / "params.yaml").read_text())
    for stage in stages.values():
        for key in stage.params:
            inner = params
            for part in key.split("."):
                inner = inner[part]


def test_stages_are_in_the_order_in_which_they_can_run(tmp_path: Path) -> None:
    declared = {"a": ["outputs/b/one.csv"], "b": ["outputs/c"], "c": [], "d": ["data"]}
    for name, reads in declared.items():
        (tmp_path / "train").mkdir(exist_ok=True)
        text = STAGE.format(name=name, reads=reads, writes=f"outputs/{name}")
        (tmp_path / f"train/{name}.py").write_text(text)
    (tmp_path / "train/no_stage.py").write_text("VALUE = 1\n")
    (tmp_path / "src").symlink_to(PROJECT / "src")
    stages = declared_stages(tmp_path, ImportGraph(tmp_path / "src"))
    assert [stage.name for stage in stages.values()] == ["c", "d", "b", "a"]


@pytest.mark.parametrize(("names", "found"), [([], 0), (["a", "b"], 2)])
def test_script_that_declares_no_stage_or_two_is_an_error(
    tmp_path: Path, names: list[str], found: int
) -> None:
    script = tmp_path / "script.py"
    script.write_text("\n".join(STAGE.format(name=name, reads=[], writes=name) for name in names))
    with pytest.raises(InputError, match=rf"script\.py: expected one function under `@stage`, found {found}"):
        load_stage(script)


TREE = ("a.py", "b/__init__.py", "b/one.py", "b/c/__init__.py", "b/c/two.py", "d/three.py")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for name in (*TREE, "b/__pycache__/one.pyc"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return root


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        (TREE, ["a.py", "b", "d"]),
        (("b/c/__init__.py", "b/c/two.py", "b/one.py"), ["b/c", "b/one.py"]),
        (("b/c/two.py",), ["b/c/two.py"]),
    ],
)
def test_folder_stands_for_its_files_where_all_are_wanted(
    tree: Path, files: tuple[str], paths: list[str]
) -> None:
    found = whole_folders(tree, {tree / name for name in files})
    assert [path.relative_to(tree).as_posix() for path in found] == paths


@given(st.sets(st.sampled_from(TREE)))
def test_folders_hold_the_wanted_files_and_no_others(tree: Path, names: set[str]) -> None:
    wanted = {tree / name for name in names}
    paths = list(whole_folders(tree, wanted))
    assert {file for path in paths for file in _files(path)} == wanted
    assert not any(path in other.parents for path in paths for other in paths)


def _files(path: Path) -> set[Path]:
    below = path.rglob("*") if path.is_dir() else [path]
    return {each for each in below if each.is_file() and "__pycache__" not in each.parts}
