"""The words of English rulebooks that state no duty although they have a modal verb: relative clauses."""

from __future__ import annotations

from rulerank.obligations.clauses import VERB
from rulerank.obligations.wording import ASIDE, phrases

_MODAL = (
    r"(?:must|shall|may|should|can(?:not| not|['’]t)"
    r"|(?:is|are) (?:not )?(?:required|obliged|permitted|prohibited|to)"
    r"|(?:is|are) (?:\w+ )?(?:responsible|accountable) for|ha(?:s|ve) (?:to|a duty)\b)"
)
_ITS_SUBJECT = rf"(?:(?!{VERB}\b)[\w’'-]+ ){{1,6}}"
"""The subject of a clause, as long as no verb that is known is among its words."""

_SIGNPOST = (
    r"^(?:(?:the|this|these|each) )?(?:appendix|chapters?|guidance|modules?|paragraphs?|parts?"
    r"|rules?|schedules?|sections?|tables?)(?: [\d(][\w.()]*(?:(?:,| and| or| to) [\d(][\w.()]*)*)?"
    r" (?:also )?(?:describes?|details?|explains?|lists?|outlines?|sets? out|specif(?:y|ies)|summari[sz]es?)"
    r"(?! that\b)"
    rf" [^.;:,]{{0,160}}?\b(?:that|which|what|how|when|where) (?:{_ITS_SUBJECT})?{_MODAL}"
)
"""A rule that tells what others require: "This Chapter outlines the fees that a firm must pay"."""
SIGNPOST = phrases(_SIGNPOST)

RELATIVE = phrases(
    *(rf"{word}{ASIDE} {_MODAL}" for word in ("who", "which", "that")),
    # "It may prescribe the manner in which an application must be made."
    *(
        rf"{before} wh(?:ich|om) (?!case\b|event\b){_ITS_SUBJECT}{_MODAL}"
        for before in ("in", "on", "at", "by", "to", "of", "for", "from", "under", "upon", "with", "within")
    ),
    # "Whatever a firm must do may be done by its agent."
    r"^(?:whatever|whoever|whichever|what|anything) [^.;:,]{0,80}?\b(?:requires|must|shall|may|should)"
    # "Whoever finds a wreck must report it and may claim a reward" has one clause with two verbs.
    r"(?=(?:(?!\b(?:and|or|but|that|which|who)\b)[^.;:])*? (?:must|shall|may|should)\b)",
    # "It may decide whether the fee should rise."
    rf"(?:determin|decid|consider|assess|evaluat)\w{{0,4}} whether (?:or not )?{_ITS_SUBJECT}{_MODAL}",
    _SIGNPOST,
    # "The Regulator may prescribe requirements that a firm must comply with."
    r"that [^,;:.]{1,160}? (?:must|shall|may) comply with(?=[,;.]|$)",
    "as (?:may|shall|must|the case may) be",
    "that is to say",
)
"""A modal verb in a relative clause or a set phrase."""
