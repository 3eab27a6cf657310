"""How fast an exported ranker is and how much memory it needs, beside a baseline put together by hand."""
