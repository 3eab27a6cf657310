"""Stage prepare: read the corpus, apply the protocol, drop repeated questions, fold by cluster."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path

import polars as pl

from rulerank.corpora import Corpus, Questions, provenance, read_corpus
from rulerank.corpora.feedback import feedback_files, read_feedback
from rulerank.errors import TRAINED_ELSEWHERE, DataWarning, InputError, SettingsError
from rulerank.files import replacing_folder, sha256, write_json
from rulerank.pipeline.paths import DATA, FEEDBACK, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Prepare, Settings
from rulerank.splits.document_disjoint import document_disjoint
from rulerank.splits.evidence_disjoint import evidence_disjoint
from rulerank.splits.feedback import barred_passages, join_feedback
from rulerank.splits.folds import cluster_queries, drop_repeats, fold_queries
from rulerank.splits.new_documents import serve_as_new
from rulerank.splits.protocol import Split, published
from rulerank.splits.random_share import random_share
from rulerank.tables import DOCUMENTS, EDGES, FOLDS, HIGHEST, JUDGEMENTS, PASSAGES, QUERIES, has_text


@stage("prepare", reads=[DATA, FEEDBACK], writes=[TABLES], params=["data", "prepare", "seed"])
def main(settings: Settings) -> Outcome:
    """Write `outputs/tables`."""
    root = settings.data.root
    _check_environment(root)
    corpus = read_corpus(root, settings.prepare.questions)
    threshold = settings.prepare.near_duplicate
    given = _feedback(corpus, settings)
    problems = corpus.problems + given.problems
    split = _graded(_joined(_split(corpus, settings), given, corpus, settings), settings)
    feedback = frozenset(given.queries["query_id"])
    queries, judgements, repeated = drop_repeats(split.queries, split.judgements, threshold, feedback)
    _check_usable(corpus, queries, judgements, root)
    clusters = cluster_queries(queries, threshold, feedback)
    folds = _folds(queries, judgements, clusters, corpus, settings)
    with replacing_folder(TABLES) as folder:
        PASSAGES.write(corpus.passages, folder / "passages.parquet")
        DOCUMENTS.write(corpus.documents, folder / "documents.parquet")
        QUERIES.write(queries, folder / "queries.parquet")
        JUDGEMENTS.write(judgements, folder / "judgements.parquet")
        FOLDS.write(folds, folder / "folds.parquet")
        if corpus.references is not None:
            EDGES.write(corpus.references, folder / "references.parquet")
        write_json(folder / "names.json", corpus.names)
        write_json(folder / "problems.json", list(problems))
        write_json(folder / "dropped.json", [*repeated.to_dicts(), *split.dropped.to_dicts()])
        write_json(folder / "provenance.json", _provenance(settings))
    if problems:
        left_out = f"{len(problems)} things left out or repaired: {TABLES / 'problems.json'}"
        warnings.warn(left_out, DataWarning, stacklevel=1)
    return Outcome(
        {
            **_figures(corpus, queries),
            "problems": len(problems),
            "dropped_repeats": repeated.height,
            **split.figures,
            **_of_feedback(given, queries),
        }
    )


def _feedback(corpus: Corpus, settings: Settings) -> Questions:
    """Return the questions from feedback; none if the project names no folder for it and has none."""
    path = settings.prepare.feedback
    if path == Prepare().feedback and not (path.exists() and feedback_files(path)):
        return Questions(corpus.queries.clear(), corpus.judgements.clear())
    return read_feedback(path, corpus.passages)


def _joined(split: Split, given: Questions, corpus: Corpus, settings: Settings) -> Split:
    prepare = settings.prepare
    barred = barred_passages(split, corpus.passages, prepare.protocol, prepare.held_out_documents)
    return join_feedback(split, given.queries, given.judgements, barred)


def _graded(split: Split, settings: Settings) -> Split:
    """Return the questions with their grades of relevance, or with all of them set to 1."""
    if settings.prepare.grades == "given":
        return split
    return replace(split, judgements=split.judgements.with_columns(pl.col("relevance").clip(upper_bound=1)))


def _of_feedback(given: Questions, queries: pl.DataFrame) -> dict[str, int]:
    """Return how many questions from feedback are used and how many dropped; nothing if there are none."""
    if not given.queries.height:
        return {}
    kept = queries.filter(pl.col("query_id").is_in(given.queries["query_id"].implode())).height
    return {"feedback": kept, "dropped_feedback": given.queries.height - kept}


def _split(corpus: Corpus, settings: Settings) -> Split:
    if settings.prepare.protocol == "published":
        return published(corpus.queries, corpus.judgements)
    if settings.prepare.protocol == "document_disjoint":
        held_out = settings.prepare.held_out_documents
        return document_disjoint(corpus.queries, corpus.judgements, corpus.passages, held_out)
    clusters = cluster_queries(corpus.queries, settings.prepare.near_duplicate)
    if settings.prepare.protocol == "random":
        share, part = settings.prepare.held_out_share, settings.prepare.held_out_part
        return random_share(corpus.queries, corpus.judgements, clusters, share, part, settings.seed)
    return evidence_disjoint(corpus.queries, corpus.judgements, clusters)


def _folds(
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    clusters: pl.DataFrame,
    corpus: Corpus,
    settings: Settings,
) -> pl.DataFrame:
    """Fold the questions, and choose those that are served as if their documents were new."""
    prepare, seed = settings.prepare, settings.seed
    folds = fold_queries(queries, clusters, prepare.folds, seed)
    trained = folds.join(queries.filter(split="train"), on="query_id", how="semi")
    if trained.height > 1 and trained["cluster"].n_unique() == 1:
        raise InputError(
            settings.data.root,
            f"expected training questions in two folds or more, found all {trained.height} in one: they are "
            "nearly the same, or of one group. Add questions, name other groups, or raise "
            "prepare.near_duplicate in params.yaml.",
        )
    return serve_as_new(folds, queries, judgements, corpus.passages, prepare.as_new, seed)


def _check_environment(root: Path) -> None:
    """Refuse a data folder unknown to DVC, which would mistake one corpus's results for another's."""
    named = os.environ.get("RULERANK_DATA")
    if named and Path(named).resolve() != root.resolve():
        raise SettingsError(
            f"RULERANK_DATA is {named}, data.root in params.yaml is {root}: DVC tracks only data.root. "
            f"Run `make reproduce DATA={named}`, or unset RULERANK_DATA."
        )


def _check_usable(corpus: Corpus, queries: pl.DataFrame, judgements: pl.DataFrame, root: Path) -> None:
    """Refuse a corpus that no later stage could use, before anything is embedded."""
    passages = corpus.passages
    if not has_text(passages).any():
        raise InputError(
            root,
            f"expected passages with text, found only {passages.height} headings. "
            "Check data.root in params.yaml.",
        )
    if not queries.height:
        warnings.warn(
            f"{root}: found no questions: the graph can be built, but no ranker", DataWarning, stacklevel=1
        )
    elif not queries.filter((pl.col("split") == "train") & pl.col("text").is_not_null()).height:
        raise InputError(root, f"expected training questions with text, found none. {_why_none(corpus)}")
    too_high = judgements.filter(pl.col("relevance") > HIGHEST)
    if too_high.height:
        query_id, passage_id, relevance = too_high.row(0)
        raise InputError(
            root,
            f"question {query_id}, passage {passage_id}: expected a relevance of 0 to {HIGHEST}, "
            f"found {relevance}. Scale the judgements down.",
        )


def _why_none(corpus: Corpus) -> str:
    """Return why no training question is left, and what to do."""
    repeats = corpus.queries.filter(pl.col("split") == "train", pl.col("text").is_not_null()).height
    if repeats:
        return (
            f"All {repeats} say the same, or nearly the same, as a validation or test question. "
            "Add training questions that are not held out."
        )
    if corpus.problems:
        return (
            f"The first of {len(corpus.problems)} things left out or repaired: {corpus.problems[0]}. "
            "Add training questions that can be used."
        )
    return f"Add a training file. {TRAINED_ELSEWHERE}"


def _provenance(settings: Settings) -> dict[str, object]:
    path = settings.prepare.feedback
    given = {each.name: sha256(each) for each in feedback_files(path) if each.is_file()}
    return {**provenance(settings.data.root), **({"feedback": given} if given else {})}


def _figures(corpus: Corpus, queries: pl.DataFrame) -> dict[str, object]:
    splits = queries.group_by("split").len().sort("split").iter_rows()
    return {
        "documents": corpus.documents.height,
        "passages": corpus.passages.height,
        "headings": int((~has_text(corpus.passages)).sum()),
        "queries": dict(splits),
    }


if __name__ == "__main__":
    main.run()
