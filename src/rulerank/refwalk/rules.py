"""The anchor of a question by fixed patterns, without a model and reproducibly. This module holds English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulerank.refwalk import korean
from rulerank.refwalk.anchor import SLOTS, Anchor
from rulerank.text import STOPWORDS, language_of, sentences, visible
from rulerank.text.korean import KOREAN

_NUMBER = (
    r"(?:(?<![\d.,])\d++(?:[.,]\d++)*+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty|sixty|ninety|hundred)(?:\s+(?:hundred|thousand|million|billion))?"
)
_BOUND = (
    r"(?:(?:(?:not\s+|no\s+)?(?:more|less|later|earlier|fewer|greater|longer)\s+than|at\s+(?:least|most)|up\s+to"
    r"|over|under|above|below|exceeding|within|for|by|before|after|until|from|since|every|in)\s+){0,4}+"
)
_PERIOD = (
    r"(?:(?:business|working|calendar|clear|consecutive)\s+)?(?:minute|hour|day|week|month|quarter|year)s?"
)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"(?:\d{{4}}-\d\d-\d\d|(?:\d\d?\s+)?{_MONTH}\s+(?:\d\d?,\s+)?\d{{4}}|\d\d?\s+{_MONTH})"
_TEMPORAL = re.compile(
    rf"\b{_BOUND}(?:{_DATE}|{_NUMBER}[\s-]+{_PERIOD})\b"
    r"|\b(?:annually|yearly|quarterly|monthly|weekly|daily|hourly"
    r"|(?:every|each|per)\s+(?:hour|day|week|month|quarter|year))\b",
    re.I,
)
_UNIT = (
    r"(?:per\s?cent|basis\s+points|k[gmW]|m[23]|(?:cubic\s+|square\s+)?(?:tonne|ton|kilogram|kilometre|metre|meter"
    r"|mile|litre|liter|barrel|knot|degree|point|person|employee|passenger|shareholder|share|vessel|vehicle|dollar"
    r"|euro|pound)s?|people)"
)
_MAGNITUDE = re.compile(
    rf"(?:\b{_BOUND})?(?:(?:\b(?:USD|EUR|GBP|AED|KRW)|US\$|[$€£₩])\s*{_NUMBER}\b|\b{_NUMBER}\s*(?:%|{_UNIT}\b))",
    re.I,
)
# "When does ..." asks; "when the tide is low" states a case.
_ASKS = r"(?!\s+(?:and|do|does|did|is|are|was|were|am|must|may|can|could|should|shall|will|would|has|have)\b)"
_WORDS = r"(?:\s+[^\s,;:.?!]+(?:[.,]\w[^\s,;:.?!]*)*){2,}"
_SITUATIONAL = re.compile(
    rf"\b(?:(?:even\s+|only\s+)?(?:if|when{_ASKS}|where{_ASKS})|unless|while|whilst|once|provided\s+that|given\s+that"
    rf"|in\s+(?:the\s+)?(?:cases?|event|context)\s+(?:of|that|where)){_WORDS}",
    re.I,
)
_CITATION = re.compile(
    r"\b(?:rule|section|chapter|part|article|appendix|paragraph|form|guidance)s?\s+[A-Z]*\d[\w.()]*"
    r"|\bhow\s+(?:many|much)\s+\w+",
    re.I,
)
_ROLE = re.compile(
    r"(?:(?:sub)?contractor|operator|manager|person|provider|officer|holder|owner|master|pilot|director|employer"
    r"|employee|importer|exporter|shipper|carrier|consignor|consignee|licensee|applicant|issuer|trustee|member"
    r"|insurer|broker|auditor|custodian|participant|organiser|agent|supplier|manufacturer|keeper|driver|landlord"
    r"|tenant|bank|firm|institution|committee|adviser|advisor|administrator|investor)s?"
    r"|(?:bod|entit|compan)(?:y|ies)",
    re.I,
)
_BEARER = re.compile(
    r"\b(?i:an?|the|our|your|each|every|any)\s+(?P<actor>(?:[^\W\d][\w’'-]*\s+){0,2}?[^\W\d][\w’'-]*)\s+"
    r"(?=(?:must|shall|should|may)\s+(?!be\b)|(?:is|are)\s+(?:required|obliged)\b)"
)
# Words that ask and do not name the topic.
_ASKING = frozenset(
    """
    ahead allowed answer applies apply clarify conditions considered describe described detail detailed
    details ensure examples expect expectations expected explain factors far fast following frequently
    further get give go goes guidance happens information keep kind know like long look made make makes
    many may mean means meant much must need needed needs obliged one outline particularly permitted
    please provide question required requirement requirements requires right rule rules say says set shall
    shown specific specify steps still take taken tell thing things type types understands upon us use
    used want wants whether within without
    """.split()  # noqa: SIM905
)


_DOMAIN = re.compile(
    r"\b(?:[A-Z][\w&’'-]*\s+){1,5}(?:Rulebook|Rules|Regulations?|Act|Code|Ordinance|Directive|Law)(?:\s+\d{4})?\b"
)


def rule_anchor(question: str) -> Anchor:
    """Return the anchor of an English or a Korean question.

    Conditions are what the patterns of the language match, in reading order; those of one slot are joined by
    "; ". The topic consists of the phrases of two or more words that are neither part of a condition nor
    there only to ask. A sentence without any such phrase gives its first phrase. The domain is the body of
    rules that the question names.
    """
    text = " ".join(visible(question).split())
    return _korean(text) if language_of(text) is KOREAN else _english(text)


def _english(text: str) -> Anchor:
    temporal, rest = _take(_TEMPORAL, text)
    magnitude, rest = _take(_MAGNITUDE, rest)
    _, rest = _take(_CITATION, rest)
    actors = list(_actors(rest))
    situational = [match.group() for match in _SITUATIONAL.finditer(text)]
    rest = _SITUATIONAL.sub(" | ", rest)
    for actor in actors:
        rest = rest.replace(actor, "|")
    topics = [phrase for sentence in sentences(rest) for phrase in _key_phrases(sentence)]
    domain = [match.group() for match in _DOMAIN.finditer(text)]
    language = "en" if text else ""
    return _anchor(language, topics, actors, temporal, magnitude, situational, domain)


def _korean(text: str) -> Anchor:
    temporal, rest = _take(korean.TEMPORAL, text)
    magnitude, rest = _take(korean.MAGNITUDE, rest)
    domain = [match["quoted"] or match["plain"] for match in korean.DOMAIN.finditer(text)]
    _, rest = _take(korean.CITATION, rest)
    situational = [match.group().strip() for match in korean.SITUATIONAL.finditer(text)]
    rest = korean.SITUATIONAL.sub(" | ", rest)
    actors = [match["actor"] for match in korean.ACTOR.finditer(text)]
    topics = [phrase for sentence in sentences(rest) for phrase in korean.topics(sentence)]
    return _anchor("ko", topics, actors, temporal, magnitude, situational, domain)


def _anchor(language: str, *slots: Sequence[str]) -> Anchor:
    """Return an anchor with some phrases, in order, in every slot but the last."""
    return Anchor(**dict(zip(SLOTS, (*map(_joined, slots), language), strict=True)))


def _take(pattern: re.Pattern[str], text: str) -> tuple[list[str], str]:
    """Return the matches of a pattern, and the text with a bar in place of each."""
    return [match.group().strip() for match in pattern.finditer(text)], pattern.sub(" | ", text)


def _actors(text: str) -> Iterator[str]:
    """Yield the phrases that end in a role ("tank operator") or precede a duty ("the crew must")."""
    for phrase in _phrases(text):
        roles = [place for place, word in enumerate(phrase) if _ROLE.fullmatch(word)]
        if roles:
            yield " ".join(phrase[max(0, roles[0] - 2) : roles[0] + 1])
    for match in _BEARER.finditer(text):
        words = match["actor"].split()
        if not any(word.lower() in STOPWORDS or _ROLE.fullmatch(word) for word in words):
            yield match["actor"]


def _key_phrases(sentence: str) -> list[str]:
    phrases = list(_phrases(sentence))
    longer = [phrase for phrase in phrases if len(phrase) > 1]
    return [" ".join(phrase) for phrase in longer or phrases[:1]]


def _phrases(text: str) -> Iterator[list[str]]:
    """Yield the runs of words that name something."""
    for piece in re.split(r"[^\w\s’'-]+", text):
        run: list[str] = []
        for word in [*piece.split(), ""]:
            if word and word.lower() not in STOPWORDS and word.lower() not in _ASKING:
                run.append(word)
            elif run:
                yield run
                run = []


def _joined(parts: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(parts))
