"""What learns from judgements: folds, the encoder's adapter, the LambdaMART ranker."""
