"""What a sentence says one must, must not, should or may do, or how it defines a term.

`rulerank.text.modality` is what features count and keeps its results. This finds duties in other words, too, and
reads the main clause: "the Regulator may, if a fee must be paid, waive it" is a permission.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from rulerank.obligations.clauses import clauses

Modality = Literal["prohibition", "obligation", "recommendation", "permission", "definition"]

DUTIES: frozenset[str] = frozenset({"prohibition", "obligation", "recommendation"})
"""The modalities that ask something of somebody."""

LONGEST = 5_000
"""Characters of a statement whose clauses and parts are told apart."""

_BE = r"(?:is|are|shall be|must be|will be|be)"
_TO = rf"\b{_BE} (?:(?:also|still|further|hereby|each|therefore) )?"

_QUOTED = r"[“\"‘'][^”\"’']{1,120}[”\"’'](?:,? (?:or|and) [“\"‘'][^”\"’']{1,120}[”\"’']){0,8}"
_WORD = r"(?!(?:Chapter|Part|Section|Rule|Schedule|Appendix|Guidance|This|These|That|It|Which|What)\b)[A-Z][\w’'-]*"
_JOINED = r" (?:(?:of|and|or|the|in|for|to|on) )?[A-Z][\w’'-]*"
_DEFINITION = re.compile(
    r"(?:\(?\w{1,5}[.)] )?(?:(?:In|For|As used in) [^.;:]{1,150}?[,:] (?:\(?\w{1,5}[.)] )?)?"
    r"(?:(?:the|a|an|any|The|An?) )?(?:(?:term|expression|word|phrase|reference to)s? )?"
    rf"(?:(?:{_QUOTED}|{_WORD}(?:{_JOINED}){{0,8}})(?: \([^)]{{1,100}}\))?,? (?:shall |also )?"
    r"(?:means?\b|ha(?:s|ve) the (?:same )?meanings?\b)"
    rf"|(?:{_QUOTED}|{_WORD}(?:{_JOINED}){{1,8}})(?: \([^)]{{1,100}}\))?,? "
    r"(?:(?:is|are) defined\b|(?:shall |also |does not |do not )?includes?\b|refers? to\b))"
    r"|(?:References?|A reference) (?:in|to) [^.;]{1,150}? (?:is|are|means?|includes?)\b"
)
"""A defined term, quoted or in capitals, and the words that define it."""

_DECLARED = re.compile(
    r"\b(?:shall|must|may) not (?:apply|affect|constitute|be (?:deemed|construed|treated|taken|regarded|considered))\b"
)
"""A rule about rules: it forbids nobody anything."""

_FREED = re.compile(
    r"\bneed not\b|\b(?:is|are) not (?:\w+ )?(?:required|obliged|obligated|prohibited|forbidden|precluded|prevented)\b"
    r"|\b(?:shall|must|may|will) not be (?:required|obliged|obligated|prohibited|precluded|prevented|liable)\b"
    r"|\b(?:do|does) not (?:need|have) to\b|\bnot have to\b|\bunder no (?:obligation|duty)\b"
    r"|\b(?:(?:shall |will )?ha(?:s|ve)|retains?) the (?:power|right|discretion|authority)\b|\bexempt(?:ed)? from\b"
    r"|\bnothing in [^.;]{1,120}? (?:shall |may |is to |are to )?"
    r"(?:prevents?|prohibits?|precludes?|restricts?|requires?|affects?|limits?)\b"
    r"|\b(?:shall|may|must) not (?:prevent|prohibit|preclude|restrict)\b",
    re.I,
)
"""The absence of a duty, and powers."""

_RELATIVE = re.compile(
    r"\b(?:who|which|that) (?:must|shall|may|should|(?:is|are) (?:not )?(?:required|obliged|permitted|prohibited|to)\b)"
    r"|\bas (?:may|shall|must) be\b|\bas the case may be\b|\bthat is to say\b",
    re.I,
)
"""A modal verb of a relative clause, or of a set phrase."""

_PATTERNS: tuple[tuple[Modality, re.Pattern[str]], ...] = (
    (
        "prohibition",
        re.compile(
            r"\b(?:must|shall|may)(?:,[^,;:.]{1,80},)? (?:not|never|only|neither|in no (?:case|event|circumstances?)"
            r"|under no circumstances?)\b"
            r"|\bmay\b[^.;:,]{1,120}? only (?:if|where|when|after|with|in|to|for|on|once)\b"
            rf"|\b{_BE} (?:\w+ )?(?:prohibited|forbidden|unlawful)\b"
            r"|\b(?:is|are) not (?:permitted\b|allowed\b|(?:entitled |authori[sz]ed )?to\b)"
            r"|(?:^|[,;:)—] |\bthat )(?:no (?!later|less|more|fewer|longer|earlier)|neither |nobody |none )"
            r"[^.;:,]{0,160}?\b(?:may|shall|must)\b"
            r"|\b(?:is|are|commits?|constitutes?) an offence\b|\bguilty of an offence\b|\bprohibits\b",
            re.I,
        ),
    ),
    (
        "obligation",
        re.compile(
            rf"\b(?:must|shall)\b|{_TO}(?:required|obliged|obligated|bound|mandated) ?\b|{_TO}to (?!say\b)"
            r"|\b(?:it is|there is|is under|are under|has|have|owes?) (?:a|an|the) (?:\w+ )?(?:duty|duties|obligation)\b"
            r"|\bit is required\b|\bis (?:mandatory|compulsory|obligatory)\b|\bit is necessary\b"
            r"|\b(?:is|are|remains?) (?:\w+ )?(?:responsible|accountable) for\b"
            r"|\b(?:has|(?<!not )have) to\b|(?<!not )\bneeds? to\b|\bmandates? (?:that|\w)|\brequires\b"
            r"|\bundertakes? to\b",
            re.I,
        ),
    ),
    (
        "recommendation",
        re.compile(
            r"(?<!^)\b(?:should(?! have been\b)|ought to)\b"
            r"|\b(?:is|are) (?:\w+ )?(?:expected|encouraged|advised|recommended|urged)\b"
            r"|\b(?:expects?|recommends?|encourages?)\b|\bit is good practice\b",
            re.I,
        ),
    ),
    (
        "permission",
        re.compile(
            rf"\b(?-i:may|MAY)\b|\b{_BE} (?:\w+ )?(?:permitted|entitled|allowed|authori[sz]ed|free) to\b",
            re.I,
        ),
    ),
)
_AIM = re.compile(
    r"\b(?:purpose|aim|objective|intention|intent|goal|effect|function|role|idea|policy|focus|approach|view)s?\b"
    r"[^.;,]{0,120}$",
    re.I,
)
"""A subject that "is to" do something without anybody's duty."""


@dataclass(frozen=True)
class Modal:
    """What a sentence states, and the words that say so: sentence[start:end]."""

    modality: Modality
    start: int
    end: int


def modal(sentence: str) -> Modal | None:
    """Return the strongest thing that the main clause of a sentence states.

    Parameters
    ----------
    sentence : str
        One sentence, or a lead-in and its item, white space collapsed.

    Returns
    -------
    Modal or None
        A definition before a prohibition, an obligation, a recommendation and a permission, in this order. Where
        the main clause has no modal words, those of its other clauses count. None where there are none.

    """
    if defined := _DEFINITION.match(sentence[:LONGEST]):
        return Modal("definition", *defined.span())
    return _stated(_main_clause(sentence)) or _stated(sentence)


def _main_clause(sentence: str) -> str:
    """Return a sentence of the same length, its subordinate clauses blotted out."""
    main = sentence
    for clause in clauses(sentence[:LONGEST]):
        main = main[: clause.start] + _blot(clause.end - clause.start) + main[clause.end :]
    return _RELATIVE.sub(lambda match: _blot(len(match[0])), main)


def _stated(sentence: str) -> Modal | None:
    """Return the strongest of the modal words in `sentence`."""
    rest = _DECLARED.sub(lambda match: _blot(len(match[0])), sentence)
    freed = _FREED.search(rest)
    rest = _FREED.sub(lambda match: _blot(len(match[0])), rest)
    for modality, pattern in _PATTERNS:
        for match in pattern.finditer(rest):
            if not _is_aim(rest, match):
                return Modal(modality, *match.span())
    return Modal("permission", *freed.span()) if freed else None


def _is_aim(sentence: str, match: re.Match[str]) -> bool:
    """Whether "is to" says what something is for."""
    ahead = sentence[max(0, match.start() - 150) : match.start()]
    return match[0].endswith(" to ") and match[0][:2] in {"is", "ar"} and bool(_AIM.search(ahead))


def _blot(length: int) -> str:
    return "\0" * length
