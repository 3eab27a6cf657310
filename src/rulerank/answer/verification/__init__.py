"""The checks on a claim before anyone reads it."""
