"""Learning to rank regulatory text."""
