"""The encoder, pretrained or fine-tuned, so that each question's encoder has not seen the question's fold."""
