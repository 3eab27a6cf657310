"""The search for better settings of the ranker."""
