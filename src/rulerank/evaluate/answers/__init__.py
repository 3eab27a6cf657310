"""Answers, measured: protocols, tail filters, measures, and the report of the stage `answers`."""
