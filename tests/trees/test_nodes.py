from __future__ import annotations

import pytest

from rulerank.errors import RulerankError
from rulerank.trees.nodes import read_nodes

TREE = """tree
Tree=0
num_leaves=3
split_feature=1 0
threshold=0.5 2
decision_type=2 2
left_child=1 -1
right_child=-3 -2
leaf_value=1 2 4
leaf_count=1 1 2
"""


def test_nodes_are_those_of_the_text() -> None:
    nodes = read_nodes(TREE)
    assert nodes.column.tolist() == [1, 0, 0, 0, 0]
    assert nodes.left.tolist() == [1, 2, 2, 3, 4]
    assert nodes.right.tolist() == [4, 3, 2, 3, 4]
    assert nodes.value.tolist() == [2.75, 1.5, 1, 2, 4]


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("left_child=1 -1", "left_child=0 -1"),
        ("left_child=1 -1", "left_child=1 0"),
        ("left_child=1 -1", "left_child=9 -1"),
        ("left_child=1 -1", "left_child=1 -9"),
        ("left_child=1 -1", "left_child=1 -2"),
        ("left_child=1 -1", "left_child=1"),
        ("threshold=0.5 2", "threshold=nan 2"),
        ("threshold=0.5 2", "threshold=half 2"),
        ("leaf_value=1 2 4", "leaf_value=1 inf 4"),
        ("leaf_value=1 2 4", "leaf_value=1 2"),
        ("leaf_value=1 2 4\n", ""),
    ],
)
def test_what_is_no_tree_is_refused(line: str, changed: str) -> None:
    with pytest.raises(RulerankError, match="expected"):
        read_nodes(TREE.replace(line, changed))
