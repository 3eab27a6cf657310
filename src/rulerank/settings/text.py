"""The section `text` of params.yaml."""

from __future__ import annotations

from pydantic import field_validator

from rulerank.errors import nearest
from rulerank.settings.section import DOTTED, Section

ANALYSERS = {
    "english": "rulerank.text.english:analyse",
    "english_bigrams": "rulerank.text.english:unigrams_and_bigrams",
    "jamo": "rulerank.text.korean:jamo",
    "syllables": "rulerank.text.analysers:syllables",
    "words": "rulerank.text.analysers:whole_words",
}
"""The analysers that params.yaml can name, and where they are defined; a new one is one line here."""


class Text(Section):
    """How passages and questions become the terms by which BM25 and the features match them."""

    analyser: str = "english"
    """One of `ANALYSERS`, or `package.module:function`; english also reads scripts without spaces."""

    @field_validator("analyser")
    @classmethod
    def _is_an_analyser(cls, name: str) -> str:
        if name not in ANALYSERS and not DOTTED.fullmatch(name):
            raise ValueError(
                f"expected one of {', '.join(ANALYSERS)}, or package.module:function, found {name!r}; "
                f"the nearest name is {nearest(name, ANALYSERS)}"
            )
        return name

    @property
    def target(self) -> str:
        """The analyser as `package.module:function`."""
        return ANALYSERS.get(self.analyser, self.analyser)
