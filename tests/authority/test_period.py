import time
from datetime import date

import pytest

from rulerank.authority.period import stated_since, stated_until
from rulerank.authority.undated import undated

DAY = date(2030, 5, 1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From 1 May 2020, Rule 2 is repealed.", date(2020, 5, 1)),
        ("As of 31 December 2021 it ends.", date(2021, 12, 31)),
        ("It has effect from 1 April 2019.", date(2019, 4, 1)),
        ("This Rule comes into force on 2 June 2018.", date(2018, 6, 2)),
        ("From 31 June 2020.", date(2020, 6, 30)),
        ("From 45 June 2020.", None),
        ("From 01/02/2020.", date(2020, 2, 1)),
        ("From 02/01/2020.", date(2020, 2, 1)),
        ("From May 2020, Rule 2 is repealed.", date(2020, 5, 1)),
        ("On 1 May 2020, Rule 2 is repealed.", date(2020, 5, 1)),
        ("After 30 April 2020, Rule 2 is repealed.", date(2020, 5, 1)),
        ("At the end of 31 December 2020, Rule 2 is repealed.", date(2021, 1, 1)),
        ("Rule 2 is repealed from the end of 31 December 2020.", date(2021, 1, 1)),
        ("Rule 2 is repealed on 1 May 2020.", date(2020, 5, 1)),
        ("Rule 2 ceases to have effect at the end of 30 April 2020.", date(2020, 5, 1)),
        ("Rule 2 ceases to have effect immediately before 1 May 2020.", date(2020, 5, 1)),
        ("Rule 2 shall cease to apply on 1 May 2020.", date(2020, 5, 1)),
        ("Rule 2 of the Quay Rules 2018 expires on 30 April 2020.", date(2020, 5, 1)),
        ("Rule 2(1) lapses at the end of 30 April 2020.", date(2020, 5, 1)),
        ("Rules 2 and 3 have no effect after 30 April 2020.", date(2020, 5, 1)),
        ("These Rules cease to have effect on 1 May 2020.", date(2020, 5, 1)),
        ("These Regulations shall expire on 30 April 2020.", date(2020, 5, 1)),
        ("(2) This Act lapses at the end of 30 April 2020.", date(2020, 5, 1)),
        ("For the period beginning with 1 May 2020, Rule 2 is repealed.", date(2020, 5, 1)),
        ("Between 1 May 2020 and 1 May 2030, Rule 2 is repealed.", date(2020, 5, 1)),
        ("Rule 2 is repealed as to spills between 1 May 2020 and 1 May 2030.", None),
        ("Rule 2 ceases to have effect at the end of the 3 years beginning on 1 May 2020.", None),
        ("Rule 2, made on 1 May 2020, is repealed.", None),
        ("From 1 Quarter 2020.", None),
        ("A permit granted before 1 June 2011 remains.", None),
        ("The rule of 1 June 2011 is repealed.", None),
    ],
)
def test_day_that_a_text_names_as_its_beginning(text: str, day: date | None) -> None:
    assert stated_since(text) == day


@pytest.mark.parametrize(
    "written",
    [
        "1 May 2030",
        "1st May 2030",
        "1 May, 2030",
        "the 1st day of May 2030",
        "May 1, 2030",
        "1st of May 2030",
        "1 MAY 2030",
        "Wednesday, 1 May 2030",
        "2030-05-01",
        "2030-05-01T00:00",
        "2030/05/01",
        "01.05.2030",
        "1\u00a0May\u200e 2030",
    ],
)
def test_day_is_read_however_it_is_written(written: str) -> None:
    assert stated_since(f"From {written}, Rule 2 is repealed.") == DAY


@pytest.mark.parametrize(
    "lead",
    [
        "From", "As from", "Effective", "Effective from", "On and after", "On and from", "From and including",
        "With effect from", "Commencing on", "Beginning on", "Beginning", "This Rule commences on",
        "It takes effect on",
    ],
)  # fmt: skip
def test_words_that_lead_to_the_first_day(lead: str) -> None:
    assert stated_since(f"{lead} 1 May 2030.") == DAY


def test_day_in_korean() -> None:
    assert stated_since("제2조는 2030년 5월 1일부터 폐지한다.") == DAY


def test_quoted_day_is_part_of_the_rule_that_is_changed() -> None:
    for text in (
        "In Rule 2, for “from 1 March 2012” there is substituted “from 1 March 2035”.",
        "In Rule 2, for 'from 1 March 2012' there is substituted 'from 1 March 2035'.",
    ):
        assert stated_since(text) is None


CHANGE = "Rule 2 is repealed"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        (f"{CHANGE} from 1 May 2030. Fees rise from 1 June 2031.", DAY),
        (f"Fees rise from 1 June 2031. From 1 May 2030, {CHANGE}.", DAY),
        (f"{CHANGE}. Fees rise from 1 June 2031.", None),
        (f"{CHANGE}. This paragraph comes into force on 1 May 2030.", DAY),
        (f"Mr. Ng left. From May 1, 2030, {CHANGE}.", DAY),
    ],
)
def test_day_of_the_sentence_that_states_the_change_comes_first(text: str, day: date | None) -> None:
    assert stated_since(text, CHANGE) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("In Rule 2, for “4” there is substituted “2” until 1 May 2030.", DAY),
        ("From 1 May 2020 until 1 May 2030, Rule 2 has effect as if “4” read “2”.", DAY),
        ("From 1 May 2020 to 1 May 2030, Rule 2 is repealed.", DAY),
        ("Rule 2 is revoked until 1 May 2030.", DAY),
        ("Rule 2 is suspended until 1 May 2030.", DAY),
        ("For the period beginning with 1 May 2020 and ending with 1 May 2030, Rule 2 is repealed.", DAY),
        ("Rule 2 is repealed for the period beginning on 1 May 2020 and ending on 1 May 2030.", DAY),
        ("Between 1 May 2020 and 1 May 2030, Rule 2 is repealed.", DAY),
        ("From 1 May 2020 and 1 May 2030, Rule 2 is repealed.", None),
        ("Until May 1, 2030, Rule 2 has effect as if “4” read “2”.", DAY),
        ("Rule 2 ceases to have effect until the end of 1 May 2030.", DAY),
        ("Rule 2 applies until 1 May 2030 and is then repealed.", None),
        ("In Rule 2, for “until 1 May 2030” substitute “until 2 May 2031”.", None),
        ("Rule 2 is repealed. A permit held until 1 May 2030 stays valid.", None),
    ],
)
def test_last_day_of_a_change_is_one_that_limits_the_change_itself(text: str, day: date | None) -> None:
    assert stated_until(text) == day


@pytest.mark.parametrize(
    "ending",
    [
        "This rule expires on 1 May 2030.",
        "This Notice ceases to have effect at the end of 1 May 2030.",
        "These rules shall cease to have effect on 2 May 2030.",
    ],
)
def test_a_change_ends_with_the_text_that_makes_it(ending: str) -> None:
    text = f"In Rule 2, for “4” substitute “2”. {ending}"
    assert stated_since(text, "Rule 2") is None
    assert stated_until(text, "Rule 2") == DAY


def test_the_end_of_rules_may_be_the_change_itself() -> None:
    text = "These rules cease to have effect on 1 May 2030."
    assert stated_since(text, text) == DAY
    assert stated_until(text, text) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Rule 2 ceases to have effect five years after 1 January 2021.", True),
        ("Rule 2 ceases to have effect at the end of the period of 3 years beginning with 1 May 2020.", True),
        ("Rule 2 is repealed for the period of 3 years from 1 May 2020.", True),
        ("Rule 2 is revoked at the end of the transitional period (31 December 2024).", True),
        ("Rule 2 is revoked on the day after the day on which the Port Act 2025 comes into force.", True),
        ("Rule 2 is revoked on such day as the Minister may appoint.", True),
        ("For the financial year ending on 31 March 2023, Rule 2 is revoked.", True),
        ("From the beginning of 2025, Rule 2 is revoked.", True),
        # The beginning or the end of that day.
        ("Rule 2 is revoked from midnight on 31 December 2024.", True),
        ("Rule 2 is revoked.", False),
        ("Rule 2 of the Harbour Rules 2018 is revoked.", False),
        ("Rule 2, made on 1 May 2020, is repealed.", False),
        ("Article 2 of the Regulation of 1 May 2020 is repealed.", False),
        ("Rule 2 is revoked from 1 May 2020.", False),
        ("Rule 2 is revoked until 1 May 2030.", False),
        ("For the period from 1 May 2020 to 1 May 2030, Rule 2 is revoked.", False),
        ("Rule 2 is revoked on the day on which these Rules come into force.", False),
    ],
)
def test_whether_a_change_has_a_time_from_which_no_day_is_read(sentence: str, *, expected: bool) -> None:
    assert undated(sentence) == expected


@pytest.mark.parametrize("piece", ["“", "‘a", "from ", "1 May ", "Until 1 ", "1 of ", ". A", '"a', "2030년 "])
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    undated(piece * 20_000)
    stated_since(piece * 20_000, "A")
    stated_until(piece * 20_000, "A")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("text", "said", "since", "until"),
    [
        (
            "Rule 1 is suspended until 1 May 2030, and rule 2 applies until 1 June 2031.",
            "Rule 1 is suspended until",
            None,
            DAY,
        ),
        (
            "The Tug Rules, apart from rule 2, which stays in force, cease to have effect on 1 May 2030.",
            "",
            DAY,
            None,
        ),
        ("Rule 1, except for paragraph (2), which is retained, is repealed on 1 May 2030.", "", DAY, None),
        (
            "Rule 1 is repealed in zones a and b. From 1 May 2030, tugs must carry lights.",
            "Rule 1 is repealed",
            None,
            None,
        ),
    ],
)
def test_a_day_of_another_clause_is_not_that_of_the_change(
    text: str, said: str, since: date | None, until: date | None
) -> None:
    assert (stated_since(text, said), stated_until(text, said)) == (since, until)
