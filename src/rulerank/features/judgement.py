"""Judgement features: what the judgements of training questions say about a passage.

They carry over to a question about the same rulebook and say nothing on a new one, so they form one group
with one switch. The judgements of a training question's own cluster are taken out of its own features.
"""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.evidence import RESIDUE, SHARPNESS, SUPPORTERS, VOTERS
from rulerank.features.listing import LEADING, Listing
from rulerank.features.pairs import FUSED, Pairs
from rulerank.features.registry import feature

SUPPORT = {"SUPPORTERS": SUPPORTERS, "SHARPNESS": SHARPNESS, "RESIDUE": RESIDUE, **FUSED}
LEADING_SUPPORT = {"RESIDUE": RESIDUE, **LEADING}
VOTES = {"VOTERS": VOTERS, "SHARPNESS": SHARPNESS}


@feature("judgement")
def relevance_prior(pairs: Pairs) -> FloatArray:
    """Training questions to which the passage is relevant."""
    return pairs.evidence.prior


@feature("judgement", constants=SUPPORT)
def co_judgement_support(pairs: Pairs) -> FloatArray:
    """Weight of the best passages by `fused_score` that training questions judge together with this one."""
    return pairs.evidence.support


@feature("judgement", constants=SUPPORT)
def co_judgement_rate(pairs: Pairs) -> FloatArray:
    """The same weight, each passage's shared out over the training questions that judge it."""
    return pairs.evidence.rate


@feature("judgement", constants=SUPPORT)
def co_judgement_two_hops(pairs: Pairs) -> FloatArray:
    """The same rate handed on once more: passages judged together with those judged together with them."""
    return pairs.evidence.two_hops


@feature("judgement")
def similar_question_max(pairs: Pairs) -> FloatArray:
    """Highest cosine with a training question to which the passage is relevant; missing if none."""
    return pairs.evidence.nearest


@feature("judgement", constants=VOTES)
def similar_question_votes(pairs: Pairs) -> FloatArray:
    """Votes of the most similar training questions for the passage, weighted by similarity."""
    return pairs.evidence.votes


@feature("judgement", constants=VOTES)
def similar_question_votes_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by those votes; missing if it has none."""
    return np.where(
        similar_question_votes(pairs) > 0, pairs.rank(similar_question_votes(pairs)), np.nan
    ).astype(np.float32)


@feature("judgement", in_pass=2, constants=LEADING_SUPPORT)
def leaders_support(listing: Listing) -> FloatArray:
    """Weight of the first pass's best passages that training questions judge together with this one."""
    return listing.co_judged[0]


@feature("judgement", in_pass=2, constants=LEADING_SUPPORT)
def leaders_rate(listing: Listing) -> FloatArray:
    """The same weight, each passage's shared out over the training questions that judge it."""
    return listing.co_judged[1]
