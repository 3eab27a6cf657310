"""A title and the lien that burdens it; the question uses words of the title."""

import pytest

from rulerank.authority.domain import Domain
from rulerank.authority.index import index_domain
from rulerank.corpora.authority import read_authority, write_authority
from rulerank.evaluate.vocabulary_gap import vocabulary_gap
from rulerank.settings import Bm25

DOMAIN = Domain(anchor_type="title", superseding_type="lien", scope_keys="plot")
DOCUMENTS = [
    {"id": "t", "type": "title", "text": "Ann Lee owns plot seven.", "scope": {"plot": 7}},
    {"id": "l", "type": "lien", "text": "Harbour bank holds security.", "scope": {"plot": 7}},
    {"id": "u", "type": "title", "text": "Bob Ray owns plot eight.", "scope": {"plot": 8}},
]


def _gap(tmp_path, *queries):
    write_authority(tmp_path, DOCUMENTS, queries)
    data = read_authority(tmp_path)
    return vocabulary_gap(index_domain(data.documents, DOMAIN, "x", Bm25()), data.queries)


def test_gap_is_the_overlap_with_each_side_of_the_chain(tmp_path) -> None:
    asked = {"id": "q", "text": "Who owns plot seven: the bank?", "gold": ["l"]}
    gap = _gap(tmp_path, asked, {"id": "r", "text": "And plot eight?", "gold": ["u"]})
    assert gap["queries"] == 1  # nothing is void about plot eight
    # own, plot, seven, bank against ann, lee, own, plot, seven and against harbour, bank, hold, secur.
    assert gap["jaccard"] == {
        "voided": pytest.approx(3 / 6),
        "controlling": pytest.approx(1 / 7),
        "positive": 1,
    }
    assert gap["bm25"]["voided"] > gap["bm25"]["controlling"] > 0


def test_domain_in_which_nothing_asked_about_is_void_has_no_gap(tmp_path) -> None:
    assert _gap(tmp_path, {"id": "r", "text": "And plot eight?", "gold": ["u"]}) == {"queries": 0}
