from __future__ import annotations

from datetime import date
from importlib.resources import files

import pytest

from rulerank.answer.model import model_answer
from rulerank.answer.model.examples import read_examples
from rulerank.answer.verify import verified
from rulerank.settings import MOST_EXAMPLES, ModelAnswers

QUESTION = "How long must a pilot rest?"
DAY = date(2026, 1, 31)
EXAMPLES = read_examples(files("rulerank.answer.model") / "prompts").all
STYLES = ("list", "per-rule")


@pytest.mark.parametrize("style", STYLES)
def test_examples_are_earlier_turns_of_the_same_form(chat, sources, style) -> None:
    chat.says = lambda request: "Insufficient evidence in retrieved passages."
    settings = ModelAnswers(style=style, examples=2)
    model_answer(QUESTION, sources, DAY, model=chat.model, settings=settings)
    system, *turns = chat.asked[0]["messages"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user", "assistant", "user"]
    for example, asked, replied in zip(EXAMPLES, turns[:-1:2], turns[1::2], strict=False):
        assert example.question in asked["content"]
        assert f"as of {example.as_of}" in asked["content"]
        assert replied["content"] == example.replies[style]
    assert QUESTION in turns[-1]["content"]
    delimiters = {turn["content"].splitlines()[-1] for turn in turns[::2]}
    assert len(delimiters) == 1
    assert delimiters.pop().removeprefix("<<<END ") in system["content"]


def test_there_are_as_many_examples_as_can_be_asked_for() -> None:
    assert len({example.question for example in EXAMPLES}) == len(EXAMPLES) == MOST_EXAMPLES


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.sources[0].passage_id)
def test_what_an_example_replies_stands_up_to_verification(chat, example, style) -> None:
    chat.says = lambda request: example.replies[style]
    day = date.fromisoformat(example.as_of)
    settings = ModelAnswers(style=style)
    answer = verified(
        model_answer(example.question, example.sources, day, model=chat.model, settings=settings)
    )
    assert len(chat.asked) == 1
    assert answer.dropped == ()
    cited = {passage_id for claim in answer.claims for passage_id in claim.passages}
    assert bool(cited) == (example is not EXAMPLES[-1])


def test_a_change_is_shown_with_what_it_changes() -> None:
    changed = [each for example in EXAMPLES for each in example.sources if each.voided_by]
    assert [(each.passage_id, each.voided_by) for each in changed] == [("WATER-2", ("NOTE-7",))]
