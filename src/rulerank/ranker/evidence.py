"""What an answerer is shown: the passages that were kept, and the rules around them on the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.answer.changes import CHANGE_EXCEPTION
from rulerank.answer.law import Law
from rulerank.answer.missing import missing_rules, rule_numbers
from rulerank.arrays import BoolArray, IntArray
from rulerank.authority.commencement import dated
from rulerank.authority.in_force import InForce, voidings
from rulerank.bundle import Bundle
from rulerank.graph.adjacency import CITING, adjacency
from rulerank.passages import Passage
from rulerank.ragged import Ragged
from rulerank.ranker.limits import limiting
from rulerank.ranker.lists import ItemLists

FEW = 20
"""The most rules that a passage brings with it because it changes them, and the most that limit it: the
revocation of a whole document would bury its answer."""


class EvidenceSource:
    """The passages of a bundle, with their state on any day.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.

    """

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._dated = dated(bundle.passages)
        known = voidings(bundle.edges, self._dated)
        self.on = lru_cache(maxsize=16)(lambda as_of: InForce(known, as_of))
        """What is void on a day."""

    def cites(self, rows: IntArray) -> NDArray[np.float32]:
        """Return which of some passages cites which, shape (passages, passages)."""
        return self._cites.among(rows)

    @cached_property
    def _cites(self) -> Ragged:
        return adjacency(self.bundle.edges, self.bundle.passages["passage_id"], CITING)

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {each: row for row, each in enumerate(self.bundle.passages["passage_id"])}

    @cached_property
    def _lists(self) -> ItemLists:
        return ItemLists(self.bundle, self._rows)

    @cached_property
    def _exceptions_to(self) -> Mapping[str, Sequence[str]]:
        """The passages that say when a change does not apply, by the passage that they cite."""
        citing = self._exception_citations.group_by("target_id", maintain_order=True)
        return dict(citing.agg("source_id").iter_rows())

    @cached_property
    def _excepted_by(self) -> Mapping[str, Sequence[str]]:
        """The passages cited by each passage that says when a change does not apply."""
        cited = self._exception_citations.group_by("source_id", maintain_order=True)
        return dict(cited.agg("target_id").iter_rows())

    @cached_property
    def _exception_citations(self) -> pl.DataFrame:
        ids = self.bundle.passages.filter(pl.col("text").str.contains(CHANGE_EXCEPTION))["passage_id"]
        return self.bundle.edges.filter(
            pl.col("type") == "REFERENCES", pl.col("source_id").is_in(ids.implode())
        )

    @cached_property
    def _limits(self) -> Mapping[str, Sequence[str]]:
        return limiting(self.bundle.passages)

    def in_effect(self, rows: IntArray, as_of: date) -> BoolArray:
        """Return which passages, given by their rows, have taken effect by a day, shape of `rows`."""
        in_effect: BoolArray = self._since[rows] <= np.datetime64(as_of)
        return in_effect

    def not_yet_in_effect(self, as_of: date) -> IntArray:
        """Return the rows of the passages that have not taken effect by a day."""
        return np.flatnonzero(self._since > np.datetime64(as_of))

    @cached_property
    def _since(self) -> NDArray[np.datetime64]:
        """The day from which each passage is in force; the earliest date if none is known."""
        since = self._dated["effective_from"].fill_null(date.min)
        return since.to_numpy().astype("datetime64[D]")

    def shown(self, passage_ids: Sequence[str], as_of: date) -> list[Passage]:
        """Return passages with their state on a day, without unknown ones and those not yet in effect."""
        rows = self.rows(passage_ids)
        return self.passages(rows[self.in_effect(rows, as_of)], as_of)

    def row(self, passage_id: str) -> int | None:
        """Return the row of a passage by its id, or None if the corpus lacks it."""
        return self._rows.get(passage_id)

    def rows(self, passage_ids: Sequence[str]) -> IntArray:
        """Return the rows of passages by their ids; ids that the corpus lacks are left out."""
        return np.array([self._rows[each] for each in passage_ids if each in self._rows], np.int64)

    def passages(self, rows: IntArray, as_of: date) -> list[Passage]:
        """Return passages, given by their rows, each with the passages that have voided it by a day."""
        in_force = self.on(as_of)
        return [
            replace(passage, voided_by=in_force.voided_by(passage.passage_id))
            for passage in self.bundle.passages_of(rows.tolist())
        ]

    def with_items(self, kept: Sequence[str]) -> list[str]:
        """Return passages to answer from, best first, so that no lead-in stands without its items.

        The best passage brings all of its items if none of them is among the others, unless they are more
        than `FEW`. Any other that says nothing without such items is left out.
        """
        found: dict[str, None] = {}
        for place, passage_id in enumerate(kept):
            items = self._lists.below(passage_id)
            alone = bool(items) and set(kept).isdisjoint(items)
            if alone and place == 0 and len(items) <= FEW:
                found |= dict.fromkeys([passage_id, *items])
            elif not (alone and place and self._lists.only_leads(passage_id)):
                found[passage_id] = None
        return list(found)

    def law(self, kept: Sequence[str], as_of: date) -> tuple[list[Passage], Law]:
        """Return the sources of an answer, in order, and the rules around them.

        If a kept passage is changed, changes a rule or says when a change does not apply, the rule, all its
        changes (the latest first) and the passages that say when a change does not apply are added, with what
        changes these. An item adds its lead-in, that of the lead-in and so on, with the changes to them; that
        of a list of revoked documents adds the item that names the one of the rule. A lead-in adds its items
        if they are right only together, each with the changes to it. A passage that changes more than `FEW`
        rules adds none of them. The paragraphs that say to what a kept one does not apply come after it.
        """
        in_force = self.on(as_of)
        ids: dict[str, None] = {}
        citing: dict[str, Sequence[str]] = {}
        parents: dict[str, str] = {}
        lists: dict[str, Sequence[str]] = {}
        beside = ((each, *self._limited_by(each), *self._amended_list(each, as_of)) for each in kept)
        for passage_id in dict.fromkeys(one for each in beside for one in each):
            about = self._changed_rules(passage_id, in_force)
            rules = about if len(about) <= FEW else [passage_id]
            above = dict(pair for each in (*rules, passage_id) for pair in self._lists.lead_ins(each))
            parents |= above
            for rule in dict.fromkeys([*rules, *above.values()]):
                if changing := [each.by for each in reversed(in_force.changes(rule))]:
                    exceptions = {each: self._exceptions_to.get(each, ()) for each in (rule, *changing)}
                    citing |= exceptions
                    excepting = [each for found in exceptions.values() for each in found]
                    excepting = [one for each in excepting for one in (*in_force.voided_by(each), each)]
                    listed = {item: lead for lead in changing for item in self._lists.naming(rule, lead)}
                    parents |= listed
                    ids |= dict.fromkeys([*changing, *listed, *excepting, rule])
            ids |= dict.fromkeys([*above.values(), passage_id])
            for lead in (*above.values(), passage_id):
                if items := self._inseparable(lead, as_of):
                    lists[lead] = items
                    parents |= dict.fromkeys(items, lead)
                    ids |= dict.fromkeys([lead, *items])
        passages = self.shown(list(ids), as_of)
        return passages, Law(in_force, {each.passage_id: each for each in passages}, citing, parents, lists)

    def unanswered(self, nearest: Sequence[str]) -> str:
        """Return why there is no answer.

        Parameters
        ----------
        nearest : sequence of str
            The statements nearest to the question; what they cite and the corpus lacks is named.

        """
        if not nearest:
            return "No passage that was found is in force."
        missing = missing_rules(nearest, self._rule_numbers)
        if not missing:
            return "No passage that was found is likely to answer the question."
        return f"What was found refers to {', '.join(missing)}, which the corpus does not hold."

    @cached_property
    def _rule_numbers(self) -> frozenset[str]:
        return rule_numbers(self.bundle.passages["section"].unique())

    def _changed_rules(self, passage_id: str, in_force: InForce) -> Sequence[str]:
        """Return the rules that a passage changes, or itself, and any whose change it is an exception to."""
        own = in_force.changed(passage_id) or [passage_id]
        cited = (each for rule in own for each in self._excepted_by.get(rule, ()))
        rules = (rule for each in cited for rule in (in_force.changed(each) or [each]))
        return list(dict.fromkeys([*own, *filter(in_force.changes, rules)]))

    def _limited_by(self, passage_id: str) -> Sequence[str]:
        """Return the paragraphs that say to what a passage or its lead-in does not apply, if they are few."""
        limited = (passage_id, self._lists.lead_in(passage_id) or "")
        by = [one for each in limited for one in self._limits.get(each, ())]
        return by if len(by) <= FEW else ()

    def _inseparable(self, lead_id: str, as_of: date) -> Sequence[str]:
        """Return the items that are stated with a lead-in because none may be stated without the others.

        None are if the lead-in is changed, or if the list changes a rule or is not all in effect yet.
        """
        items, in_force = self._lists.inseparable(lead_id), self.on(as_of)
        whole = (lead_id, *items)
        begun = self.in_effect(self.rows(whole), as_of).all()
        changing = any(in_force.changed(each) for each in whole)
        return () if changing or in_force.changes(lead_id) or not begun else items

    def _amended_list(self, passage_id: str, as_of: date) -> Sequence[str]:
        """Return the items of such a list if it is changed, so that each is stated as it is today."""
        in_force = self.on(as_of)
        leads = filter(None, (passage_id, self._lists.lead_in(passage_id)))
        lists = ((lead, self._lists.inseparable(lead)) for lead in leads)
        return next(
            (items for lead, items in lists if items and any(map(in_force.changes, (lead, *items)))), ()
        )
