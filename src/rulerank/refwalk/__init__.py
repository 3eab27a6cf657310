"""RefWalk over an exported ranker: anchor the question, gather by meaning and citation, score views, fuse."""
