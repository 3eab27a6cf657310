"""The typed graph of a corpus: edges for what the text says, and what follows from them."""
