"""The day on which a whole document comes into force, as one of its passages says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import chain

import polars as pl

from rulerank.authority.amending import amending
from rulerank.authority.days import DATE, dated_words, day_of, days
from rulerank.authority.promulgation import Beginning, of_articles, of_whole

_FINAL_RULE = (
    r"(?:(?:the amendments (?:in|made by) )?this (?:direct |interim )?final rule|dates: this rule)"
    r" (?:is|are|becomes?) effective(?: on)?"
)
_CLAUSE = (
    rf"(?i:\b{_FINAL_RULE}|\b(?:these (?:rules|regulations|by-?laws|orders|directions)"
    r"|this (?:act|law|order|instrument|notice|decree|code)|(?-i:This (?:Regulation|Directive|Decision)))"
    r"(?: (?:may|shall|is to|are to) be cited as [^.;:]{1,120}?,? and)?(?: shall)?"
    r" (?:comes?|enters?) into (?:force|operation|effect) (?:on|from)(?: and from)?)"
)
_ITSELF = rf"(?<![\w,] ){_CLAUSE}"
_EXCEPT = r"(?!,? (?i:except|save|other than|subject|but|unless|apart|for|in|as))"
"""Some of the document then comes into force on another day, and it cannot be said which."""
_SAID = re.compile(rf"{_ITSELF}(?: the)? (?:{DATE}){_EXCEPT}")
_NAMED_HERE = (
    r"(?:(?<= is )|(?<= are ))\w+ in (?:the |this |its )?(?:\w+ )?"
    r"(?i:annex|appendix|article|column|paragraph|part|regulation|rule|schedule|section|table)\b"
)
_APPOINTED = re.compile(
    rf"{_ITSELF} (?:such|the|an?) (?:days?|dates?)(?: or (?:days|dates))?"
    r" (?:to be (?:announced|appointed|determined|fixed|notified|prescribed|specified)\b"
    rf"|(?:as|that|which)\b[^.;]{{0,100}}?\b(?!{_NAMED_HERE})"
    r"(?:announce|appoint|determine|fix|notif|prescribe|specif))"
)
"""A day that is named elsewhere, if at all; not "the day that is specified in the Schedule"."""
_APPLIES = (
    r"(?:\A|(?<=[.;] ))(?:\d+\. )?(?:It|This (?:Regulation|Directive|Decision)) shall apply"
    r" (?:as )?from(?: the)?"
)
_APPLYING = re.compile(
    rf"{_APPLIES} (?:{DATE}){_EXCEPT}(?!\. (?:However|By way of|Articles?|Points?|Paragraphs?)\b)"
)
"""In the European Union, what enters into force first may apply, and so change the law, only later."""
_NUMBER = r"\d++\w*+(?:\.\d++\w*+)*+"
_NUMBERS = rf"{_NUMBER}(?:(?:,? and|,? or|,| to) {_NUMBER})*(?![\w(]| \()"
_PROVISIONS = rf"(?i:article|regulation|rule|section)s? (?P<provisions>{_NUMBERS})(?: of th(?:is|ese) \w+)?"
_BEGIN = (
    r",? (?:shall )?(?:(?:comes?|enters?) into (?:force|operation|effect) on|apply (?:as )?from)(?: the)?"
)
_THEN = re.compile(
    r"(?:\A|(?<=[.;)] )|(?<=, but )|(?<=ave that )|(?<=ept that )|(?<= and ))(?:However, )?"
    rf"{_PROVISIONS}{_BEGIN} (?:{DATE})"
)
"""Provisions that begin on a day of their own: "Rules 2 and 3 come into force on 1 May 2030"."""
_SUBJECT = re.compile(
    rf"(?i:subject to|except as \w+ (?:in|by)) [^.;:]{{1,60}}, {_CLAUSE}(?: the)? (?:{DATE})"
)
_SAVE = re.compile(
    rf"{_ITSELF}(?: the)? (?:{DATE}),? (?:but|(?:save|except) that)"
    r" (?=(?i:article|regulation|rule|section)s? \d)"
)
"""The day of the rest, if provisions of the same text begin on another."""
_BUT = re.compile(
    rf"{_ITSELF}(?: the)? (?:{DATE}),? (?:except|save|other than|apart from)(?: for)? {_PROVISIONS}"
)
_REST = re.compile(
    r"(?i:\bthe (?:(?:remaining|other) (?:provisions|rules|regulations|sections|articles)"
    r"|(?:remainder|rest))(?: of th(?:is|ese) \w+)?)"
    rf"{_BEGIN} (?:{DATE})"
)
"""The day of the rest, after provisions that begin on days of their own."""
_DELAYED = re.compile(
    r"(?:\A|(?<=[.;:] ))"
    r"(?i:(?:accordingly, )?(?:the )?effective dates? (?:of|for) this (?:\w+ ){0,2}rule\b[^.;]{0,120}?"
    r" (?:is|are)(?: hereby)?(?: further)? (?:delayed|deferred|extended|postponed) (?:until|to)(?: the)?)"
    rf" (?:{DATE}){_EXCEPT}"
)
_WHICH = re.compile(rf",? (?:which|that){_BEGIN} (?:{DATE})")
_STOP = re.compile(r"[.;]|\Z")
_APPLYING_BUT = re.compile(
    rf"{_APPLIES} (?:{DATE})\. (?=(?:However, )?(?i:articles?) {_NUMBERS} shall apply)"
)
_BESIDE = r"^(?:article|regulation|rule|section)s? |\(.*"
"""What a section id may have beside the number of a provision: "Article 3(2)"."""
_MOST = 1_000
"""The most provisions of a range."""
_WORTH_READING = (
    r"into (?:force|operation|effect)|final rule|DATES: |effective date|shall apply (?:as )?from|시행"
)


def dated(passages: pl.DataFrame) -> pl.DataFrame:
    """Return passages with the day on which they come into force, as `effective_from`, if they state none.

    It is the day that their document names for them, or for all of it.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    begun = commencements(passages)
    if not begun:
        return passages
    days_of = pl.DataFrame(
        [(*key, day) for key, day in begun.items()],
        schema={"document_id": pl.String, "number": pl.String, "day": pl.Date},
        orient="row",
    )
    number = pl.col("section").str.to_lowercase().str.replace_all(_BESIDE, "")
    # Rule 2.1 begins with rule 2.
    for each in (number, number.str.replace(r"\..*", ""), pl.lit("")):
        day = (
            passages.select("document_id", number=each)
            .join(days_of, on=["document_id", "number"], how="left", maintain_order="left")
            .select("day")
        )
        passages = passages.with_columns(pl.coalesce("effective_from", day.to_series()))
    return passages


def commencements(passages: pl.DataFrame) -> dict[tuple[str, str], date]:
    """Return the days on which documents come into force, by document and number of a provision.

    The number is empty for the whole. A document that names no day, or several, is left out. The day from
    which it applies counts, rather than that on which it enters into force.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    found: dict[tuple[str, str], set[date]] = {}
    applying: dict[str, set[date]] = {}
    delayed: dict[str, set[date]] = {}
    others: dict[str, set[date]] = {}
    texts = passages.filter(pl.col("text").str.contains(_WORTH_READING)).select("document_id", "text")
    for document, text in texts.iter_rows():
        plain = amending(text).plain
        found.setdefault((document, ""), set()).update(days(_SAID, plain))
        begun = chain((("", each) for each in of_whole(plain)), of_articles(plain, amended=False))
        for number, beginning in begun:
            if beginning.day:
                found.setdefault((document, number), set()).add(beginning.day)
        for pattern in (_APPLYING, _APPLYING_BUT):
            applying.setdefault(document, set()).update(days(pattern, plain))
        others.setdefault(document, set()).update(days(_REST, plain))
        if later := set(days(_DELAYED, plain)):
            delayed.setdefault(document, set()).update(later)
        parts = list(_of_provisions(plain))
        if parts:
            rest = (day for pattern in (_SUBJECT, _SAVE) for day in days(pattern, plain))
            found.setdefault((document, ""), set()).update(rest)
        for numbers, day in parts:
            for number in numbers:
                found.setdefault((document, number), set()).add(day)
    # The rest may be that of another text, if this one says when it begins.
    found |= {(document, ""): said for document, said in others.items() if not found.get((document, ""))}
    found |= {(document, ""): said for document, said in applying.items() if said}
    # A delay may be delayed further.
    found |= {(document, ""): {max(said)} for document, said in delayed.items()}
    return {key: next(iter(said)) for key, said in found.items() if len(said) == 1}


def appointed(passages: pl.DataFrame) -> frozenset[str]:
    """Return the documents that come into force on a day that they do not name but leave to be appointed.

    So do those that begin so long after a promulgation whose day they do not state.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    texts = passages.filter(pl.col("text").str.contains(_WORTH_READING)).select("document_id", "text")
    return frozenset(
        document
        for document, text in texts.iter_rows()
        if _APPOINTED.search(plain := amending(text).plain)
        or any(each.later and not each.day for each in of_whole(plain))
    )


def amended_apart(passages: pl.DataFrame) -> dict[tuple[str, str], Beginning]:
    """Return when documents change articles of another law apart from the rest, by document and article.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    texts = passages.filter(pl.col("text").str.contains("개정 ?규정")).select("document_id", "text")
    return {
        (document, article): begun
        for document, text in texts.iter_rows()
        for article, begun in of_articles(amending(text).plain, amended=True)
    }


def _of_provisions(plain: str) -> Iterator[tuple[list[str], date]]:
    """Yield the provisions that begin on another day than the rest, and the rest as an empty number."""
    for words, day in dated_words(_THEN, plain):
        yield _listed(words["provisions"]), day
    for words, day in dated_words(_BUT, plain):
        which = _WHICH.match(plain, words.end())
        if _STOP.match(plain, which.end() if which else words.end()):
            yield [""], day
            if which and (later := day_of(which)):
                yield _listed(words["provisions"]), later


def _listed(provisions: str) -> list[str]:
    """Return the numbers of a list: "2, 4 to 6 and 9"."""
    numbers: list[str] = []
    for number in re.finditer(rf"(?P<to>\bto )?(?P<number>{_NUMBER})", provisions):
        last = number["number"].lower()
        if number["to"] and numbers and numbers[-1].isdigit() and last.isdigit():
            numbers += map(str, range(int(numbers[-1]) + 1, min(int(last), int(numbers[-1]) + _MOST)))
        numbers.append(last)
    return numbers
