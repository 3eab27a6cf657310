"""The day on which a whole document comes into force, as one of its passages says."""

from __future__ import annotations

import re
from datetime import date

import polars as pl

from rulerank.authority.amending import amending
from rulerank.authority.days import DATE, KOREAN, days

_FINAL_RULE = (
    r"(?:(?:the amendments (?:in|made by) )?this (?:direct |interim )?final rule|dates: this rule)"
    r" (?:is|are|becomes?) effective(?: on)?"
)
_ITSELF = (
    rf"(?<![\w,] )(?i:\b{_FINAL_RULE}|\b(?:these (?:rules|regulations|by-?laws|orders|directions)"
    r"|this (?:act|law|order|instrument|notice|decree|code)|(?-i:This (?:Regulation|Directive|Decision)))"
    r"(?: (?:may|shall|is to|are to) be cited as [^.;:]{1,120}?,? and)?(?: shall)?"
    r" (?:comes?|enters?) into (?:force|operation|effect) (?:on|from)(?: and from)?)"
)
_EXCEPT = r"(?!,? (?i:except|save|other than|subject|but|unless|apart|for|in|as))"
"""Some of the document then comes into force on another day, and it cannot be said which."""
_SAID = re.compile(rf"{_ITSELF}(?: the)? (?:{DATE}){_EXCEPT}")
_APPLYING = re.compile(
    r"(?:\A|(?<=[.;] ))(?:\d+\. )?(?:It|This (?:Regulation|Directive|Decision)) shall apply (?:as )?from"
    rf"(?: the)? (?:{DATE}){_EXCEPT}(?!\. (?:However|By way of|Articles?|Points?|Paragraphs?)\b)"
)
"""In the European Union, what enters into force first may apply, and so change the law, only later."""
_KOREAN = re.compile(rf"이 (?:법|영|령|규칙|고시|조례|규정|지침)(?:은|는) {KOREAN} ?부터 시행")
_WORTH_READING = r"into (?:force|operation|effect)|final rule|DATES: |shall apply (?:as )?from|시행"


def dated(passages: pl.DataFrame) -> pl.DataFrame:
    """Return passages with the day of their document as `effective_from` where they have none of their own.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    begun = commencements(passages)
    day = pl.col("document_id").replace_strict(begun, default=None, return_dtype=pl.Date)
    return passages.with_columns(pl.coalesce("effective_from", day)) if begun else passages


def commencements(passages: pl.DataFrame) -> dict[str, date]:
    """Return the day on which documents come into force, by document.

    A document that names no day, or several, is left out. The day from which it applies counts, rather than
    that on which it enters into force.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    entering: dict[str, set[date]] = {}
    applying: dict[str, set[date]] = {}
    texts = passages.filter(pl.col("text").str.contains(_WORTH_READING)).select("document_id", "text")
    for document, text in texts.iter_rows():
        plain = amending(text).plain
        for found, patterns in ((entering, (_SAID, _KOREAN)), (applying, (_APPLYING,))):
            said = (day for pattern in patterns for day in days(pattern, plain))
            found.setdefault(document, set()).update(said)
    named = {document: applying[document] or found for document, found in entering.items()}
    return {document: next(iter(found)) for document, found in named.items() if len(found) == 1}
