"""Whether a retrieved list shows what controls, and nothing void without what voids it.

Four computations go by the name TCA. `tca` is the one that the paper defines; the others are kept apart here:
`final_event_hit`, `answer_and_direct_closure`, and `document_hit` with its credit for equal texts,
`equal_text_hit`. Each takes the first k of a list, as rows of the corpus.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.arrays import IntArray
from rulerank.authority.adapter import Adapter
from rulerank.authority.supersession import Supersession


def tca(order: Supersession, shown: IntArray, gold: IntArray, texts: IntArray | None = None) -> bool:
    """Return whether a list is right under both conditions of temporal correctness.

    (i) Every member of front(gold) is shown. (ii) Of everything that supersedes a shown and superseded
    document, directly or not, at least one document is shown.

    Parameters
    ----------
    order : Supersession
        The order over the whole corpus.
    shown, gold : arrays of int
        The first k documents of the list, and the judged ones.
    texts : array of shape (N,), optional
        Number of each document's text. With it, a shown document counts as the judged one if it says the
        same, in condition (i) alone.

    """
    wanted = order.front(gold.tolist())
    complete = np.isin(wanted, shown) if texts is None else np.isin(texts[wanted], texts[shown])
    return bool(complete.all()) and closed(order, shown)


def closed(order: Supersession, shown: IntArray) -> bool:
    """Return whether every superseded document shown has one of its superseders beside it: condition (ii)."""
    void = shown[order.superseded[shown]]
    return not len(void) or bool(np.isin(void, order.voided(shown.tolist())).all())


def final_event(order: Supersession, gold: IntArray, times: IntArray) -> int:
    """Return the newest member of front(gold) by `instants`; of equally new ones the last in `gold`."""
    wanted = gold[np.isin(gold, order.front(gold.tolist()))]
    return _newest(wanted, times)


def final_event_hit(shown: IntArray, final: int) -> bool:
    """Return whether the final event is shown. Says nothing of what else is."""
    return bool(np.isin(final, shown))


def document_hit(order: Supersession, shown: IntArray, gold: IntArray) -> bool:
    """Return whether any member of front(gold) is shown, by its own row."""
    return bool(np.isin(order.front(gold.tolist()), shown).any())


def equal_text_hit(order: Supersession, shown: IntArray, gold: IntArray, texts: IntArray) -> bool:
    """Return the same where a document that says word for word the same counts as well."""
    return bool(np.isin(texts[order.front(gold.tolist())], texts[shown]).any())


def direct_closed(order: Supersession, shown: IntArray, times: IntArray) -> bool:
    """Return whether each shown document is shown with the newest of its direct superseders, if it has any.

    Narrower than condition (ii): a superseder further up the chain does not make up for the one in between.
    """
    for document in shown[order.superseded[shown]].tolist():
        above = order.direct_superseders(document)
        if _newest(above, times) not in shown:
            return False
    return True


def answer_and_direct_closure(
    order: Supersession, shown: IntArray, times: IntArray, derived: str | None, expected: str
) -> bool:
    """Return whether the derived answer is the expected one and `direct_closed` holds of the list.

    `shown` are the documents of the question's own scope: the published computation knows no other edges.
    """
    return derived == expected and direct_closed(order, shown, times)


def derive_answer(order: Supersession, shown: IntArray, types: Sequence[str], adapter: Adapter) -> str | None:
    """Return the answer of the first of the adapter's answer types that is shown and in force, else None.

    Parameters
    ----------
    order : Supersession
        Decides what is in force.
    shown : array of int
        The first k documents that are of the question's scope.
    types : sequence of str, N long
        The type of every document.
    adapter : Adapter
        Its `answers`, the strongest first.

    """
    in_force = {types[row] for row in shown[~order.superseded[shown]].tolist()}
    return next((each.answer for each in adapter.answers if each.type in in_force), None)


def _newest(documents: IntArray, times: IntArray) -> int:
    return int(documents[np.flatnonzero(times[documents] == times[documents].max())[-1]])
