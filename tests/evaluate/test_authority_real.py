"""Minimum results of the two shipped domains on their published files: the folder `car` next to ObliQA."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulerank.authority.index import index_domain
from rulerank.authority.loading import load_domain
from rulerank.authority.search import search
from rulerank.corpora.advisories import convert_advisories
from rulerank.corpora.authority import read_authority
from rulerank.corpora.finance import convert_contaminated_finance, convert_finance
from rulerank.evaluate.authority_measures import per_question, summarise
from rulerank.settings import Bm25


@pytest.mark.real
@pytest.mark.parametrize(
    ("domain", "convert", "documents", "tca", "hit"),
    [
        ("security_advisories", convert_advisories, 2318, 0.975, 0.975),
        ("finance_events", convert_finance, 12250, 1.0, 0.978),
        ("finance_events", convert_contaminated_finance, 12250, 0.942, 0.942),
    ],
)
def test_two_stage_with_rules_reaches_the_bar_without_embeddings(
    obliqa: Path,
    tmp_path: Path,
    domain: str,
    convert: Callable[[Path, Path], None],
    documents: int,
    tca: float,
    hit: float,
) -> None:
    folder = obliqa.parent / "car"
    if not folder.is_dir():
        pytest.skip(f"needs the published files of {domain} in {folder}")
    convert(folder, tmp_path)
    data = read_authority(tmp_path)
    assert data.documents.height == documents
    index = index_domain(data.documents, load_domain(domain), "documents", Bm25(k1=1.5, b=0.75))
    rows = per_question(index, data.queries, search(index, data.queries, None, 10))
    for system in ("two_stage", "two_stage_rules"):
        measured = summarise(rows)[system]
        assert measured["TCA@5"]["mean"] >= tca
        assert measured["hit@5"]["mean"] >= hit
