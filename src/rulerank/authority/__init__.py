"""Controlling authority: which document voids which, and what must be shown with what."""
