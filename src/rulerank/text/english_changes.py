"""How English regulations word what changes another rule."""

from __future__ import annotations

import re

from rulerank.text.english_phrases import (
    ADDED,
    BE,
    CEASES,
    FIGURE,
    IN_PLACE,
    ITSELF,
    LAPSE,
    MOVED,
    NO_EFFECT,
    OUT,
    PART,
    PROVISION,
    RULE,
    STRIKE,
    WORDS,
)
from rulerank.text.english_substitutions import NEW_ALONE, SUBSTITUTIONS
from rulerank.text.language import ChangeWords

_LAPSES = (
    rf"(?:{RULE} (?:{LAPSE}|{NO_EFFECT} (?:on and )?(?:after|from)"
    rf"|(?:shall )?ceases? to apply|{BE}(?:,[^,.;]{{1,60}},)? (?:(?:hereby|temporarily) )?(?:suspended"
    rf"|waived)"
    r"|(?:do|does|shall|will) not apply after"
    rf"|(?:do|does|shall|will) not have effect until)|{ITSELF} {LAPSE}"
    r"|\bcompliance with [^;:]{1,80}? not (?:be )?required (?:after|before|until))(?!\w)"
)
_REPEAL = re.compile(
    rf"\b(?:{BE} (?:hereby )?"
    rf"(?:{OUT}|withdrawn|cancelled|disapplied|void|of no (?:further )?(?:force|effect)"
    r"|no longer in force)|(?:has|have) no (?:further )?(?:force or )?effect(?=[.;]|$)"
    rf"|{CEASES}|no longer appl(?:y|ies)|(?:repeals?|revokes?) )\b(?! and replace[ds]?)"
    rf"|{_LAPSES}"
    r"|\b(?:(?:omit|repeal|revok)(?:t?ing)?|delet(?:e|ing)|(?:deletion|omission|removal"
    r"|repeal|revocation) of) (?:the )?"
    r"(?:rules?|regulations?|sections?|articles?|paragraphs?|clauses?) \d"
    r"|\brepeal the (?:rule|regulation|section|article|clause)\b(?!,)"
    r"|\b(?:remov(?:e|ing)|strik(?:e|ing)|rescind|withdraw)(?: and reserv(?:e|ing))?"
    r" (?:(?:rules?|sections?|paragraphs?) (?:\d|\(\w)|appendix [A-Z]\b|§+ ?\d)|\[(?:removed|rescinded)\b",
    re.IGNORECASE,
)
_SUSPENSION = re.compile(
    rf"\b(?:suspend|waiv|not (?:be )?required|disappl|no longer appl|(?:do|does|shall|will) not apply"
    rf"|ceases? to apply|{NO_EFFECT}"
    r"|until)",
    re.IGNORECASE,
)
_REVIVING = re.compile(
    r"(?:^|[.;:—] )(?![^.;:—]*\b(?:not|nothing|without) )[^.;:—]*\b(?:reviv(?:e|es|ed|al)|restored|reinstated"
    r"|back into (?:force|effect|operation))\b"
    r"|\bas if [^.;:]{1,80} had (?:never|not) been (?:made|enacted|repealed|revoked)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:repeal|revo[ck]|delet|omit|rescind|struck out|withdr|cancel|abolish|ceas|no longer|out of force"
    r"|suspend|waived|expires? (?:on|at)|laps(?:es?|ed)\b|no (?:further )?effect)",
    re.IGNORECASE,
)
_CHANGE_EXCEPTION = re.compile(
    r"\b(?:has|have) no effect (?:where|when|if|in)\b|\bcontinues? to (?:apply|have effect) as it stood\b",
    re.I,
)
_CHANGING = re.compile(
    r"\b(?:substitut|replac|repeal|revok|delet|omit|rescind|insert|add(?:ed|ing|s)?\b|amended|modif"
    rf"|remov|annul|abolish|abrogat|disappl|cancelled|withdrawn|{MOVED} (?:from|to)\b"
    rf"|strik|struck out|delayed|deferred|postponed|{CEASES}|no longer in force|chang(?:e|ing) \0"
    r"|reads?\b|construed\b"
    r"|(?:has|have|takes?) effect as (?:if|though)|no longer appl)"
    rf"|{_LAPSES}",
    re.I,
)
_NEW_RULE = re.compile(
    r"\b(?:(?:following|substituted?|replaced? (?:[^:—]{1,80}? )?(?:by|with))\b(?:[^:—]{0,40}:| ?[—–])"
    r"|reads?(?: as follows)?\s?[:—–])",
    re.I,
)
_ASIDE = re.compile(
    r"(?<=[\d)]) \((?!except|other than|save|apart from|but not)[^()]{1,200}\)"
    rf"|\b{STRIKE} {WORDS}\0+,?"
    rf"(?: and|,(?= substitut))? (?:insert|substitut)(?:e|ing)?,? (?:{IN_PLACE},? )?{WORDS}\0+"
    r"(?!\0|,? (?:after|before|at)\b)"
    rf"|(?<!\0)\0++,? {BE} inserted in place of {WORDS}\0+"
    rf"|(?<!\0)\0++,? {BE} (?:removed|deleted|stricken),? and {WORDS}\0+,? (?:{BE} )?"
    rf"(?:added|inserted) {IN_PLACE}"
    rf"|\b{STRIKE} {WORDS}\0+,? (?:from|in|where) [^.;\0]{{1,80}}?,? and"
    rf" (?:(?:insert|substitut)(?:e|ing)(?: {IN_PLACE})?|replac(?:e|ing) (?:it|them) (?:by|with)),?"
    rf" {WORDS}\0+(?!\0|,? (?:after|before|at)\b)"
    rf"|\b{STRIKE} {WORDS}\0+{ADDED} (?:{IN_PLACE},? {WORDS}\0+|{WORDS}\0+,? {IN_PLACE})",
    re.IGNORECASE,
)
_SOME = (
    r"(?:only|an?(?! (?:\w+ )?(?:period|year|term)\b)|any|(?!(?:this|its|words|figures|references|expressions"
    r"|purposes|reasons|paragraphs|rules|regulations|sections|years|months|days)\b)[a-z]+s)\b"
)
"""How some cases begin: "for tugs", "for a ferry"; not so "for the words", "for all purposes"."""
_PLACE = (
    r"(?-i:^(?:\(\w+\) )?In (?!(?:\w+ )*(?:Rule|Regulation|Section|Article|Part|Chapter|Schedule|Paragraph"
    r"|Act|Order|Code|Notice|Annex|Appendix|Table)s?\b)[A-Z][a-z]+(?: (?:and )?[A-Z][a-z]+)*, )"
)
_LIMIT = re.compile(
    r"\b(?:(?<!\bas )if|unless"
    r"|where(?! (?:it|they|the words?|those words|that word) (?:first )?(?:occurs?|appears?)\b)"
    r"|when(?! (?:th(?:is|ese|e) [\w ]{1,40}? )?(?:comes?|enters?|takes?) (?:into|effect))"
    r"|(?:effective|compliance) dates? (?:of|for)|(?<!than )once|whenever|as soon as|on the same day as"
    r"|(?:up)?on the (?:coming into (?:force|operation|effect)|commencement) of (?!th(?:is|ese)\b)"
    r"|while|whilst|during|so far as|insofar as|to the extent|modifications|modification of"
    r"|redesignate[ds]?|renumber(?:ed|s)?|in relation to|in respect of"
    r"|with (?:respect|regard|reference) to|as respects|as regards|in the case of"
    r"|as (?:it|they) appl(?:y|ies)"
    r"|(?<!applies )(?<!apply )only(?=,| (?:to|in|for|if|where|as|on|so far)\b)"
    r"|references? (?:in [^.;\0]{1,120}? )?to [^.;\0]{1,80}? (?:is|are|shall be) (?:to be )?"
    r"(?:(?:read|construed) as|replaced by a reference)"
    r"|(?:read|construed) as (?:including|a?\s?references? to (?!\0))"
    r"|(?:for the purposes? of|subject to) (?:rule|regulation|section|article|part)s? \d+|except"
    r"|(?-i:With the exception of)|with the exception of [^.;:]{1,120}?, which|other than"
    r"|save (?:for|that|as|where|in)|apart from"
    rf"|for the purposes? of (?:{_SOME}|this (?:{PROVISION}|part|chapter|schedule)\b)"
    r"|on such da(?:y|te)s? as|on a da(?:y|te) (?:to be|that)"
    rf"|(?:repealed|revoked|withdrawn|cancelled|ceases? to have effect) for {_SOME}"
    r"|no longer appl(?:y|ies) to|respectively"
    r"|in (?:its|their) application to|insert(?:s|ed|ing)?|add(?:s|ed|ing)?"
    r"|the (?:first|second|third|fourth|fifth|last|final|introductory)"
    r" (?:sentence|(?:sub-?)?paragraph|indent|phrase|wording|words?)s?"
    rf"|the \w+ \0+ (?:{BE} (?:hereby )?{OUT}|(?:shall )?{CEASES})"
    r"|for the words? (?:from|after|before)|(?:in|for|of) the (?:heading|title|side-?note|marginal note))\b"
    rf"|\0 (?:only )?for {_SOME}|{_PLACE}"
    rf"|\b{MOVED} [^.;]{{0,40}}?to {FIGURE}"
    r" (?:for (?!(?:all|each|every)\b)|(?:at|by|following|in|under|on an?) )"
    rf"|(?:^|[.;)] )(?:for an?|in the case of) [^.;,]{{1,80}}, (?:the|any)\b[^.;]{{1,120}}?\b{MOVED}\b"
    rf"|\b(?:omit|delet|repeal|revok|remov)(?:es?|s|ting|ing)? (?:the words?\b|\0|{PART} \()"
    rf"|\breplac(?:es?|ing) {PART} \("
    rf"|\b{PART} \([^.;,]{{1,40}} (?:{BE} (?:hereby )?{OUT}|(?:shall )?{CEASES})\b"
    r"|\b(?-i:definition|word|figure|entry|table|proviso|note)s?\b[^.;:]{0,80}? (?:in|of|to)"
    r" (?:rule|regulation|section|article)s? \d[^.,;:]{0,120}?"
    rf" (?:{BE} (?:hereby )?(?:{OUT}|replaced by the following)|(?:shall )?{CEASES})\b"
    # As in: the list in rule 4 is replaced by the following one.
    r"|\b(?:the|any) [a-z][^.;:]{0,60}? (?:in|of|on|to|under) (?:rule|regulation|section|article)s? \d"
    rf"[^.;:]{{0,120}}? {BE} (?:hereby )?replaced (?:by|with) (?:the following|a new)\b",
    re.I,
)
_ANNOUNCING = re.compile(
    rf"\b(?:{BE} (?:hereby )?(?:further )?amended(?: as follows| as set out below| in the following manner"
    r"|(?: in accordance with| as (?:set out|specified|mentioned|provided)(?: for)? in)"
    r" (?:this|the following|(?:sub-?)?(?:paragraph|rule|regulation|section|article)s? [\d(])[^.;:—]{0,40}?)?"
    r"|reads?(?: as follows)?(?=\s?[:—–]))\s?[.:—–]?\s*\Z",
    re.IGNORECASE,
)
_NTH = r"(?:first|second|third|fourth|fifth|last|final|\d(?:st|nd|rd|th))"
_ONE_PLACE = re.compile(
    rf"\b{_NTH}(?: (?:and|or) (?:the )?{_NTH})? (?:place|time|occurrence|instance)s?\b"
    rf"|\bwhere (?:[\w ]{{1,20}} )?{_NTH} (?:occur|appear|mentioned)",
    re.IGNORECASE,
)
_CHANGE = "(?:amendment|change|substitution|repeal|revocation|modification|insertion|omission)s?"
_RIDER = re.compile(
    rf"\b(?:(?:the|this|that|these|those) {_CHANGE}(?: made by this \w+)?"
    r"|(?<!whom )(?<!which )(?<!of )(?<!\d, )paragraph \((?P<of>\d\w*)\))"
    r"(?: appl(?:y|ies) (?:only )?(?:to|in|where|if|for)\b(?! (?:all|each|every)\b)"
    r"| (?:do|does|shall|will) not (?:apply|have effect)\b"
    r"| ha(?:s|ve) effect (?:only )?(?:in|for|where|if)\b"
    r"|,[^.;]{1,120}? continues? to (?:apply|have effect)\b)"
    rf"|\bthis(?: {PROVISION})? (?:applies only|does not apply)\b"
    rf"|\b(?:this|these) {PROVISION} comes? into (?:force|effect|operation) on (?:such|a) da(?:y|te)",
    re.IGNORECASE,
)
_AMOUNT = (
    r"(?:[£$€]? ?\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
    r"|forty|fifty|sixty|ninety|hundred)\b)"
)
# "A member (previously licensed for five years)" is a condition.
_FORMER = re.compile(
    rf"\((?:formerly|previously|until (?:recently|then|now)|before that),? {_AMOUNT}[^()]{{0,120}}\)"
    rf"|, (?:formerly|previously) (?={_AMOUNT})[^\s,.;()]+(?: [^\s,.;()]+){{0,2}}(?=[,.;)]|$)"
    r"|,? instead of (?:the )?(?:former|previous) [^,.;()]{1,60}",
    re.IGNORECASE,
)
_SAVING = re.compile(
    rf"\b(?:{PROVISION} (?P<of>\d[\w.]*(?:\(\w{{1,5}}\)){{0,4}})(?: of [^.;:]{{1,80}}?)?"
    rf"|(?:that|those) {PROVISION}|(?<=[.;] )(?P<it>it|they)),?(?: [^.;:]{{1,120}}?,)?"
    r" (?:shall )?(?:continues? to (?:apply|have effect)"
    r"|(?:continues?|remains?) in (?:force|effect|operation))\b",
    re.IGNORECASE,
)
_LIMITING = re.compile(
    rf"(?P<other>(?:\d\)?,|\b(?:if|where|when|whom|which|under)) )?"
    rf"\b(?P<nothing>nothing in )?{PART} "
    rf"(?P<of>\(\w{{1,5}}\)(?:\(\w{{1,5}}\))?(?:(?:,| and| or|, and|, or) \(\w{{1,5}}\)){{0,8}})"
    r"(?: of this \w+)?(?:,[^.;:]{1,120},)?"
    r" (?:(?:do|does|shall|will) not (?:apply|have effect)|(?:appl(?:y|ies)|ha(?:s|ve) effect) only"
    r"|(?:shall (?:apply|have effect)) only|(?:is|are) disapplied|ha(?:s|ve) no (?:effect|application)"
    r"|(?P<done>(?:shall )?(?:appl(?:y|ies) (?:to|in|where|if)|prevents?|prohibits?|requires?|restricts?"
    r"|limits?)))\b",
    re.IGNORECASE,
)

ENGLISH_CHANGES = ChangeWords(
    SUBSTITUTIONS,
    NEW_ALONE,
    _REPEAL,
    _SUSPENSION,
    _REVIVING,
    _ENDED,
    _CHANGE_EXCEPTION,
    _CHANGING,
    _NEW_RULE,
    _ASIDE,
    _LIMIT,
    _ANNOUNCING,
    _ONE_PLACE,
    _RIDER,
    _SAVING,
    _LIMITING,
    _FORMER,
)
