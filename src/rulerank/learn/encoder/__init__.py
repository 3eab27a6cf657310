"""The encoder: exported as it came, or fine-tuned so that no question meets one that has seen its fold."""
