"""Numbers written in English words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_SMALL = {
    word: value
    for value, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen""".split()  # noqa: SIM905
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(),  # noqa: SIM905
        start=2,
    )
}
SCALES = {
    "hundred": 100,
    "thousand": 10**3,
    "lakh": 10**5,
    "million": 10**6,
    "crore": 10**7,
    "billion": 10**9,
    "trillion": 10**12,
}
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth""".split()  # noqa: SIM905
_ORDINAL_TENS = {"twentieth": 20, "thirtieth": 30}

NUMBER_WORDS = frozenset({*_SMALL, *_TENS, *SCALES})
# The longer ones first: what begins "sixteen" is not "six".
_WORD = "|".join(sorted(sorted(NUMBER_WORDS), key=len, reverse=True))
NUMERAL = rf"(?:{_WORD})(?:(?:-|\s+and\s+|\s+)(?:{_WORD}))*"
"""Pattern of a number in words: "twenty-four", "one hundred and fifty thousand"."""
SHORT_NUMERAL = rf"(?>(?:{_WORD})(?:(?:-|\s+and\s+|\s+)(?:{_WORD})){{0,24}})"
"""The same, at most 25 words and never tried again, to keep reading linear."""

ORDINAL = (
    rf"(?:twenty|thirty)[\s-](?:{'|'.join(_ORDINALS)})|{'|'.join(_ORDINALS[1:])}|{'|'.join(_ORDINAL_TENS)}"
)
"""Pattern of an ordinal in words, up to the days of a month; "first" says no more than "the"."""


def place_of(ordinal: str) -> int:
    """Return the number of an ordinal in words: 25 for "twenty-fifth"."""
    *tens, unit = re.findall(r"[a-z]+", ordinal.lower())
    return _ORDINAL_TENS.get(unit) or _ORDINALS.index(unit) + 1 + sum(_TENS[each] for each in tens)


def value_of(numeral: str) -> list[int]:
    """Return the numbers that a run of number words names, in reading order.

    Most runs are one number. "Two or three" is not a run, but "one and two" and "ten six" are, and hold two.
    """
    found: list[int] = []
    words = re.findall(r"[a-z]+", numeral.lower())
    start = 0
    for place, (before, word) in enumerate(pairwise(words), start=1):
        if not _goes_on(before, word):
            found.append(_value([each for each in words[start:place] if each != "and"]))
            start = place
    found.append(_value([each for each in words[start:] if each != "and"]))
    return found


def _goes_on(before: str, word: str) -> bool:
    if before == "and":
        return True
    if word == "and":
        return before in SCALES
    return word in SCALES or before in SCALES or (before in _TENS and 0 < _SMALL.get(word, 0) < 10)


def _value(words: Sequence[str]) -> int:
    total = part = 0
    for word in words:
        if word == "hundred":
            part = (part or 1) * 100
        elif word in SCALES:
            total += (part or 1) * SCALES[word]
            part = 0
        else:
            part += _SMALL.get(word, 0) + _TENS.get(word, 0)
    return total + part
