from __future__ import annotations

from rulerank.graph.build import build_edges, link
from rulerank.graph.citations import load_grammar
from rulerank.graph.names import names, names_edges
from rulerank.graph.terms import Keys, defined_terms
from rulerank.settings import Graph


def test_names_are_runs_of_capitals_without_the_first_stopwords() -> None:
    text = "The Court of First  Instance and the ADGM board. If Harbour Masters act,\nPilots rest. In A Port."
    assert list(names(text)) == ["Court of First Instance", "ADGM", "Harbour Masters"]


def test_names_join_passages_and_defined_terms_are_left_out(passages_of) -> None:
    passages = passages_of(
        [
            ("D", "1", '"Duty Pilot" means a pilot. The Port Authority hears the Duty Pilot\'s mate.'),
            ("D", "2", "Ask the PORT Authority or the Duty Pilots."),
            ("D", "3", "Ask the Port Authority. The Port Authority answers. The Sea Court does not."),
            ("D", "4", "Nobody answers."),
        ]
    )
    grammar = load_grammar("english_rulebook")
    terms = defined_terms(passages, grammar)
    assert [term.form for term in terms.values()] == ["Duty Pilot"]
    edges = names_edges(passages, terms, Keys(grammar.terms), max_share=1)
    assert edges.rows() == [
        ("D:1", "name:port authority", "NAMES", "Port Authority"),
        ("D:2", "name:port authority", "NAMES", "PORT Authority"),
        ("D:3", "name:port authority", "NAMES", "Port Authority"),
    ]
    assert names_edges(passages, {}, Keys(grammar.terms), 1)["target_id"].n_unique() == 2
    rare = names_edges(passages, {}, Keys(grammar.terms), 0.5)
    assert rare.select("source_id", "target_id").rows() == [
        ("D:1", "name:duty pilot"),
        ("D:2", "name:duty pilot"),
    ]


def test_many_spaces_take_no_time() -> None:
    assert list(names("Port" + " " * 200_000 + "Authority")) == ["Port Authority"]
    assert list(names("A " * 50_000))[:1] == []


def test_graph_of_the_publication_has_both_directions_and_names(passages_of, documents_of) -> None:
    passages = passages_of(
        [("D", "1", "Under Rule 2, ask the Port Authority."), ("D", "2", "Port Authority.")]
    )
    plain = build_edges(passages, documents_of({"D": ["D"]}), None, Graph(max_term_share=1))
    settings = Graph(max_term_share=1, also=("CITED_BY", "NAMES"), centrality=("CITED_BY",), hits_without=())
    linked = link(passages, documents_of({"D": ["D"]}), None, settings)
    added = linked.edges.join(plain, on=["source_id", "target_id", "type"], how="anti")
    assert added.select("source_id", "target_id", "type").rows() == [
        ("D:2", "D:1", "CITED_BY"),
        ("D:1", "name:port authority", "NAMES"),
        ("D:2", "name:port authority", "NAMES"),
    ]
    # Centrality counts only the edge 2 -> 1.
    assert linked.centrality["hits_authority"].to_list() == [1, 0]
    assert linked.centrality["degree"].to_list() == [1, 1]
    whole = link(passages, documents_of({"D": ["D"]}), None, Graph(max_term_share=1)).centrality
    assert whole["degree"].to_list() == [2, 2]
