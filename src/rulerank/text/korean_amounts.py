"""How Korean regulations write amounts, "300만원 이하" and "7일 전까지"; a particle may follow the unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_UNITS = {
    "원": "won",
    "%": "%",
    "퍼센트": "%",
    "시간": "hour",
    "분": "minute",
    "개월": "month",
    "년": "year",
    "주": "week",
    "일": "day",
    "제곱미터": "square metre",
    "m2": "square metre",
    "미터": "metre",
}
_SCALES = {"천": 10**3, "만": 10**4, "백만": 10**6, "천만": 10**7, "억": 10**8, "조": 10**12}
_DIGITS = r"(?<![\d,.])\d++(?:[,.]\d++)*+"
_AMOUNT = re.compile(
    rf"(?P<digits>{_DIGITS})\s?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})?\s?"
    rf"(?P<unit>{'|'.join(_UNITS)})"
)
_MEASURED = rf"(?P<amount>){_DIGITS}\s?(?:[가-힣]{{1,6}}?|%|m2)?\s?"

AT_LEAST, AT_MOST, BEFORE, AFTER = (
    re.compile(_MEASURED + words) for words in ("(?:이상|초과)", "(?:이하|미만)", "(?:이?전)", "(?:이?후)")
)
"""An amount as a bound, or before or after something; the group `amount` is where it begins."""


def korean_amounts(text: str) -> Iterator[tuple[Decimal, str]]:
    """Yield each amount of a text and its unit, by the English name; `visible` writes "㎡" as "m2"."""
    for match in _AMOUNT.finditer(text):
        scale = _SCALES[match["scale"]] if match["scale"] else 1
        digits = match["digits"].replace(",", "")
        if digits.count(".") < 2:
            yield Decimal(digits) * scale, _UNITS[match["unit"]]
