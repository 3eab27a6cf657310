"""The words that state duties and powers in English rulebooks, as patterns.

All patterns but that of the month match text in lower case. Each alternative begins with fixed letters, so
the matcher can skip other words quickly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from rulerank.text.language import Duty

Modality = Duty | Literal["definition"]


def phrases(*phrases: str) -> re.Pattern[str]:
    """Compile alternatives that are whole words; "<be>" stands for the forms of that verb."""
    forms = "is", "are", "shall be", "must be", "will be", "be"
    spread = [
        phrase.replace("<be>", form)
        for phrase in phrases
        for form in (forms if "<be>" in phrase else forms[:1])
    ]
    return re.compile(rf"\b(?:{'|'.join(spread)})\b")


ASIDE = "(?:,[^,;:.]{1,80},)?"
"""Words between commas: "shall, on request, be entitled to"."""
_RIGHT = r"(?:permitted|entitled|allowed|authori[sz]ed|free|at liberty) to"
_ADVERB = r"(?:(?!not |never |only )\w+ )?"
_EXEMPT = r"exempt(?:ed)?(?= (?:from|only|\0)|[.,;:\0]|$)"
_BE_SO = (
    r"be (?:appropriate|available|clear|difficult|effective|helpful|likely|material|meaningful|necessary"
    r"|possible|practicable|practical|relevant|sufficient|suitable|useful)\b"
)
"""What is said of things rather than asked of anybody."""
_EXCEED = (
    r"exceed(?![^.;]{0,200}?(?:[\d\0]|\b(?:limit|maximum|ceiling|cap|threshold|provided|if|where|by|with|on|consent"
    r"|approval|one|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|thousand)\b))"
)
"""Not of a limit, nor on a condition: "may exceed the limit by two knots" is a power."""
_HAPPENS = (
    r" (?:(?:also|therefore|still|well|(?!only)\w+ly) )?"
    r"(?:(?:affect|amount to|appear (?:like|that|to (?!answer|give|make))|arise"
    r"|be (?:able to|aware|exposed to|perceived|shortly|volatile|(?:(?!only)\w+ly )?affected)"
    r"|be (?:more|less) (?!than)\w+"
    r"|become (?:apparent|aware|clear|difficult|due|known|material|necessary)|constitute|contravene|depend"
    rf"|differ|{_EXCEED}|exist|give rise to|happen|harm|have been|have to|help to|impact|lead to|lose"
    r"|mean|need to|occur|overlap|pose an? (?:\w+ )?(?:risk|threat)|result in|suffer)\b"
    rf"|(?:more |most |less )?{_BE_SO})"
)
"""What is no act that a "may" permits; "may include" and "may vary" can be powers."""
_SUBJECT = r"(?:(?!(?:is|are|that|which|who|whom|when|where|if|what|how|why) )[\w’'-]+ ){0,6}"
"""The words of a subject, none of which begins a clause."""
_POWER = "(?:the (?:power|right|discretion|authority)|(?:full )?power to|a right (?:to|of))"
_ALLOWED = (
    r"(?:lawful for|a (?:good )?defence|sufficient(?= (?:if|that|\0))"
    r"|open to(?= (?:the|an?|any) (?:\w+ ){1,3}to\b))"
)
_GIVEN = rf"{ASIDE} {_ADVERB}(?:be {_ADVERB}(?:{_RIGHT}|{_EXEMPT}|{_ALLOWED}\b)|have {_POWER})"
"""What follows a "shall" that gives a right: "be entitled to", "be exempt from", "have the power"."""

_DUE = "".join(
    rf"(?<!\b{before} {verb})"
    for verb in ("have", "need")
    for before in ("not", "may", "may also", "might", "the", "a", "any", "no", "this")
)
"""After these words, "have to" and "need to" state no duty."""

STATED: Mapping[Modality, re.Pattern[str]] = {
    "prohibition": phrases(
        *(
            # "A firm must not only report but also keep a log" forbids nothing.
            rf"{verb}{ASIDE} (?:not(?! only\b[^.;:]{{1,200}}\bbut\b)|never|only|neither|under no"
            "|on no account|at no time|in no (?:case|event|circumstance))"
            for verb in ("must", "shall", "may")
        ),
        *(
            rf"{never} (?!later|less|more|fewer|longer|earlier)[^.;:,]{{0,80}}?\b(?:may|shall|must|can)"
            for never in ("under no circumstances?", "in no (?:case|event)", "at no time", "on no account")
        ),
        r"may [^.;:]{0,200}?\bonly(?= (?:\0|if|where|when|after|once|to the extent|with the))",
        # "A firm may publish a notice that applies only to clients" limits nothing that it may do.
        r"may (?:\w+ ){1,3}?only(?= (?:by|for|to|on|upon|in|under|with|within|through|as|from|at)\b)",
        r"only(?<!\w only)(?! (?:if|when|where|after|once))[^.;:,]{0,80}?\bmay",
        *(f"{verb} (?:required|obliged|obligated|bound) not to" for verb in ("is", "are", "be")),
        *(rf"{phrase} {_RIGHT}" for phrase in ("is only", "are only", "only be")),
        r"<be> (?:\w+ )?(?:prohibited|forbidden|unlawful)",
        *(
            rf"{verb} not {be}(?:permitted|allowed|(?:entitled |authori[sz]ed )?to)"
            for verb, be in (("is", ""), ("are", ""), ("will", "be "))
        ),
        *(f"{verb} an offence" for verb in ("is", "are", "commits", "commit", "constitutes", "constitute")),
        "guilty of an offence",
        "prohibits",
        r"no(?:(?<!\w no)|(?<=that no)) (?!later|less|more|fewer|longer|earlier)"
        r"[^.;:,]{0,160}?(?:,[^.;:,]{1,80}, )?\b(?:may|shall|must)",
        rf"no(?<!\w no) (?:(?!(?:is|are) )[\w’'-]+ ){{1,6}}(?:is|are) {_RIGHT}",
        rf"no(?<!\w no) (?!later|less|more|fewer|longer|earlier){_SUBJECT}(?:is|are) to",
        *(
            rf"{word}(?<!\w {word}) (?:[^.;:]{{0,160}}?\b(?:may|shall|must)|{_SUBJECT}(?:is|are) to)"
            for word in ("neither", "nobody", "no-one", "none")
        ),
    ),
    "obligation": phrases(
        "must",
        rf"shall(?!{_GIVEN})",
        *(
            rf"{verb} (?:(?:also|still|further|hereby|each|therefore) )?"
            "(?:required|obliged|obligated|bound|to(?! say))"
            for verb in ("is", "are")
        ),
        "be (?:required|obliged|obligated|bound) to",
        *(
            rf"{verb} (?:under )?(?:a|an|the) (?:\w+ )?(?:duty|duties|obligation)"
            for verb in ("is", "are", "has", "have", "owes", "owe")
        ),
        r"<be> (?:\w+ )?(?:responsible|accountable) for",
        r"remains? (?:\w+ )?(?:responsible|accountable) for",
        r"(?:duties|responsibilities) of (?:(?!should |may |might )[^.;:]){1,120}? include",
        r"^it is (?:also )?a condition (?:of|for) [^.;:]{1,160}? that",
        "is (?:mandatory|compulsory|obligatory|necessary)",
        "has to",
        *(rf"{verb}{_DUE} to" for verb in ("have", "needs?")),
        # Not "the mandate of the auditor".
        r"mandates?(?<!\bnot mandate)(?<!\bthe mandate)(?<!\ba mandate)(?<!\bits mandate)"
        r" (?!(?:is|are|was|were|may|must|shall|of|to|for|or|and|in|under|over|granted)\b)\w+",
        "requires",
        "undertakes? to",
    ),
    "recommendation": phrases(
        r"should(?<!^should)(?! have been\b)",
        "ought to",
        *(
            rf"{verb} (?:\w+ )?(?:expected(?! to have)|encouraged|advised|recommended|urged)"
            for verb in ("is", "are")
        ),
        r"will (?:\w+ )?be expected",
        "expects?",
        "recommends?",
        "encourages?",
        "is good practice",
    ),
    "permission": phrases(
        rf"may(?!{_HAPPENS})",
        rf"(?:shall|will){_GIVEN}",
        rf"<be> (?:\w+ )?{_RIGHT}",
        *(f"{verb} {_POWER}" for verb in ("has", "have", "retains", "retain")),
        r"(?:(?:is|are) (?:\w+ )?)?exempt(?:ed)? from",
    ),
}
"""The words that state each modality, strongest first."""

_OF_SOMEBODY = r" (?:an?|any|every|the) [^.;:,]{1,80}? to (?!be\b)"
"""Whose act is expected, and which."""

_BOUND = r"bound to (?!the\b|an?\b)"

FREED = phrases(
    "need not",
    rf"not (?:\w+ )?expect(?={_OF_SOMEBODY})",
    *(
        rf"{verb} (?:not|never) (?:\w+ )?"
        rf"(?:required|obliged|obligated|{_BOUND}|prohibited|forbidden|unlawful|precluded|prevented"
        "|an offence)"
        for verb in ("is", "are")
    ),
    *(
        f"{verb} not (?:be (?:required|obliged|obligated|{_BOUND}|necessary|prohibited|forbidden|unlawful"
        "|precluded|prevented|liable|an offence)"
        "|prevent|prohibit|preclude|restrict)"
        for verb in ("shall", "must", "may", "will")
    ),
    "does not (?:need|have) to",
    "do not (?:need|have) to",
    "under no (?:obligation|duty)",
    *(
        f"{verb} no (?:further )?(?:obligation|duty|liability)"
        for verb in ("has", "have", "shall have", "will have")
    ),
    r"no(?<!\w no) (?!later|less|more|fewer|longer|earlier)"
    r"[^.;:,]{0,80}?\b(?:is|are|shall be) (?:required|obliged|obligated|necessary)",
    r"nothing in [^.;]{1,120}? (?:shall |may |is to |are to )?"
    r"(?:prevents?|prohibits?|precludes?|restricts?|requires?|affects?|limits?)",
)
"""The absence of a duty."""

CANNOT = re.compile(
    r"\bcan(?:not| not|['’]t)\b(?![^.;]{0,60}? yet\b)"
    # Not "a pump that does not permit draining".
    r"|\b(?<!that )(?<!which )(?<!who )do(?:es)? not (?:permit|allow|authori[sz]e)\b(?! for\b)"
)
"""A prohibition if nothing else is stated; beside a duty it often tells of a fact."""

CIRCUMSTANCE = re.compile(r"^\W*(?:if|where|when|unless)\b|\bnot mean that\b|, which,")
"""What comes before a "cannot" that tells of a fact."""

DECLARED = re.compile(
    r"\b(?:shall|must|may) not (?:apply|affect|constitute|be (?:deemed|construed))\b"
    rf"|\bmay not (?:(?:always|necessarily|yet|have to|need to)\b|be (?:able|in a position)\b|{_BE_SO})"
    rf"|\bnot (?:\w+ )?expect\b(?!{_OF_SOMEBODY})"
    r"|\bnothing in [^.;]{1,120}? shall (?:apply|be (?:deemed|construed))\b"
)
"""What forbids nothing to anybody: a rule about rules, what may not be so, what is not expected."""

POSSIBLE = re.compile(rf"\bmay{_HAPPENS}")
"""What may be so: such a sentence states nothing for its other clauses."""

AIM = re.compile(
    r"\b(?:purpose|aim|objective|intention|intent|goal|effect|function|role|idea|policy|focus|approach|view"
    r"|preference)s?\b"
    r"[^.;,]{0,120}$"
)
"""A subject that "is to" do something without anybody having a duty."""

_BEFORE_A_MONTH = (r"\d", r"\dst", r"\dnd", r"\drd", r"\dth", " of", " in", " by", " from", " until")
MONTH_OF_MAY = re.compile(
    rf"(?:{'|'.join(rf'(?<={word} )' for word in _BEFORE_A_MONTH)})May\b|(?<!^)\bMay(?= \d)"
)
