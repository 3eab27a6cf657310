import polars as pl

from rulerank.graph.citations import load_grammar
from rulerank.graph.terms import defined_terms, term_edges
from rulerank.tables import PASSAGES

TEXTS = [
    "이 규칙에서 “잠수작업”이란 사람이 물에 잠겨 하는 일을 말한다.",
    '"예인" 이라 함은 배를 끄는 것을, “예인줄”이라 함은 그 줄을 말한다.',
    "감독자는 잠수작업을 하는 동안 예인줄의 상태를 본다.",
    "예인업자는 보고한다.",
]


def test_korean_terms_are_defined_and_used_whatever_particle_follows() -> None:
    passages = pl.DataFrame(
        [(f"p{row}", "d", str(row), "", text, 3, "rule", row, None, None) for row, text in enumerate(TEXTS)],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    grammar = load_grammar("korean")

    defines, uses = term_edges(passages, defined_terms(passages, grammar), grammar, 1.0)

    assert set(defines.select("source_id", "target_id").rows()) == {
        ("p0", "term:잠수작업"),
        ("p1", "term:예인"),
        ("p1", "term:예인줄"),
    }
    assert set(uses.select("source_id", "target_id").rows()) == {
        ("p2", "term:잠수작업"),
        ("p2", "term:예인줄"),
    }
