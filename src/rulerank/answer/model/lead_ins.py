"""Lines of a reply that lead in others: what they say holds for each of these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulerank.answer.model.lines import TITLES, Line
from rulerank.obligations import unfinished
from rulerank.text import language_of, modality, sentences

LONGEST = 300
"""The most characters that are put before an item, since every item of a list repeats them."""

_COLONS = (":", "：")
_END = " :："

_GOES_ON = re.compile(r"(?:[;,]|\b(?:and|or))$")
"""How an item ends whose sentence the next one ends."""

_RULING = re.compile(
    r"\b(?:can(?:not)?|only|allow(?:s|ed)?|permitted|permissible|permissions?|prohibit(?:s|ed)|prohibitions?"
    r"|forbidden|forbids?|banned|bans?|barred|exempt(?:s|ed)?|exemptions?|exceptions?|unlawful|illegal)\b",
    re.IGNORECASE,
)
"""What rules on the items below it, besides modal verbs and denials."""

# Verification knows the force of "must not", not that of a participle alone.
_PARTICIPLE = re.compile(
    r"(?:the following (?:\w+ )?(?:is|are) |what is |acts )?(?P<not>not )?"
    r"(?:(?P<may>permitted|allowed|permissible)|prohibited|forbidden|banned|unlawful)(?: acts| activities)?",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:the|an?|any|all|each|every|no|nobody|none|neither|only|this|these|you|it|if|where|when|unless)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?<!to )\b(?:must|shall|may|should|can|cannot|will|has|have|is|are|was|were|does|do not|need not|means"
    r"|applies)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:that|which|who|whom|whose|where|when|if|unless|until|while|whether|how|what)\b", re.IGNORECASE
)
# "Call the pilot", but not "Port Control".
_CAPITAL = re.compile(r"[A-Z](?=[a-z]*(?:\s(?![A-Z][a-z])|$))")


@dataclass
class _LeadIn:
    """A line that leads in others, what it rules on them, and the first of them once it is known."""

    line: Line
    ruling: str
    first: Line | None = None

    def holds_for(self, line: Line, is_lead_in: bool) -> bool:
        """Whether the lead-in, which held until here, holds for a line, which may lead in others itself."""
        own = self.line.level
        if own in TITLES:
            return line.level not in TITLES or line.level > own
        if line.level < own or not (line.bullet or line.numbers or is_lead_in):
            return False
        if self.first is None:
            return True
        if is_lead_in and line.level <= own:
            return False
        place = self.first.level
        return line.level > place or (line.level == place and line.marker == self.first.marker)


def claim_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines that may be claims: items of lists, and others with marks.

    What rules on a line from above is put before it, unless the line is a sentence of its own. A line without
    marks has those of the nearest lead-in that has any; failing that, those at the end of its sentence, if
    the items after it are in the same sentence.
    """
    above: list[_LeadIn] = []
    for line, following, ending in zip(lines, [*lines, None][1:], _ends(lines), strict=True):
        is_lead_in = _is_lead_in(line, following)
        above = [each for each in above if each.holds_for(line, is_lead_in)]
        for each in above:
            each.first = each.first or line
        if is_lead_in:
            above.append(_LeadIn(line, _ruling(line.words)))
        elif line.bullet or line.numbers:
            yield _below(above, line, ending)


def _ends(lines: Sequence[Line]) -> list[tuple[int, ...]]:
    """Return the numbers of the sources at the end of the sentence that each line is in."""
    numbers: list[tuple[int, ...]] = []
    after: Line | None = None
    for line in reversed(lines):
        together = after and line.bullet and (line.marker, line.level) == (after.marker, after.level)
        goes_on = together and not line.numbers and _GOES_ON.search(line.words)
        numbers.append(numbers[-1] if goes_on else line.numbers)
        after = line
    return numbers[::-1]


def _is_lead_in(line: Line, following: Line | None) -> bool:
    """Whether a line leads in the ones that follow it rather than stating something."""
    item = following if following and following.bullet else None
    if line.words.endswith(_COLONS):
        return bool(item) or not line.numbers or not _is_whole(line.words.rstrip(_END))
    if line.level in TITLES:
        return not line.numbers or (item is not None and not item.numbers)
    return line.bullet and not line.numbers and item is not None and item.level > line.level


def _is_whole(words: str) -> bool:
    """Whether words have a verb, and something after it if it asks for more."""
    return bool(_VERB.search(words)) and not unfinished(words)


def _below(above: Sequence[_LeadIn], line: Line, ending: tuple[int, ...]) -> Line:
    """Return a line with what holds for it from above; it has the marks of `ending` if it finds no others."""
    words = line.words.rstrip(_END)
    for each in reversed(above):
        if each.ruling and not _stands_alone(words, each.ruling):
            words = _put_before(each.ruling, words)
    marked = (each.line.numbers for each in reversed(above) if each.line.numbers)
    return replace(line, words=words, numbers=line.numbers or next(marked, ending))


def _ruling(words: str) -> str:
    """Return the sentence of a lead-in that rules on its items; "" if it only announces them."""
    lead = next(reversed(sentences(words.rstrip(_END))), "")
    if len(lead) > LONGEST or lead.endswith(("?", "？")):
        return ""
    rules = modality(lead) or language_of(lead).denial.search(lead) or _RULING.search(lead)
    return lead if rules else ""


def _stands_alone(item: str, lead: str) -> bool:
    """Whether an item has a subject and verb of its own, so that the words before it only announce it."""
    if lead.endswith(" that") or (unfinished(lead) and not _SUBJECT.match(item)):
        return False
    verb, clause = _VERB.search(item), _CLAUSE.search(item)
    if verb is None or verb.start() == 0:
        return False
    return clause is None or clause.start() == 0 or verb.start() < clause.start()


def _put_before(lead: str, item: str) -> str:
    item = _CAPITAL.sub(lambda match: match[0].lower(), item, count=1) if _CAPITAL.match(item) else item
    item = re.sub(r"[;,](?: (?:and|or))?$", "", item)
    if participle := _PARTICIPLE.fullmatch(lead):
        permitted = bool(participle["may"]) != bool(participle["not"])
        return f"What you may do: {item}" if permitted else f"What you must not do: {item}"
    return f"{lead} {item}" if unfinished(lead) else f"{lead}: {item}"
