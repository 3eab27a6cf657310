from __future__ import annotations

import pytest

from rulerank.errors import SettingsError
from rulerank.features.index import build_generators
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.generator import Material
from rulerank.settings import Candidates
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from tests.features.plugged import RUN, TfIdf

NOTHING = Material(PASSAGES.empty(), DOCUMENTS.empty(), EDGES.empty())


@pytest.mark.parametrize("name", ["bm25", "late", "closure", "rrf", "hybrid"])
def test_generator_with_the_name_of_another_run_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(TfIdf, "name", name)
    with pytest.raises(SettingsError, match=f"found {RUN} with the name '{name}' of another run"):
        build_generators(NOTHING, [RUN], Candidates())


def test_two_generators_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bm25, "name", "tfidf")
    with pytest.raises(SettingsError, match=f"found {RUN} with the name 'tfidf'"):
        build_generators(NOTHING, ["bm25", RUN], Candidates())
