"""Citations and defined terms read from a text, measured against what its authors marked."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from rulerank.graph.citations import Agreement, Evaluation, Grammar, compare
from rulerank.graph.terms import Keys, defined_terms, term_edges

_ENDS = ["source_id", "target_id"]
_USE = ["source_id", "term"]


def marked_citations(
    edges: pl.DataFrame, marks: pl.DataFrame, passages: pl.DataFrame, misplaced: Collection[str] = ()
) -> Evaluation:
    """Compare edges read from the text with the citations that its authors marked in it.

    As in `compare`, only passages with a mark count, because authors leave whole paragraphs unmarked. What
    lies between the ends of a range counts only if it is marked, because markup names only the ends.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges of `rulerank.graph.citations.extract`.
    marks : polars.DataFrame
        source_id, target_id and words. Marks that lead to their own passage, or nowhere, are left out.
    passages : polars.DataFrame
        The passages table.
    misplaced : collection of str, optional (default=())
        Passages whose marks are out of place. They do not count.

    """
    known = passages["passage_id"].implode()
    gold = marks.rename({"words": "evidence"}).filter(
        pl.col("source_id").is_in(known),
        ~pl.col("source_id").is_in(list(misplaced)),
        pl.col("target_id").is_in(known),
        pl.col("source_id") != pl.col("target_id"),
    )
    listed = edges.join(gold, on=_ENDS, how="semi", maintain_order="left")
    others = edges.filter(~pl.col("between")).join(gold, on=_ENDS, how="anti", maintain_order="left")
    return compare(pl.concat([listed, others]), gold, passages)


def marked_terms(
    passages: pl.DataFrame, definitions: pl.DataFrame, uses: pl.DataFrame, grammar: Grammar
) -> tuple[Agreement, Agreement]:
    """Compare the definitions and uses of terms read from the text with those that its authors marked.

    A use is a passage and a term, however often it occurs. Only passages with a marked use count for uses.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.
    definitions : polars.DataFrame
        passage_id and term.
    uses : polars.DataFrame
        source_id, target_id (the passage that defines the term) and words.
    grammar : Grammar
        How the corpus defines terms.

    Returns
    -------
    tuple of Agreement
        The agreement on definitions, and on uses.

    """
    keys, terms = Keys(grammar.terms), defined_terms(passages, grammar)
    written = {term.node: " ".join(key) for key, term in terms.items()}
    defined, used = (
        edges.select("source_id", term=pl.col("target_id").replace_strict(written, return_dtype=pl.String))
        for edges in term_edges(passages, terms, grammar, 1.0)
    )
    known = passages["passage_id"].implode()
    names: dict[str, list[str]] = {}
    for passage_id, term in definitions.iter_rows():
        names.setdefault(passage_id, []).append(keys.phrase(term))
    marked_definitions = [(passage_id, name) for passage_id, found in names.items() for name in found]
    marked_uses = [
        (source, _named(keys.phrase(words), names.get(target, [])))
        for source, target, words in uses.filter(pl.col("source_id").is_in(known)).iter_rows()
    ]
    schema = {name: pl.String() for name in _USE}
    gold = pl.DataFrame(marked_uses, schema=schema, orient="row")
    return (
        _agreement(defined, pl.DataFrame(marked_definitions, schema=schema, orient="row")),
        _agreement(used.filter(pl.col("source_id").is_in(gold["source_id"].implode())), gold),
    )


def _named(words: str, names: list[str]) -> str:
    """Return which of the terms that a passage defines is meant by the words of a use."""
    return next((name for name in [words, *names] if name in names and name in words), (names or [words])[0])


def _agreement(found: pl.DataFrame, gold: pl.DataFrame) -> Agreement:
    found, gold = found.unique(), gold.unique()
    return Agreement(found.height, gold.height, found.join(gold, on=_USE, how="semi").height)
