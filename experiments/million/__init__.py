"""A generated corpus of a million passages: how loading, answering and memory grow with the corpus."""
