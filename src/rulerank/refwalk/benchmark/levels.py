"""The difficulty of a question, derived from the rules that it rests on (RefWalk's levels, on any corpus)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rulerank.corpora.sample.difficulty import Level, Properties, level
from rulerank.refwalk.rules import rule_anchor
from rulerank.text import language_of, normalise, visible

_INSTITUTION = re.compile(
    r"\b(?:[A-Z][\w’'-]+\s+(?:of\s+(?:the\s+)?)?){0,3}(?:Authority|Ministry|Commission|Regulator|Agency|Tribunal|Court"
    r"|Registrar|Department|Bureau|Council|Treasury|Bank)\b"
    r"|[가-힣]{2,12}(?:부장관|청장|시장|도지사|군수|구청장|위원회|소방서장|본부장|공단|법원)"
)
_SANCTION = re.compile(
    r"\b(?:penalt|fine[sd]?\b|sanction|contraven|offence|offense)|과태료|벌칙|벌금|징역", re.I
)
_CONDITION = re.compile(r"\b(?:if|unless|where|when|provided that|in the event)\b|경우|때에는", re.I)


def level_of(texts: Sequence[str], documents: Collection[str], clauses: int, known: Collection[str]) -> Level:
    """Return the level of a question.

    Parameters
    ----------
    texts : sequence of str
        Texts of the rules that it rests on.
    documents : collection of str
        The document of each.
    clauses : int
        Number of things it asks.
    known : collection of str
        Names of the corpus's documents, normalised; any other law that the rules name is external.

    """
    text = visible("\n".join(texts))
    named = (normalise(each) for each in rule_anchor(text).domain.split("; ") if each)
    conditional = any(language_of(each).exception.search(each) or _CONDITION.search(each) for each in texts)
    return level(
        Properties(
            references=len(texts),
            documents=len(set(documents)),
            facets=clauses,
            institutions=len({normalise(each.group()) for each in _INSTITUTION.finditer(text)}),
            conditional=conditional,
            sanction=bool(_SANCTION.search(text)),
            external=any(not any(name in title or title in name for title in known) for name in named),
        )
    )
