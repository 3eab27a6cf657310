"""The words that define a term in English rulebooks."""

from __future__ import annotations

import re

from rulerank.obligations.clauses import VERB

_QUOTED = r"[“\"‘'][^”\"’']{1,120}[”\"’'](?:,? (?:or|and) [“\"‘'][^”\"’']{1,120}[”\"’']){0,8}"
_WORD = r"(?!(?:This|These|That|It|Which|What)\b)(?:\d|[a-z]{1,2})?[A-Z][\w’'/-]*"
_PROVISION = r"(?!(?:(?:An?|The) )?(?:Chapter|Part|Section|Rule|Schedule|Appendix|Guidance)\b)"
_JOINED = r" (?:(?:of|and|or|the|in|for|to|on) )?[A-Z][\w’'-]*"
_PLAIN = rf" (?!(?:{VERB}|mean|by|who|which|that|this|these|if|when|where)\b)[\w’'-]+"
"""A further word of a term whose first word alone has a capital letter."""
_QUALIFIED = (
    r"(?: \([^)]{1,100}\))?"
    r"(?:,? (?:[Ii]n relation to|in respect of|with respect to|for the purposes? of) [^.;:]{1,160}?)?,? "
)
DEFINITION = re.compile(
    r"(?:\(?\w{1,5}[.)] )?"
    r"(?:(?:In|For|As used in|Notwithstanding) [^.;:]{1,150}?[,:—–] (?:\(?\w{1,5}[.)] )?)?"
    r"(?:(?:the|a|an|any|The|An?) )?(?:(?:term|expression|word|phrase|reference to)s? )?"
    rf"(?:(?:{_QUOTED}|{_WORD}(?:{_JOINED}){{0,8}}){_QUALIFIED}"
    r"(?:shall |also )?(?:[Mm]eans?\b|ha(?:s|ve) the (?:same )?meanings?\b)"
    rf"|(?:{_QUOTED}|{_WORD})(?:{_PLAIN}){{1,8}}{_QUALIFIED}[Mm]eans?\b(?! (?:of|that|to)\b)"
    rf"|(?:{_QUOTED}|{_PROVISION}{_WORD}(?:{_JOINED}){{1,8}}){_QUALIFIED}"
    r"(?:(?:is|are) defined\b|(?:shall |also |does not |do not )?includes?\b|refers? to\b)"
    rf"|{_QUOTED}{_QUALIFIED}"
    r"(?:(?:also |does not |do not )?(?:denotes?|covers?)\b|(?:is|are) (?:not )?to be read as\b))"
    r"|(?:(?:For|In) [^.;:]{1,150}?, )?(?:the|The) (?:term|expression) (?:[\w’'-]+ ){1,6}?"
    r"(?:means?|includes?|does not include)\b"
    r"|(?:References?|A reference) (?:in|to) [^.;]{1,150}? (?:is|are|means?|includes?)\b"
)
"""A defined term, quoted or in capitals, and the words that define it."""
