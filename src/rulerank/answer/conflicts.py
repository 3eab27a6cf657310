"""Claims that differ only in their figures: both are stated as a contradiction."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulerank.answer.claims import Claim
from rulerank.text import normalise

_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million"
)
_UNITS = (
    r"(?:working |business |calendar )?(?:minutes?|hours?|days?|weeks?|months?|years?)|per ?cent|%|units?"
)
# A number is read from its beginning alone, and a run of words is bounded: reading stays linear.
_FIGURE = re.compile(
    rf"(?<![\w.])(?<!\d,)(?:\d[\d,.]*+|(?:{_WORDS})(?:[ -](?:{_WORDS})){{0,8}})(?= ?(?:{_UNITS})(?!\w))"
)
_LEAST = 6
"""Words that two claims must have in common, besides figures."""

PREFACE = "In conflict:"


def contradictions(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Join claims that differ only in their figures; all others stay as they are.

    They must cite different passages. A change to a rule does not contradict the rule.
    """
    joined: dict[str, Claim] = {}
    for claim in claims:
        frame = _FIGURE.sub("#", normalise(claim.text))
        comparable = "#" in frame and len(frame.split()) >= _LEAST and not claim.changed_by
        key = frame if comparable else claim.text
        other = joined.get(key)
        if other is None or set(other.passages) & set(claim.passages):
            joined[key if other is None else claim.text] = claim
        else:
            said = other.text if other.text.startswith(PREFACE) else f"{PREFACE} “{other.text}”"
            joined[key] = Claim(
                f"{said} “{claim.text}”",
                other.modality,
                tuple(dict.fromkeys([*other.passages, *claim.passages])),
                (*other.quotes, *claim.quotes),
            )
    return tuple(joined.values())
