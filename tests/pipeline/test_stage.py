"""The frame in which every stage runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from rulerank.errors import InputError, SettingsError
from rulerank.files import read_json
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("seed: 11\n")
    return tmp_path


def _declared(**options: bool):
    return stage("count", reads=[], writes=[], params=["seed"], **options)


def test_figures_and_timing_are_written_apart(folder: Path) -> None:
    @_declared()
    def main(settings: Settings) -> Outcome:
        return Outcome({"seed": settings.seed}, timing={"pairs_per_second": 3.0})

    main()
    assert read_json(folder / "outputs/figures/count.json") == {"seed": 11}
    timing = read_json(folder / "outputs/timings/count.json")
    assert timing.keys() == {"seconds", "peak_memory_mib", "pairs_per_second"}
    assert timing["pairs_per_second"] == 3


@pytest.mark.parametrize("figures", [True, False])
def test_stage_without_figures_has_no_file_of_them(folder: Path, figures: bool) -> None:
    @_declared(figures=figures)
    def main(settings: Settings) -> Outcome:
        return Outcome()

    main()
    assert (folder / "outputs/figures/count.json").is_file() is figures
    assert (folder / "outputs/timings/count.json").is_file()


def test_rounding_does_not_depend_on_the_cores_of_the_machine() -> None:
    @_declared()
    def main(settings: Settings) -> Outcome:
        pools = [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]
        return Outcome({"pools": pools})

    for threads in (1, 2):
        Path("params.yaml").write_text(f"threads: {threads}\n")
        with threadpool_limits(3 - threads, "blas"):
            main()
        assert set(read_json(Path("outputs/figures/count.json"))["pools"]) == {threads}


def test_stage_that_fails_leaves_figures_and_timing_as_they_were(folder: Path) -> None:
    @_declared()
    def main(settings: Settings) -> Outcome:
        if settings.seed == 12:
            raise InputError("table", "expected rows, found none.")
        return Outcome({"seed": settings.seed})

    main()
    before = {path: path.read_bytes() for path in folder.rglob("*.json")}
    (folder / "params.yaml").write_text("seed: 12\n")
    with pytest.raises(InputError):
        main()
    assert {path: path.read_bytes() for path in folder.rglob("*.json")} == before


def test_stage_run_as_a_command_reports_an_error_in_one_message(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    @_declared()
    def main(settings: Settings) -> Outcome:
        raise InputError("table", "expected rows, found none.")

    with pytest.raises(SystemExit, match="1"):
        main.run()
    assert capsys.readouterr() == ("", "error: table: expected rows, found none.\n")


def test_settings_are_checked_before_the_work_begins(folder: Path) -> None:
    (folder / "params.yaml").write_text("sede: 1\n")

    @_declared()
    def main(settings: Settings) -> Outcome:
        raise AssertionError("the function has been called")

    with pytest.raises(SettingsError, match="the nearest valid key is seed"):
        main()
