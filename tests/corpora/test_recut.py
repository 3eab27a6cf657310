"""The new split of ObliQA's question files: which questions are trained on and which are held out."""

import polars as pl
import pytest

from rulerank.corpora import read_obliqa
from rulerank.errors import InputError
from rulerank.splits.folds import drop_repeats

LEDGER, STORE = "Who must keep the ledger of a fair?", "Where may a tanner store raw hides over winter?"


@pytest.fixture
def published(folder, write, item, listed):
    """A folder with every published question file."""
    rule, term = listed(10, "1.1.1"), listed(9, "1")
    files = {
        "ObliQA_train": [item("t1", rule, text="What is a fair?")],
        "ObliQA_dev": [item("d1", rule, text=LEDGER), item("d2", rule, text="When does a fair open?")],
        "ObliQA_test": [
            item("s1", rule, text="Who pays for the stalls?"),
            item("s2", rule, text=STORE.upper()),
            item("both", rule, text="What is weighed twice?"),
        ],
        "ObliQA_MultiPassage_train": [item("m1", rule, term, text="Who inspects the scales?")],
        "ObliQA_MultiPassage_val": [
            item("v1", rule, term, text=STORE),
            item("both", term, text="What is weighed twice?"),
        ],
        "ObliQA_MultiPassage_test": [item("x1", rule, term, text=LEDGER.replace("Who", "And who"))],
    }
    for name, questions in files.items():
        write(f"{name}.json", questions)
    write("qrels_train.txt", "m1 0 p12 1\nm1 0 p90 1\nd2 0 p90 1\n")
    return folder


def test_recut_trains_on_dev_and_test_and_holds_out_the_multi_passage_questions(published) -> None:
    queries = read_obliqa(published, "recut").queries

    assert queries.select("query_id", "split").sort("query_id").rows() == [
        ("both", "validation"),
        ("d1", "train"),
        ("d2", "train"),
        ("m1", "train"),
        ("s1", "train"),
        ("s2", "train"),
        ("v1", "validation"),
        ("x1", "test"),
    ]


def test_recut_reads_multi_passage_training_sets_without_their_questions(published) -> None:
    corpus = read_obliqa(published, "recut")

    assert corpus.queries.filter(pl.col("query_id") == "m1")["text"].to_list() == [None]
    assert corpus.judgements.filter(pl.col("query_id") == "d2").rows() == [("d2", "p12", 1), ("d2", "p90", 1)]


def test_recut_with_repeats_dropped_overlaps_with_no_held_out_question(published) -> None:
    corpus = read_obliqa(published, "recut")

    queries, _, dropped = drop_repeats(corpus.queries, corpus.judgements, 0.8)

    assert queries.filter(pl.col("split") == "train")["query_id"].sort().to_list() == ["d2", "m1", "s1"]
    assert dropped.rows() == [("d1", "x1", "nearly the same text"), ("s2", "v1", "same text")]
    assert "ObliQA_test.json: question both: also a validation question; left out here" in corpus.problems


def test_recut_needs_every_file_whose_overlaps_it_drops(published) -> None:
    (published / "ObliQA_MultiPassage_test.json").unlink()

    with pytest.raises(InputError, match=r"MultiPassage_test\.json: expected this file, .* fetch obliqa"):
        read_obliqa(published, "recut")


def test_published_splits_stay_as_they_are(published) -> None:
    queries = read_obliqa(published).queries

    assert dict(queries.group_by("split").agg(pl.col("query_id").sort()).iter_rows()) == {
        "train": ["d2", "m1", "t1"],
        "validation": ["both", "d1", "v1"],
        "test": ["s1", "s2", "x1"],
    }
