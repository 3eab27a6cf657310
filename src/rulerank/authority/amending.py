"""The words of a text that make one change: their sentence, or their item with its lead-in."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile

from rulerank.authority.clauses import NUMBER, TARGET, parts_of
from rulerank.text import visible

_QUOTED = re.compile(r"“[^“”]*”|‘‘[^‘’]*’’|\"[^\"]*\"|(?<!\w)‘[^‘’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)")
_FULL_STOP = re.compile(
    r"(?:(?<!have effect)(?<![:;.■] [a-z])(?<![:;,] and [a-z])[.!?]"
    r"|(?<=have effect)[.!?](?! The \w+ (?:in|under|of) )) (?=[A-Z(\0])|다\. "
)
"""One change has two sentences: "Rule 2 ceases to have effect. The period in Rule 3 is six hours".
The letter of an item ends none: "as follows: a. Remove …"."""
_CITED = re.compile(NUMBER)
_ABOUT = re.compile(
    r"(?<!under )(?<!with )(?<!by )(?<!to )(?<!of )(?!paragraph)(?:" + TARGET.pattern + ")", re.IGNORECASE
)
"""The rule that a sentence is about; "this Order, made under section 5" is about none."""
_BEGUN = re.compile(
    r"(?:\(\w+\) )?(?:(?:in|for|after|before|at the end of) )?(?:the )?(?:rule|regulation|section|article)s? "
    rf"{NUMBER}",
    re.IGNORECASE,
)
_BEGUN_KOREAN = re.compile(r"(?:\d{1,2} )?제 ?(?P<number>\d++조(?:의 ?\d++)?+)(?! ?\()")
"""With its title, "제3조(휴식)", an article begins that is put in."""


@dataclass(frozen=True)
class Sentence:
    """The words of a change, their white space collapsed.

    Parameters
    ----------
    text : str
        A sentence, or the part of it that makes the change, after the words that it shares with other parts.
    plain : str
        The same with a NUL for every character of its quotations.
    own : str
        As `plain`, without the words that are shared.

    """

    text: str
    plain: str
    own: str


def amending(text: str, evidence: str = "") -> Sentence:
    """Return the words of a text that make one change, or all of the text if it does not hold the evidence.

    These are a sentence. Of a sentence that changes several rules, in items or in clauses between semicolons,
    they are the part with the evidence, after the lead-in of all parts: "From 1 May 2020— (a) …; (b) …".

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so.

    """
    cut = _cut(text)
    place = cut.place(evidence)
    if place < 0:
        return Sentence(cut.whole, cut.plain, cut.plain)
    number = bisect_right(cut.starts, place) - 1
    place -= cut.starts[number]
    whole, plain = cut.sentences[number]
    parts = parts_of(plain)
    lead = parts.starts[0]
    if place < lead:
        return Sentence(whole, plain, plain)
    after = bisect_right(parts.starts, place)
    first = parts.starts[after - 1]
    last = parts.starts[after] if after < len(parts.starts) else len(plain)
    shared = (slice(lead), slice(first, last), slice(max(last, parts.closing), None))
    said, blotted = ("".join(text[each] for each in shared) for text in (whole, plain))
    return Sentence(said, blotted, plain[first:last])


def amending_onwards(text: str, evidence: str) -> str:
    """Return a sentence that announces a change, and those after it until one begins with another rule.

    "Rule 1 is amended as follows. For “six” substitute “ten”. In Rule 2, …". All of the text if it does not
    hold the evidence.
    """
    cut = _cut(text)
    place = cut.place(evidence)
    if place < 0:
        return cut.whole
    first = cut.sentences[bisect_right(cut.starts, place) - 1][0]
    return "".join((first, *(each.text for each in sentences_after(text, evidence))))


def sentences_after(text: str, evidence: str) -> list[Sentence]:
    """Return the sentences after that of a change, up to one about another rule; none without evidence."""
    cut = _cut(text)
    place = cut.place(evidence)
    own = {found["number"] for each in (_CITED, _BEGUN_KOREAN) for found in each.finditer(evidence)}
    following = cut.sentences[bisect_right(cut.starts, place) :] if place >= 0 else ()
    return [
        Sentence(*each, each[1])
        for each in takewhile(lambda each: _rule_at_start(each[1]) in {"", *own}, following)
    ]


def sentences_on_rule(text: str, evidence: str) -> list[Sentence]:
    """Return those of `sentences_after` that begin with the same rule: "Rule 1(2) is repealed"."""
    return [each for each in sentences_after(text, evidence) if _rule_at_start(each.plain)]


def _rule_at_start(sentence: str) -> str:
    """Return the number of the rule that a sentence begins with, or an empty string."""
    begun = _BEGUN.match(sentence) or _BEGUN_KOREAN.match(sentence)
    return begun["number"] if begun else ""


# As for `_cut`.
@lru_cache(maxsize=64)
def sentences_about_no_rule(text: str) -> str:
    """Return the sentences of a text that are about no rule, with their quotations blotted out."""
    cut = _cut(text)
    return "".join(plain for _, plain in cut.sentences if not _ABOUT.search(plain))


@dataclass(frozen=True)
class _Cut:
    """A text, collapsed, the same with its quotations blotted out, and its sentences in both forms."""

    whole: str
    plain: str
    starts: tuple[int, ...]
    sentences: tuple[tuple[str, str], ...]

    def place(self, evidence: str) -> int:
        """Return where the text holds some words, or -1 if it does not."""
        words = " ".join(visible(evidence).split())
        return self.whole.find(words) if words else -1


# Each rule that a text changes asks for its own part of it.
@lru_cache(maxsize=64)
def _cut(text: str) -> _Cut:
    whole = " ".join(visible(text).split())
    plain = _QUOTED.sub(lambda quotation: "\0" * len(quotation[0]), whole)
    starts = (0, *(match.end() for match in _FULL_STOP.finditer(plain)))
    places = pairwise([*starts, len(plain)])
    return _Cut(whole, plain, starts, tuple((whole[start:end], plain[start:end]) for start, end in places))
