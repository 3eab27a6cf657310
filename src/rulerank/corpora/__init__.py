"""Corpora: one reader per published format; all return the same tables."""

from rulerank.corpora.beir import read_beir, write_beir
from rulerank.corpora.corpus import Corpus, Questions
from rulerank.corpora.fetch import PublishedFile, fetch, published_files
from rulerank.corpora.obliqa import read_obliqa
from rulerank.corpora.questions import read_questions
from rulerank.corpora.read import provenance, read_corpus
from rulerank.corpora.trec import read_letor, read_qrels, read_run, write_letor, write_qrels, write_run

__all__ = [
    "Corpus",
    "PublishedFile",
    "Questions",
    "fetch",
    "provenance",
    "published_files",
    "read_beir",
    "read_corpus",
    "read_letor",
    "read_obliqa",
    "read_qrels",
    "read_questions",
    "read_run",
    "write_beir",
    "write_letor",
    "write_qrels",
    "write_run",
]
