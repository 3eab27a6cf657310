"""A land registry and a police register over one corpus: plots, and permits by holder."""

import pytest

from rulerank.authority.domain import Domain
from rulerank.authority.rules import supersession
from rulerank.authority.several import joint_domain, joint_scopes
from rulerank.errors import InputError

LAND = Domain(
    anchor_type="title",
    superseding_type="lien",
    scope_keys="plot",
    answers=[{"type": "lien", "answer": "burdened"}],
)
POLICE = Domain(anchor_type="permit", superseding_type="ban", scope_keys=["holder", "year"])
KEYS = ("plot", "holder", "year")
ROWS = [
    ("t", "title", 1, "ash", "ann", "2020"),
    ("l", "lien", 2, "ash", None, None),
    ("p", "permit", 1, "ash", "ann", "2020"),
    ("b", "ban", 2, None, "ann", "2020"),
    ("note", "letter", 3, "ash", "ann", "2020"),
]


@pytest.fixture(scope="module")
def scopes(table):
    return joint_scopes(table(ROWS, KEYS), [LAND, POLICE])


def test_each_authority_voids_its_own_documents_within_its_own_scope(table) -> None:
    order = supersession(table(ROWS, KEYS), joint_domain([LAND, POLICE]), "x")
    assert [order.superseders([row]).tolist() for row in range(5)] == [[1], [], [3], [], []]


def test_each_document_has_the_scope_of_its_authority(scopes) -> None:
    assert scopes.of.tolist() == [0, 0, 1, 1, -1]
    assert scopes.members(1).tolist() == [2, 3]


def test_scope_given_or_named_is_looked_up_under_every_authority(scopes) -> None:
    assert scopes.given({"plot": "ash"}) == [0]
    assert scopes.given({"plot": "ash", "holder": "ann"}) == [0, 1]
    assert scopes.named("May Ann build on plot Ash in 2020?") == [0, 1]
    assert scopes.named("May Ann build on plot Ash?") == [0]


def test_joint_domain_has_the_types_rules_and_answers_of_all() -> None:
    joint = joint_domain([LAND, POLICE])
    assert joint.anchor_type == ("title", "permit")
    assert [(rule.later, rule.scope_keys) for rule in joint.rules] == [
        ("lien", ("plot",)),
        ("ban", ("holder", "year")),
    ]
    assert [each.answer for each in joint.answers] == ["burdened"]


def test_type_of_two_authorities_is_refused() -> None:
    other = Domain(anchor_type="deed", superseding_type="lien", scope_keys="ship")
    with pytest.raises(InputError, match="expected domains without a common type, found 'lien' in several"):
        joint_domain([LAND, other])
