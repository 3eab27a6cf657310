"""An exported ranker behind HTTP: one folder in, answers, metrics and a page out."""
