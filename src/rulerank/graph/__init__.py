"""The typed graph of a corpus: what is in the text as edges, and what follows from them."""
