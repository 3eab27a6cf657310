"""Updates and indexes that are refused, and leave what there is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from rulerank.bundle import load_bundle, read_upkeep
from rulerank.errors import BundleError, InputError
from rulerank.upkeep import index_corpus, update_bundle
from tests.upkeep.written import RULES, write_lines


def test_bad_audit_is_refused_before_the_new_ranker_is_built(bundle: Path, tmp_path: Path) -> None:
    corpus = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    index_corpus(corpus, bundle, tmp_path / "mine")
    # Built, it would be refused, since it has no text.
    gone = [{"op": "withdraw", "passage_id": key} for key in ("a1", "a2")]
    changes, audit = (
        write_lines(tmp_path / "changes.jsonl", *gone),
        write_lines(tmp_path / "audit.jsonl", {"question": "Who?"}),
    )
    with pytest.raises(InputError, match=r"audit\.jsonl:1: record: answer\.evidence: field required"):
        update_bundle(tmp_path / "mine", changes, audits=[audit])


def test_last_passage_with_text_cannot_be_withdrawn(bundle: Path, tmp_path: Path) -> None:
    corpus = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    index_corpus(corpus, bundle, tmp_path / "mine")
    gone = [{"op": "withdraw", "passage_id": key} for key in ("a1", "a2")]
    with pytest.raises(InputError, match="expected one with text, found none"):
        update_bundle(tmp_path / "mine", write_lines(tmp_path / "changes.jsonl", *gone))


def test_bundle_without_upkeep_is_refused(bundle: Path, changes: Path, tmp_path: Path) -> None:
    source = load_bundle(bundle)
    shutil.copytree(bundle, tmp_path / "old")
    shutil.rmtree(tmp_path / "old" / "upkeep")
    with pytest.raises(
        BundleError, match=r"expected what indexes new passages, found none.*dvc repro export"
    ):
        read_upkeep(tmp_path / "old", source.index)
    assert read_upkeep(bundle, source.index).judged.height == len(source.index.judgements.sets)


def test_bundle_with_maps_of_another_index_is_refused(bundle: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(bundle, tmp_path / "copy")
    np.save(copy / "upkeep/maps/dense.npy", np.zeros((2, 2), np.float32))
    with pytest.raises(BundleError, match=r"dense\.npy: expected numbers of shape \(dimension, dimension\)"):
        read_upkeep(copy, load_bundle(bundle).index)


def test_names_are_checked_and_a_bundle_of_an_older_version_has_none(bundle: Path, tmp_path: Path) -> None:
    index, copy = load_bundle(bundle).index, shutil.copytree(bundle, tmp_path / "copy")
    (copy / "upkeep/names.json").write_text('{"FEE": "Fee Rules"}')
    with pytest.raises(BundleError, match=r"names\.json: .*FEE: .*list"):
        read_upkeep(copy, index)
    (copy / "upkeep/names.json").unlink()
    assert read_upkeep(copy, index).names == {}


def test_update_does_not_write_into_its_own_bundle(bundle: Path, changes: Path) -> None:
    with pytest.raises(InputError, match="expected a folder outside of"):
        update_bundle(bundle, changes, bundle / "new")


def test_index_does_not_replace_its_own_ranker(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder for the new bundle, found the ranker"):
        index_corpus(tmp_path, bundle, bundle)


def test_index_replaces_nothing_but_a_bundle(bundle: Path, tmp_path: Path) -> None:
    corpus = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    with pytest.raises(InputError, match="expected a folder outside of"):
        index_corpus(corpus, bundle, corpus)
    assert (corpus / "corpus.jsonl").is_file()
    web = tmp_path / "web"
    web.mkdir()
    (web / "manifest.json").write_text('{"name": "a web page"}')
    with pytest.raises(InputError, match=r"found manifest\.json in it, which is not part of that output"):
        index_corpus(corpus, bundle, web)
    mine = tmp_path / "mine"
    index_corpus(corpus, bundle, mine)
    index_corpus(corpus, bundle, mine)
    (mine / "notes.txt").write_text("precious")
    with pytest.raises(InputError, match=r"found notes\.txt in it"):
        index_corpus(corpus, bundle, mine)
    assert (mine / "notes.txt").is_file()
    with pytest.raises(InputError, match="--grammar: expected a name"):
        index_corpus(corpus, bundle, tmp_path / "other", grammar=" ")
    with pytest.raises(InputError, match="expected a folder outside of exported rankers"):
        index_corpus(corpus, bundle, mine / "deeper")


def test_changes_through_a_pipe_are_refused_since_they_are_read_twice(bundle: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "changes.jsonl")
    with pytest.raises(InputError, match="expected a file of changes, found a pipe"):
        update_bundle(bundle, tmp_path / "changes.jsonl", tmp_path / "out")
