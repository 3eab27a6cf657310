"""Phrases of English regulations that patterns of changes are made of."""

from __future__ import annotations

_INSIDE = r"(?:[^\"“”‘’']|(?<=\w)[’'](?=\w)|(?<=s)[’'](?= \w))"
"""A character between single quotation marks; apostrophes in a word or after a plural's s are no marks."""


def _quoted(name: str) -> str:
    """Return the pattern of quoted words, which ends at the first mark that can close what was opened."""
    double = f"{name}_double"
    return (
        rf"(?:(?P<{double}>[\"“]|‘‘)|(?<!\w)[‘'])(?P<{name}>(?({double})[^\"“”]|{_INSIDE}){{1,300}}?)"
        rf"(?({double})(?:[\"”]|’’)|[’'](?!\w))"
    )


OLD, NEW = _quoted("old"), _quoted("new")
BE = r"(?:is|are|was|were|(?:shall|will) be|ha(?:s|ve) been|stands?|shall stand)"
PART = r"(?:(?:sub-?)?paragraph|sub-?section|sub-?rule|sub-?regulation|point|clause)s?"
"""The names of parts of a rule."""
OUT = r"(?:repealed|revoked|deleted|omitted|rescinded|removed|annulled|abolished|abrogated|struck out)"
STRIKE = (
    r"(?:(?:delet|remov)(?:e|ing)|(?:strik(?:e|ing)|leav(?:e|ing))(?: out)?|omit(?:ting)?|repeal(?:ing)?)"
)
ADDED = (
    r",? (?:(?:wherever|each place) (?:it|they) (?:appears?|occurs?),? "
    rf"|(?:from|in) (?:§+ ?[\w.()-]{{1,30}}|{PART} [\w()]{{1,20}}) )?and add(?:ing)?,?"
)
"""Between the old words and the new ones in the U.S.: "remove “six” and add in its place “ten”"."""
IN_PLACE = r"in (?:(?:its|their) place|lieu thereof)\b"
RULE = r"(?:\d|\(\w{1,5}\))(?:\(\w{1,5}\)){0,4}(?: of [^.;,:—“”\"\0]{1,80}?)?"
"""The number of a rule, and its document: a permit that expires ends no rule."""
ITSELF = (
    r"(?<!under )(?<!by )(?<!with )(?<!to )(?<!of )\bth(?:is|ese) "
    r"(?:rule|regulation|order|section|article|part|notice|instrument|direction|measure|act|law|decree|code"
    r"|by-?law)s?"
)
"""What says of itself when it ends; a permit under these rules is something else."""
LAPSE = (
    r"(?:(?:(?:shall|will) )?(?:expires?|lapses?) (?:on|at)"
    r"|(?:has effect|(?<!not )have effect|(?:(?:shall|will) )?(?:continues?|remains?) in"
    r" (?:force|effect|operation)|(?<!not )appl(?:y|ies))(?: only)? until"
    r"(?=[^.;,]{0,40}?\b(?:19|20)\d\d(?: only)?(?:[.;]|,? and\b|\s?\Z)))"
)
"""An end that is the last day: on that day the rule still stands."""
CEASES = r"ceases? to (?:have effect|be in force)"
NO_EFFECT = r"ha(?:s|ve) no (?:further )?effect"
FIGURE = r"(?:[^,;.“”\"]|[.,](?=\d)){1,40}?"
WORDS = r"(?:the (?!following )\w+ )?"
"""What may name quoted words: "the figure “six”"."""
MOVED = r"(?:changed|enhanced|extended|increased|lowered|raised|reduced|revised|shortened)"
PROVISION = "(?:rule|regulation|section|article|paragraph)s?"
