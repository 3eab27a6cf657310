"""Which questions are trained on and which are held out: protocols, near-duplicates and folds."""
