"""The forms in which models cite, and what stays of them in a claim: nothing."""

from __future__ import annotations

import time

import pytest

from rulerank.answer.model.reading import read_list

RESTS = "A pilot must rest for six hours after each watch."


def _read(reply: str, sources) -> list[tuple[str, tuple[str, ...]]]:
    return [(claim.text, claim.passages) for claim in read_list(reply, sources).claims]


@pytest.mark.parametrize(
    "reply",
    [
        f"{RESTS} 【P1】",
        f"{RESTS} ［P1］",
        f"{RESTS} (P1)",
        f"{RESTS} [P1: Harbour Safety Act 4.3]",
        f"{RESTS} \\[P1\\]",
        f"{RESTS} [**P1**]",
        f"{RESTS} **[P1]**",
        f"**{RESTS} [P1]**",
        f"{RESTS} [Source P1].",
        f"{RESTS} (see [P1])",
        f"{RESTS} (Source: [P1])",
        f"{RESTS} Source: [P1]",
        f"{RESTS} ([P1])",
        f"{RESTS} — [P1]",
        f"{RESTS} [P1](#p1)",
        f"{RESTS} <sup>[P1]</sup>",
        f"{RESTS}\n[P1]",
        f"- {RESTS}\n[P1]",
        f"> {RESTS} [P1]",
        f"> - {RESTS} [P1]",
        f"- [ ] {RESTS} [P1]",
        f"- [x] {RESTS} [P1]",
        f"a) {RESTS} [P1]",
        f"(a) {RESTS} [P1]",
        f"## {RESTS} [P1]",
        f"[P1] says that a{RESTS[1:]}",
        f"1. [P1] states that a{RESTS[1:]}",
        f"As stated in [P1], a{RESTS[1:]}",
        f"According to [P1], a{RESTS[1:]}",
        f"| Rule | Source |\n|---|---|\n| {RESTS} | [P1] |",
        f"| No. | Rule | Source |\n|---|---|---|\n| 1 | {RESTS} | [P1] |",
    ],
)
def test_usual_forms_are_read_and_leave_nothing_behind(sources, reply: str) -> None:
    ((text, passages),) = _read(reply, sources)
    assert (text[:1].upper() + text[1:], passages) == (RESTS, ("act:1",))


@pytest.mark.parametrize(
    "marks", ["[P1] and [P3]", "([P1], [P3])", "[P1]; [P3].", "(P1, P3)", "【P1】【P3】"]
)
def test_several_marks_are_read_together(sources, marks: str) -> None:
    assert _read(f"- {RESTS} {marks}", sources) == [(RESTS, ("act:1", "act:3"))]


def test_each_cell_of_a_row_that_says_something_is_kept(sources) -> None:
    assert _read(f"| Rest | {RESTS} | [P1] |", sources) == [(f"Rest: {RESTS}", ("act:1",))]


@pytest.mark.parametrize("mark", ["[1]", "[Р1]", "(p1)", "[P1, Р2]", "(source 1)", "[P]", "(P)"])
def test_what_is_no_mark_of_a_source_cites_nothing(sources, mark: str) -> None:
    assert _read(f"- {RESTS} {mark}", sources) == [(f"{RESTS} {mark}", ())]


@pytest.mark.parametrize("mark", ["【P9】", "(P9)", "[P9: Harbour Act 1]", "[Source P9]", "[P9](#p1)"])
def test_a_mark_of_no_source_is_kept_as_one(sources, mark: str) -> None:
    assert _read(f"- {RESTS} {mark}", sources) == [(RESTS, ("P9 (of 3 sources)",))]


def test_marks_alone_on_a_line_add_nothing_to_a_line_that_has_its_own(sources) -> None:
    assert _read(f"- {RESTS} [P1]\n[P2]", sources) == [(RESTS, ("act:1",))]


@pytest.mark.parametrize("reply", ["The master must: [P1]", "- The master must: [P1]", "**Rest:** [P1]"])
def test_a_line_that_only_leads_to_others_is_no_claim(sources, reply: str) -> None:
    assert _read(reply, sources) == []


def test_an_abstention_may_have_an_article(sources) -> None:
    assert read_list("Insufficient evidence in the retrieved passages.", sources).fault is None


@pytest.mark.parametrize(
    "long",
    [
        "[P1: " + "x" * 190_000,
        "[P1" * 60_000,
        "[P1](#" * 30_000,
        "(see " * 40_000 + "P1",
        "- x" + " " * 190_000 + "[P1]y",
        "[P1]" + "*" * 190_000 + "x",
        "[P1], " * 30_000,
        "> " * 90_000 + "[P1]",
        "x\n[P1]\n" * 25_000,
        "|" * 190_000 + "[P1]",
    ],
)
def test_time_is_linear_in_marks_and_what_stands_around_them(sources, long: str) -> None:
    start = time.process_time()
    read_list(long, sources)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("reply", "claim"),
    [
        # Beside other marks, "(P1)" is a word of the rule.
        ("- A priority 1 (P1) incident must be reported [P2]", "A priority 1 (P1) incident must be reported"),
        ("### What is due if the pilot does not rest?\n- A fine of 5 euros [P2]", "A fine of 5 euros"),
    ],
)
def test_neither_words_of_the_rule_nor_a_question_are_taken_for_more(sources, reply: str, claim: str) -> None:
    (read,) = read_list(reply, sources).claims
    assert (read.text, len(read.passages)) == (claim, 1)
