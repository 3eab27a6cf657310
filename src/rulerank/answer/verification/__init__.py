"""What a claim is held against before anyone reads it."""
