from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.evaluate.measures import MEASURES


def test_compare_gives_means_and_pairs_of_every_measure(
    compare: Callable[..., str], rows: Callable[..., Any], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5, 0.0], rrf=[0.5, 0.5, 0.25])
    page = compare(folder, f"{folder}:rrf")
    first = rows(page, "# Comparison")[0]
    assert first[:5] == [str(folder), "ranker", "toy", "published", "3"]
    assert first[5].startswith("0.5000 (")
    pairs = rows(page, "### Paired comparisons")
    assert [row[2] for row in pairs] == list(MEASURES)
    assert pairs[0][:4] == [str(folder), f"{folder}:rrf", "Recall@10", "0.0833"]
    assert pairs[0][-3:] == ["1", "1", "1"]


def test_compare_lists_the_worst_questions_with_their_text(
    compare: Callable[..., str], rows: Callable[..., Any], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5, 0.0], rrf=[1.5, 0.5, 0.25])
    page = compare(folder, f"{folder}:rrf")
    worst = rows(page, "### The 20 worst questions")
    assert [row[0] for row in worst] == [f"What of \\[the] q{place}?" for place in (2, 1, 0)]
    lost = rows(page, "### Where ")
    assert [row[0] for row in lost] == ["What of \\[the] q0?", "What of \\[the] q2?"]
    assert [row[-1] for row in lost] == ["-0.5000", "-0.2500"]


def test_compare_slices_where_the_facts_divide_the_questions(
    compare: Callable[..., str], rows: Callable[..., Any], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5, 0.0], rrf=[0.5, 0.5, 0.25])
    page = compare(folder, f"{folder}:rrf")
    assert rows(page, "### By relevant")[0][:4] == ["1", str(folder), "1", "1.0000"]
    assert re.findall(r"### By (\w+)", page) == ["relevant", "words"]


def test_compare_makes_no_pair_across_protocols(
    compare: Callable[..., str], rows: Callable[..., Any], evaluation: Callable[..., Path]
) -> None:
    published = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    disjoint = evaluation("two", "evidence_disjoint", ranker=[0.25, 0.5], rrf=[0.5, 0.5])
    page = compare(published, disjoint)
    assert [row[3] for row in rows(page, "# Comparison")] == ["published"] * 2 + ["evidence_disjoint"] * 2
    assert "so no paired\ntest compares them" in page
    for folder, heading in ((published, "protocol published"), (disjoint, "protocol evidence_disjoint")):
        pairs = rows(page, heading)
        assert {(row[0], row[1]) for row in pairs} == {(str(folder), f"{folder}:rrf")}


def test_compare_keeps_other_questions_apart(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    first = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    second = evaluation("two", prefix="other", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    assert compare(first, second).count("### Paired comparisons") == 2


def test_compare_takes_a_folder_for_itself_and_no_pattern(
    compare: Callable[..., str], rows: Callable[..., Any], evaluation: Callable[..., Path]
) -> None:
    evaluation("one1", ranker=[0.0], rrf=[0.0])
    for name in ("one[1]", "one*"):
        folder = evaluation(name, ranker=[1.0, 0.5], rrf=[0.5, 0.5])
        page = compare(folder, f"{folder}:rrf")
        assert [row[4] for row in rows(page, "# Comparison")] == ["2", "2"]


def test_compare_keeps_questions_of_other_texts_apart(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    first = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    second = evaluation("two", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    assert compare(first, second).count("### Paired comparisons") == 1
    facts = pl.read_parquet(second / "queries.parquet")
    facts.with_columns(text=pl.col("text") + " And when?").write_parquet(second / "queries.parquet")
    assert compare(first, second).count("### Paired comparisons") == 2


def test_compare_lists_losses_against_the_baseline_named(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], dense=[0.5, 0.5], rrf=[0.5, 0.75])
    page = compare(folder, f"{folder}:dense", baseline=f"{folder}:rrf")
    assert f"### Where {folder} loses most against {folder}:rrf" in page


def test_compare_page_needs_nothing_outside(
    compare: Callable[..., str], evaluation: Callable[..., Path], tmp_path: Path
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    page = compare(folder, f"{folder}:rrf")
    html = (tmp_path / "outputs/comparison/compare.html").read_text()
    assert html.count('src="data:image/png;base64,') == page.count("![") == 1
    assert re.findall(r"(?:src|href)=\"(?!data:)", html) == []


@pytest.mark.parametrize("name", ["corpus.jsonl", "compare.mdx", "differences_a.png", "zebra/x.md"])
def test_compare_leaves_a_folder_of_other_files_alone(
    compare: Callable[..., str],
    evaluation: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    for _ in range(2):
        compare(folder, f"{folder}:rrf")
    other = tmp_path / "outputs/comparison" / name
    other.parent.mkdir(exist_ok=True)
    other.write_text("mine")
    with pytest.raises(SystemExit):
        compare(folder, f"{folder}:rrf")
    said = " ".join(capsys.readouterr().err.split())
    assert f"that of an earlier comparison, found {Path(name).parts[0]} in it. Choose another." in said
    assert other.read_text() == "mine"


def test_compare_says_that_a_baseline_has_other_questions(
    compare: Callable[..., str], evaluation: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    second = evaluation("two", prefix="other", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    for baseline in (second, first):
        with pytest.raises(SystemExit):
            compare(first, f"{first}:rrf", baseline=str(baseline))
        said = " ".join(capsys.readouterr().err.split())
        assert f"another result on the questions of {first}, found {baseline}, which cannot be" in said
        assert said.endswith(f"Choose one of {first}:rrf.")


def test_compare_refuses_a_split_that_was_not_measured(
    compare: Callable[..., str], evaluation: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = evaluation("one", ranker=[1.0], rrf=[0.5])
    with pytest.raises(SystemExit):
        compare(folder, split="test")
    assert "expected a split among ['validation'], found 'test'." in capsys.readouterr().err


@pytest.mark.parametrize("name", ["per_query.parquet", "queries.parquet", "recall_by_depth.csv"])
def test_compare_names_a_table_that_it_cannot_read(
    compare: Callable[..., str],
    evaluation: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    folder = evaluation("one", ranker=[1.0], rrf=[0.5])
    (folder / name).write_bytes(b"")
    with pytest.raises(SystemExit):
        compare(folder)
    assert f"{name}: expected a table of an evaluation, found another file (" in "".join(
        capsys.readouterr().err.splitlines()
    )


def test_compare_names_a_column_that_is_missing(
    compare: Callable[..., str], evaluation: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = evaluation("one", ranker=[1.0], rrf=[0.5])
    scores = pl.read_parquet(folder / "per_query.parquet")
    scores.drop("split").write_parquet(folder / "per_query.parquet")
    with pytest.raises(SystemExit):
        compare(folder)
    assert "expected a table of an evaluation, found another file (" in capsys.readouterr().err
