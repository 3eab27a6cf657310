"""A benchmark from the graph of any corpus: the evidence of each question is known before it is worded."""
