"""Two plots of two owners: on 7 each has a title and a lien, 8 has a title alone."""

import numpy as np
import pytest

from rulerank.authority.anchors import Anchors, given_anchors, named_anchors
from rulerank.authority.scopes import index_scopes

ROWS = [
    ("t ann", "title", 1, "7"),
    ("l ann", "lien", 2, "7"),
    ("t bob", "title", 1, "7"),
    ("l bob", "lien", 3, "7"),
    ("t cid", "title", 1, "8"),
    ("map", "survey", 1, None),
]
IS_ANCHOR = np.array([row[1] == "title" for row in ROWS])
RELEVANCE = np.array([1, 9, 2, 3, 4, 5], np.float32)


@pytest.fixture(scope="module")
def plots(table):
    return index_scopes(table(ROWS), ["plot"])


def test_scope_given_makes_anchors_of_all_its_documents_anchor_types_first(plots) -> None:
    assert given_anchors(plots, [0], IS_ANCHOR, RELEVANCE) == [2, 0, 1, 3]


def test_scope_named_makes_anchors_of_all_its_documents_only_where_the_search_confirms_it(plots) -> None:
    assert named_anchors(plots, [0, 1], IS_ANCHOR, RELEVANCE, found=[]) == [4, 2]
    assert named_anchors(plots, [0, 1], IS_ANCHOR, RELEVANCE, found=[0]) == [4, 2, 0, 1, 3]
    assert named_anchors(plots, [], IS_ANCHOR, RELEVANCE, found=[0]) == []


def test_first_anchors_are_the_named_then_the_found_each_counted_once() -> None:
    anchors = Anchors([4, 2], [2, 0, 3])
    assert anchors.rows.tolist() == [4, 2, 0, 3]
    assert anchors.first(3) == Anchors([4, 2], [0])
    assert anchors.first(1) == Anchors([4], [])
