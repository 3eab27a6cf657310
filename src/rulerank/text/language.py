"""How a language words regulations: duties, definitions, exceptions, names of documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Modality = Literal["prohibition", "obligation", "recommendation", "permission"]


@dataclass(frozen=True)
class Language:
    """The wording of the regulations of one language.

    Parameters
    ----------
    modals : tuple of (Modality, pattern)
        Patterns that state a duty, strongest first.
    definition, form, exception : pattern
        What marks a passage that defines, that prescribes a form, that makes an exception.
    tiers : tuple of (int, pattern)
        Names of documents of each tier, in the order in which the patterns are tried.
    levels : tuple of str
        Names of the tiers 1 to 5.
    grammar : str
        The citation grammar for its regulations if none is named.

    """

    modals: tuple[tuple[Modality, re.Pattern[str]], ...]
    definition: re.Pattern[str]
    form: re.Pattern[str]
    exception: re.Pattern[str]
    tiers: tuple[tuple[int, re.Pattern[str]], ...]
    levels: tuple[str, str, str, str, str]
    grammar: str
