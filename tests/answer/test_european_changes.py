"""Changes as regulations of the European Union word them, from the citation to the answer."""

from __future__ import annotations

import pytest

from tests.answer.rules import as_read, changes_read

ARTICLE = "1. A tug shall carry two bells. 2. A tug shall not race."


@pytest.mark.parametrize(
    "change",
    [
        "In Article 1, paragraph 2 is deleted.",
        "In Article 1, paragraphs 2 and 3 are deleted.",
        "Paragraph 2 of Article 1 is deleted.",
        "Article 1, paragraph 2, is deleted.",
        "In Article 1, the second sentence is deleted.",
        "In Article 1, the second subparagraph is deleted.",
        "In Article 1, paragraph 1 is replaced by the following: ‘1. A tug shall carry three bells.’",
        "In Article 1, the following subparagraph is added: ‘A tug shall be slow.’",
    ],
)
def test_a_change_to_a_part_of_an_article_is_stated_beside_it(change: str) -> None:
    assert f"- A tug shall carry two bells. 2. A tug shall not race. [{change}] [P2][P1]" in as_read(
        ARTICLE, change
    )


@pytest.mark.parametrize("change", ["Article 1 is deleted.", "Paragraph 1 is deleted."])
def test_an_article_that_is_deleted_is_not_stated(change: str) -> None:
    assert as_read(ARTICLE, change).startswith(f"- {change} [P2][P1]")


def test_a_paragraph_of_another_article_makes_no_part_of_this_one() -> None:
    change = "Article 1 and paragraph 2 of Article 2 are deleted."
    whole, part = sorted(changes_read([ARTICLE, ARTICLE, change]), key=lambda each: each.of)
    assert (whole.of, whole.in_part) == ("p1", False)
    assert (part.of, part.in_part) == ("p2", True)


@pytest.mark.parametrize(
    "change",
    [
        "In Article 1, ‘two’ is replaced by ‘three’.",
        "In Article 1, the word ‘two’ is replaced by the word ‘three’.",
        "In Article 1, the figure ‘two’ is replaced by the figure ‘three’.",
        "In Article 1(1), the words ‘two’ are replaced by the words ‘three’.",
    ],
)
def test_words_are_replaced_in_place(change: str) -> None:
    assert "A tug shall carry two [read as “three”] bells." in as_read(ARTICLE, change)


def test_items_of_a_changed_list_are_stated_below_one_lead_in() -> None:
    change = "In Article 1, point (b) is deleted."
    stated = as_read("A master shall keep: (a) a log; (b) a chart.", change)
    assert stated == f"- A master shall keep: (a) a log (b) a chart. [{change}] [P2][P1]"
