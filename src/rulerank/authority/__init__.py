"""Controlling authority: which document voids which, and which must be listed with it."""
