"""How English regulations put words in the place of others."""

from __future__ import annotations

import re

from rulerank.text.english_phrases import ADDED, BE, FIGURE, IN_PLACE, MOVED, NEW, OLD, STRIKE

SUBSTITUTIONS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\bfor (?:the words? )?{OLD},? (?:\([^()]{{1,60}}\),? |(?:in|wherever|where) [^“\"]{{1,80}}? )?"
        rf"(?:(?:there )?{BE} substituted|substitute|read) (?:the words? )?{NEW}",
        rf"\bfor (?:the \w+ )?{OLD},? (?:the \w+ )?{NEW},? {BE} substituted",
        rf"\b{STRIKE} (?:the words? )?{OLD},?"
        rf"(?: and|,(?= substitut))? (?:insert|substitut)(?:e|ing)?,? (?:{IN_PLACE},? )?(?:the words? )?{NEW}"
        r"(?!,? (?:after|before|at)\b)",
        rf"{OLD},? {BE} (?:removed|deleted|stricken),? and (?:the \w+ )?{NEW},? (?:{BE} )?"
        rf"(?:added|inserted) {IN_PLACE}",
        rf"\b{STRIKE} (?:the \w+ )?{OLD}{ADDED} {IN_PLACE},? (?:the \w+ )?{NEW}",
        rf"\b{STRIKE} (?:the \w+ )?{OLD}{ADDED} (?:the \w+ )?{NEW},? {IN_PLACE}",
        rf"\bsubstitut(?:e|ing|ion of) (?:the words? )?{NEW} for (?:the words? )?{OLD}",
        rf"{NEW},? {BE} (?:to be )?(?:substituted for|inserted in place of) (?:the words? )?{OLD}",
        rf"\b(?:replac|substitut)(?:e|ing) (?:the words? )?{OLD} (?:by|with) (?:the words? )?{NEW}",
        rf"\bchang(?:e|ing) (?:the words? )?{OLD} to (?:the words? )?{NEW}",
        rf"\breferences? (?:in [^“\"]{{1,120}}? )?to {OLD},? {BE} (?:to be )?(?:read|construed)"
        rf" as (?:a )?references? to {NEW}",
        rf"\bas if (?:for )?(?:the words? )?{OLD}(?: there)? (?:read|were|were substituted) {NEW}",
        rf"{OLD}[^“\"”]{{0,200}}? {BE} (?:to be )?(?:replaced (?:by|with)|read as|corrected to read)"
        rf" (?:the \w+ )?{NEW}",
        rf"\b{MOVED} from (?P<old>{FIGURE}) to (?P<new>{FIGURE})(?=[.,;]|$| (?:for|from|with|on|and)\b)",
        rf"\bof (?P<old>{FIGURE}) (?:in|under|prescribed by|specified in|set by) [^;“”\"]{{1,80}}?"
        rf" {BE} (?:hereby )?{MOVED} to (?P<new>{FIGURE})(?=[.,;]|$| (?:for|from|with|on|and)\b)",
        r"\bthe (?P<what>\w+) of (?P<old>[^,;.]{1,60}?) (?:in|under|of) [^;]{1,120}? ceases to have "
        r"effect,? and the (?P=what) is (?P<new>[^;.]{1,60})",
    )
)
NEW_ALONE = re.compile(
    r"\bceases? to have effect[.;,]? (?:and )?the \w+ (?:in|under|of) [^;]{1,120}? is (?P<new>[^;.]{1,60})",
    re.I,
)
