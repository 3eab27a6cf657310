from datetime import date

import pytest

from rulerank.authority.beginning import stated_since

DAY = date(2030, 5, 1)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From 1 May 2020, Rule 2 is repealed.", date(2020, 5, 1)),
        ("As of 31 December 2021 it ends.", date(2021, 12, 31)),
        ("It has effect from 1 April 2019.", date(2019, 4, 1)),
        ("This Rule comes into force on 2 June 2018.", date(2018, 6, 2)),
        ("From 31 June 2020.", None),
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
        "2030-05-01",
        "1\u00a0May\u200e 2030",
    ],
)
def test_day_is_read_however_it_is_written(written: str) -> None:
    assert stated_since(f"From {written}, Rule 2 is repealed.") == DAY.replace(
        month=9 if "Sept" in written else 5
    )


@pytest.mark.parametrize(
    "lead",
    [
        "From", "As from", "Effective", "Effective from", "On and after", "On and from", "From and including",
        "With effect from", "Commencing on", "Beginning on", "This Rule commences on", "It takes effect on",
    ],
)  # fmt: skip
def test_words_that_lead_to_the_first_day(lead: str) -> None:
    assert stated_since(f"{lead} 1 May 2030.") == DAY


def test_day_in_korean() -> None:
    assert stated_since("제2조는 2030년 5월 1일부터 폐지한다.") == DAY


def test_quoted_day_is_part_of_the_rule_that_is_changed() -> None:
    text = "In Rule 2, for “from 1 March 2012” there is substituted “from 1 March 2035”."
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
