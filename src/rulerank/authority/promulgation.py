"""When Korean texts begin, as their addenda say: on a day, or so long after they were promulgated."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta
from typing import NamedTuple

from rulerank.authority.days import KOREAN, day_of

_PROMULGATED = re.compile(rf"제 ?\d[\d-]*호, ?{KOREAN}?")
"""부칙 <법률 제17796호, 2021. 1. 5.>"""
_FROM = (
    rf"(?:{KOREAN} ?부터|(?P<now>(?:공포|발령|고시)(?:한 날|일)부터)"
    r"|(?:공포|발령|고시)(?:한 날)? ?후 (?P<count>\d{1,3}) ?(?P<unit>일|개월|년)(?:이|가)"
    r" (?:경과한|지난) 날부터) 시행"
)
_WHOLE = re.compile(rf"이 (?:법|영|령|규칙|고시|훈령|예규|조례|규정|지침)(?:은|는) {_FROM}")
_ARTICLES = r"(?P<articles>제 ?\d{1,4}조[^.:;]{0,200}?)"
_LATER = re.compile(
    rf"(?:(?<=다만, )|(?<=시행하[고며], )){_ARTICLES}(?P<amended>의 개정 ?규정)?(?:은|는) {_FROM}"
)
_PARAGRAPH = re.compile(r"제 ?\d+[항호]|[본단][문서]|[전후]단")
"""A part of an article, apart from which the article may begin with the rest."""
_ARTICLE = re.compile(r"(?P<to>부터 )?제 ?(?P<number>\d{1,4})조(?:의 ?(?P<inserted>\d+))?")
_MOST = 1_000
"""The most articles of a range."""


class Beginning(NamedTuple):
    """When something begins: on a day or, if that is not known, at once or later."""

    day: date | None
    later: bool


def of_whole(plain: str) -> Iterator[Beginning]:
    """Yield when a text says that it begins itself."""
    return (_beginning(found, plain) for found in _WHOLE.finditer(plain))


def of_articles(plain: str, *, amended: bool) -> Iterator[tuple[str, Beginning]]:
    """Yield the articles that begin apart from the rest: "다만, 제5조는 2022년 1월 1일부터 시행한다".

    Parameters
    ----------
    plain : str
        The text, its quotations blotted out.
    amended : bool
        Whether the articles meant are those of the text that is amended, "제5조의 개정규정", or its own. Own
        articles of which a part alone begins apart are left out.

    """
    for found in _LATER.finditer(plain):
        in_part = not amended and _PARAGRAPH.search(found["articles"])
        if (found["amended"] is not None) is amended and not in_part:
            for article in _listed(found["articles"]):
                yield article, _beginning(found, plain)


def article_of(section: str) -> str:
    """Return the article that a section is or is in, "제2장.제5조의2.제1항" is 제5조의2; empty if none."""
    found = _ARTICLE.search(section)
    return _named(found["number"], found["inserted"]) if found else ""


def _beginning(found: re.Match[str], plain: str) -> Beginning:
    promulgated = {day_of(each) for each in _PROMULGATED.finditer(plain)} - {None}
    since = promulgated.pop() if len(promulgated) == 1 else None
    if found["now"]:
        return Beginning(since, later=False)
    if not found["count"]:
        return Beginning(day_of(found), later=True)
    day = None
    # No calendar goes beyond the year 9999.
    with suppress(ValueError, OverflowError):
        day = since and _after(since, int(found["count"]), found["unit"])
    return Beginning(day, later=True)


def _after(promulgated: date, count: int, unit: str) -> date:
    """Return the day after a period has passed, which begins on the day after promulgation (민법 제157조)."""
    start = promulgated + timedelta(days=1)
    if unit == "일":
        return start + timedelta(days=count)
    months = start.year * 12 + start.month - 1 + count * (12 if unit == "년" else 1)
    year, month = divmod(months, 12)
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(start.day, last)) + timedelta(days=start.day > last)


def _listed(words: str) -> Iterator[str]:
    last = 0
    for found in _ARTICLE.finditer(words):
        number = int(found["number"])
        if found["to"] and not found["inserted"]:
            yield from (_named(str(each), None) for each in range(last + 1, min(number, last + _MOST)))
        yield _named(found["number"], found["inserted"])
        last = number


def _named(number: str, inserted: str | None) -> str:
    return f"제{number}조" + (f"의{inserted}" if inserted else "")
