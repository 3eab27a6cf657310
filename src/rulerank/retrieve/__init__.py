"""Candidate generators: BM25, dense, their fusion."""
