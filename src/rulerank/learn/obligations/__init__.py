"""Training of the classifier of obligations, and how good it is on sentences that it has not seen."""
