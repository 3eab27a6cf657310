import time

import pytest

from rulerank.answer.changes import (
    MOST,
    Substitution,
    excepts_from_change,
    limited,
    repeals,
    stated_substitutions,
    substitutions,
)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("In Rule 3.3.1 (towage), “twelve hours” is replaced by “one day”.", "twelve hours", "one day"),
        ("Rule 3 is amended: for “six hours” there is substituted “two hours”.", "six hours", "two hours"),
        ('Substitute "two hours" for "six hours" in Rule 3.', "six hours", "two hours"),
        ("From 1 May 2016, Rule 2.1 has effect as if “ten days” read “one day”.", "ten days", "one day"),
        ("The words “one hour” in Rule 5, on tugs, are to be read as “two hours”.", "one hour", "two hours"),
        (
            "In towage, the period of ten days in Rule 4.1 ceases to have effect and the period is one day.",
            "ten days",
            "one day",
        ),
        ("In Rule 2, “10 pm” shall be read as “9 pm”.", "10 pm", "9 pm"),
        ("Rule 2 shall be amended by replacing “7 days” with “9 days”.", "7 days", "9 days"),
        ("In Rule 2, for “ten days” in both places there is substituted “5 days”.", "ten days", "5 days"),
        ("Rule 2 has effect as if for “7 days” there was substituted “9 days”.", "7 days", "9 days"),
        ("In Rule 2, for “7 days” substitute “9 days”.", "7 days", "9 days"),
        ("Paragraph 4.3 ceases to have effect. The period in article 5.2 is two years.", "", "two years"),
    ],
)
def test_words_that_take_the_place_of_others(text: str, old: str, new: str) -> None:
    assert substitutions(text) == [Substitution(old, new)]
    assert not repeals(text)


@pytest.mark.parametrize(
    "text",
    [
        "Rule 2 is hereby repealed.",
        "This Rule revokes Rule 2.",
        "Rule 2 ceases to have effect.",
        "Rule 2 has been repealed.",
        "Rule 2 shall be omitted.",
        "Rule 2 no longer applies.",
    ],
)
def test_repeal_puts_nothing_in_its_place(text: str) -> None:
    assert substitutions(text) == []
    assert repeals(text)


def test_apostrophes_within_words_do_not_end_quoted_words() -> None:
    text = "In Rule 4, ‘the master’s log’ (the ship's) is replaced by “the tug's log”."
    assert substitutions(text) == [Substitution("the master’s log", "the tug's log")]
    text = "For ‘Clients’ Money Rules’ there is substituted ‘Client Asset Rules’."
    assert substitutions(text) == [Substitution("Clients’ Money Rules", "Client Asset Rules")]


@pytest.mark.parametrize("piece", ["‘a’a", "‘a’ ", " ‘a’", "“a’ ", "'a' ", " 'a", "“a” ", "for ‘a’ there "])
def test_time_is_linear_in_quotation_marks(piece: str) -> None:
    start = time.process_time()
    assert substitutions(piece * 5_000) == []
    assert time.process_time() - start < 2


def test_time_is_linear_in_the_length_of_a_quotation() -> None:
    start = time.process_time()
    limited(f"In Rule 3, for the words of paragraph (1) substitute “{'a' * 24_000}”.")
    assert time.process_time() - start < 1


def test_what_changes_nothing() -> None:
    text = "The master must keep “the log” and replaced lamps."
    assert substitutions(text) == []
    assert not repeals(text)
    assert not excepts_from_change(text)


@pytest.mark.parametrize(
    "text",
    ["Rule 7 has no effect where ice closes it.", "Rule 2 continues to apply as it stood before 1 May 2017."],
)
def test_where_a_change_does_not_apply(text: str) -> None:
    assert excepts_from_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "The second sentence of Rule 2 is repealed.",
        "In Rule 2, the words “weekly” are deleted.",
        "Rule 2 is amended by inserting after “lamps” the words “and horns”.",
        "Rule 2 is repealed in so far as it applies to tugs.",
        "If the Minister so orders, Rule 2 is repealed.",
        "Rule 2 applies to barges with these modifications:\n(a) for “tug” substitute “barge”.",
        "Rule 2 has effect as if for “6 hours” there were substituted “2 hours” where children swim.",
        "(1) In rule 2, for “6 hours” substitute “2 hours”.\n(2) Paragraph (1) applies only to a ferry.",
        "(1) In rule 2, for “6 hours” substitute “2 hours”. (2) Paragraph (1) does not apply to a tug.",
        "In rule 2, for “6 hours” substitute “2 hours”. This amendment applies to buoys laid since May.",
        "In rule 2, for “6” substitute “2”. The amendment made by this rule has effect in relation to tugs.",
        "In rule 2, for “6” substitute “2”. This rule comes into force on such day as the Minister appoints.",
        "(1) Rule 2 is revoked. (2) Despite paragraph (1), rule 2 continues to apply to a tug.",
        "In rule 2, for “6 hours” substitute “2 hours” for a ferry.",
        "In rule 2, for “6 hours” substitute “2 hours”, subject to rule 12.",
        "For the purposes of a ferry, rule 2 has effect as if for “6” there were substituted “2”.",
        "Rule 2 is revoked for tugs.",
        "Rule 2 is revoked only for tugs.",
        "Rule 2 no longer applies to tugs.",
        "In Scotland, rule 2 is revoked.",
        "Rule 2 is revoked with respect to tugs.",
        "For the purposes of this rule, references in rule 2 to “tug” are to be read as references to “x”.",
        "Rule 2 is repealed with regard to tugs.",
        "Rule 2 is revoked. Rule 2 continues to apply to voyages begun before that day.",
        "Rule 2 is revoked. Rule 2(1), as it stood, shall continue to have effect for a tug.",
        "Rule 2 is revoked. That rule remains in force in relation to tugs.",
        "Rule 2 is revoked. It continues to apply to a voyage begun before that day.",
        "Despite its repeal, rule 2 continues to have effect where a voyage has begun. Rule 2 is repealed.",
    ],
)
def test_change_in_part_or_on_a_condition(text: str) -> None:
    assert limited(text)


@pytest.mark.parametrize(
    "text",
    [
        "Rule 2 is repealed. If a tug is late, it must call.",
        "In Rule 2, “if it rains” is replaced by “unless it rains”.",
        "In Rule 2, for “tug” where it occurs there is substituted “barge”.",
        "Rule 2 has effect as if “ten days” read “one day”.",
        "Rule 2 is revoked for all purposes.",
        "In Harbour Rules, rule 2 is revoked.",
        "In rule 2, substitute “2 hours” for the words “6 hours”.",
        "(1) In rule 2, for “6” substitute “2”. (2) Paragraph (1) applies to all vessels.",
        "Rule 2 is revoked. A permit granted under it continues to have effect.",
        "In rule 2, for “6” substitute “2”. In rule 9, paragraph (3) does not apply to tugs.",
        "Rule 2 is revoked. The Minister may continue to apply the tariff.",
        "In rule 2, for “6” substitute “2”. The amendment applies to every pilot.",
        "In rule 2, for “6” substitute “2” so that only pilots are covered.",
        "In rule 2 (as amended on 3 May 2019), for “6” substitute “2”.",
        "By resolution adopted on 3 May 2019, in rule 2, for “6” substitute “2”.",
        "Rule 2 is replaced by the following: A pilot must rest. This rule does not apply to a tug.",
    ],
)
def test_change_of_the_whole_or_of_words_wherever_they_stand(text: str) -> None:
    assert not limited(text)


def test_a_change_may_replace_several_words() -> None:
    text = "In Rule 2, for “5 dollars” there is substituted “8 dollars” and for “a day” substitute “a week”."
    assert substitutions(text) == [Substitution("5 dollars", "8 dollars"), Substitution("a day", "a week")]


def test_a_text_of_very_many_substitutions_is_read_in_part() -> None:
    assert len(substitutions("".join(f"For “a{n}” substitute “b”. " for n in range(1_000)))) == MOST


def test_what_is_replaced_by_the_following_is_no_repeal() -> None:
    assert not repeals("Rule 2 is revoked and replaced by the following: “Tugs must rest.”")


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("A firm must keep records for six years if it ceases business.", "2020-01-01 after 2010-01-01"),
        ("In place of Rule 1, a firm keeps records for six years except where it ceases business.", "Rule 1"),
        ("Rule 1 is replaced by the following: keep records unless the Regulator agrees.", "Rule 1"),
        ("Rule 1 is repealed. Rule 4 ceases to have effect if a tug sinks.", "Rule 1"),
        ("In rule 1, ‘if asked’ is replaced by ‘unless excused’.", "rule 1"),
        ("In rule 1, for “five” in both places where the word appears there is substituted “ten”.", "rule 1"),
        ("In rule 1 (records in relation to tugs), “five” is replaced by “ten”.", "rule 1"),
    ],
)
def test_condition_of_the_new_rule_or_of_another_change_limits_nothing(text: str, evidence: str) -> None:
    assert not limited(text, evidence)


def test_substitutions_are_those_of_the_sentence_about_the_rule() -> None:
    ten, two = Substitution("five", "ten"), Substitution("five", "two")
    text = "In Rule 1, for “five” there is substituted “ten”. In Rule 9, for “five” substitute “two”."
    assert stated_substitutions(text, "Rule 1") == [ten]
    assert stated_substitutions(text, "Rule 9") == [two]
    assert substitutions("In (a), for “five” substitute “ten”; in (b), for “five” substitute “ten”.") == [ten]


def test_paragraph_that_limits_another_change_limits_nothing() -> None:
    text = (
        "(1) In rule 1, for “five” substitute “ten”;\n(2) in rule 9, for “five” substitute “two”.\n"
        "(3) Paragraph (2) applies only to a ferry."
    )
    assert not limited(text, "rule 1")
    assert limited(text, "rule 9")
    text = "Rule 1 is revoked. Rule 9 is revoked. Rule 9 continues to apply to a tug."
    assert [limited(text, each) for each in ("Rule 1 is revoked", "Rule 9 is revoked")] == [False, True]
    text = (
        "4.—(1) In rule 1, for “five” substitute “ten”. (2) In rule 9, for “six” substitute “two hours.” "
        "(3) In rule 3, for “red” substitute “green”. (4) Paragraph (3) applies only to a ferry."
    )
    assert [limited(text, each) for each in ("rule 1", "rule 9", "rule 3")] == [False, False, True]
    text = "(1) A tug must call. (2) Paragraph (1) does not apply to a ferry. (3) Rule 1 is revoked."
    assert not limited(text, "Rule 1 is revoked")
    # A newer version of a rule says of itself to what it applies.
    version = "A firm must report each amended log. This rule does not apply to a tug."
    assert not limited(version, "2020-01-01 after 2010-01-01")
