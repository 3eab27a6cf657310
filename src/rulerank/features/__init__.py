"""The features of a (query, passage) pair, in one registry."""
