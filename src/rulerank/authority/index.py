"""The documents of a domain with everything that a search for controlling documents uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from rulerank.arrays import BoolArray, IntArray
from rulerank.authority.domain import Domain
from rulerank.authority.rules import supersession
from rulerank.authority.scopes import ScopeIndex, instants
from rulerank.authority.several import joint_domain, joint_scopes
from rulerank.authority.supersession import Supersession
from rulerank.retrieve.term_weights import TermWeights, term_weights
from rulerank.settings import Bm25
from rulerank.text import analyse


@dataclass(frozen=True, eq=False)
class DomainIndex:
    """The N documents of a domain with everything that the systems use to search."""

    documents: pl.DataFrame
    domain: Domain
    scopes: ScopeIndex
    order: Supersession
    bm25: TermWeights

    @cached_property
    def is_anchor(self) -> BoolArray:
        """Whether each document is of an anchor type, shape (N,)."""
        return self.documents["type"].is_in(self.domain.anchor_type).to_numpy()

    @cached_property
    def is_superseding(self) -> BoolArray:
        """Whether each document is of a superseding type, shape (N,)."""
        return self.documents["type"].is_in(self.domain.superseding_type).to_numpy()

    @cached_property
    def times(self) -> IntArray:
        """Each document's timestamp in microseconds, the least integer if it has none, shape (N,)."""
        return instants(self.documents["timestamp"])


def index_domain(
    documents: pl.DataFrame, domains: Domain | Sequence[Domain], source: Path | str, bm25: Bm25
) -> DomainIndex:
    """Order and index documents.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table of `rulerank.corpora.authority`.
    domains : Domain, or sequence of Domain
        Types, scope keys and rules of the authority, or of each of several.
    source : path or str
        Where the documents come from, for errors.
    bm25 : Bm25
        The settings of BM25.

    Raises
    ------
    InputError
        Supersession is circular, or two domains name the same type.

    """
    domains = [domains] if isinstance(domains, Domain) else domains
    domain = joint_domain(domains)
    return DomainIndex(
        documents,
        domain,
        joint_scopes(documents, domains),
        supersession(documents, domain, source),
        term_weights(analyse(documents["text"].to_list()), bm25),
    )
