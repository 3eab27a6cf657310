"""The encoder: pretrained, or fine-tuned so that no question is embedded by one that has seen its fold."""
