"""The texts of the passages as a reader sees them."""

from __future__ import annotations

import polars as pl


def visible(texts: pl.Series) -> list[str]:
    """Return the texts in NFKC form and in their own case, without format characters.

    U+200E stands before many numbers of published rulebooks; nobody sees it, and every pattern trips over it.
    """
    return texts.str.normalize("NFKC").str.replace_all(r"\p{Cf}", "").to_list()
