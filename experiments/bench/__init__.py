"""The speed and memory of an exported ranker, compared with a baseline put together by hand."""
