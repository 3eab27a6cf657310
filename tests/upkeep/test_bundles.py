"""Bundles over other passages: ranked, answered, proved, and never half written."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rulerank
from rulerank.bundle import ON_NEW_RULES, load_bundle, read_upkeep, verify_bundle
from rulerank.errors import BundleError, InputError
from rulerank.files import alone_in, whole
from rulerank.upkeep import index_corpus, read_changes, update_bundle
from rulerank.upkeep.rewritten import write_again
from rulerank.upkeep.update import changed

RULES = (
    {"_id": "a1", "text": "A carrier must keep a log.", "metadata": {"document_id": "CAR", "section": "1"}},
    {
        "_id": "a2",
        "text": "The log is kept for five years.",
        "metadata": {"document_id": "CAR", "section": "2"},
    },
)


def _write(path: Path, *records: dict[str, Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


@pytest.fixture
def changes(bundle: Path, tmp_path: Path) -> Path:
    """Changes of each kind to the passages of the shared run."""
    rows = [row for row in load_bundle(bundle).passages.iter_rows(named=True) if row["text"].strip()]
    return _write(
        tmp_path / "changes.jsonl",
        {"op": "withdraw", "passage_id": rows[0]["passage_id"]},
        {"op": "amend", "passage_id": rows[1]["passage_id"], "text": rows[1]["text"] + " This has changed."},
        {
            "op": "add",
            "passage_id": "new",
            "document_id": rows[2]["document_id"],
            "text": "A crane must be lit.",
        },
    )


def test_updated_ranker_ranks_as_one_built_in_full(bundle: Path, changes: Path, tmp_path: Path) -> None:
    update_bundle(bundle, changes, tmp_path / "updated")
    source = load_bundle(bundle)
    kept = read_upkeep(bundle, source.index)
    asked = read_changes(changes, source.passages)
    contents, left = changed(source, kept, asked, source.passages.clear())
    write_again(tmp_path / "built", bundle, contents, left, source.manifest, {})
    updated, built = (rulerank.load(tmp_path / name) for name in ("updated", "built"))
    questions = [
        "Must a crane be lit?",
        "Who must keep the register?",
        *source.passages["text"][:5].to_list(),
    ]
    for question in filter(str.strip, questions):
        ranked = [[each.passage_id for each in ranker.rank(question, 20)] for ranker in (updated, built)]
        assert ranked[0] == ranked[1], question
    assert updated.rank("Must a crane be lit?", 1)[0].passage_id == "new"
    verify_bundle(tmp_path / "updated")
    said = updated.bundle.manifest["updates"][0]
    assert (said["of"], said["added"], said["withdrawn"]) == (source.manifest["digest"], 1, 1)


def test_interrupted_update_leaves_the_old_bundle(
    bundle: Path, changes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(bundle, tmp_path / "bundles" / "mine")
    before = {path.name: path.read_bytes() for path in copy.glob("*.*")}

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulerank.bundle.write.write_extracted", interrupted)
    with pytest.raises(KeyboardInterrupt):
        update_bundle(copy, changes)
    assert [path.name for path in copy.parent.iterdir()] == ["mine"]
    assert {path.name: path.read_bytes() for path in copy.glob("*.*")} == before
    monkeypatch.undo()
    update_bundle(copy, changes)
    assert "new" in load_bundle(copy).passages["passage_id"]
    assert [path.name for path in copy.parent.iterdir()] == ["mine"]


def test_update_does_not_replace_what_another_has_written_meanwhile(
    bundle: Path, changes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(bundle, tmp_path / "mine")
    added = {"op": "add", "passage_id": "theirs", "document_id": "CAR", "text": "A log is bound."}
    theirs = _write(tmp_path / "theirs.jsonl", added)

    def overtaken(*arguments: Any) -> None:
        monkeypatch.undo()
        update_bundle(copy, theirs)
        write_again(*arguments)

    monkeypatch.setattr("rulerank.upkeep.update.write_again", overtaken)
    with pytest.raises(BundleError, match=r"mine: .* found another: .* Run the update again\."):
        update_bundle(copy, changes)
    assert "theirs" in load_bundle(copy).passages["passage_id"]
    update_bundle(copy, changes)
    assert {"theirs", "new"} <= {*load_bundle(copy).passages["passage_id"]}


def test_no_other_update_comes_between_the_last_check_and_the_exchange(
    bundle: Path, changes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, exchange, held = shutil.copytree(bundle, tmp_path / "mine"), whole._exchange, []

    def exchanged(one: Path, other: Path) -> bool:
        if other == copy:
            descriptor = os.open(tmp_path, os.O_RDONLY)
            with pytest.raises(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.close(descriptor)
            held.append(other)
        return exchange(one, other)

    monkeypatch.setattr(whole, "_exchange", exchanged)
    update_bundle(copy, changes)
    assert held == [copy]
    with alone_in(tmp_path):
        assert "new" in load_bundle(copy).passages["passage_id"]


def test_passages_alone_are_ranked_answered_and_updated(
    bundle: Path, tmp_path: Path, call: Callable[..., Any]
) -> None:
    corpus, mine = _write(tmp_path / "rules" / "corpus.jsonl", *RULES).parent, tmp_path / "mine"
    assert call("index", corpus, "--ranker", bundle, "--out", mine).code == 0
    ranked = rulerank.load(mine).rank("Who must keep a log?", 2)
    assert [each.passage_id for each in ranked] == ["a1", "a2"]
    assert call("answer", mine, "Who must keep a log?", "--audit", tmp_path / "audit.jsonl").code == 0
    assert call("bundle", "verify", mine).code == 0
    loaded = load_bundle(mine)
    assert list(loaded.manifest["data"]["files"]) == ["corpus.jsonl"]
    assert loaded.models["ranker"].completion is None
    assert loaded.manifest["groups"] == list(loaded.models["ranker"].features.groups)
    trained = load_bundle(bundle).models[ON_NEW_RULES].standing
    assert loaded.models["ranker"].standing.as_json() == trained.as_json()
    assert "out_of_fold" not in loaded.manifest
    assert (mine / "reference.json").read_bytes() == (bundle / "reference.json").read_bytes()
    gone = _write(tmp_path / "changes.jsonl", {"op": "withdraw", "passage_id": "a1"})
    audit = _write(
        tmp_path / "recorded.jsonl",
        {"query_id": "q", "question": "Who?", "as_of": "2024-05-01", "evidence": [{"passage_id": "a1"}]},
    )
    said = call("update", mine, gone, "--audit", audit)
    assert "0 added, 0 amended, 1 withdrawn" in said.out
    assert f"{audit}:1 q Who?: withdrawn a1" in said.out
    assert [each.passage_id for each in rulerank.load(mine).rank("Who must keep a log?", 2)] == ["a2"]


@pytest.mark.filterwarnings("ignore:the corpus lists what its passages cite")
def test_references_of_a_withdrawn_passage_do_not_come_back_with_its_id(bundle: Path, tmp_path: Path) -> None:
    def rule(key: str, cites: str | None, text: str = "A log is bound.") -> dict[str, Any]:
        metadata = {"document_id": "CAR", "section": key} | ({"cites": [cites]} if cites else {})
        return {"_id": key, "text": text, "metadata": metadata}

    def index(name: str, *rules: dict[str, Any]) -> Path:
        index_corpus(_write(tmp_path / name / "corpus.jsonl", *rules).parent, bundle, tmp_path / f"of {name}")
        return tmp_path / f"of {name}"

    def update(before: Path, name: str, **change: str) -> Path:
        update_bundle(before, _write(tmp_path / f"{name}.jsonl", change), tmp_path / name)
        return tmp_path / name

    one, two, three, new = (
        rule("a1", "a2"),
        rule("a2", "a3"),
        rule("a3", None),
        rule("a1", None, "A log is red."),
    )
    gone = update(index("before", one, two, three), "gone", op="withdraw", passage_id="a1")
    added = {"passage_id": "a1", "document_id": "CAR", "section": "a1", "text": "A log is red."}
    back = update(gone, "back", op="add", **added)
    for updated, built in ((gone, index("less", two, three)), (back, index("more", two, three, new))):
        for file in ("edges.arrow", "upkeep/references.arrow"):
            assert (updated / file).read_bytes() == (built / file).read_bytes(), (updated.name, file)
    # The last citing passage gone, the corpus has no curated references, and citations are read.
    none = update(back, "none", op="withdraw", passage_id="a2")
    assert not (none / "upkeep/references.arrow").exists()


def test_documents_have_the_names_of_a_full_build(bundle: Path, tmp_path: Path) -> None:
    names = {"FEE": ["FEE", "Fee Rules"]}
    cites = {"_id": "a3", "text": "See section 4 of the Fee Rules.", "metadata": {"document_id": "CAR"}}
    fee = {"passage_id": "f4", "document_id": "FEE", "section": "4", "text": "A fee is due.", "position": 3}
    line = {
        "_id": "f4",
        "text": fee["text"],
        "metadata": {"document_id": "FEE", "section": "4", "position": 3},
    }

    def index(name: str, *rules: dict[str, Any], named: bool = True) -> Path:
        corpus = _write(tmp_path / name / "corpus.jsonl", *rules).parent
        if named:
            (corpus / "documents.json").write_text(json.dumps(names))
        index_corpus(corpus, bundle, tmp_path / f"of {name}")
        return tmp_path / f"of {name}"

    def update(before: Path, name: str, *changes: dict[str, Any]) -> Path:
        update_bundle(before, _write(tmp_path / f"{name}.jsonl", *changes), tmp_path / name)
        return tmp_path / name

    built = index("whole", *RULES, cites, line)
    added = {"op": "add", **fee}
    unnamed = index("unnamed", *RULES, cites, named=False)
    for updated in (
        update(index("before", *RULES, cites), "named before", added),
        update(update(built, "gone", {"op": "withdraw", "passage_id": "f4"}), "back", added),
        update(unnamed, "named now", {"op": "name", "document_id": "FEE", "names": names["FEE"]}, added),
    ):
        for file in ("documents.arrow", "edges.arrow"):
            assert (updated / file).read_bytes() == (built / file).read_bytes(), (updated.name, file)
    assert ("a3", "f4") in load_bundle(built).edges.select("source_id", "target_id").rows()


def test_ranker_indexed_twice_says_what_it_was_trained_on(bundle: Path, tmp_path: Path) -> None:
    corpus = _write(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    index_corpus(corpus, bundle, tmp_path / "once")
    index_corpus(corpus, tmp_path / "once", tmp_path / "twice")
    said = load_bundle(bundle).manifest
    trained = load_bundle(tmp_path / "twice").manifest["trained"]
    assert trained == {key: said[key] for key in ("digest", "data", "questions", "out_of_fold")}


def test_bad_audit_is_refused_before_the_new_ranker_is_built(bundle: Path, tmp_path: Path) -> None:
    corpus = _write(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    index_corpus(corpus, bundle, tmp_path / "mine")
    # Built, it would be refused, since it has no text.
    gone = [{"op": "withdraw", "passage_id": key} for key in ("a1", "a2")]
    changes, audit = (
        _write(tmp_path / "changes.jsonl", *gone),
        _write(tmp_path / "audit.jsonl", {"question": "Who?"}),
    )
    with pytest.raises(InputError, match=r"audit\.jsonl:1: record: answer\.evidence: field required"):
        update_bundle(tmp_path / "mine", changes, audits=[audit])


def test_last_passage_with_text_cannot_be_withdrawn(bundle: Path, tmp_path: Path) -> None:
    corpus = _write(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    index_corpus(corpus, bundle, tmp_path / "mine")
    gone = [{"op": "withdraw", "passage_id": key} for key in ("a1", "a2")]
    with pytest.raises(InputError, match="expected one with text, found none"):
        update_bundle(tmp_path / "mine", _write(tmp_path / "changes.jsonl", *gone))


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
    corpus = _write(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    with pytest.raises(InputError, match="expected a folder outside of"):
        index_corpus(corpus, bundle, corpus)
    assert (corpus / "corpus.jsonl").is_file()
    web = tmp_path / "web"
    web.mkdir()
    (web / "manifest.json").write_text('{"name": "a web page"}')
    with pytest.raises(InputError, match=r"found manifest\.json in it, which was not written with it"):
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


def test_hidden_files_of_a_corpus_stay_unknown(bundle: Path, tmp_path: Path) -> None:
    corpus = _write(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    (corpus / ".env").write_text("KEY=1")
    index_corpus(corpus, bundle, tmp_path / "mine")
    assert list(load_bundle(tmp_path / "mine").manifest["data"]["files"]) == ["corpus.jsonl"]
