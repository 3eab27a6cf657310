"""Changes whose rule only a lead-in before them names, from the citation to the answer."""

from __future__ import annotations

from tests.answer.rules import as_verified, changes_read

TWO = "(1) A tug must carry two bells. (2) A tug must pay two fees."


def _as_read(*texts: str) -> str:
    return as_verified(texts, changes_read(texts))


def test_new_words_are_read_in_the_rule_that_the_lead_in_names() -> None:
    said = _as_read(
        "A pilot must rest for six hours.", "Rule 1 is amended as follows.", "For “six” substitute “ten”."
    )
    assert said == (
        "- A pilot must rest for six [read as “ten”] hours. [Rule 1 is amended as follows.] [P3][P2][P1]"
    )


def test_change_of_one_paragraph_is_not_read_in_another() -> None:
    said = _as_read(TWO, "Rule 1 is amended as follows.", "In paragraph (2), for “two” substitute “ten”.")
    assert "read as" not in said
    assert "[In paragraph (2), for “two” substitute “ten”.]" in said


def test_lead_in_without_its_changes_is_stated_beside_the_rule() -> None:
    for change in ("Rule 1 is amended as follows.", "Rule 1 shall be read as follows:", "Rule 1 now reads:"):
        said = _as_read("A pilot must rest for six hours.", change)
        assert said == f"- A pilot must rest for six hours. [{change}] [P2][P1]"
