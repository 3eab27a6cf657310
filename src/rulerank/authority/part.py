"""Whether a change is to a part of a passage: Rule 1(2) is repealed, and the passage is Rule 1."""

from __future__ import annotations

import re

from rulerank.authority.amending import amending
from rulerank.text import language_of
from rulerank.text.english_phrases import PART

_NUMBER = re.compile(
    r"제\s?\d+조(?:의\s?\d+)?(?:\s?제\s?\d+[항호](?:의\s?\d+)?)*"
    r"|(?<![\d(])\d+[A-Z]*(?:\.\d+[A-Z]*)*(?:\s?\((?:\d{1,3}[A-Z]*|[a-z]{1,2}|[ivxlc]{1,5}|[A-Z])\))*"
)
"""The number of a rule, maybe with those of its parts; that of a part alone is none."""
_LABEL = re.compile(r"\d+[A-Z]*|(?<=\()[A-Za-z]+")
_PARAGRAPH = rf"\b{PART} \("
_RULE = r"\b(?:article|regulation|rule|section)s? "
_INNER = re.compile(
    rf"(?<!text of )(?<!heading of )(?<!sentence of )(?<!sentence in )\b{PART} "
    r"(?P<number>(?:\(\w{1,5}\))+)",
    re.IGNORECASE,
)
_REFERRED = re.compile(
    r"\b(?:powers?|duty|savings?|provisions?|conditions?|exceptions?|specified|mentioned|stated|set out"
    rf"|described|contained|conferred|given|referred to|laid down) (?:in|of) {_PARAGRAPH}",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:in|for|from|after|before|omit(?:ting)?|(?:delet|remov|replac|revis|revok|strik)(?:e|ing)|repeal(?:ing)?)"
    rf"(?: and reserv(?:e|ing))? (?:{_PARAGRAPH}|the definition of )"
    rf"|\b(?:text|heading|sentence) (?:of|in) {_PARAGRAPH}"
    rf"|(?<!under )(?<!with )(?<!to )(?<!by )(?<!sub-){_PARAGRAPH}[^.;,]{{1,40}}?,? (?:of|is|are|shall be)\b",
    re.IGNORECASE,
)
"""A paragraph or a definition that is changed; a change "under paragraph (2)" is to the whole rule."""
_PLAIN = re.compile(
    rf"{_RULE}(?P<rule>\d+[A-Z]*)(?![.\w])(?:(?! (?:and(?! of)|or|is|are|shall)\b)[^.;:]){{0,120}}? {PART} \d"
    rf"|\b{PART} \d+[A-Z]*(?:,? (?:and|or|to) \d+[A-Z]*)? (?:of|in) {_RULE}(?P<of>\d+[A-Z]*)(?![.\w])",
    re.IGNORECASE,
)
"""A paragraph without brackets: "in Article 3, paragraph 2 is deleted"."""


def changes_part(text: str, evidence: str, section: str) -> bool:
    """Return whether a change is to a part of a passage alone, by the numbers that it cites.

    Parameters
    ----------
    text : str
        The passage that makes the change.
    evidence : str
        The words that say so. The passage that they change is cited there, or in a lead-in before them.
    section : str
        The number of the changed passage.

    """
    own = _LABEL.findall(section)
    if any(section.endswith(each["number"]) for each in _INNER.finditer(evidence)):
        return False
    plain = [each["rule"] or each["of"] for each in _PLAIN.finditer(amending(text, evidence).plain)]
    if own and own[-1] in plain and not section.endswith(")"):
        return True
    cited = [labels for each in _NUMBER.findall(evidence) if (labels := _LABEL.findall(each))]
    # Without a number, a lead-in names the rule: "Rule 1 is amended as follows. In paragraph (1), …".
    if not cited or any(own[-len(labels) :] == labels for labels in cited):
        said = amending(text, evidence)
        announced = language_of(said.text).changes.announced(said.plain)
        return _CHANGED.search(_REFERRED.sub("", announced)) is not None
    return any(own[-length:] == labels[:length] for labels in cited for length in range(1, len(labels)))
