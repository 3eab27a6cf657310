"""An answer as one HTML page that needs nothing else: each claim beside its passages."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from string import Template

import polars as pl

from rulerank.answer import ABSTENTION, INCOMPLETE, Answer, Claim
from rulerank.answer.changes import substitutions
from rulerank.answer.readings import positions
from rulerank.console import printable
from rulerank.passages import Passage

TIERS = {1: "statute", 2: "decree", 3: "rules", 4: "notice", 5: "guidance"}
_READ = re.compile(r"\[(?:(?:which is to be )?read as|→) “")
"""A note of a claim: the words before it are read as others wherever they stand."""

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>$question</title>
<style>
:root { color-scheme: light dark;
  --ink: #1c2530; --faint: #5d6875; --paper: #ffffff; --line: #d8dee6; --band: #f4f6f9;
  --mark: #fff1b8; --gone: #b3261e; --new: #1b6e3c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e8ee; --faint: #9aa6b4; --paper: #14181d; --line: #343c46; --band: #1c2229;
    --mark: #4a4015; --gone: #ff9a92; --new: #7fd6a0; }
}
* { box-sizing: border-box; }
h1, h3, p { unicode-bidi: plaintext; text-align: start; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 0.25rem; }
.about { color: var(--faint); margin: 0 0 1.5rem; }
.claim { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 1rem 1.5rem;
  border-top: 1px solid var(--line); padding: 1.25rem 0; }
.said { margin: 0; font-size: 1.05rem; }
.kind { display: inline-block; font-size: 0.8rem; color: var(--faint); border: 1px solid var(--line);
  border-radius: 1rem; padding: 0 0.6rem; margin-bottom: 0.4rem; }
.passage { background: var(--band); border-radius: 6px; padding: 0.75rem 1rem; margin: 0 0 0.75rem; }
.passage h3 { font-size: 0.9rem; margin: 0 0 0.35rem; }
.passage h3 span { font-weight: normal; color: var(--faint); }
.passage p { margin: 0; white-space: pre-line; font-size: 0.95rem; }
.changing { border-left: 4px solid var(--new); }
.changed { border-left: 4px solid var(--gone); }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
del { color: var(--gone); text-decoration-thickness: 2px; }
ins { color: var(--new); font-weight: 600; text-decoration: none; }
.none { border-top: 1px solid var(--line); padding-top: 1.25rem; font-size: 1.05rem; }
@media (max-width: 44rem) { body { padding: 1rem; } .claim { grid-template-columns: minmax(0, 1fr); } }
@media print {
  :root { --ink: #000; --paper: #fff; --band: #fff; --line: #888; --faint: #333; --mark: #eee; }
  body { max-width: none; padding: 0; font-size: 10pt; } .passage { border: 1px solid var(--line); }
  .claim, .passage { break-inside: avoid; } mark { text-decoration: underline; }
}
</style>
</head>
<body>
<main>
<h1>$question</h1>
<p class="about">As the rules stand on $day. $count</p>
$body</main>
</body>
</html>
""")


def answer_page(answer: Answer, passages: pl.DataFrame) -> str:
    """Return an answer as one HTML file.

    Parameters
    ----------
    answer : Answer
        Verified. Everything in it is shown as text.
    passages : polars.DataFrame
        The passages table: the authority of each source.

    """
    known = passages.filter(pl.col("passage_id").is_in([source.passage_id for source in answer.sources]))
    tiers = dict(known.select("passage_id", "tier").iter_rows())
    numbers = {source.passage_id: number for number, source in enumerate(answer.sources, start=1)}
    sources = {source.passage_id: source for source in answer.sources}
    claims = [_claim(claim, sources, numbers, tiers) for claim in answer.claims]
    because = _escaped(answer.abstained_because or "")
    count = f"{len(claims)} {'claim' if len(claims) == 1 else 'claims'}" if claims else "No answer"
    left_out = f" ({len(answer.dropped)} not borne out and dropped)" if answer.dropped else ""
    incomplete = f" <strong>{_escaped(INCOMPLETE)}</strong>" if answer.incomplete else ""
    return _PAGE.substitute(
        question=_escaped(answer.question),
        day=f"{answer.as_of.day} {answer.as_of:%B %Y}",
        count=f"{count}{left_out}, from {len(sources)} passages.{incomplete}",
        body="".join(claims) or f'<p class="none"><strong>{ABSTENTION}</strong><br>{because}</p>\n',
    )


def _escaped(text: str) -> str:
    """Return text for HTML, without what a browser would act on or hide: passages are other people's."""
    return html.escape(printable(text))


def _claim(
    claim: Claim, sources: Mapping[str, Passage], numbers: Mapping[str, int], tiers: Mapping[str, int | None]
) -> str:
    marks = " ".join(f"[P{numbers[each]}]" for each in claim.passages)
    kind = f'<span class="kind">{claim.modality}</span>' if claim.modality else ""
    shown = "".join(
        _passage(sources[each], claim, sources, numbers[each], tiers.get(each)) for each in _in_order(claim)
    )
    return (
        f'<section class="claim"><div>{kind}<p class="said">{_escaped(claim.text)} {marks}</p></div>'
        f"<div>{shown}</div></section>\n"
    )


def _in_order(claim: Claim) -> list[str]:
    """Return the passages of a claim: those that it states, as it states them, then what changes them."""
    stated = [each.passage_id for each in claim.quotes if each.passage_id not in claim.changed_by]
    return list(dict.fromkeys([*stated, *reversed(claim.passages)]))


def _passage(
    passage: Passage, claim: Claim, sources: Mapping[str, Passage], number: int, tier: int | None
) -> str:
    changing = passage.passage_id in claim.changed_by
    # A lead-in and its items are of one claim, but not changed together.
    changed = bool(claim.changed_by and passage.voided_by) and not changing
    role = "changing" if changing else "changed" if changed else ""
    rank = f" · tier {tier}, {TIERS.get(tier, 'other')}" if tier is not None else ""
    notes = " · changes the rule" if changing else " · changed" if changed else ""
    texts = [sources[each].text for each in claim.changed_by] if changed else []
    replaced = _replaced(passage.text, texts, everywhere=_READ.search(claim.text) is not None)
    quotes = [(each.start, each.end) for each in claim.quotes if each.passage_id == passage.passage_id]
    return (
        f'<article class="passage {role}"><h3>[P{number}] {_escaped(passage.place)}'
        f"<span>{rank}{notes}</span></h3><p>{_marked(passage.text, quotes, replaced)}</p></article>"
    )


def _marked(text: str, quotes: Iterable[tuple[int, int]], replaced: Mapping[int, tuple[int, str]]) -> str:
    """Return a passage with its quotes marked and the words that a change replaces struck out."""
    inside = [False] * len(text)
    for start, end in quotes:
        inside[start:end] = [True] * (end - start)
    parts: list[str] = []
    place = 0
    while place < len(text):
        if place in replaced:
            end, new = replaced[place]
            parts.append(f"<del>{_escaped(text[place:end])}</del> <ins>{_escaped(new)}</ins>")
            place = end
            continue
        end = place + 1
        while end < len(text) and inside[end] == inside[place] and end not in replaced:
            end += 1
        words = _escaped(text[place:end])
        parts.append(f"<mark>{words}</mark>" if inside[place] else words)
        place = end
    return "".join(parts)


def _replaced(text: str, changes: Iterable[str], *, everywhere: bool) -> dict[int, tuple[int, str]]:
    """Return the replaced words of a text: by their start, their end and the new words.

    The changes come last first. The first one applied names words of the text; a later one names words that
    the one before it inserted. Words that stand several times are replaced `everywhere`, or not at all: the
    change may be to one place.
    """
    found: dict[int, tuple[int, str]] = {}
    standing: dict[str, list[int]] = {}
    for said in (each for change in reversed(list(changes)) for each in substitutions(change)):
        places = standing.pop(said.old, []) if said.old else next(iter(standing.values()), [])
        if not places and said.old:
            ends = dict(positions(text, said.old))
            if everywhere or len(ends) == 1:
                found |= {start: (end, said.new) for start, end in ends.items()}
                places = list(ends)
        if places:
            found |= {place: (found[place][0], said.new) for place in places}
            standing = {words: at for words, at in standing.items() if at != places} | {said.new: places}
    return found
