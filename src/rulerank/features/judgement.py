"""Judgement features: what the judgements of training questions say about a passage.

They carry over to a question about the same rulebook. For a document that no training question asked about,
they are missing, which is not the same as no evidence. They form one group with one switch. The judgements of
a training question's own cluster are left out of its own features.
"""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.co_judged import RESIDUE, completed_sets
from rulerank.features.evidence import SHARPNESS, SUPPORTERS, VOTERS
from rulerank.features.listing import LEADING, Listing
from rulerank.features.pairs import FUSED, Pairs
from rulerank.features.registry import feature
from rulerank.features.trust import share_of

SUPPORT = {"SUPPORTERS": SUPPORTERS, "SHARPNESS": SHARPNESS, "RESIDUE": RESIDUE, **FUSED}
LEADING_SUPPORT = {"RESIDUE": RESIDUE, **LEADING}
VOTES = {"VOTERS": VOTERS, "SHARPNESS": SHARPNESS}


@feature("judgement")
def document_judged(pairs: Pairs) -> FloatArray:
    """Share of the passages of the passage's document that are relevant to a training question."""
    return pairs.judged.in_document / pairs.of_passage("document_size")


@feature("judgement")
def section_judged(pairs: Pairs) -> FloatArray:
    """Share of the passages of the passage's section that are relevant to a training question."""
    around = pairs.index.around
    return pairs.judged.in_section / around.section_sizes[around.sections[pairs.columns]]


@feature("judgement")
def question_familiarity(pairs: Pairs) -> FloatArray:
    """Highest cosine of the question with any training question; missing if there is none."""
    return pairs.evidence.familiarity


@feature("judgement", version=2)
def relevance_prior(pairs: Pairs) -> FloatArray:
    """Number of training questions to which the passage is relevant; missing if none judged its document."""
    return pairs.evidence.prior


@feature("judgement", version=2, constants=SUPPORT)
def co_judgement_support(pairs: Pairs) -> FloatArray:
    """Weight of the best by `fused_score` judged with this one; missing if none judged its document."""
    return pairs.evidence.support


@feature("judgement", version=2, constants=SUPPORT)
def co_judgement_rate(pairs: Pairs) -> FloatArray:
    """That weight, each passage's divided by its judgement count; missing if none judged its document."""
    return pairs.evidence.rate


@feature("judgement", version=2, constants=SUPPORT)
def co_judgement_two_hops(pairs: Pairs) -> FloatArray:
    """That rate passed on once more in the same way; missing if none judged its document."""
    return pairs.evidence.two_hops


@feature("judgement")
def similar_question_max(pairs: Pairs) -> FloatArray:
    """Highest cosine with a training question to which the passage is relevant; missing if none."""
    return pairs.evidence.nearest


@feature("judgement", version=2, constants=VOTES)
def similar_question_votes(pairs: Pairs) -> FloatArray:
    """Weighted votes of the most similar training questions; missing if none judged its document."""
    return pairs.evidence.votes


@feature("judgement", constants=VOTES)
def similar_question_votes_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by those votes; missing if it has none."""
    return np.where(
        similar_question_votes(pairs) > 0, pairs.rank(similar_question_votes(pairs)), np.nan
    ).astype(np.float32)


@feature("judgement", in_pass=2, constants=LEADING)
def leaders_judged(listing: Listing) -> FloatArray:
    """Share of the first pass's best, by probability, that are relevant to a training question."""
    return _leaders_with(listing, listing.pairs.judged.prior)


@feature("judgement", in_pass=2, constants=LEADING)
def leaders_covered(listing: Listing) -> FloatArray:
    """Share of the first pass's best, by probability, in a document that a training question asked about."""
    return _leaders_with(listing, listing.pairs.judged.in_document)


@feature("judgement", in_pass=2, version=2, constants=LEADING_SUPPORT)
def leaders_support(listing: Listing) -> FloatArray:
    """Weight of the first pass's best judged with this one; missing if none judged its document."""
    return listing.co_judged[0]


@feature("judgement", in_pass=2, version=2, constants=LEADING_SUPPORT)
def leaders_rate(listing: Listing) -> FloatArray:
    """That weight, each passage's divided by its judgement count; missing if none judged its document."""
    return listing.co_judged[1]


@feature("judgement", in_pass=2, constants={"RESIDUE": RESIDUE})
def set_completion(listing: Listing) -> FloatArray:
    """Highest mean probability of the other candidates of a judged set with the passage; missing if none."""
    return completed_sets(listing.index.judgements, listing.pairs.judged, listing.probability)


def _leaders_with(listing: Listing, count: FloatArray) -> FloatArray:
    """Return the share of each question's leaders with a count above 0."""
    present = listing.leaders >= 0
    meant = np.zeros(present.shape, np.bool_)
    meant[present] = count[listing.leaders[present]] > 0
    return share_of(listing.leader_probability, meant)[listing.rows]
