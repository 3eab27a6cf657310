"""One question as put to a language model, and how its reply is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import Any

from rulerank.answer.model.examples import Example, read_examples
from rulerank.answer.model.reading import Reading, per_rule_schema, read_list, read_per_rule
from rulerank.answer.model.sources import (
    boundary,
    closing,
    harmless,
    marks,
    opening,
    rule_ids,
    shown_question,
    shown_sources,
)
from rulerank.llm import LanguageModel, Message, SchemaSupport, schema_support
from rulerank.llm.prompts import Prompt, read_prompt
from rulerank.llm.replies import key_of
from rulerank.passages import Passage
from rulerank.settings import ModelAnswers

PROMPTS = files("rulerank.answer.model") / "prompts"


@dataclass(frozen=True)
class Request:
    """Everything that a reply depends on; see `model_answer`."""

    question: str
    sources: tuple[Passage, ...]
    as_of: date
    anchor: Mapping[str, str]
    settings: ModelAnswers
    model: LanguageModel

    @property
    def prompt(self) -> Prompt:
        """The prompt of the style."""
        return read_prompt(PROMPTS, "per_rule" if self.settings.style == "per-rule" else "obligation_list")

    @property
    def key(self) -> str:
        """The key under which the reply is kept: a hash of question, sources, prompts, model and settings."""
        sources = [[each.passage_id, each.place, each.text, *each.voided_by] for each in self.sources]
        settings: list[float | str] = [
            self.settings.temperature,
            self.settings.max_tokens,
            self.settings.passage_characters,
        ]
        if self.settings.examples:
            settings += [self.settings.examples, read_examples(PROMPTS).digest]
        return key_of(
            self.question,
            sources,
            self.as_of.isoformat(),
            dict(self.anchor),
            self.prompt.digest,
            read_prompt(PROMPTS, "repair").digest,
            self.model.name,
            settings,
        )

    @property
    def examples(self) -> tuple[Example, ...]:
        """The worked examples that are shown before the question."""
        return read_examples(PROMPTS).all[: self.settings.examples]

    def messages(self) -> tuple[Message, ...]:
        """Return the messages that are sent."""
        examples = self.examples
        shown = [source for each in examples for source in each.sources]
        word = boundary(self.question, [*self.sources, *shown])
        worked: list[Message] = []
        for each in examples:
            _, user = self._filled(each.question, each.sources, each.as_of, "", word)
            worked += [Message("user", user), Message("assistant", each.replies[self.settings.style])]
        as_of, anchor = self.as_of.isoformat(), self._anchor()
        system, user = self._filled(self.question, self.sources, as_of, anchor, word)
        return Message("system", system), *worked, Message("user", user)

    def _filled(
        self, question: str, sources: Sequence[Passage], as_of: str, anchor: str, word: str
    ) -> tuple[str, str]:
        names = rule_ids(sources) if self.settings.style == "per-rule" else marks(sources)
        return self.prompt.filled(
            as_of=as_of,
            anchor=anchor,
            opening=opening("...", word),
            closing=closing(word),
            question=shown_question(question, word),
            sources=shown_sources(sources, names, word, self.settings.passage_characters),
        )

    def read(self, reply: str) -> Reading:
        """Read a reply in the form that was asked for."""
        read = read_per_rule if self.settings.style == "per-rule" else read_list
        return read(reply, self.sources)

    def schema(self) -> Mapping[str, Any] | None:
        """Return the schema of the reply if there is one and the endpoint accepts it."""
        if self.settings.style == "list" or schema_support(self.model) is SchemaSupport.refused:
            return None
        return per_rule_schema(self.sources)

    def _anchor(self) -> str:
        slots = {slot: " ".join(harmless(words).split()) for slot, words in self.anchor.items()}
        stated = "; ".join(f"{slot}: {words}" for slot, words in slots.items() if words)
        return f"What the question is about, as it was read from it: {stated}" if stated else ""
