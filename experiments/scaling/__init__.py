"""Scaling of training and extraction with the number of pairs."""
