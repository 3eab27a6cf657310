"""A comment worded as a question, without the citations that would give the answer away.

A citation is removed together with the words that only introduce it: "the disclosures required by §
1005.7(b)" becomes "the disclosures", "(see § 1005.9)" and the sentence "See comment 6(b)-1." disappear. If
the sentence needs it as subject or object, "the rule" takes its place.
"""

from __future__ import annotations

import re

from rulerank.corpora.regml.elements import Element
from rulerank.corpora.regml.paragraphs import NO_TEXT
from rulerank.text import sentences

SENTENCES = 2
"""How many sentences of a comment follow its title in the question."""

_CITED, _SPACE = "\ue000", "\ue001"
"""These stand for a citation, and for a space within a reference, at which no sentence ends."""
_NUMBER = re.compile(r"[A-Z]?[\w.()–-]*[\d)][\w.()–-]*|[A-Z]")
_ITEM = r"\([^()\s]{1,5}\)"
_SECTION = rf"(?<![\d$.,])(?<!CFR[\s{_SPACE}])\d{{3,4}}\.\d{{1,3}}(?![\d%])(?:{_ITEM})*"
_FORM = rf"[A-Z]-\d+(?:{_ITEM})?"
_PLACE = (
    rf"(?:(?:§+|[Ss]ections?)\s*(?:{_CITED}|{_SECTION})"
    rf"|(?:[Pp]aragraphs?|[Cc]omments?)\s+(?:{_CITED}|{_SECTION}|\d*(?:{_ITEM})+)"
    rf"|(?:(?:[Mm]odel |[Ss]ample )?(?:[Ff]orms?|[Cc]lauses?)|[Aa]ppendi(?:x|ces)|[Ss]ubparts?)"
    rf"\s+(?:{_CITED}|{_FORM}|[A-Z]\b)|{_CITED}|{_SECTION}|(?<![\w)])(?:{_ITEM}){{2,}})"
    rf"(?:{_ITEM}|-\d+(?:\.\w+)*)*"
)
_NEXT = (
    rf"(?:\s*,?\s*\b(?:and|or|through|to)\s*(?:{_PLACE}|(?:{_ITEM})+|{_FORM})"
    rf"|\s*[,–—-]\s*(?:{_PLACE}|(?:(?:{_ITEM})+|{_FORM})(?=\s*(?:[,.;:)]|and\b|or\b|through\b|$))))"
)
_CITATION = re.compile(
    rf"(?:\b(?:[Tt]h(?:is|ese)|both|either)\s+)*{_PLACE}{_NEXT}*"
    r"(?:\s+(?:of|to|in)\s+(?:this|the)\s+(?:section|part|regulation|paragraph|appendix|subpart|commentary)\b)?"
)
_NUMBERED = re.compile(rf"^\d+(?:{_ITEM})+\W*")
"""The beginning of a comment's heading: "6(b) Limitations"."""
_IN_BRACKETS = re.compile(rf"\s*[(\[][^()\[\]]*{_CITED}[^()\[\]]*[)\]]")
_ASIDE = re.compile(rf"(?i);\s*(?:but |also )*see\b.*{_CITED}.*")
_POINTER = re.compile(
    rf"(?i)^(?:but |also )*see\b.*{_CITED}|\b(?:see|refer to)\s+(?:also\s+)?(?:the\s+)?{_CITED}"
)
"""What makes a sentence one that only points elsewhere."""
_VERBS = (
    "required|described|defined|provided|permitted|specified|prescribed|imposed|allowed|discussed|listed|contained"
    "|established|given|made|covered|governed|used|issued|referred to|set forth|set out|disclosed|shown"
)
_NEEDED = "".join(rf"(?<!\b{word})" for word in ("be", "is", "are", "was", "were", "not", "extent"))
"""A participle after one of these words belongs to the sentence, not to the citation."""
_BEFORE = (
    "pursuant to|in accordance with|in compliance with|for the purposes? of|for purposes of|subject to"
    "|consistent with"
)
_INTRODUCED = re.compile(
    rf"(?:,?(?:\s+as)?(?:\s+(?:that|which) (?:is|are))?{_NEEDED}\s+(?:\w+ly\s+)?(?:{_VERBS}))?"
    rf",?\s+(?:{_BEFORE}|by|in|on|under|of|from)\s+(?:the\s+)?{_CITED}"
)
_OPENING = re.compile(
    rf"(?i)^(?:(?:except )?as (?:\w+ly )?(?:otherwise )?(?:{_VERBS}) (?:by|in|under|on)|{_BEFORE}|under|in)"
    rf"\s+{_CITED}\s*,?\s*"
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
        None if no sentence is left.

    """
    said = [line for element in comment for line in sentences(" ".join(_marked(element).split()))]
    kept = [words for line in said if (words := without_citations(line))][:SENTENCES]
    if not kept:
        return None
    heading = without_citations(_NUMBERED.sub("", _marked(title).strip())) if title else ""
    if heading and heading[-1] not in ".?!:":
        heading += "."
    return " ".join([heading, *kept]).strip()


def without_citations(sentence: str) -> str:
    """Return a sentence without its citations; blank if it only cites."""
    text = _CITATION.sub(_CITED, sentence)
    # Most sentences cite nothing, and are not searched for the words around a citation.
    if _CITED in text:
        text = _ASIDE.sub("", _IN_BRACKETS.sub("", text))
        text = "" if _POINTER.search(text) else _INTRODUCED.sub("", _OPENING.sub("", text))
    text = text.replace(_CITED, "the rule").replace(_SPACE, " ")
    text = re.sub(r"\s+([,.;:])", r"\1", " ".join(text.split())).strip(" ,;–—-")
    if not re.search(r"\w{2}", text.replace("the rule", "")):
        return ""
    ended = text if text[-1] in '.?!:”")' or sentence.rstrip()[-1:] not in ".;" else f"{text}."
    return ended[0].upper() + ended[1:]


def _marked(element: Element) -> str:
    """Return the text with a mark in place of every numeric reference within the corpus."""
    said = []
    for part in element.parts:
        if isinstance(part, str):
            said.append(part)
        elif part.name == "ref":
            said.append(_reference(part.text, internal=part.attributes.get("reftype") == "internal"))
        elif part.name not in NO_TEXT:
            said.append(_marked(part))
    return "".join(said)


def _reference(words: str, *, internal: bool) -> str:
    """Return the mark of a citation, or its words without sentence ends ("15 U.S.C. 1693").

    If markup covers half a citation, the words stay and are found like those of citations without markup.
    """
    if not internal:
        return re.sub(r"(?<=\S)\s+(?=\S)", _SPACE, words)
    return _CITED if _NUMBER.fullmatch(words.strip()) and words.count("(") == words.count(")") else words
