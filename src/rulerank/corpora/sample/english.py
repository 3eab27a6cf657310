"""The sample in English: dotted numbers, "Rule 2.1 of the Cargo Rules"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_JOINED = ("what", "which", "how", "does", "do", "is", "can", "must", "when", "who", "where", "may", "would")


class English:
    """How English words the sample; see `rulerank.corpora.sample.wording.Wording`."""

    day = "%d %B %Y"
    either: tuple[str, ...] = (
        "cond",
        "duty",
        "extra",
        "body",
        "person",
        "object",
        "record",
        "attachment",
        "excludes",
        "deem",
        "deem_if",
    )

    def derived(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Return actor and instrument with their articles."""
        indefinite = {f"an_{name}": _with_article(facts[name]) for name in ("actor", "instrument")}
        return {**indefinite, "the_instrument": f"the {facts['instrument']}"}

    def sections(self, places: Sequence[tuple[str, ...]]) -> list[str]:
        """Return `1`, `1.2`, `1.2.(a)`."""
        return [".".join(place) for place in places]

    def cited(self, section: str, document: Mapping[str, Any], *, own: bool) -> str:
        """Return "Rule 2.1 of the Cargo Rules"."""
        citation = f"{document['unit']} {section}"
        return citation if own else f"{citation} of {document['called']}"

    def code(self, section: str, document_id: str, document: Mapping[str, Any]) -> str:
        """Return "CAR 2.1"; with a number in it, a code would read as a number."""
        if document_id.isalpha():
            return f"{document_id} {section}"
        return sentence_case(self.cited(section, document, own=False))

    def joined(self, ask: str) -> str:
        """Return "and what ..."."""
        asks = ask.split(" ", 1)[0].lower() in _JOINED
        return f"and {ask[0].lower()}{ask[1:]}" if asks else ask

    def finished(self, text: str) -> str:
        """Return the text with a capital at the start of each sentence."""
        return sentence_case(text)


def sentence_case(text: str) -> str:
    """Return `text` with a capital at the start of each sentence."""
    return re.sub(r"(?:^“?|(?<=[.?!] ))[a-z]", lambda match: match.group().upper(), text)


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
