"""How a sentence rules on an act, as a duty, a ban or a permission; and what it denies."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from rulerank.answer.verification.numerals import NUMBER_WORDS
from rulerank.answer.verification.unstemmed import other_force
from rulerank.obligations.wording import MONTH_OF_MAY
from rulerank.text import ENGLISH, STOPWORDS, analyse, language_of, normalise, visible
from rulerank.text.english import expanded

_BETWEEN = r"(?:\s+(?!(?:may|must|shall|can|should)\b)[\w'’-]+){1,8}\s+"
_NEVER = r"on\s+no\s+account|at\s+no\s+time|under\s+no\s+circumstances?|in\s+no\s+(?:event|case)"
_BOUND = r"(?:later|more|less|fewer|higher|lower|longer|earlier)\b"
_FREE = r"be\s+(?:required|obliged|obligated|bound)\s+to"
_LAWFUL = r"(?:unlawful|illegal|an\s+offen[cs]e)\b"
_RIGHT = r"(?:permitted|allowed|entitled|authori[sz]ed|free)\s+to"
_ADVERB = r"(?:(?!not\b|never\b|only\b)\w+\s+)?"
_SHALL = rf"(?:shall|will)(?:,[^,;:.]{{1,80}},)?\s+{_ADVERB}"
_SHALL_BE = rf"{_SHALL}be\s+{_ADVERB}"
_DUTY = r"(?:a\s+duty|an\s+obligation)\s+to"
_POWER = r"(?:the\s+(?:right|power|discretion|authority)|a\s+right)\s+to"
_FORCES = {
    "prohibition": (
        rf"(?:must|shall|may|can|could)\s+(?:not|never|{_NEVER})\b"
        rf"(?!\s+(?:only\b|{_FREE}|be\s+{_LAWFUL}))(?:\s+be\s+{_RIGHT})?|cannot\b"
        rf"|(?:{_NEVER})(?!\s+{_BOUND})(?:{_BETWEEN}|\s+)(?:may|shall|must|can)\b"
        rf"|(?:is|are|be)\s+{_ADVERB}(?:prohibited|forbidden|barred|banned)\b(?:\s+from)?"
        rf"|(?:is|are)\s+not\s+(?:{_RIGHT}|permitted\b|allowed\b)"
        rf"|(?:nobody|no-one|none)(?:{_BETWEEN}|\s+)(?:may|shall|must|can)\b(?:\s+be\s+{_RIGHT})?"
        rf"|(?:no(?!\s+{_BOUND})|neither){_BETWEEN}(?:may|shall|must|can)\b(?:\s+be\s+{_RIGHT})?"
        rf"|(?:(?:no|neither)(?:\s+(?!(?:is|are)\b)[\w'’-]+){{1,6}}|nobody|no-one|none)\s+(?:is|are)\s+{_RIGHT}"
        rf"|it\s+(?:is|shall\s+be)\s+{_LAWFUL}"
    ),
    "exemption": (
        r"need\s+not\b|(?:do|does|is|are)\s+not\s+(?:have|need|required|obliged|obligated|bound)\s+to"
        r"|(?:ha(?:s|ve)|(?:is|are)\s+under|there\s+is)\s+no\s+(?:duty|obligation|requirement|need)\b"
        rf"|(?:must|shall|may|can|could|will)\s+(?:not|never)\s+{_FREE}|(?:(?:is|are)\s+|{_SHALL_BE})exempt(?:ed)?\b"
    ),
    "restriction": (
        rf"(?:may|can|shall|must)\s+only\b|(?:may|can)(?={_BETWEEN}only\b)|only{_BETWEEN}(?:may|can|shall)\b"
    ),
    "recommendation": (
        r"should\b|ought\s+to|(?:is|are)\s+(?:expected|encouraged|recommended|advised)\s+to|it\s+is\s+recommended"
    ),
    # Before the obligations: "shall be entitled to" gives a right.
    "permission": (
        rf"may\b|can\b|(?:(?:is|are)\s+|{_SHALL_BE})(?:{_RIGHT}|permitted\b|allowed\b)"
        rf"|(?:has|have|{_SHALL}have)\s+{_POWER}"
        rf"|(?:it\s+is\s+(?:not|never)|(?:shall|will)\s+(?:not|never)\s+be)\s+{_LAWFUL}"
    ),
    "obligation": (
        r"must\b|shall\b|(?:is|are|be)\s+(?:also\s+|still\s+)?(?:required|obliged|obligated|bound)\s+to"
        r"|(?:is|are)\s+(?:required|mandatory|compulsory)\b|it\s+is\s+required\s+that|ha(?:s|ve)\s+to\b|needs?\s+to\b"
        r"|(?:is|are)\s+to\s+(?!(?:which|whom|whose|that)\b)"
        rf"|(?:ha(?:s|ve)|(?:is|are)\s+under)\s+{_DUTY}"
        r"|duty\s+of" + _BETWEEN + r"to\b|mandates\s+that|requires\b"
    ),
}
_FORCE = re.compile(r"\b(?:" + "|".join(rf"(?P<{name}>{words})" for name, words in _FORCES.items()) + ")")
# "Save" is a verb too: "a firm must save records".
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?|excluding|other than|apart from|with the exception of"
    r"|save(?= (?:for|as|that|where|when|if|in|with|to the extent)\b))\b(?: for\b)?(?P<with> with\b)?"
)
_WORD = re.compile(r"[^\W\d_]+")
_EMPTY = (
    STOPWORDS
    | NUMBER_WORDS
    | {"must", "shall", "may", "ensure", "also", "always", "immediately", "promptly"}
    | {"allowed", "permitted", "prohibited", "forbidden"}
)
_VERBS = frozenset({"apply", "comply", "imply", "rely", "reply", "supply"})
"""Words that end like an adverb but are not one."""
_TURNED = frozenset({"abstain", "avoid", "refrain"})
"""Stems of what turns a duty round: "must refrain from calling"."""
_REACH = 12
"""The number of words after a modal verb, or after a denial, in which its act is searched for."""


class Modal(NamedTuple):
    """How a sentence rules on an act, and the stem of the act's first word, empty if none follows."""

    force: str
    act: str


def modals(sentence: str) -> list[Modal]:
    """Return how `sentence` rules on each of its acts, in reading order."""
    words = _read(sentence)
    return [Modal(str(match.lastgroup), act_after(words, match.end())) for match in _FORCE.finditer(words)]


def denied(sentence: str) -> Counter[str]:
    """Count the stems that directly follow a denial that is not part of a ban or an exemption."""
    words = _FORCE.sub(" | ", _read(sentence))
    found = (act_after(words, match.end()) for match in ENGLISH.denial.finditer(words))
    return Counter(filter(None, found))


@lru_cache(maxsize=1024)
def stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of `text`; figures and words of duty are not among them."""
    return frozenset(
        term for term in analyse([text])[0] if not term.isdigit() and term not in _EMPTY and len(term) > 1
    )


def disagreement(claim: str, support: str) -> str | None:
    """Return how a claim's force differs from that of the sentence that supports it, or None.

    An act that both rule on must have one of the forces that the support gives it; another act of the claim
    must have a force that the support gives to something. A claim without force must not mention an act that
    the support rules on. What one of them denies, the other must not affirm.
    """
    language = language_of(support)
    if language is not ENGLISH:
        return other_force(claim, support, language)
    said, ruled = modals(claim), modals(support)
    every = {modal.force for modal in ruled}
    by_act: dict[str, set[str]] = {}
    for modal in ruled:
        by_act.setdefault(modal.act, set()).add(modal.force)
    for modal in said:
        if modal.act in _TURNED - stems(support):
            return f"modality: the claim rules on {modal.act!r}, what it cites does not"
        forces = by_act.get(modal.act, every)
        if modal.force not in forces:
            found = " and ".join(sorted(forces)) or "no duty"
            return f"modality: the claim states {_a(modal.force)}, what it cites {_a(found)}"
    if not said:
        mentioned = stems(claim)
        for modal in ruled:
            if modal.act in mentioned:
                return f"modality: what the claim cites is {_a(modal.force)}, which the claim leaves out"
    return _denial(claim, support)


def _denial(claim: str, support: str) -> str | None:
    here, there = denied(claim), denied(support)
    if here == there:
        return None
    said, ruled = Counter(analyse([claim])[0]), Counter(analyse([support])[0])
    for stem in sorted(here.keys() | there.keys()):
        if here[stem] > there[stem] and ruled[stem]:
            return f"negation: added before {stem!r}"
        # Each word of the support that is not denied may be said once without the denial.
        if here[stem] < there[stem] and said[stem] - here[stem] > ruled[stem] - there[stem]:
            return f"negation: lost before {stem!r}"
    return None


def _read(sentence: str) -> str:
    """Return a normalised sentence in which "may" is always the verb, and an exception is always "except".

    The month of May is its number, contractions are written out, and "except with" is "without".
    """
    words = normalise(MONTH_OF_MAY.sub("5", " ".join(visible(sentence).split())))
    return _EXCEPT.sub(lambda match: "without" if match["with"] else "except", expanded(words))


def act_after(words: str, start: int) -> str:
    """Return the stem of the first word of content after a character of a normalised text, or ""."""
    for _, match in zip(range(_REACH), _WORD.finditer(words, start), strict=False):
        word = match[0]
        if word not in _EMPTY and (word in _VERBS or not word.endswith("ly")):
            return analyse([word])[0][0]
    return ""


def _a(force: str) -> str:
    if force == "no duty":
        return force
    return f"an {force}" if force[0] in "aeiou" else f"a {force}"
