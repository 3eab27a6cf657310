"""Citations read from the text, measured against a table, against markup, or against lists made by people."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rulerank.corpora import read_corpus
from rulerank.corpora.enquiries import read_enquiries
from rulerank.corpora.references import read_references
from rulerank.corpora.regml.marks import read_marks
from rulerank.errors import DataWarning, InputError
from rulerank.graph.build import curated
from rulerank.graph.citations import Agreement, Evaluation, Grammar, compare, extract
from rulerank.graph.citations.written import Laws, listed_citations, written_citations
from rulerank.graph.marked import marked_citations, marked_terms

Figures = dict[str, object]


@dataclass(frozen=True, eq=False)
class Measured:
    """The result of a comparison.

    Parameters
    ----------
    figures : dict
        For JSON.
    errors : polars.DataFrame
        kind (miss or extra), source_id, target_id, evidence, near.

    """

    figures: Figures
    errors: pl.DataFrame


def against_table(data: Path, table: Path, grammar: Grammar) -> Measured:
    """Compare the edges between passages with a table of SourceID, ReferenceText, TargetID.

    Raises
    ------
    InputError
        The corpus or the table cannot be used, or they have no edge in common to compare.

    """
    corpus = read_corpus(data)
    start = time.process_time()
    extraction = extract(corpus.passages, corpus.documents, grammar)
    seconds = time.process_time() - start
    listed, problems = read_references(table, corpus.passages)
    for problem in problems:
        warnings.warn(problem, DataWarning, stacklevel=2)
    gold = curated(listed, corpus.passages)
    if gold is None or not gold.height:
        raise InputError(table, f"expected an edge between passages of {data}, found none. Check both paths.")
    result = compare(extraction.edges, gold, corpus.passages)
    figures = {
        **_figures(result),
        "f1": round(result.f1, 4),
        "precision_of_listed_kinds": round(result.reachable_precision, 4),
        "unresolved": extraction.reasons(),
        "seconds": round(seconds, 2),
    }
    return Measured(figures, result.errors)


def against_marks(data: Path, grammar: Grammar) -> Measured:
    """Compare citations, definitions and uses of defined terms with the markup of RegML.

    The main figures are those of the regulation itself. Next to them are the figures of its official
    interpretations, whose citations are marked less completely.

    Raises
    ------
    InputError
        A file is not RegML, or marks no internal citation.

    """
    marks = read_marks(data)
    start = time.process_time()
    extraction = extract(marks.passages, marks.documents, grammar)
    seconds = time.process_time() - start
    rules = marks.passages.filter(pl.col("kind") != "guidance")
    comments = set(marks.passages["passage_id"]) - set(rules["passage_id"])
    ruled, explained = (
        marked_citations(extraction.edges, marks.citations, marks.passages, marks.misplaced | set(others))
        for others in (comments, set(rules["passage_id"]))
    )
    if not ruled.gold:
        raise InputError(
            data,
            'expected citations marked <ref reftype="internal">, found none. '
            "Give a table of them with --gold.",
        )
    definitions, uses = marked_terms(rules, marks.definitions, marks.uses, grammar)
    figures = {
        **_figures(ruled),
        "f1": round(ruled.f1, 4),
        "interpretations": _figures(explained),
        "definitions": _figures(definitions),
        "uses_of_terms": _figures(uses),
        "unresolved": extraction.reasons(),
        "seconds": round(seconds, 2),
    }
    if left := len(marks.misplaced):
        message = f"{data}: {left} paragraphs left out whose marks begin or end within a word"
        warnings.warn(message, DataWarning, stacklevel=2)
    return Measured(figures, pl.concat([ruled.errors, explained.errors]))


def against_lists(data: Path, grammar: Grammar) -> Measured:
    """Compare the citations by name in answers to enquiries with the lists that people made of them.

    A citation is a document and one of its sections, or a document alone. What lies below a section is left
    out, as in the lists. Answers without a list count only for `precision_of_all`.

    Raises
    ------
    InputError
        The file is malformed, or lists no citation.

    """
    enquiries = read_enquiries(data)
    if not any(each.references for each in enquiries):
        raise InputError(data, "expected citations in law_references, found none. Check the file.")
    start = time.process_time()
    laws = Laws(grammar, [each.answer for each in enquiries])
    read = written_citations([each.answer for each in enquiries], laws, grammar)
    seconds = time.process_time() - start
    found = right = listed = unlisted = 0
    errors: list[tuple[str, str, str, str, str]] = []
    for enquiry, citations in zip(enquiries, read, strict=True):
        gold = dict.fromkeys(listed_citations(enquiry.references, laws, grammar))
        if not gold:
            unlisted += len(citations)
            continue
        found, listed = found + len(citations), listed + len(gold)
        right += sum(each in gold for each in citations)
        for kind, wrong in (
            ("miss", [each for each in gold if each not in citations]),
            ("extra", [each for each in citations if each not in gold]),
        ):
            errors += [
                (kind, enquiry.enquiry_id, f"{document} {section}".strip(), "", enquiry.answer[:300])
                for document, section in wrong
            ]
    agreement = Agreement(found, listed, right)
    figures = {
        **_figures(agreement),
        "precision_of_all": round(right / (found + unlisted), 4) if found else 0.0,
        "seconds": round(seconds, 2),
    }
    schema = ["kind", "source_id", "target_id", "evidence", "near"]
    return Measured(figures, pl.DataFrame(errors, schema=dict.fromkeys(schema, pl.String()), orient="row"))


def _figures(result: Evaluation | Agreement) -> Figures:
    return {
        "precision": round(result.precision, 4),
        "recall": round(result.recall, 4),
        "found": result.found,
        "gold": result.gold,
        "right": result.right,
    }
