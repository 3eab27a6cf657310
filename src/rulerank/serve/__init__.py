"""An exported ranker behind HTTP: from one folder to answers, metrics and a page."""
