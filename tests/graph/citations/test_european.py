"""Citations as regulations of the European Union word them."""

import polars as pl
import pytest

NAMES = {"R": ["Regulation (EU) 2019/100 of 20 March 2019 on pilots"], "am": ["Amending Act"]}
WORDED = ["Article 1", "Article 2", "Article 3", "Article 3(1)", "Annex I"]
R = "Regulation (EU) 2019/100"


def _read(reading, text, sections=WORDED, names=NAMES):
    rows = [*(("R", section, "") for section in sections), ("am", "Article 1", text), ("am", "Article 2", "")]
    return reading("english_rulebook", rows, names).edges


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (f"See Article 2 of {R}.", ["R:Article 2"]),
        (f"See Articles 2 and 3 of {R}.", ["R:Article 2", "R:Article 3"]),
        (f"See Article 3(1) of {R}.", ["R:Article 3(1)"]),
        (f"See paragraph 1 of Article 2 of {R} and Annex I to {R}.", ["R:Article 2", "R:Annex I"]),
        (f"See rule 2 of {R}.", []),
        ("See Article 2.", ["am:Article 2"]),
    ],
)
def test_section_ids_may_have_the_word_of_their_division(reading, text, targets) -> None:
    assert _read(reading, text)["target_id"].to_list() == targets


@pytest.mark.parametrize("sections", [WORDED, ["1", "2", "3", "3(1)"]])
@pytest.mark.parametrize(
    "part",
    [
        "paragraph 2",
        "paragraph (2)",
        "paragraphs 2 and 4",
        "paragraphs 2 to 4",
        "point (b)",
        "points (b) and (c)",
    ],
)
def test_parts_of_an_article_are_no_articles(reading, part, sections) -> None:
    (article,) = (f"R:{each}" for each in sections if each.endswith("3"))
    for text in (f"See Article 3, {part}, of {R}.", f"See Article 3, {part} of {R}."):
        assert set(_read(reading, text, sections)["target_id"]) == {article}


def test_a_paragraph_that_is_a_passage_is_cited_itself(reading) -> None:
    for part in ("paragraph 1", "paragraph (1)", "paragraphs (1) and (4)"):
        found = _read(reading, f"See Article 3, {part}, of {R}.")["target_id"]
        assert found.to_list() == ["R:Article 3", "R:Article 3(1)"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Regulation (EU) No 648/2012 on pilots", "Regulation (EU) No 648/2012"),
        ("Council Directive 2014/92/EU of 20 March 2019", "Directive 2014/92/EU"),
        (
            "Commission Delegated Regulation (EU) 2019/7 of 1 May 2019 on tugs",
            "Delegated Regulation (EU) 2019/7",
        ),
    ],
)
def test_a_long_title_is_cited_by_its_number(reading, title, name) -> None:
    names = {"R": [title], "am": NAMES["am"]}
    assert _read(reading, f"See Article 2 of {name}.", names=names)["target_id"].to_list() == ["R:Article 2"]


def test_a_name_ends_with_its_last_word(reading) -> None:
    names = {"R": ["Tug Rules"], "am": NAMES["am"]}
    (evidence,) = _read(reading, "In Article 2 of the Tug Rules, the log is defined.", names=names)[
        "evidence"
    ]
    assert evidence == "Article 2 of the Tug Rules"


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (f"In Article 3 of {R}, the second sentence is deleted.", ["Article 3"]),
        (f"In Article 3 of {R}, the following point (d) is added: ‘(d) a lamp.’", ["Article 3"]),
        (f"In Article 3 of {R}, point (b) is replaced by the following: ‘(b) a rope.’", ["Article 3"]),
        (f"Annex I to {R} is replaced by the text set out in the Annex to this Act.", ["Annex I"]),
        (f"In {R}, the following Article 3a is inserted: ‘Article 3a A tug shall be slow.’", []),
        (f"Article 3 of {R} is replaced by Article 5 of another act.", []),
        (f"A tug that is listed in Article 3 of {R} is deleted from the register.", []),
        (f"Where Article 3, paragraph 2, of {R} is replaced, the master shall be told.", []),
        (f"Pursuant to Article 3 of {R}, the following point shall be added to the log.", []),
        (f"Article 3 of {R}, the first sentence of which lists bells, applies.", []),
    ],
)
def test_changes(reading, text, targets) -> None:
    found = _read(reading, text).filter(pl.col("type") == "SUPERSEDES")
    assert found["target_id"].to_list() == [f"R:{each}" for each in targets]


@pytest.mark.parametrize(
    "text",
    [
        "Regulation (EU) 2019/100 is repealed.",
        "Regulation (EU) 2019/100 is repealed with effect from 1 January 2030.",
        "Regulation (EU) 2019/100 of 20 March 2019 on pilots is hereby repealed.",
    ],
)
def test_a_regulation_is_repealed_by_its_number(reading, text) -> None:
    found = _read(reading, text, ["Article 1", "Article 2"]).filter(pl.col("type") == "SUPERSEDES")
    assert found["target_id"].to_list() == ["R:Article 1", "R:Article 2"]


def test_a_number_that_two_documents_share_repeals_neither(reading) -> None:
    names = {"R": [f"{R} on pilots"], "am": [f"{R} on pilots as amended"], "S": [f"{R} on tugs"]}
    found = _read(reading, f"{R} is repealed.", names=names)
    assert "SUPERSEDES" not in found["type"]


MADE = f"{R} of the European Parliament and of the Council"


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (f"Article 2 of {MADE} is deleted.", ["R:Article 2"]),
        (f"Article 2 of {MADE} of 20 March 2019 is deleted.", ["R:Article 2"]),
        (f"In {MADE}, Article 2 is deleted.", ["R:Article 2"]),
        (f"{MADE} is amended as follows: (1) Article 2 is deleted.", ["R:Article 2"]),
        (f"{MADE} is repealed.", [f"R:{section}" for section in WORDED]),
    ],
)
def test_who_made_a_regulation_may_follow_its_name(reading, text, targets) -> None:
    edges = _read(reading, text).filter(pl.col("type") == "SUPERSEDES")
    assert edges["target_id"].to_list() == targets
