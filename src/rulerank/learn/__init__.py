"""What learns from judgements: the encoder, the adapters on top of it, the ranker and its settings."""
