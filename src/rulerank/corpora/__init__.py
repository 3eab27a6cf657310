"""Readers: one published format each, to tables."""
