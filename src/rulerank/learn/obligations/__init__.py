"""Training of the classifier of obligations, and its quality on sentences that it has not seen."""
