"""Whether a ranked list holds the documents that control, and no voided one without a superseder.

Four computations go by the name TCA. `tca` is the one that the paper defines. The others are kept separate
here: `final_event_hit`, `answer_and_direct_closure`, and `document_hit` with its credit for equal texts,
`equal_text_hit`. Each takes the first k documents of a list, as rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.arrays import IntArray
from rulerank.authority.domain import Domain
from rulerank.authority.supersession import Supersession


def tca(order: Supersession, top: IntArray, gold: IntArray, texts: IntArray | None = None) -> bool:
    """Return whether a list is right under both conditions of temporal correctness.

    (i) Every member of front(gold) is listed. (ii) Of everything that supersedes a listed and superseded
    document, directly or not, at least one document is listed.

    Parameters
    ----------
    order : Supersession
        The order over the whole corpus.
    top, gold : arrays of int
        The first k documents of the list, and the judged ones.
    texts : array of shape (N,), optional
        Number of each document's text. With it, a listed document counts as the judged one in
        condition (i) if their texts are the same.

    """
    wanted = order.front(gold.tolist())
    complete = np.isin(wanted, top) if texts is None else np.isin(texts[wanted], texts[top])
    return bool(complete.all()) and closed(order, top)


def closed(order: Supersession, top: IntArray) -> bool:
    """Return whether every superseded document in `top` has a superseder in `top`: condition (ii)."""
    void = top[order.superseded[top]]
    return not len(void) or bool(np.isin(void, order.voided(top.tolist())).all())


def final_event(order: Supersession, gold: IntArray, times: IntArray) -> int:
    """Return the newest member of front(gold); of equally new ones, the last in `gold`.

    Parameters
    ----------
    order, gold
        As for `tca`.
    times : int array of shape (N,)
        The timestamp of every document, from `rulerank.authority.scopes.instants`.

    """
    wanted = gold[np.isin(gold, order.front(gold.tolist()))]
    return _newest(wanted, times)


def final_event_hit(top: IntArray, final: int) -> bool:
    """Return whether the final event is in `top`, whatever else is."""
    return bool(np.isin(final, top))


def document_hit(order: Supersession, top: IntArray, gold: IntArray) -> bool:
    """Return whether any member of front(gold) is in `top`, by its own row; arguments as for `tca`."""
    return bool(np.isin(order.front(gold.tolist()), top).any())


def equal_text_hit(order: Supersession, top: IntArray, gold: IntArray, texts: IntArray) -> bool:
    """Return the same as `document_hit`, except that a document with the same text counts as well.

    The arguments are those of `tca`.
    """
    return bool(np.isin(texts[order.front(gold.tolist())], texts[top]).any())


def direct_closed(order: Supersession, top: IntArray, times: IntArray) -> bool:
    """Return whether each listed document is listed with the newest of its direct superseders, if it has any.

    Narrower than condition (ii): a superseder further up the chain does not make up for the one in between.
    """
    for document in top[order.superseded[top]].tolist():
        above = order.direct_superseders(document)
        if _newest(above, times) not in top:
            return False
    return True


def answer_and_direct_closure(
    order: Supersession, top: IntArray, times: IntArray, derived: str | None, expected: str
) -> bool:
    """Return whether the derived answer is the expected one and `direct_closed` holds of the list.

    `top` holds the documents of the question's own scope: the published computation knows no other edges.
    """
    return derived == expected and direct_closed(order, top, times)


def derive_answer(order: Supersession, top: IntArray, types: Sequence[str], domain: Domain) -> str | None:
    """Return the answer of the first of the domain's answer types that is listed and in force, else None.

    Parameters
    ----------
    order : Supersession
        Decides what is in force.
    top : array of int
        The first k documents that are of the question's scope.
    types : sequence of str, N long
        The type of every document.
    domain : Domain
        Its `answers`, the strongest first.

    """
    in_force = {types[row] for row in top[~order.superseded[top]].tolist()}
    return next((each.answer for each in domain.answers if each.type in in_force), None)


def _newest(documents: IntArray, times: IntArray) -> int:
    return int(documents[np.flatnonzero(times[documents] == times[documents].max())[-1]])
