from __future__ import annotations

import time

import pytest

from rulerank.answer.verification.bounds import other_bounds


@pytest.mark.parametrize(
    ("claim", "support", "kind"),
    [
        ("A tug must carry at most 5 lamps.", "A tug must carry at least 5 lamps.", "bound"),
        ("Pay more than 5 dollars.", "Pay less than 5 dollars.", "bound"),
        ("Hold no more than 5 lamps.", "Hold not less than 5 lamps.", "bound"),
        ("Carry at most 6 lamps.", "Carry at least six lamps.", "bound of 6: 'at most', where"),
        ("Do not hold less than 5% in cash.", "No fund may hold more than five per cent in cash.", "bound"),
        ("File no earlier than 31 March.", "File no later than March 31.", "bound"),
        ("File after 1 March 2024.", "File by 1 March 2024.", "bound"),
        ("Report after 10 Business Days.", "Report within 10 Business Days.", "bound"),
        ("Report five days after the sale.", "Report 5 days before the sale.", "bound"),
        ("Rest before every five hours of work.", "Rest after every five hours of work.", "bound"),
        ("Call when it rises above 25%.", "Call when it falls below 25 per cent.", "bound"),
        ("Nobody over the age of 18.", "Nobody under the age of 18.", "bound"),
        ("Firms with fewer than 50 tugs.", "Firms with 50 or more tugs.", "bound"),
        ("Firms with 50 tugs or fewer.", "Firms with more than 50 tugs.", "bound"),
        ("Value the fund at most quarterly.", "Value the fund at least quarterly.", "bound"),
        ("300만원 이상의 과태료를 부과한다.", "300만원 이하의 과태료를 부과한다.", "bound"),
        ("면적이 400제곱미터 미만인 경우", "면적이 400㎡ 이상인 경우", "bound"),
        ("착공 7일 후까지 신고하여야 한다.", "착공 7일 전까지 신고하여야 한다.", "bound"),
        ("Rest for exactly six hours.", "Rest for at least 6 hours.", "bound of 6 hour: 'exactly', where"),
        ("Carry precisely five lamps.", "Carry no more than five lamps.", "bound"),
        ("Carry at least five lamps.", "Carry exactly 5 lamps.", "bound"),
        ("Pay for the last ten days.", "Pay for the first ten days.", "bound of 10 day: 'last', where"),
        ("Pay for the first 10 days.", "Pay for the final ten days.", "bound"),
        ("Rest for nearly six hours.", "Rest for six hours.", "amount: 'nearly' is not in"),
        ("Rest for approximately six hours.", "Rest for at least six hours.", "amount"),
        ("A tug must ensure safety.", "A tug must take reasonable steps to ensure safety.", "effort"),
        ("Complete the sale.", "Use best endeavours to complete the sale.", "effort"),
        ("Test the water monthly.", "Test the water quarterly.", "interval"),
        ("Test the water every month.", "Test the water every year.", "interval"),
        ("Test the water each day.", "Test the water weekly.", "interval"),
        ("Close the port if it is calm.", "Close the port unless it is calm.", "condition"),
        ("Close the port unless it is calm.", "Close the port if it is calm.", "condition"),
        ("Close the port only if it is calm.", "Close the port unless it is calm.", "condition"),
        (
            "Pay not less than £5 nor more than £1.",
            "Pay not less than £1 nor more than £5.",
            "bound",
        ),
        ("Rest for sixty days or more.", "Rest for sixty days or less.", "bound"),
        ("Report fourteen days after arrival.", "Report fourteen days before arrival.", "bound"),
        ("Report no sooner than 24 hours.", "Report within 24 hours.", "bound"),
        ("Report not before 1 May 2024.", "Report by 1 May 2024.", "bound"),
        ("Hold EUR 5,000 of capital or less.", "Hold at least EUR 5,000 of capital.", "bound"),
        ("Hold EUR 5,000 at the most.", "Hold at least EUR 5,000.", "bound"),
        ("Hold EUR 5,000 as a maximum.", "Hold a minimum of EUR 5,000.", "bound"),
        ("Hold ≤ EUR 5,000.", "Hold not less than EUR 5,000.", "bound"),
        ("Hold no higher than EUR 5,000.", "Hold at least EUR 5,000.", "bound"),
        ("Pay from 1 March 2024.", "Pay no later than 1 March 2024.", "bound"),
        ("Pay as of 1 March 2024.", "Pay by 1 March 2024.", "bound"),
        ("Keep it six years until the sale.", "Keep it six years after the sale.", "bound"),
        ("Test the water twice a month.", "Test the water monthly.", "interval"),
        ("Test the water every other month.", "Test the water monthly.", "interval"),
        ("Test the water bimonthly.", "Test the water once a month.", "interval"),
        ("Test the water annually.", "Test the water every two years.", "interval"),
        (
            "At least one pilot must sign.",
            "At least three pilots must sign.",
            "number: the claim has one 'pilot'",
        ),
        ("A single licensed pilot must sign.", "Two licensed pilots must sign.", "number"),
        ("Each tug must have one pilot.", "Each tug must have two pilots.", "number"),
    ],
)
def test_what_runs_against_the_support_is_a_fault(claim: str, support: str, kind: str) -> None:
    assert (other_bounds(claim, support) or "").startswith(kind)


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        ("Report no later than ten days.", "Report within ten days."),
        ("Report at least 5 of up to 9 fires.", "Report at least 5 of up to 9 fires."),
        ("Hold at most 5 lamps.", "Nobody may hold, and no tug may carry, more than 5 lamps."),
        ("Pay after 1 March and before 1 May.", "Pay after 1 March and before 1 May."),
        ("Pay after 1 March.", "Pay before 1 April."),
        ("Report within 5 days.", "Close after 5 hours, and report within 5 days."),
        ("Hold at least 6 lamps.", "Hold 6 or more lamps."),
        ("Rest for exactly six hours.", "Rest for six hours."),
        ("Keep approximately 5 metres off.", "Keep approx. 5 metres off."),
        ("Keep approximately 5 metres off.", "Keep in the region of 5 metres off."),
        ("Keep roughly 5 metres off.", "Keep 5 metres (approximately) off."),
        ("Keep roughly 5 metres off.", "Keep ~5 metres off."),
        ("A fee of approximately USD 5 million.", "A fee of about $5,000,000."),
        ("Show the last 12 logs.", "Show the first 12 logs, or the most recent 12 logs."),
        ("Rest for approximately six hours.", "Rest for about 6 hours."),
        ("Pay for the last ten days.", "Pay for the first ten days and the last 10 days."),
        ("Report before the sale.", "Report after the sale."),  # no amount
        ("300만원 이하", "300만 원 이하이고 100만원 이상"),
        ("Keep a log.", "Take reasonable steps to ensure safety, and keep a log."),
        ("Make reasonable efforts to find tugs.", "Take all reasonable steps to find tugs."),
        ("Fees must not exceed 5 dollars.", "The fee is at most 5 dollars."),
        ("Test the water quarterly.", "Test the water every three months."),
        ("Send each quarterly report.", "Report at three-month intervals."),
        ("Report at least ten days before the change.", "Report not later than ten days before the change."),
        ("Keep the list up to date.", "Renew the list at least every year."),
        ("Sail up to 10 knots.", "Sail at 10 knots or less, and at least 2 knots."),
        ("Pay 5 dollars per year.", "Pay 5 dollars per annum."),
        ("Test the water every day.", "Test the water daily."),
        ("Close the port unless it is calm.", "Close the port if it is not calm."),
        ("Close the port except when it is calm.", "Close the port unless it is calm."),
        ("Close the port where ice comes.", "Close the port if ice comes."),
        ("A tug may enter only if it is lit.", "A tug must not enter unless it is lit."),
        ("Enter only if it is lit.", "Enter only when it is lit."),
        ("Pay not less than £1 nor more than £5.", "Pay at least £1 and at most £5."),
        ("Report not before 1 May 2024.", "Report no earlier than 1 May 2024."),
        ("Hold EUR 5,000 or more.", "Hold at least EUR 5,000."),
        ("Test the water once a month.", "Test the water monthly."),
        ("Test the water every 12 months.", "Test the water annually."),
        ("One pilot must sign.", "Two pilots must go, and one pilot must sign."),
        ("One of the pilots must sign.", "Of the two pilots, either must sign."),
        ("At least one pilot must sign.", "At least one of the two pilots must sign."),
        ("Two pilots must go and one pilot must steer.", "Two pilots must go; one must steer."),
        ("Pay USD 500 annually.", "Pay an annual fee of USD 500."),
        ("Each year, submit monthly accounts.", "Submit monthly accounts during a year."),
    ],
)
def test_the_same_in_other_words_is_none(claim: str, support: str) -> None:
    assert other_bounds(claim, support) is None


@pytest.mark.parametrize(
    "piece",
    [
        "if ",
        "every ",
        "not ",
        "at ",
        "more than ",
        "each x ",
        "-",
        "5 ",
        "1,",
        "five or ",
        "after 5 ",
        "5 x x before ",
        "5일 ",
        "best efforts ",
        "fifty ",
        "one hundred and ",
    ],
)
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    other_bounds(piece * (40_000 // len(piece)), piece * (40_000 // len(piece)))
    assert time.process_time() - start < 2
