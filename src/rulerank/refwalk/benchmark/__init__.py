"""A benchmark from the graph of any corpus: what its questions rest on is known before they are worded."""
