"""The cost of serving an exported ranker over HTTP, and whether requests fail."""
