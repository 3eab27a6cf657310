"""Multiple choice with all or part of the evidence, and when to abstain (SearchFireSafety)."""
