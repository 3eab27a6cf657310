"""An exported ranker whose corpus changes: what was learned stays, what counts passages is recomputed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.authority.commencement import dated
from rulerank.authority.in_force import voidings
from rulerank.bundle import Bundle, Contents, Upkeep, load_bundle, read_upkeep, require_replaceable
from rulerank.errors import DataWarning, InputError
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.surroundings import Surroundings
from rulerank.files import sha256
from rulerank.ragged import collected, transposed
from rulerank.settings import Graph
from rulerank.upkeep.build import Rulebook, build_index
from rulerank.upkeep.changes import Changes
from rulerank.upkeep.read import read_changes
from rulerank.upkeep.rewritten import write_again, write_copy
from rulerank.upkeep.touched import Touched, recorded_answers, touched_answers, touched_questions
from rulerank.upkeep.train_extra import import_train_extra
from rulerank.upkeep.unread import unread


@dataclass(frozen=True)
class Updated:
    """What an update did.

    Parameters
    ----------
    changes : Changes
        The changes.
    answers : tuple of Touched
        The recorded answers that rest on what has changed.
    questions : tuple of Touched
        The judged questions to which a withdrawn or amended passage was relevant. Their judgements of
        withdrawn passages are removed; those of amended ones are kept, and may be outdated.

    """

    changes: Changes
    answers: tuple[Touched, ...]
    questions: tuple[Touched, ...]


def update_bundle(
    folder: Path,
    changes: Path,
    out: Path | None = None,
    *,
    audits: Sequence[Path] = (),
    threads: int = 1,
) -> Updated:
    """Add, amend and withdraw passages of an exported ranker, without training.

    If nothing changes, the bundle stays as it is.

    Parameters
    ----------
    folder : Path
        The bundle.
    changes : Path
        A file for `read_changes`.
    out : Path, optional
        Where the new bundle is written, the same one if nothing changes; by default it replaces the old one,
        whole or not at all.
    audits : sequence of Path, optional
        Recorded answers, as `rulerank answer --audit` writes them.
    threads : int, optional (default=1)
        Threads of the encoder.

    Returns
    -------
    Updated
        The changes, and what they affect.

    Raises
    ------
    BundleError
        `folder` is not a bundle, or is one without the data for indexing new passages.
    InputError
        The changes do not fit the corpus, a recorded answer cannot be read, or no passage with text is left.
    ModuleNotFoundError
        The extra `train` is not installed.

    """
    require_replaceable(out or folder, folder)
    import_train_extra()
    source = load_bundle(folder, threads)
    kept = read_upkeep(folder, source.index)
    if changes.exists() and not changes.is_file():
        # The file is hashed after it was read; a pipe is empty by then.
        raise InputError(changes, "expected a file of changes, found a pipe or a folder. Save them first.")
    names = _rulebook(source, kept).known_names
    asked = read_changes(changes, source.passages, kept.references, names)
    recorded = [answer for path in audits for answer in recorded_answers(path)]
    contents, left = (source, kept) if asked.empty else changed(source, kept, asked, source.passages)
    answers = touched_answers(recorded, asked, voidings(contents.edges, dated(contents.passages)))
    ids = source.passages["passage_id"]
    questions = touched_questions(kept.judged, source.index.judgements, ids, asked)
    _warn(asked, source, kept, contents, left)
    if asked.empty:
        write_copy(out or folder, folder)
    else:
        update = {"of": source.manifest["digest"], "changes": sha256(changes), **asked.counts}
        facts = {**source.manifest, "updates": [*source.manifest.get("updates", []), update]}
        write_again(out or folder, folder, contents, left, facts, {})
    return Updated(asked, tuple(answers), tuple(questions))


def changed(source: Bundle, kept: Upkeep, changes: Changes, indexed: pl.DataFrame) -> tuple[Contents, Upkeep]:
    """Return the contents of a ranker after its corpus has changed, and the data for its next change.

    Parameters
    ----------
    source, kept
        The ranker, and the data it keeps for this purpose.
    changes : Changes
        Changes of its passages.
    indexed : polars.DataFrame
        The passages whose texts are not encoded again: all of the ranker, or none, as in a full build.

    """
    book = changes.applied(_rulebook(source, kept))
    graph = _graph_settings(source)
    ids = source.passages["passage_id"], book.passages["passage_id"]
    judged = _carried(source.index.judgements, *ids)
    edges, index = build_index(source, kept, book, graph, judged, indexed)
    contents = Contents(
        documents=book.documents,
        passages=book.passages,
        edges=edges,
        index=index,
        models=source.models,
        first_pass=source.first_pass,
        trust=source.trust,
        selections=source.selections,
    )
    return contents, replace(kept, references=book.references, names=book.names)


def _rulebook(source: Bundle, kept: Upkeep) -> Rulebook:
    return Rulebook(source.documents, source.passages, kept.references, kept.names)


def _graph_settings(source: Bundle) -> Graph:
    return Graph.model_validate(source.manifest["settings"].get("graph", {}))


def _warn(changes: Changes, source: Bundle, kept: Upkeep, contents: Contents, left: Upkeep) -> None:
    """Warn of what the changes say and the update does not read."""
    listed = _graph_settings(source).references == "curated"
    books = (
        Rulebook(tables.documents, tables.passages, data.references if listed else None)
        for tables, data in ((source, kept), (contents, left))
    )
    for each in unread(changes, *books):
        warnings.warn(each, DataWarning, stacklevel=3)


def _carried(
    judgements: JudgementIndex, before: pl.Series, after: pl.Series
) -> Callable[[Surroundings], JudgementIndex]:
    """Return a function that carries judgements over to other passages by id; withdrawn ones are removed."""
    places = pl.DataFrame({"id": after, "row": np.arange(len(after))})
    joined = pl.DataFrame({"id": before}).join(places, on="id", how="left", maintain_order="left")
    place = joined["row"].fill_null(-1).to_numpy()

    def carried(around: Surroundings) -> JudgementIndex:
        sets = judgements.sets
        items = place[sets.items]
        left = items >= 0
        moved = collected(sets.owners[left], items[left], len(sets))
        return JudgementIndex(
            moved,
            transposed(moved, len(after)),
            judgements.clusters,
            judgements.with_text,
            judgements.known,
            around.documents,
            around.sections,
        )

    return carried
