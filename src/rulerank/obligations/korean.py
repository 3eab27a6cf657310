"""Korean duties in words that features do not count, and what states none: "보고할 수 없는 경우에는"."""

from __future__ import annotations

import re

from rulerank.obligations.wording import Modality

ASIDE = re.compile(r"[가-힣]\s?수\s?[없있](?:는(?!\s?것으로)|을|던|으면|어도|더라도)")
"""A clause or a relative clause: what may be or cannot be done there is no duty of the sentence."""

STATED: dict[Modality, re.Pattern[str]] = {
    "prohibition": re.compile(r"[가-힣]\s?수\s?없(?:다|으며|고|습니다)|지\s?못(?:한다|하며|합니다)"),
    "obligation": re.compile(r"의무를\s?(?:진다|지며|부담한다)"),
}

LEAD_IN = re.compile(r"다음 각 (?:호|목)|다음과 같(?:다|습니다)\.$")
"""What leaves items to the lines that follow."""

TOGETHER = re.compile(r"모두|어느 하나(?!에\s?해당)|구분에 따|순서|(?<![가-힣])합(?:한|산한|계)|다음과 같")
"""A lead-in of items that say something only together."""
