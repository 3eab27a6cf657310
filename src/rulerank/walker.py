"""RefWalk over an exported ranker: its encoder gathers, its graph expands, its model scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from pydantic import ValidationError

from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import RANKER, Bundle
from rulerank.errors import SettingsError
from rulerank.features.extract import extract, unseen
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import adjacency
from rulerank.ranker import Ranker
from rulerank.retrieve.refwalk.anchor import AnchorModel
from rulerank.retrieve.refwalk.views import unmarked
from rulerank.retrieve.refwalk.walk import Expand, Pool, Scorer, Search, Walk
from rulerank.retrieve.search import retrieve
from rulerank.settings import RefWalk


def walk_over(ranker: Ranker, anchors: AnchorModel, settings: RefWalk, scorer: Scorer | None = None) -> Walk:
    """Return RefWalk over the passages of an exported ranker.

    Parameters
    ----------
    ranker : Ranker
        Over N passages.
    anchors : AnchorModel
        Finds what a question is about.
    settings : RefWalk
        The section `refwalk` of params.yaml.
    scorer : Scorer, optional
        By default the ranker's own model.

    """
    bundle = ranker.bundle
    return Walk(
        anchors,
        search=dense_search(bundle),
        expand=citations(bundle.edges, bundle.passages["passage_id"], settings),
        scorer=scorer or learned_scorer(ranker),
        tiers=bundle.passages["tier"].cast(pl.Float32).fill_null(np.nan).to_numpy(),
        settings=settings,
    )


def settings_of(bundle: Bundle, **changes: object) -> RefWalk:
    """Return the section `refwalk` that a bundle was exported with, with every change that is not None.

    Raises
    ------
    SettingsError
        A changed value is out of range.

    """
    kept = bundle.manifest["settings"].get("refwalk", {})
    changed = {key: value for key, value in changes.items() if value is not None}
    try:
        return RefWalk.model_validate({**kept, **changed})
    except ValidationError as error:
        problems = "; ".join(f"{each['loc'][0]}: {each['msg'].lower()}" for each in error.errors())
        raise SettingsError(f"refwalk: {problems}. Correct these values and run again.") from error


def dense_search(bundle: Bundle) -> Search:
    """Return a search by the bundle's encoder and adapter; headings without text are never found.

    Sentence encoders learn from plain text, so the marks of a view are left out.
    """
    index = bundle.index.search

    def search(text: str) -> FloatArray:
        scores = index.dense.scores(bundle.embed([unmarked(text)]))[0]
        return np.where(index.has_text, scores, -np.inf).astype(np.float32)

    return search


def citations(edges: pl.DataFrame, passage_ids: pl.Series, settings: RefWalk) -> Expand:
    """Return the expansion along citation-bearing edges, followed both ways.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table.
    passage_ids : polars.Series
        The N passages, in the order of their rows.
    settings : RefWalk
        `edge_types`, `hops` and `decay`.

    """
    walk = Closure(adjacency(edges, passage_ids, settings.edge_types, "both"))

    def expand(seeds: IntArray, scores: FloatArray) -> tuple[IntArray, FloatArray]:
        # A cosine below 0 would grow by decaying.
        found = walk.from_seeds(seeds, np.maximum(scores, 0), settings.hops, settings.decay)
        return found.passages, found.score

    return expand


def learned_scorer(ranker: Ranker) -> Scorer:
    """Return the ranker's own model as a scorer.

    It reads words, so the marks of a view are left out. The candidates that it would have found are described
    beside the passages: a rank among them means what it did in training.
    """
    bundle = ranker.bundle

    def score(text: str, passages: IntArray) -> FloatArray:
        queries = ranker.queries([""], [unmarked(text)])
        own = retrieve(bundle.index.search, queries, bundle.candidates, bundle.index.closure).columns
        described = np.union1d(own, passages)
        ids = bundle.passages["passage_id"].gather(described)
        pairs = pl.DataFrame({"query_id": pl.repeat("", len(ids), eager=True), "passage_id": ids})
        (batch,) = extract(
            bundle.index,
            queries,
            unseen(queries),
            bundle.features,
            bundle.candidates,
            pairs,
            first_pass=bundle.first_pass,
        )
        scores = np.asarray(bundle.scores(RANKER, batch.matrix), np.float32)
        return scores[np.searchsorted(described, passages)]

    return score


def shown_texts(bundle: Bundle) -> pl.Series:
    """Return what a cross-encoder reads of each passage: its document's title, its section and its text."""
    titled = bundle.passages.join(bundle.documents, on="document_id", how="left", maintain_order="left")
    heading = pl.concat_str(pl.col("title_right").fill_null(""), "section", separator=" ").str.strip_chars()
    return titled.select(pl.concat_str(heading, "text", separator="\n").str.strip_chars()).to_series()


@dataclass(frozen=True)
class WalkedPassage:
    """One passage of a walk.

    Parameters
    ----------
    rank : int
        From 1.
    passage_id, document, section, text : str
        The passage; `document` is the title of the document it stands in.
    score : float
        The fused score; it compares within one question only.
    ranks : mapping of str to int
        Its rank in the pool under each view.
    cited : bool
        Whether it is in the pool by citations alone.

    """

    rank: int
    passage_id: str
    document: str
    section: str
    text: str
    score: float
    ranks: Mapping[str, int]
    cited: bool


def walked(bundle: Bundle, walk: Walk, pool: Pool, k: int) -> list[WalkedPassage]:
    """Return the first `k` passages of a pool, best first."""
    order, scores = walk.order(pool)
    titles = dict(bundle.documents.select("document_id", "title").iter_rows())
    passages = bundle.passages[pool.passages[order[:k]]]
    return [
        WalkedPassage(
            rank=rank,
            passage_id=passage["passage_id"],
            document=titles.get(passage["document_id"], passage["document_id"]),
            section=passage["section"],
            text=passage["text"],
            score=float(scores[place]),
            ranks={view: int(run.ranks[0, place]) for view, run in pool.runs.items()},
            cited=bool(pool.reached[place]),
        )
        for rank, (place, passage) in enumerate(
            zip(order, passages.iter_rows(named=True), strict=False), start=1
        )
    ]
