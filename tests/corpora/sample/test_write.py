from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.corpora.sample import questions as sample_questions
from rulerank.corpora.sample import write_sample
from rulerank.errors import SettingsError
from tests.corpora.sample.contents import contents

SPLITS = ("train", "dev", "test")


@pytest.mark.slow
def test_write_sample_same_seed_gives_same_bytes_in_another_process(folder: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from rulerank.corpora.sample import write_sample; "
        "write_sample(Path(sys.argv[1]), seed=7, questions=960)"
    )
    environment = os.environ | {"PYTHONHASHSEED": "11"}
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "again")], check=True, env=environment)
    assert contents(tmp_path / "again") == contents(folder)


def test_write_sample_other_seed_gives_other_questions_and_texts(
    sample: Any, read_sample: Callable[[Path], Any], tmp_path: Path
) -> None:
    write_sample(tmp_path / "other", seed=8, questions=960)
    other = read_sample(tmp_path / "other")
    texts = {row["text"] for row in sample.queries.values()}
    assert len(texts & {row["text"] for row in other.queries.values()}) < 0.25 * len(texts)
    assert {row["text"] for row in sample.corpus.values()} != {row["text"] for row in other.corpus.values()}


def test_write_sample_counts_what_it_wrote(read_sample: Callable[[Path], Any], tmp_path: Path) -> None:
    counts = write_sample(tmp_path / "small", seed=3, questions=60)
    small = read_sample(tmp_path / "small")
    assert counts == {
        "documents": len(small.documents),
        "passages": len(small.corpus),
        "questions": 60,
        **{split: len(small.qrels[split]) for split in SPLITS},
    }
    assert all(counts[split] > 0 for split in SPLITS)


def test_write_sample_replaces_the_folder_whole(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "stale.txt").write_text("old")
    write_sample(tmp_path / "sample", seed=7, questions=960)
    assert contents(tmp_path / "sample") == contents(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["sample"]


def test_write_sample_more_questions_than_there_are_leaves_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample_questions, "_ATTEMPTS", 1)
    (tmp_path / "sample").mkdir()
    (tmp_path / "sample" / "kept.txt").write_text("old")
    with pytest.raises(SettingsError, match=r"sample\.questions: .* or less"):
        write_sample(tmp_path / "sample", seed=7, questions=960)
    assert contents(tmp_path / "sample") == {"kept.txt": b"old"}


def test_questions_are_judged_in_one_split_with_a_direct_passage(sample: Any) -> None:
    assert sorted(query for split in SPLITS for query in sample.qrels[split]) == sorted(sample.queries)
    for grades in sample.judged.values():
        assert set(grades.values()) <= {1, 2}
        assert 2 in grades.values()
        assert all(sample.corpus[key]["text"] for key in grades)


def test_splits_are_about_seventy_fifteen_fifteen(sample: Any) -> None:
    shares = {split: len(sample.qrels[split]) / len(sample.queries) for split in SPLITS}
    assert shares == pytest.approx({"train": 0.7, "dev": 0.15, "test": 0.15}, abs=0.04)


def test_splits_never_share_the_provision_a_question_is_about(sample: Any) -> None:
    about = {split: {next(iter(grades)) for grades in sample.qrels[split].values()} for split in SPLITS}
    assert not about["train"] & about["dev"]
    assert not about["train"] & about["test"]
    assert not about["dev"] & about["test"]


def test_general_provisions_recur_across_splits(sample: Any) -> None:
    judged = [{key for grades in sample.qrels[split].values() for key in grades} for split in SPLITS]
    assert len(set.intersection(*judged)) >= 5


def test_obliqa_file_holds_the_test_questions(sample: Any) -> None:
    assert {entry["QuestionID"] for entry in sample.questions_test} == set(sample.qrels["test"])
    for entry in sample.questions_test:
        assert entry["Question"] == sample.queries[entry["QuestionID"]]["text"]
        assert [passage["ID"] for passage in entry["Passages"]] == list(
            sample.qrels["test"][entry["QuestionID"]]
        )
        for passage in entry["Passages"]:
            row = sample.corpus[passage["ID"]]
            assert passage["DocumentID"] == row["metadata"]["document_id"]
            assert passage["PassageID"] == row["metadata"]["section"]
            assert passage["Passage"] == row["text"]
