"""How English regulations put words in the place of others."""

from __future__ import annotations

import re

from rulerank.text.english_phrases import ADDED, BE, FIGURE, IN_PLACE, MOVED, NEW, OLD, STRIKE, WORDS

SUBSTITUTIONS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\bfor:? {WORDS}{OLD},? (?:\([^()]{{1,60}}\),? |(?:in|wherever|where) [^“\"]{{1,80}}? )?"
        rf"(?:(?:there )?{BE} substituted|substitute|read)\s?:? {WORDS}{NEW}",
        rf"\bfor {WORDS}{OLD},? {WORDS}{NEW},? {BE} substituted",
        rf"\b{STRIKE} {WORDS}{OLD},?"
        rf"(?: and|,(?= substitut))? (?:insert|substitut)(?:e|ing)?,? (?:{IN_PLACE},? )?{WORDS}{NEW}"
        r"(?!,? (?:after|before|at)\b)",
        rf"{OLD},? {BE} (?:removed|deleted|stricken),? and {WORDS}{NEW},? (?:{BE} )?"
        rf"(?:added|inserted) {IN_PLACE}",
        rf"\b{STRIKE} {WORDS}{OLD}{ADDED} {IN_PLACE},? {WORDS}{NEW}",
        rf"\b{STRIKE} {WORDS}{OLD}{ADDED} {WORDS}{NEW},? {IN_PLACE}",
        rf"\bsubstitut(?:e|ing|ion of) {WORDS}{NEW} for {WORDS}{OLD}",
        rf"{NEW},? {BE} (?:to be )?(?:substituted for|inserted in place of) {WORDS}{OLD}",
        rf"\b(?:replac|substitut)(?:e|ing) {WORDS}{OLD},? (?:(?:in|wherever) [^“”\".;]{{1,80}}?,? )?"
        rf"(?:by|with) {WORDS}{NEW}",
        rf"\b{STRIKE} {WORDS}{OLD},? (?:from|in|where) [^“”\".;]{{1,80}}?,? and"
        rf" (?:(?:insert|substitut)(?:e|ing)(?: {IN_PLACE})?|replac(?:e|ing) (?:it|them) (?:by|with)),?"
        rf" {WORDS}{NEW}(?!,? (?:after|before|at)\b)",
        rf"\bchang(?:e|ing) {WORDS}{OLD} to {WORDS}{NEW}",
        rf"\breferences? (?:in [^“\"]{{1,120}}? )?to {OLD},? {BE} (?:to be )?(?:read|construed)"
        rf" as (?:a )?references? to {NEW}",
        rf"\bas (?:if|though) (?:for )?{WORDS}{OLD}(?: there)? (?:read|were|were substituted) {NEW}",
        rf"{OLD}[^“\"”]{{0,200}}? {BE} (?:to be )?(?:replaced (?:by|with)|read as|(?:corrected|revised)"
        rf" to read) {WORDS}{NEW}",
        rf"{OLD},? becomes? {WORDS}{NEW}",
        rf"\b{MOVED} from (?P<old>{FIGURE}) to (?P<new>{FIGURE})"
        r"(?=[.,;](?!\d)|$| (?:for|from|with|on|and)\b)",
        rf"\bof (?P<old>{FIGURE}) (?:in|under|prescribed (?:by|in)|specified in|set by|set out in)"
        rf" [^;“”\"]{{1,80}}? {BE} (?:hereby )?{MOVED} to (?P<new>{FIGURE})"
        r"(?=[.,;](?!\d)|$| (?:for|from|with|on|and)\b)",
        r"\bthe (?P<what>\w+) of (?P<old>[^,;.]{1,60}?) (?:in|under|of) [^;]{1,120}? ceases to have "
        r"effect,? and the (?P=what) is (?P<new>[^;.]{1,60})",
    )
)
NEW_ALONE = re.compile(
    r"\bceases? to have effect[.;,]? (?:and )?the \w+ (?:in|under|of) [^;]{1,120}? is (?P<new>[^;.]{1,60})",
    re.I,
)
