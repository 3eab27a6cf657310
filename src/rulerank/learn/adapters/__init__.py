"""Linear maps of a frozen encoder's embeddings or tokens, trained in seconds or minutes."""
