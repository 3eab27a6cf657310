"""RefWalk retrieval: anchor the question, gather by meaning and citation, score under three views, fuse."""
