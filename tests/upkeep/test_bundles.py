"""Bundles over other passages: ranked, answered, proved, and never half written."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulerank
from rulerank.bundle import ON_NEW_RULES, compare_bundles, load_bundle, read_upkeep, verify_bundle
from rulerank.errors import BundleError
from rulerank.files import alone_in, atomic
from rulerank.upkeep import index_corpus, read_changes, update_bundle
from rulerank.upkeep.rewritten import write_again
from rulerank.upkeep.update import changed
from tests.upkeep.written import RULES, write_lines


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


def test_update_that_changes_nothing_leaves_the_bundle(
    bundle: Path, tmp_path: Path, call: Callable[..., Any]
) -> None:
    copy, loaded = shutil.copytree(bundle, tmp_path / "mine"), load_bundle(bundle)
    passage, document = loaded.passages.row(1, named=True), loaded.documents.row(0, named=True)
    nothing = write_lines(
        tmp_path / "nothing.jsonl",
        {"op": "amend", "passage_id": passage["passage_id"], "text": passage["text"]},
        {"op": "name", "document_id": document["document_id"], "names": document["aliases"]},
    )

    def files(folder: Path) -> dict[str, bytes]:
        return {
            str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }

    folder = copy.stat().st_ino
    said = call("update", copy, nothing)
    assert (said.code, said.out) == (0, f"{copy}: the same ranker, since nothing changes\n")
    assert copy.stat().st_ino == folder
    assert files(copy) == files(bundle)
    other = tmp_path / "other"
    said = call("update", copy, nothing, "--out", other)
    assert (said.code, said.out) == (0, f"{other}: the same ranker, since nothing changes\n")
    assert files(other) == files(bundle)
    assert load_bundle(other).manifest == loaded.manifest


def test_ranker_that_is_replaced_is_named(bundle: Path, tmp_path: Path, call: Callable[..., Any]) -> None:
    corpus, mine = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent, tmp_path / "mine"
    index = ("index", corpus, "--ranker", bundle, "--out", mine)
    assert call(*index).err == ""
    replaced = load_bundle(mine).manifest["digest"][:12]
    told = f"warning: {mine}: replaced the ranker that was there (rules, digest {replaced})\n"
    assert call(*index).err == told
    gone = write_lines(tmp_path / "changes.jsonl", {"op": "withdraw", "passage_id": "a1"})
    other = shutil.copytree(bundle, tmp_path / "other")
    name, digest = (load_bundle(bundle).manifest[key] for key in ("data", "digest"))
    told = f"warning: {other}: replaced the ranker that was there ({name['name']}, digest {digest[:12]})\n"
    assert call("update", mine, gone, "--out", other).err == told
    assert call("update", mine, gone).err == ""


def test_passage_that_was_amended_and_amended_back_is_no_difference(bundle: Path, tmp_path: Path) -> None:
    row = load_bundle(bundle).passages.row(1, named=True)
    was = {"op": "amend", "passage_id": row["passage_id"], "text": row["text"]}
    there = write_lines(tmp_path / "there.jsonl", {**was, "text": "A crane must be lit."})
    back = write_lines(tmp_path / "back.jsonl", was)
    update_bundle(bundle, there, tmp_path / "amended")
    assert compare_bundles(bundle, tmp_path / "amended")["files"]["passages.arrow"] == "changed"
    update_bundle(tmp_path / "amended", back, tmp_path / "restored")
    said = compare_bundles(bundle, tmp_path / "restored")["files"]
    assert set(said.values()) <= {"other bytes, the same table"}


def test_update_does_not_replace_what_another_has_written_meanwhile(
    bundle: Path, changes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(bundle, tmp_path / "mine")
    added = {"op": "add", "passage_id": "theirs", "document_id": "CAR", "text": "A log is bound."}
    theirs = write_lines(tmp_path / "theirs.jsonl", added)

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
    copy, exchange, held = shutil.copytree(bundle, tmp_path / "mine"), atomic._exchange, []

    def exchanged(one: Path, other: Path) -> bool:
        if other == copy:
            descriptor = os.open(tmp_path, os.O_RDONLY)
            with pytest.raises(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.close(descriptor)
            held.append(other)
        return exchange(one, other)

    monkeypatch.setattr(atomic, "_exchange", exchanged)
    update_bundle(copy, changes)
    assert held == [copy]
    with alone_in(tmp_path):
        assert "new" in load_bundle(copy).passages["passage_id"]


def test_passages_alone_are_ranked_answered_and_updated(
    bundle: Path, tmp_path: Path, call: Callable[..., Any]
) -> None:
    corpus, mine = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent, tmp_path / "my rules"
    indexed = call("index", corpus, "--ranker", bundle, "--out", mine)
    assert indexed.code == 0
    # The command that is named next can be given to a shell.
    assert shlex.split(indexed.out.split("`")[1]) == ["rulerank", "rank", str(mine), "..."]
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
    gone = write_lines(tmp_path / "changes.jsonl", {"op": "withdraw", "passage_id": "a1"})
    audit = write_lines(
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
        index_corpus(
            write_lines(tmp_path / name / "corpus.jsonl", *rules).parent, bundle, tmp_path / f"of {name}"
        )
        return tmp_path / f"of {name}"

    def update(before: Path, name: str, **change: str) -> Path:
        update_bundle(before, write_lines(tmp_path / f"{name}.jsonl", change), tmp_path / name)
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
        corpus = write_lines(tmp_path / name / "corpus.jsonl", *rules).parent
        if named:
            (corpus / "documents.json").write_text(json.dumps(names))
        index_corpus(corpus, bundle, tmp_path / f"of {name}")
        return tmp_path / f"of {name}"

    def update(before: Path, name: str, *changes: dict[str, Any]) -> Path:
        update_bundle(before, write_lines(tmp_path / f"{name}.jsonl", *changes), tmp_path / name)
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
    corpus = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    index_corpus(corpus, bundle, tmp_path / "once")
    index_corpus(corpus, tmp_path / "once", tmp_path / "twice")
    said = load_bundle(bundle).manifest
    trained = load_bundle(tmp_path / "twice").manifest["trained"]
    assert trained == {key: said[key] for key in ("digest", "data", "questions", "out_of_fold")}


def test_hidden_files_of_a_corpus_stay_unknown(bundle: Path, tmp_path: Path) -> None:
    corpus = write_lines(tmp_path / "rules" / "corpus.jsonl", *RULES).parent
    (corpus / ".env").write_text("KEY=1")
    index_corpus(corpus, bundle, tmp_path / "mine")
    assert list(load_bundle(tmp_path / "mine").manifest["data"]["files"]) == ["corpus.jsonl"]
