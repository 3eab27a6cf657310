"""English: stopwords, stems, contractions, and the wording of its regulations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import Stemmer

from rulerank.text.analysers import analyser
from rulerank.text.english_changes import ENGLISH_CHANGES
from rulerank.text.language import Duty, Language
from rulerank.text.plain import bigrams, normalise, words

STOPWORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no nor not
    now of off on once only or other our ours out over own same she should so some such than that the
    their theirs them then there these they this those through to too under until up very was we were
    what when where which while who whom why will with would you your yours
    """.split()  # noqa: SIM905
)

_MODALS: tuple[tuple[Duty, re.Pattern[str]], ...] = (
    (
        "prohibition",
        re.compile(
            r"\b((must|shall|may) (not|never)|(is|are) (prohibited|forbidden)|(is|are) not permitted to)\b",
            re.I,
        ),
    ),
    (
        "obligation",
        re.compile(
            r"\b(must|shall|(is|are) (also |still )?(required|obliged|obligated) to|it is required that"
            r"|has to|(?<!not )have to|(?<!not )needs? to|(is|are) under a duty to|mandates? that|are to)\b",
            re.I,
        ),
    ),
    ("recommendation", re.compile(r"\b(should(?! have been)|ought to|(is|are) expected to)\b", re.I)),
    ("permission", re.compile(r"\b(may|(is|are) (permitted|entitled) to)\b", re.I)),
)

_TERM = (
    r"(?:[“\"‘'][^”\"’'\n]{1,80}[”\"’']|(?!This |That |It |Which |These )[A-Z][\w-]*"
    r"(?: (?!must |shall |may |by )[\w-]+){0,6}?)"
)
_DEFINITION = re.compile(
    r"^\W{0,20}(?:\w{1,4}\)\s*)?(?:(?:In|For the purposes? of) [^\n“\"]{1,60},? )?"
    rf"(?:(?:[Tt]he|[Aa]n?) )?(?:(?:term|expression) )?{_TERM}(?:, [^,.\n]{{1,60}},)?\s+"
    r"(?:means?|(?:has|have) the (?:same )?meaning)\b(?! (?:that|of|to)\b)",
    re.MULTILINE,
)
_FORM = re.compile(
    r"\b(?:prescribed|approved|specified) form\b"
    r"|\bform (?:as )?(?:is |may be )?(?:prescribed|specified|published)\b"
    r"|\bForm [A-Z]{0,4}[ -]?\d",
)
_EXCEPTION = re.compile(
    r"\b(?:do|does|shall|will) not apply\b|\bexempt(?:ed)? from\b"
    r"|^\W*(?:Except|Unless|Despite|Notwithstanding)\b"
)
_DENIAL = re.compile(r"\b(?:not|never|no|nor|neither|none|nobody|without|except)\b", re.IGNORECASE)
_PROVISION = (
    "(?:rule|regulation|section|article|paragraph|part|chapter|schedule|provision|requirement|exemption)s?"
)
_SCOPE = re.compile(
    rf"\b{_PROVISION}"
    r"(?: \d[\w.()-]*)?(?: (?:of|in) [^.;,]{1,60}?)? (?:(?:do|does|shall|will) not apply"
    r"|ha(?:s|ve) no application|appl(?:y|ies) (?:only )?to|continues? to apply)\b"
    r"|\b(?:the|this|that|an|no) exception\b|\bexempt(?:ed)? from\b"
    rf"|\b(?:this|these)(?: {_PROVISION})? (?:is|are) subject to\b"
    rf"|\bmodif(?:y|ies) (?:this|these) {_PROVISION}\b"
    r"|\b(?:is|are|be) read (?:together|in conjunction) with\b"
    # "This only applies in summer"; "the foregoing does not apply"; "the duty does not arise if".
    r"|(?:^|(?<=[.;:)] ))\W*(?:\w{1,3}\) )?"
    r"(?:this|these|it|the (?:above|foregoing|duty|obligation|prohibition))"
    r" (?:(?:do|does|shall|will) not (?:apply|arise)|ceases?|(?:is|are) not (?:required|necessary)"
    r"|(?:only )?appl(?:y|ies)(?: only)? (?:to|in|if|where|when|from|on))\b"
    rf"|\b(?:this|these) {_PROVISION} only appl(?:y|ies)\b|\bthis {_PROVISION} applies (?:from|until)\b"
    rf"|\b(?:is|are) exempt\b|\bnot subject to (?:this|these) {_PROVISION}\b"
    r"|^\W*No [^.;]{1,60}? (?:is|are|shall be) (?:required|necessary)\b"
    # How long it is in force.
    rf"|\b(?:this|these) {_PROVISION} (?:ceases? to (?:have effect|apply)|expires?|lapses?"
    r"|(?:is|are) suspended|comes? into (?:force|effect|operation)|takes? effect"
    r"|ha(?:s|ve) effect (?:from|on|until|only))\b"
    # Exceptions in the words of a permission or of a definition.
    r"|^\W*(?:\w{1,3}\) )?(?:However|But|Nevertheless|Provided that)\b[^.;]{0,200}?"
    r"\b(?:may|nothing|(?:do|does|shall|will|is|are) not)\b"
    r"|\bneed not\b|\b(?:is|are) not (?:required|obliged) to\b|\b(?:do|does) not (?:need|have) to\b"
    rf"|\bin (?:this|these) {_PROVISION},? [^.;]{{1,120}}? (?:do|does) not include\b"
    r"|\bmay(?: [^.;]{1,60}?)? (?:exempt [^.;]{1,80}? from|(?:be )?(?:waived?|dispensed? with))\b",
    re.IGNORECASE,
)

# In this order: "Guidance on the Rules" is guidance, "Rules and Guidance" are rules.
_TIERS = (
    (5, re.compile(r"^(?:supplementary |draft )?guidance\b", re.I)),
    (3, re.compile(r"\b(?:rules|rulebook)\b", re.I)),
    (5, re.compile(r"\b(?:guidance|guidelines|principles|manual)\b", re.I)),
    (4, re.compile(r"\bnotice\b", re.I)),
    (2, re.compile(r"\bdecree\b", re.I)),
    (1, re.compile(r"\b(?:act|law|statute|regulations)\b", re.I)),
)

_LEVELS = ("Act", "Decree", "Rules", "Notice", "Guidance")

ENGLISH = Language(
    _MODALS,
    _DEFINITION,
    _FORM,
    _EXCEPTION,
    _DENIAL,
    _SCOPE,
    _TIERS,
    _LEVELS,
    ENGLISH_CHANGES,
    grammar="english_rulebook",
)

_CONTRACTIONS = (
    (re.compile(r"\b(it|he|she|that|what|who|there|here|where|how|when)['’]s\b"), r"\1 is"),
    (re.compile(r"['’]s\b"), ""),
    (re.compile(r"\bcan['’]t\b"), "can not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"\bshan['’]t\b"), "shall not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"['’]re\b"), " are"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]d\b"), " would"),
    (re.compile(r"['’]m\b"), " am"),
)
_LEGAL = re.compile(r"(?P<kept>[§¶]|\d+(?:\.\d+)+)|[^\W_]+")


@analyser
def analyse(texts: Sequence[str]) -> list[list[str]]:
    """Return the Snowball stems of each text without stopwords.

    Parameters
    ----------
    texts : sequence of str
        Passages or questions.

    Returns
    -------
    list of list of str
        One list of terms per text, in reading order, repeats kept. Equal terms are one object, so the terms
        of a large corpus fit into memory.

    """
    stems = _Stems()
    return [[stems[word] for word in words(normalise(text)) if word not in STOPWORDS] for text in texts]


@analyser
def unigrams_and_bigrams(texts: Sequence[str]) -> list[list[str]]:
    """Return the stems of each text and their adjacent pairs, as the hybrid ObliQA system analyses.

    Contractions are expanded. Characters used in citing law are kept: section and paragraph signs as
    separate terms, numbers with their dots. Stopwords are left out before pairs are formed.

    Parameters
    ----------
    texts : sequence of str
        Passages or questions.

    Returns
    -------
    list of list of str
        For each text its terms in reading order, then their pairs.

    """
    stems = _Stems()
    found = []
    for text in texts:
        kept = [word for word in _legal_words(expanded(normalise(text))) if word not in STOPWORDS]
        terms = [word if word[0].isdigit() else stems[word] for word in kept]
        found.append([*terms, *bigrams(terms)])
    return found


def expanded(text: str) -> str:
    """Return normalised text with its contractions written out; a possessive 's is removed."""
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return text


def _legal_words(text: str) -> Iterator[str]:
    for piece in _LEGAL.finditer(text):
        if piece["kept"]:
            yield piece["kept"]
        else:
            yield from words(piece[0])


class _Stems(dict[str, str]):
    """The Snowball stem of each word looked up so far."""

    def __init__(self) -> None:
        self._stem = Stemmer.Stemmer("english").stemWord
        self._terms: dict[str, str] = {}

    def __missing__(self, word: str) -> str:
        stem = self._stem(word)
        self[word] = self._terms.setdefault(stem, stem)
        return self[word]
