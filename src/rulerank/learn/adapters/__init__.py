"""Linear maps on top of a frozen encoder, of its embeddings or its tokens: trained in seconds or minutes."""
