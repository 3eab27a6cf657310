"""A comment in the words of one who asks: without the citations that would give the answer away.

A citation goes together with the words that only introduce it: "the disclosures required by § 1005.7(b)"
becomes "the disclosures", "(see § 1005.9)" and the sentence "See comment 6(b)-1." disappear. Where the
sentence needs it, as subject or object, "the rule" takes its place.
"""

from __future__ import annotations

import re

from rulerank.corpora.regml.elements import Element
from rulerank.corpora.regml.paragraphs import NO_TEXT
from rulerank.text import sentences

SENTENCES = 2
"""How many sentences of a comment make its question, after its title."""

_CITED, _SPACE = "\ue000", "\ue001"
"""Stand for a citation, and for a space within a reference, where no sentence ends."""
_NUMBER = re.compile(r"[A-Z]?[\w.()–-]*[\d)][\w.()–-]*|[A-Z]")
_ITEMS = r"(?:\([^()\s]{1,5}\))"
_SECTION = rf"(?<![\d$.,])\d{{3,4}}\.\d{{1,3}}(?![\d%]){_ITEMS}*"
_KIND = (
    r"(?:§+|[Ss]ections?|[Pp]aragraphs?|[Cc]omments?|(?:[Mm]odel |[Ss]ample )?(?:[Ff]orms?|[Cc]lauses?)"
    r"|[Aa]ppendi(?:x|ces)|[Ss]ubparts?)"
)
_ITEM = rf"(?:{_CITED}|{_SECTION}|{_ITEMS}+|\d+{_ITEMS}+|[A-Z](?:-\d+{_ITEMS}?)?(?!\w))"
_TAIL = rf"(?:{_ITEMS}|-\d+(?:\.\w+)*)*"
_JOINED = r"\s*,?\s*\b(?:and|or|through|to)\s+"
_JOINT = r"(?:\s*,?\s*\b(?:and|or|through|to)\s+|\s*,\s*|\s*[–—-]\s*)"
_CITATION = re.compile(
    rf"(?:\b(?:[Tt]h(?:is|ese)|both|either)\s+)*(?:{_KIND}\s*{_ITEM}|{_CITED}|{_SECTION}){_TAIL}"
    rf"(?:{_JOINT}(?:{_KIND}\s*{_ITEM}|{_CITED}|{_SECTION}){_TAIL}|{_JOINED}{_ITEMS}+)*"
    r"(?:\s+(?:of|to|in)\s+(?:this|the)\s+(?:section|part|regulation|paragraph|appendix|subpart|commentary)\b)?"
    rf"|\b[Tt]his\s+(?:section|paragraph|subparagraph)\b(?=\s+{_CITED})"
)
_IN_BRACKETS = re.compile(rf"\s*[(\[][^()\[\]]*{_CITED}[^()\[\]]*[)\]]")
_POINTER = re.compile(rf"(?i)(?:^|[;,]\s*)(?:but |also )*\bsee\b[^;]*{_CITED}.*|.*\b(?:see|refer to)\s+(?:also\s+)?(?:the\s+)?{_CITED}.*")
_INTRODUCED = re.compile(
    r"(?:,?(?:\s+as)?(?:\s+(?:that|which) (?:is|are))?(?<!\bbe)(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bnot)"
    r"\s+(?:\w+ly\s+)?(?:required|described|defined|provided|permitted|specified|prescribed|imposed|allowed"
    r"|discussed|listed|contained|established|given|made|covered|governed|used|issued|referred to"
    r"|set (?:forth|out)|disclosed))?"
    r",?\s+(?:pursuant to|in accordance with|in compliance with|for (?:the )?purposes? of|subject to|consistent with"
    rf"|by|in|under|of|from)\s+(?:the\s+)?{_CITED}"
)
_OPENING = re.compile(
    r"^(?:Under|Pursuant to|In accordance with|For (?:the )?purposes of|As (?:required|provided|described|defined"
    rf"|discussed|specified) (?:by|in|under)|In|Subject to|Consistent with)\s+{_CITED}\s*,?\s*"
)


def question_of(title: Element | None, comment: list[Element]) -> str | None:
    """Return the question that a comment answers: its title and its first sentences without citations.

    Parameters
    ----------
    title : Element or None
        The heading of the comment.
    comment : list of Element
        The elements that hold its text, in reading order.

    Returns
    -------
    str or None
        None when no sentence is left.

    """
    said = [line for element in comment for line in sentences(_marked(element))]
    kept = [words for line in said if (words := without_citations(line))][:SENTENCES]
    if not kept:
        return None
    heading = without_citations(_marked(title)) if title else ""
    if heading and heading[-1] not in ".?!:":
        heading += "."
    return " ".join([heading, *kept]).strip()


def without_citations(sentence: str) -> str:
    """Return a sentence without its citations; blank when it did nothing but cite."""
    text = _CITATION.sub(_CITED, sentence)
    text = _POINTER.sub("", _IN_BRACKETS.sub("", text))
    text = _INTRODUCED.sub("", _OPENING.sub("", text))
    text = text.replace(_CITED, "the rule").replace(_SPACE, " ")
    text = re.sub(r"\s+([,.;:])", r"\1", " ".join(text.split())).strip(" ,;–—-")
    if not re.search(r"\w{2}", text.replace("the rule", "")):
        return ""
    ended = text if text[-1] in ".?!:”\")" or sentence.rstrip()[-1:] not in ".;" else f"{text}."
    return ended[0].upper() + ended[1:]


def _marked(element: Element) -> str:
    """Return the text with a mark in the place of every reference within the corpus that is a number."""
    said = []
    for part in element.parts:
        if isinstance(part, str):
            said.append(part)
        elif part.name == "ref":
            inner = part.text
            inside = part.attributes.get("reftype") == "internal" and _NUMBER.fullmatch(inner.strip())
            whole = inside and inner.count("(") == inner.count(")")
            said.append(_CITED if whole else re.sub(r"(?<=\S)\s+(?=\S)", _SPACE, inner))
        elif part.name not in NO_TEXT:
            said.append(_marked(part))
    return "".join(said)
