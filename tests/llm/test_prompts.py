from __future__ import annotations

from importlib.resources import files

import pytest

from rulerank.llm.prompts import Prompt, read_prompt

PROMPTS = [
    ("rulerank.answer.model", "obligation_list"),
    ("rulerank.answer.model", "per_rule"),
    ("rulerank.answer.model", "repair"),
    ("rulerank.evaluate.claim_f1", "decompose"),
    ("rulerank.evaluate.claim_f1", "compare"),
    ("rulerank.evaluate.choice", "choose"),
    ("rulerank.retrieve", "hyde"),
]


def _read(package: str, name: str) -> Prompt:
    return read_prompt(files(package) / "prompts", name)


@pytest.mark.parametrize(("package", "name"), PROMPTS)
def test_a_prompt_has_a_version_and_is_known_by_its_bytes(package: str, name: str) -> None:
    prompt = _read(package, name)
    assert prompt.version >= 1
    assert prompt.label == f"{name}@{prompt.version}:{prompt.digest[:12]}"


def test_no_two_prompts_have_one_digest() -> None:
    assert len({_read(*each).digest for each in PROMPTS}) == len(PROMPTS)


def test_what_is_filled_in_is_not_filled_again_and_no_place_stays_empty() -> None:
    prompt = _read("rulerank.evaluate.claim_f1", "decompose")
    assert prompt.filled(text="$text ${x} $$")[1] == "$text ${x} $$"
    with pytest.raises(KeyError):
        prompt.filled()
