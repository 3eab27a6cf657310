from __future__ import annotations

import pytest

from rulerank.obligations import Span, statements


def read(passage: str) -> list[tuple[str | None, str]]:
    return [(each.modality, each.text) for each in statements(passage)]


def texts(passage: str) -> list[str]:
    return [each.text for each in statements(passage)]


def test_sentences_are_statements_in_reading_order() -> None:
    assert read("Berths\nThe pilot must call. Tides vary. A tug should stand by. Crews may rest.") == [
        (None, "Berths"),
        ("obligation", "The pilot must call."),
        (None, "Tides vary."),
        ("recommendation", "A tug should stand by."),
        ("permission", "Crews may rest."),
    ]


def test_lead_in_is_read_with_each_item() -> None:
    passage = "The master must ensure that:\n(a)\tthe log is kept; and\n(b)\tit is signed. Twice.\nEnd."
    assert texts(passage) == [
        "The master must ensure that: (a) the log is kept",
        "The master must ensure that: (b) it is signed.",
        "Twice.",
        "End.",
    ]
    first = statements(passage)[0]
    assert [passage[span.start : span.end] for span in first.spans] == [
        "The master must ensure that:",
        "(a)\tthe log is kept",
    ]


@pytest.mark.parametrize("connective", ["; and", " ; and that", ", and/or that,", "; or;", " but"])
def test_connective_before_the_next_item_is_left_out(connective: str) -> None:
    assert texts(f"No pilot may ensure that:\n(a)\the sleeps{connective}\n(b)\the drinks.") == [
        "No pilot may ensure that: (a) he sleeps",
        "No pilot may ensure that: (b) he drinks.",
    ]


@pytest.mark.parametrize("lead", ["A bank must:", "A bank must—", "A bank must-"])
def test_items_within_a_line_are_read_like_items_below_one_another(lead: str) -> None:
    passage = f"{lead} (a) notify the client; (b) keep a record; and (c) report. The client may complain."
    assert texts(passage) == [
        f"{lead} (a) notify the client",
        f"{lead} (b) keep a record",
        f"{lead} (c) report.",
        "The client may complain.",
    ]


def test_items_below_items_take_both_lead_ins() -> None:
    duty = "(b)\tthe master must:\n(i)\tstay; and\n(ii)\twatch."
    passage = f"In a storm:\n(a)\tthe crew may rest;\n{duty}\n(c)\tall wait."
    assert read(passage) == [
        ("permission", "In a storm: (a) the crew may rest"),
        ("obligation", "In a storm: (b) the master must: (i) stay"),
        ("obligation", "In a storm: (b) the master must: (ii) watch."),
        (None, "In a storm: (c) all wait."),
    ]


@pytest.mark.parametrize(
    "passage",
    [
        "Where the hold:\n(a)\tleaks; or\n(b)\tsmokes,\nit must be sealed.",
        "The pilot must:\n(a) call; or\n(b) wave.",
        "The pilot must do one of the following:\n(a) call;\n(b) wave.",
        "A firm must tell the Regulator if:\n(a) it moves; and\n(b) it grows.",
        "A firm must pay unless:\n(a) it moves; or\n(b) it grows.",
        "A firm may lend only if it is:\n(a) a bank; or\n(b) a fund.",
        "“Vessel” means:\n(a) a ship; or\n(b) a boat.",
        "A ferry must carry— (a) a bell; and (b) a lamp, in each case inspected within the last year.",
        "A ferry must carry:\n(a) a bell; and\n(b) a lamp, each of which was inspected.",
        "A vessel is a tug if:\n(a) it tows; and\n(b) it has a hook.",
        "A firm may close, provided it:\n(a) tells the Regulator; and\n(b) pays its debts.",
        "Part 2 does not apply where all of these are met:\n(a) the hold is dry;\n(b) the mate has looked.",
        "A pledge is valid if it:\n(a) is signed; and\n(b) cannot be revoked.",
        "A buoy meets this Rule if:\n(a) it may be seen at night; and\n(b) it floats.",
        "A loan is open, provided the terms:\n(a) are written; and\n(b) say what must be repaid.",
        "A berth is safe where all the following conditions are met:\n(a) it may be seen;\n(b) it is dry.",
        "Any hull counts where the plates:\n(a) are of steel; and\n(b) may be inspected.",
        "A hull counts if the test of age in Rule A2.1.5 and all the rules made under it have been met"
        " and the following criteria are met:\n(a) it is sound; and\n(b) it may be sold.",
        "The dues are the higher of:\n(a) ten dollars; or\n(b) a dollar for each tonne.",
        "The owner must pay the sum of the following amounts:\n(a) the dues; and\n(b) the fee.",
        "Open Berth Means a berth:\n(a) without a roof; and\n(b) without a gate.",
        "A ferry must carry:\n(a) a bell; and\n(b) a lamp, at the bow and the stern respectively.",
    ],
)
def test_items_stay_together_where_one_alone_would_say_something_else(passage: str) -> None:
    assert texts(passage) == [" ".join(passage.split())]
    assert statements(passage)[0].spans == (Span(0, len(passage)),)


def test_conditions_of_which_one_suffices_are_read_one_by_one() -> None:
    assert texts("A firm must tell the Regulator if:\n(a) it moves; or\n(b) it grows.") == [
        "A firm must tell the Regulator if: (a) it moves",
        "A firm must tell the Regulator if: (b) it grows.",
    ]


def test_conditions_of_a_fact_of_which_one_suffices_are_read_one_by_one() -> None:
    assert texts("Part 2 does not apply if:\n(a) it rains; or\n(b) it snows.") == [
        "Part 2 does not apply if: (a) it rains",
        "Part 2 does not apply if: (b) it snows.",
    ]


def test_what_is_asked_under_a_condition_is_asked_item_by_item() -> None:
    assert read(
        "This rule applies where a vessel is moored:\n(a) it must show a lamp; and\n(b) it must ring."
    ) == [
        ("obligation", "This rule applies where a vessel is moored: (a) it must show a lamp"),
        ("obligation", "This rule applies where a vessel is moored: (b) it must ring."),
    ]


@pytest.mark.parametrize(
    "lead",
    [
        "Where a vessel:",
        "The cases in which the dues may fall include where:",
        "Rule 5 applies when a vessel arrives:",
        "In a case to which Rule 5 is of use, where a vessel:",
        "The following rules apply when dealing:",
        "The following applies until the day of sale:",
        "The following provisions have effect once in port:",
        "Special rules apply if the tow fell through:",
        "In cases where a vessel tows a hull the following requirements apply:",
    ],
)
def test_conditions_before_duties_of_their_own_leave_the_items_apart(lead: str) -> None:
    assert texts(f"{lead}\n(a) the mate must call; and\n(b) the crew must wait.") == [
        f"{lead} (a) the mate must call",
        f"{lead} (b) the crew must wait.",
    ]


def test_each_thing_forbidden_is_forbidden_alone() -> None:
    assert read("No pilot may:\n(a) sleep; or\n(b) drink.") == [
        ("prohibition", "No pilot may: (a) sleep"),
        ("prohibition", "No pilot may: (b) drink."),
    ]


def test_numbered_paragraphs_are_statements_without_their_numbers() -> None:
    passage = "Seals\n(1)\tThe seal must be red. It must shine.\n(2)\tNo one shall break it."
    assert texts(passage)[1:] == ["The seal must be red.", "It must shine.", "No one shall break it."]


def test_numbered_paragraph_after_the_items_of_another_is_not_below_them() -> None:
    passage = (
        "The review may be made:\n(a)\tby the mate; or\n(b)\tby a pilot.\n"
        "(6)\tThe review must cover:\n(a)\tthe log; and\n(b)\tthe crew."
    )
    assert read(passage) == [
        ("permission", "The review may be made: (a) by the mate"),
        ("permission", "The review may be made: (b) by a pilot."),
        ("obligation", "The review must cover: (a) the log"),
        ("obligation", "The review must cover: (b) the crew."),
    ]


def test_numbers_from_1_are_below_the_item_before_them() -> None:
    assert texts("The mate must:\n(a)\tring:\n(1)\tat noon; and\n(2)\tat night; and\n(b)\twave.") == [
        "The mate must: (a) ring: (1) at noon",
        "The mate must: (a) ring: (2) at night",
        "The mate must: (b) wave.",
    ]


def test_headings_of_federal_paragraphs_are_statements_of_their_own() -> None:
    assert read("(a) General. A bank may charge. (b) Limits. (1) No fee may exceed $25.50.") == [
        (None, "General."),
        ("permission", "A bank may charge."),
        (None, "Limits."),
        ("prohibition", "No fee may exceed $25.50."),
    ]


def test_reference_at_the_beginning_of_a_line_is_no_marker() -> None:
    assert texts("(3) and (4) shall not apply.\n(2) does not apply to banks.") == [
        "(3) and (4) shall not apply.",
        "(2) does not apply to banks.",
    ]


def test_item_may_begin_with_to() -> None:
    passage = "The Regulator shall pursue these aims—\n(a) to keep order; and\n(b) to protect clients."
    assert read(passage) == [
        ("obligation", "The Regulator shall pursue these aims— (a) to keep order"),
        ("obligation", "The Regulator shall pursue these aims— (b) to protect clients."),
    ]


@pytest.mark.parametrize("passage", ["(2) to (4) apply to banks.", "(2) to 4 apply to banks."])
def test_range_at_the_beginning_of_a_line_is_no_marker(passage: str) -> None:
    assert texts(passage) == [passage]


def test_marker_on_a_line_of_its_own_belongs_to_the_next() -> None:
    assert texts("The mate must:\n(a)\n\tring; and\n\n (b)\n\twave.") == [
        "The mate must: (a) ring",
        "The mate must: (b) wave.",
    ]


def test_i_after_h_is_a_letter() -> None:
    items = "".join(f"({letter})\tring {letter};\n" for letter in "abcdefgh")
    assert read(f"On deck:\n{items}(i)\tthe mate must ring;\n(j)\tall go.")[8:] == [
        ("obligation", "On deck: (i) the mate must ring"),
        (None, "On deck: (j) all go."),
    ]


def test_sentence_broken_across_lines_is_one() -> None:
    assert texts("The master must,\nbefore sailing, sign.") == ["The master must, before sailing, sign."]


def test_invisible_characters_are_left_out_of_the_text_and_kept_in_the_spans() -> None:
    passage = "Rule \u200e5.3: the pilot mu\u00adst  call."
    (only,) = statements(passage)
    assert only.text == "Rule 5.3: the pilot must call."
    assert only.modality == "obligation"
    assert only.spans == (Span(0, len(passage)),)


@pytest.mark.parametrize("blank", ["", " \n\t", "\u200e", "\u200e \u200e"])
def test_blank_text_states_nothing(blank: str) -> None:
    assert statements(blank) == ()
