"""What it costs to serve an exported ranker over HTTP, and whether requests fail."""
