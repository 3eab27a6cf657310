from __future__ import annotations

import time

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
        ("9 p.m., 9 pm, 9PM and 9 P.M.", {"9 p.m."}),
        ("between 9 and 11 a.m.", {"9", "9 a.m.", "11 a.m."}),
        ("9 am, 9:00 a.m. and 9.00am", {"9 a.m."}),
        ("5:30 p.m. and 5.30 PM", {"5.3 p.m."}),
        ("one of the tugs", set()),
        ("2. A tug must call.", set()),
        ("A tug must have a crew of 2. It must call.", {"2"}),
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
        ("A$5m and AUD 5 million", {"5000000 Australian dollar"}),
        ("HK$5, 5 Hong Kong dollars", {"5 Hong Kong dollar"}),
        ("S$5, C$5, NZD 5", {"5 Singapore dollar", "5 Canadian dollar", "5 New Zealand dollar"}),
        ("SAR 5, QAR 5, OMR 5", {"5 Saudi riyal", "5 Qatari riyal", "5 Omani rial"}),
        ("₹5, CNY 5, KRW 5, Dhs 5", {"5 rupee", "5 yuan", "5 won", "5 dirham"}),
        ("50 basis points, 50bps", {"50 basis point"}),
        ("10 trading days or 10 banking days", {"10 trading day", "10 banking day"}),
        ("two-thirds, one third", {"2 third", "1 third"}),
        ("one third party, the twenty-third", {"20"}),
        ("the fifth business day, the 5th business day", {"5 business day"}),
        ("the twenty-first day of the second quarter", {"21 day", "2 quarter"}),
        ("first aid on the first day", set()),
        ("two fifths, one fifth", {"2 fifth", "1 fifth"}),
        (
            "5 grams, 5 g, 5 mg, 5 ounces, 5 lbs",
            {"5 gram", "5 milligram", "5 ounce", "5 pound in weight"},
        ),
        ("20 mph, 20 knots", {"20 mile per hour", "20 knot"}),
        ("SEK 5, 5 zloty, ₺5, ₿5", {"5 Swedish krona", "5 zloty", "5 lira", "5 other currency"}),
        ("5 lakh rupees, 2 crore", {"500000 rupee", "20000000"}),
        ("0.5 ‰ and .5 %", {"0.5 per mille", "0.5 %"}),
        ("-10 °C, minus 10 degrees, 10 °C", {"-10 degree", "10 degree"}),
        ("5 -10 days", {"5", "5 day", "10 day"}),
        ("once a month", set()),
        ("£5-10m", {"5000000 pound", "10000000 pound"}),
        ("£5m to 10m", {"5000000 pound", "10000000 pound"}),
        ("£5m–£10m", {"5000000 pound", "10000000 pound"}),
        ("USD 5-10 million", {"5000000 dollar", "10000000 dollar"}),
        ("between £5 and 10 million", {"5000000 pound", "10000000 pound"}),
        ("between £5 million and £10 million", {"5000000 pound", "10000000 pound"}),
        ("5-10 million dollars", {"5000000", "5000000 dollar", "10000000 dollar"}),
        ("5m to 10m", {"5 metre", "10 metre"}),
        ("Rule 3.3.2A and rule 3.3.2B(1)", {"3.3.2a", "3.3.2b(1)"}),
        ("7일까지", {"7", "7 day"}),
        ("3개월의 범위", {"3", "3 month"}),
        ("300만원, 300만 원", {"300", "3000000 won"}),
        ("1.5억원", {"1.5", "150000000 won"}),
        ("400제곱미터", {"400", "400 square metre"}),
        ("10퍼센트를 24시간 이내에", {"10", "10 %", "24", "24 hour"}),
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
    [
        "1 January 2016",
        "January 1, 2016",
        "2016-01-01",
        "1st of January 2016",
        "1 Jan. 2016",
        "Jan 1st 2016",
        "01/01/2016",
        "1 JANUARY 2016",
    ],
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
        ("30/06/2025", "30 June 2025", []),
        ("30/07/2025", "30 June 2025", ["--07-30", "2025-07", "2025-07-30"]),
        ("3.3.2A", "3.3.2B", ["3.3.2a"]),
        ("one-third", "two-thirds", ["1 third"]),
        ("£5", "£5-10m", ["5 pound"]),
        ("300억원", "300만원", ["30000000000 won"]),
        ("7개월", "7일", ["7 month"]),
        ("9 am", "9:00 a.m.", []),
        ("9:30 am", "9.30 a.m.", []),
        ("5 p.m.", "5 o'clock in the afternoon", []),
        ("9 p.m.", "9:00 a.m.", ["9 p.m."]),
        ("9 p.m.", "9 hours", ["9 p.m."]),
        ("9 p.m.", "between 9 and 11 a.m.", ["9 p.m."]),
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


@pytest.mark.parametrize(
    "piece",
    ["1", "1,", "5-", "£5 to ", "between ", "5m-", "between 5 and ", "A$", "1.", "1일", "1만", "3/3/"],
)
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    figures(piece * (50_000 // len(piece)))
    assert time.process_time() - start < 4
