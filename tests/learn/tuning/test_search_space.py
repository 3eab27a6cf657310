from __future__ import annotations

import pytest

from rulerank.learn.tuning.search_space import search_space, to_choice, to_parameters
from rulerank.settings import Ranker
from tests.learn.present import present_choice


@pytest.mark.parametrize("ranker", [{}, {"num_leaves": 500, "lambda_l2": 0.0, "min_data_in_leaf": 0}])
def test_search_space_holds_the_present_choice(ranker: dict[str, float]) -> None:
    present = present_choice(**ranker)
    parameters = to_parameters(present, present)
    for name, distribution in search_space(present).items():
        assert distribution._contains(distribution.to_internal_repr(parameters[name])), name
    assert to_choice(parameters, present) == present


def test_search_space_switches_groups_but_those_that_always_stay() -> None:
    present = present_choice()
    switches = {name for name in search_space(present) if name.startswith("group.")}
    assert switches == {"group.centrality", "group.judgement"}
    drawn = {**to_parameters(present, present), "group.judgement": False, "num_leaves": 20, "depth": 10}
    choice = to_choice(drawn, present)
    assert choice.groups == ("lexical", "fusion", "centrality")
    assert choice.ranker == Ranker(num_leaves=20, depth=10)
