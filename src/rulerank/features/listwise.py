"""Listwise features: what the other passages of the answer so far say about a passage.

They belong to the second pass. The answer so far is the `LEADERS` first ranks of the first pass, each
weighted by how likely it is relevant. A passage never counts for itself.
"""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.listing import LEADING, Listing
from rulerank.features.registry import feature
from rulerank.retrieve.hits import lookup

NEAR = 5
"""How many places away in a document, in either direction, count as near."""


@feature("listwise", in_pass=2)
def first_score(listing: Listing) -> FloatArray:
    """Score of the passage by the first pass, which looks at each passage by itself."""
    return listing.first_score


@feature("listwise", in_pass=2)
def first_rank(listing: Listing) -> FloatArray:
    """Rank of the passage among the question's candidates by the first pass."""
    return listing.first_rank


@feature("listwise", in_pass=2)
def first_gap(listing: Listing) -> FloatArray:
    """Score by the first pass minus the highest among the candidates."""
    return listing.pairs.gap(listing.first_score)


@feature("listwise", in_pass=2)
def first_lead(listing: Listing) -> FloatArray:
    """Score by the first pass minus that of the passage ranked next; missing for the last."""
    order = np.lexsort((listing.first_rank, listing.rows))
    scores, rows = listing.first_score[order], listing.rows[order]
    lead = np.full(len(order), np.nan, np.float32)
    lead[order[:-1]] = np.where(rows[:-1] == rows[1:], scores[:-1] - scores[1:], np.nan)
    return lead


@feature("listwise", in_pass=2)
def expected_relevant(listing: Listing) -> FloatArray:
    """Sum of the probabilities of relevance of the question's candidates."""
    totals = np.bincount(listing.rows, listing.probability, len(listing.pairs.queries))
    return totals[listing.rows].astype(np.float32)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_likeness(listing: Listing) -> FloatArray:
    """Mean cosine of the passage and the leaders, without adapter; missing if there is no other leader."""
    return _mean(listing, listing.likeness_in_meaning)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_word_likeness(listing: Listing) -> FloatArray:
    """Mean cosine of their idf-weighted terms; missing if there is no other leader."""
    return _mean(listing, listing.likeness_in_words)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_redundancy(listing: Listing) -> FloatArray:
    """Highest cosine of the passage and a leader ranked before it, without adapter; missing for the first."""
    return _highest(listing, listing.likeness_in_meaning)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_word_redundancy(listing: Listing) -> FloatArray:
    """Highest cosine of their idf-weighted terms; missing for the first."""
    return _highest(listing, listing.likeness_in_words)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_overlap(listing: Listing) -> FloatArray:
    """Sum of the cosines of the passage and the leaders ranked before it, each times its probability."""
    alike = np.nan_to_num(listing.likeness_in_meaning)
    return _sum(np.where(listing.better, listing.weights * alike, 0))


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_in_document(listing: Listing) -> FloatArray:
    """Sum of the probabilities of the leaders in the passage's document."""
    return _of(listing, listing.index.around.documents)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_in_section(listing: Listing) -> FloatArray:
    """Sum of the probabilities of the leaders in the passage's section."""
    return _of(listing, listing.index.around.sections)


@feature("listwise", in_pass=2, constants={"NEAR": NEAR, **LEADING})
def leaders_near(listing: Listing) -> FloatArray:
    """Sum of the probabilities of the leaders within five places of the passage in its document."""
    return _within(listing, NEAR)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_adjacent(listing: Listing) -> FloatArray:
    """Sum of the probabilities of the leaders just before and after the passage in its document."""
    return _within(listing, 1)


@feature("listwise", in_pass=2, constants=LEADING)
def leaders_linked(listing: Listing) -> FloatArray:
    """Mean probability of the passage's graph neighbours; neighbours that are not leaders count 0."""
    present = listing.leaders >= 0
    width = len(listing.index)
    leading = listing.rows[listing.leaders[present]] * width + listing.leader_columns[present]
    order = np.argsort(leading)
    pairs, columns, weights = listing.pairs.around.neighbours
    wanted = listing.rows[pairs] * width + columns
    probability = lookup(leading[order], listing.leader_probability[present][order], wanted, missing=0)
    return np.bincount(pairs, weights * probability, len(listing.rows)).astype(np.float32)


@feature("listwise", in_pass=2, constants=LEADING)
def unsaid(listing: Listing) -> FloatArray:
    """Share of the question's idf that earlier leaders leave uncovered; missing without known terms."""
    return listing.unsaid[0]


@feature("listwise", in_pass=2, constants=LEADING)
def unsaid_held(listing: Listing) -> FloatArray:
    """Share of the question's idf that only the passage covers so far; missing without known terms."""
    return listing.unsaid[1]


def _mean(listing: Listing, alike: FloatArray) -> FloatArray:
    total = _sum(listing.weights)
    weighted = _sum(listing.weights * np.nan_to_num(alike))
    return np.where(total > 0, weighted / np.where(total > 0, total, 1), np.nan).astype(np.float32)


def _highest(listing: Listing, alike: FloatArray) -> FloatArray:
    highest = np.where(listing.better & ~np.isnan(alike), alike, -np.inf).max(axis=1)
    return np.where(np.isfinite(highest), highest, np.nan).astype(np.float32)


def _of(listing: Listing, families: IntArray) -> FloatArray:
    """Sum the probabilities of the leaders of the pair's family."""
    leaders = listing.leader_columns[listing.rows]
    return _sum(listing.weights * (families[leaders] == families[listing.columns][:, None]))


def _within(listing: Listing, places: int) -> FloatArray:
    """Sum the probabilities of the leaders within that many places in the same document."""
    document, place = listing.index.around.documents, listing.index.around.static["place"]
    leaders, columns = listing.leader_columns[listing.rows], listing.columns[:, None]
    near = np.abs(place[leaders] - place[columns]) <= places
    return _sum(listing.weights * (near & (document[leaders] == document[columns])))


def _sum(values: FloatArray) -> FloatArray:
    total: FloatArray = values.sum(axis=1).astype(np.float32)
    return total
