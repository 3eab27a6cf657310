"""Measures, tests of significance and reports."""
