from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from rulerank.answer import Extractive, Law, Relevance
from rulerank.answer.claims import Answer, Claim, Quote
from rulerank.answer.verification.nearest import quotes_for
from rulerank.answer.verify import verified
from rulerank.authority.in_force import InForce
from rulerank.passages import Passage
from tests.answer.numbered import numbered

REPORT = (
    "Every master must report a collision to the harbour office within twenty-four hours. "
    "No pilot may board a vessel in a storm. A tug may anchor in the roads from 1 January 2016. "
    "This rule does not apply to barges. The fee is USD 1,500, or 5 per cent of the “Port Dues”."
)


SOURCES = (
    numbered(1, REPORT),
    numbered(2, "A pilot must rest for six hours.", "act:3"),
    numbered(3, "In rule 4.2.2, “six hours” is replaced by “twelve hours”."),
)


def _verified(*claims: Claim) -> Answer:
    return verified(Answer("What?", date(2026, 1, 1), claims, SOURCES))


def _because(text: str, *passages: str, **more: object) -> str | None:
    dropped = _verified(Claim(text, None, passages or ("act:1",), **more)).dropped
    return dropped[0].because if dropped else None


@pytest.mark.parametrize(
    "text",
    [
        "Every master must report a collision to the harbour office within twenty-four hours.",
        "Every master shall report a collision to the harbour office within 24 hours.",
        "The master has to report a collision within 24 hours.",
        "Under rule 4.2.1, a pilot may not board a vessel in a storm.",
        "From January 1, 2016 a tug may anchor in the roads.",
        "Since 2016, a tug may anchor in the roads.",
        "The rule does not apply to barges.",
        "The fee is 1,500 dollars or 5% of the “port dues”.",
    ],
)
def test_what_a_passage_says_in_its_own_or_other_words_stays(text: str) -> None:
    assert _because(text) is None


@pytest.mark.parametrize(
    ("text", "because"),
    [
        (
            "Every master may report a collision to the harbour office.",
            "modality: the claim states a permission",
        ),
        ("Every master should report a collision.", "modality: the claim states a recommendation"),
        ("Every master must not report a collision.", "modality: the claim states a prohibition"),
        ("Every master need not report a collision.", "modality: the claim states an exemption"),
        ("The master reports a collision to the harbour office.", "modality: what the claim cites is"),
        ("A pilot may board a vessel in a storm.", "modality: the claim states a permission"),
        ("A tug must anchor in the roads.", "modality: the claim states an obligation"),
        ("Every master must report a collision every month.", "interval: 'every month'"),
        ("This rule applies to barges.", "negation: lost before 'appli'"),
        ("The fee is not 5 per cent.", "negation: added before 'per'"),
        ("Every master must report a collision within 48 hours.", "figure: 48 hour"),
        ("Every master must report a collision within 24 days.", "figure: 24 day"),
        ("A tug may anchor in the roads from 2 January 2016.", "figure: --01-02"),
        ("The fee is USD 15,000.", "figure: 15000 dollar"),
        ("The fee is 24 of the “Port Dues”.", "figure: 24"),  # of another rule in that passage
        ("Under rule 4.2.9 every master must report a collision.", "figure: 4.2.9"),
        ("The fee is 5 per cent of the “Port Charges”.", "term: 'Port Charges'"),
        ("The fee is 5 per cent of the 'Port Charges'.", "term: 'Port Charges'"),
        ("Insurers file quarterly returns.", "support: 0%"),
        ("Every pilot must anchor a vessel from the harbour.", "support:"),
        ("Every master must report a collision. Fines double.", "support:"),
        ("Every master must report a collision. [P2]", "text: it holds a citation mark"),
        (" ", "text: blank"),
    ],
)
def test_what_it_does_not_say_is_dropped_with_the_reason(text: str, because: str) -> None:
    assert (_because(text) or "").startswith(because)


@pytest.mark.parametrize(
    ("claim", "because"),
    [
        (Claim("A tug may anchor.", None, ()), "citation: none"),
        (Claim("A tug may anchor.", None, ("act:9",)), "citation: 'act:9' was not shown"),
        (
            Claim("A tug may anchor.", None, ("act:1",), (Quote("act:3", 0, 5),)),
            "quote: 'act:3' is quoted and",
        ),
        (
            Claim("A tug may anchor.", None, ("act:1",), (Quote("act:1", 0, 999),)),
            "quote: 'act:1' has no text",
        ),
        (
            Claim("A tug may anchor.", None, ("act:1",), (Quote("act:1", -3, 5),)),
            "quote: 'act:1' has no text",
        ),
        (Claim("A tug may anchor.", None, ("act:1",), (Quote("act:1", 5, 5),)), "quote: 'act:1' has no text"),
        (
            Claim("A tug may anchor.", None, ("act:1",), (), ("act:3",)),
            "change: 'act:3' changes the claim and",
        ),
        (
            Claim("A pilot must rest for six hours.", None, ("act:2",)),
            "change: 'act:2' is changed by 'act:3'",
        ),
    ],
)
def test_a_citation_that_is_not_what_it_says_is_dropped(claim: Claim, because: str) -> None:
    assert _verified(claim).dropped[0].because.startswith(because)


def test_a_changed_rule_may_be_stated_with_its_change() -> None:
    text = "A pilot must rest for six hours; “six hours” is replaced by “twelve hours”."
    claim = Claim(text, "obligation", ("act:3", "act:2"), changed_by=("act:3",))
    assert _verified(claim).claims == (claim,)


CAPITAL = numbered(9, "A firm must hold capital of £5m.")
RIGHT = numbered(10, "A client shall be entitled to a refund of fees.")
RETURNS = numbered(11, "Firms shall lodge returns no later than 31 May 2024 and keep copies.")


@pytest.mark.parametrize(
    ("source", "text", "because"),
    [
        (CAPITAL, "A firm must hold capital of £5 million.", None),
        (
            CAPITAL,
            "A firm must hold capital of £5k.",
            "figure: 5000 pound is in no passage that the claim cites",
        ),
        (CAPITAL, "A firm must hold capital of £5.", "figure: 5 pound is in no passage that the claim cites"),
        (RIGHT, "A client is entitled to a refund of fees.", None),
        (
            RIGHT,
            "A client must take a refund of fees.",
            "modality: the claim states an obligation, what it cites a permission",
        ),
        (RETURNS, "Firms must keep copies of returns.", None),
        (
            RETURNS,
            "Firms must not keep copies of returns.",
            "modality: the claim states a prohibition, what it cites an obligation",
        ),
    ],
)
def test_amounts_rights_and_the_month_of_may_are_read_as_written(
    source: Passage, text: str, because: str | None
) -> None:
    claim = Claim(text, None, (source.passage_id,))
    dropped = verified(Answer("What?", date(2026, 1, 1), (claim,), (source,))).dropped
    assert [each.because for each in dropped] == ([because] if because else [])


def test_a_quote_that_cuts_off_its_denial_is_dropped() -> None:
    start = REPORT.index("pilot may")
    quote = Quote("act:1", start, REPORT.index(" A tug"))
    claim = Claim(REPORT[quote.start : quote.end], "permission", ("act:1",), (quote,))
    assert _verified(claim).dropped[0].because.startswith("modality: the claim states a permission")


OWNER = "The office must not disclose the log of a vessel to another owner."
COURT = "The office must disclose the log of a vessel to the court."
INSPECTOR = "An inspector must keep the inspection report for three years."
CONTRACTOR = "A contractor may keep the inspection report for one year."


@pytest.mark.parametrize(
    ("text", "rules", "because"),
    [
        ("The office must disclose the log of a vessel to another owner.", (OWNER, COURT), "modality"),
        ("An inspector may keep the inspection report for three years.", (INSPECTOR, CONTRACTOR), "modality"),
        ("An inspector must keep the inspection report for one year.", (INSPECTOR, CONTRACTOR), "figure"),
        (OWNER, (OWNER, COURT), None),
        (
            "An inspector must keep the inspection report for three years, a contractor may for one year.",
            (INSPECTOR, CONTRACTOR),
            None,
        ),
        (
            "While a firm must keep the log for six years, a small firm may keep the log for three years.",
            ("A firm must keep the log for six years.", "A small firm may keep the log for three years."),
            None,
        ),
        # One rule says to whom, the other how much.
        (
            "A firm must pay a levy of 5% on its turnover to the office.",
            ("A firm must pay a levy on its turnover to the office.", "The levy that a firm must pay is 5%."),
            None,
        ),
        ("A tug must carry five lamps.", ("A tug must carry its lamps.", "The lamps are five."), None),
    ],
)
def test_a_claim_does_not_mix_two_rules(text: str, rules: tuple[str, str], because: str | None) -> None:
    sources = tuple(numbered(*each) for each in enumerate(rules, 1))
    cited = tuple(each.passage_id for each in sources)
    quotes = tuple(quote for each in sources for quote in quotes_for(text, each))
    for claim in (Claim(text, None, cited), Claim(text, None, cited, quotes)):
        dropped = verified(Answer("What?", date(2026, 1, 1), (claim,), sources)).dropped
        assert [each.because.split(":")[0] for each in dropped] == ([because] if because else [])


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("“Every master must report … to the harbour office” at once.", True),
        ("“Every master must report ... within twenty-four hours”.", True),
        (f"The rule says “{REPORT.split('.')[0]}”.", True),
        (f"The rule says “{REPORT.split('.')[0].replace('harbour', 'pilots’')}”.", False),
        ("“Every master must report … to the pilots” at once.", False),
    ],
)
def test_a_quotation_of_any_length_is_of_the_passage_but_for_what_it_leaves_out(
    text: str, stays: bool
) -> None:
    assert (_because(text) is None) == stays


def test_an_answer_that_loses_every_claim_abstains_and_says_why() -> None:
    answer = _verified(Claim("Tugs sink.", None, ("act:1",)), Claim("Tugs sink.", None, ()))
    assert answer.claims == ()
    assert answer.abstained_because == "no claim was borne out by its passages (citation: none)"
    assert len(answer.dropped) == 2


def test_what_stays_keeps_its_order_and_an_abstention_its_reason() -> None:
    first, second = (
        Claim("This rule does not apply to barges.", None, ("act:1",)),
        Claim("Sink.", None, ("act:1",)),
    )
    third = Claim("A tug may anchor in the roads.", "permission", ("act:1",))
    answer = _verified(first, second, third)
    assert (answer.claims, answer.abstained_because) == ((first, third), None)
    assert verified(answer) == answer
    silent = Answer("What?", date(2026, 1, 1), (), SOURCES, "rule 4 is missing")
    assert verified(silent) == silent


def test_what_the_extractive_answerer_states_passes_without_its_quotes() -> None:
    sources = (numbered(1, REPORT), numbered(4, "The mate must:\n(a) ring; and\n(b) wave within 2 days."))
    day = date(2026, 1, 1)
    law = Law(InForce([], day), {source.passage_id: source for source in sources})
    stated = Extractive(law, Relevance({}))("Who must wave?", sources, day).claims
    claims = tuple(replace(claim, quotes=()) for claim in stated)
    answer = verified(Answer("?", day, claims, sources))
    assert answer.claims == claims
    assert len(claims) == 5
