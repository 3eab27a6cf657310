from __future__ import annotations

import pytest

from rulerank.answer.verification.figures import figures, missing
from rulerank.answer.verification.numerals import value_of


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("within twenty-four hours", {"24 hour"}),
        ("a 24-hour watch", {"24 hour"}),
        ("６ hours", {"6 hour"}),
        ("six (6) months", {"6 month"}),
        ("six or twelve months", {"6", "6 month", "12 month"}),
        ("10–20 days", {"10", "10 day", "20 day"}),
        ("10 Business Days", {"10 business day"}),
        ("an hour", {"1 hour"}),
        ("one of the tugs", set()),
        ("one hundred and fifty thousand euros", {"150000 euro"}),
        ("$1,000 and USD 1.5 million", {"1000 dollar", "1500000 dollar"}),
        ("£5m, £5M and GBP 5 m", {"5000000 pound"}),
        ("£5 Million, £5-million, £5mm and 5m pounds", {"5000000 pound"}),
        ("£5k and £5K", {"5000 pound"}),
        ("£5", {"5 pound"}),
        ("5k tugs", {"5000"}),
        (
            "$2bn, USD 2 trillion and 3M dollars",
            {"2000000000 dollar", "2000000000000 dollar", "3000000 dollar"},
        ),
        ("two trillion euros", {"2000000000000 euro"}),
        ("£5x and $5USD", {"5x pound", "5 dollar"}),
        ("£5 b) ring, rule 5M, 5m", {"5 pound", "5m", "5 metre"}),
        ("20 m, 3 feet and 80 ℃", {"20 metre", "3 foot", "80 degree"}),
        ("five per cent, 5%, 5 percent", {"5 %"}),
        ("Rule 4.10", {"4.10"}),
        ("Rule 4.2.1 and section 3(2)(a)", {"4.2.1", "3(2)(a)"}),
        ("(1) ring; (2) wave", set()),
        ("on 31 May", {"--05-31"}),
        ("paragraph 3 may apply", {"3"}),
        ("a fee of 2.50 dollars.", {"2.5 dollar"}),
        ("1" + "0" * 5000 + " dollars", {"1" + "0" * 5000 + " dollar"}),
        ("9" * 40 + ".5 thousand euros", {"9" * 40 + "500 euro"}),
        ("hundred " * 3000 + "dollars", {"1" + "00" * 3000 + " dollar"}),
    ],
)
def test_figures_are_read_however_they_are_written(text: str, stated: set[str]) -> None:
    assert {str(figure) for figure in figures(text)} == stated


@pytest.mark.parametrize(
    "text",
    ["1 January 2016", "January 1, 2016", "2016-01-01", "1st of January 2016", "1 Jan. 2016", "Jan 1st 2016"],
)
def test_a_date_is_one_figure_in_every_notation(text: str) -> None:
    assert (
        figures("1 January 2016")
        >= figures(text.replace(" of", ""))
        >= figures("2016-01-01") - figures("2016")
    )


@pytest.mark.parametrize(
    ("claim", "support", "absent"),
    [
        ("6 hours", "six hours", []),
        ("6", "six hours", []),
        ("6 hours", "6 tugs", ["6 hour"]),
        ("6 days", "6 hours", ["6 day"]),
        ("January 2016", "1 January 2016", []),
        ("1 January", "1 January 2016", []),
        ("1 January 2016", "January 2016", ["--01-01", "2016-01-01"]),
        ("rule 3(2)", "rule 3(2)(a)", []),
        ("rule 3(2)(a)", "rule 3(2)", ["3(2)(a)"]),
        ("rule 4.1", "rule 4.10", ["4.1"]),
        ("£5k", "£5m", ["5000 pound"]),
        ("£5", "£5m", ["5 pound"]),
        ("£5m", "£5 million", []),
    ],
)
def test_a_figure_is_missing_unless_its_value_and_unit_are_stated(
    claim: str, support: str, absent: list[str]
) -> None:
    assert [str(figure) for figure in missing(figures(claim), figures(support))] == absent


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("zero", [0]),
        ("twenty-one", [21]),
        ("one hundred and five", [105]),
        ("two thousand three hundred", [2300]),
        ("three million", [3_000_000]),
        ("hundred", [100]),
        ("ten six", [10, 6]),
        ("one and two", [1, 2]),
    ],
)
def test_number_words_have_their_values(words: str, values: list[int]) -> None:
    assert value_of(words) == values
