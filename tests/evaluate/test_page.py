from __future__ import annotations

import base64
import re

import pytest

from rulerank.evaluate.page import html_page


def test_page_takes_its_title_from_the_first_heading() -> None:
    assert "<title>Fish &amp; boats</title>" in html_page("# Fish & boats\n\n## More\n")


def test_page_without_heading_has_a_title() -> None:
    assert "<title>Report</title>" in html_page("Nothing yet.\n")


def test_page_puts_every_table_into_a_box_that_scrolls() -> None:
    table = "| run | nDCG@10 |\n|---|---:|\n| bm25 | 0.5 |\n"
    page = html_page(f"{table}\n\n{table}")
    assert page.count('<div class="scroll"><table>') == page.count("</table></div>") == 2
    assert '<td style="text-align:right">0.5</td>' in page


def test_page_holds_its_pictures_and_asks_for_nothing_outside() -> None:
    page = html_page("![Recall](recall.png)\n", {"recall.png": b"picture"})
    assert f'src="data:image/png;base64,{base64.b64encode(b"picture").decode()}" alt="Recall"' in page
    assert re.findall(r"(?:src|href)=\"(?!data:)|url\(|@import|https?:", page) == []


def test_page_refuses_a_picture_that_was_not_given() -> None:
    with pytest.raises(KeyError, match=r"recall\.png"):
        html_page("![Recall](recall.png)\n")


def test_page_shows_markup_of_a_question_as_text() -> None:
    page = html_page("| question |\n|---|\n| <script>alert(1)</script> |\n")
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_page_closes_every_element() -> None:
    page = html_page("# A\n\n| a |\n|---|\n| b |\n\n- one\n- two\n\n![x](p.png)\n", {"p.png": b""})
    body = page[page.index("<body>") : page.index("</body>") + len("</body>")]
    opened: list[str] = []
    for closing, name in re.findall(r"<(/?)([a-z0-9]+)[^>]*>", body):
        if closing:
            assert opened.pop() == name
        elif name != "img":
            opened.append(name)
    assert opened == []
