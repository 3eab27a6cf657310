"""The section `text` of params.yaml."""

from __future__ import annotations

from pydantic import field_validator

from rulerank.settings.section import Section, known_or_dotted

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
        return known_or_dotted(name, ANALYSERS, "package.module:function")

    @property
    def target(self) -> str:
        """The analyser as `package.module:function`."""
        return ANALYSERS.get(self.analyser, self.analyser)
