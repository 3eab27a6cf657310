"""From ranked passages to an answer that binds each obligation to its rule."""
