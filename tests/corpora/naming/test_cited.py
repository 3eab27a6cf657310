import time

from rulerank.corpora.naming.cited import cited_documents


def _cited(*texts: str) -> dict[str, tuple[set[str], set[str]]]:
    """Names and numbers of each cited document, by its most frequent name."""
    found = cited_documents(texts)
    return {one.names.most_common(1)[0][0]: (set(one.names), one.numbers) for one in found}


def test_numbers_belong_to_the_name_they_are_cited_with() -> None:
    cited = _cited("See BERTH 17.2.3 and BERTH Rule 4, and Rule 3.1(2) of the Harbour Rules.")

    assert cited == {"BERTH": ({"BERTH"}, {"17.2.3", "4"}), "Harbour Rules": ({"Harbour Rules"}, {"3.1"})}


def test_names_defined_as_one_another_are_one_document() -> None:
    cited = _cited(
        'the Berthing Rules ("BERTH") and BERTH 17, BERTH 19',
        "BERTH means the Berths Rulebook.",
        "Section 58 of the Berths Rulebook",
    )

    assert cited == {"BERTH": ({"BERTH", "Berthing Rules", "Berths Rulebook"}, {"17", "19", "58"})}


def test_code_with_an_instrument_is_the_code() -> None:
    assert _cited("BERTH 4 and the BERTH Rulebook") == {"BERTH": ({"BERTH", "BERTH Rulebook"}, {"4"})}


def test_divisions_are_no_documents() -> None:
    assert _cited("RULE 4.1 and CHAPTER 2 and TABLE 7 and App4 2") == {}


def test_instruments_of_two_kinds_are_two_documents() -> None:
    assert set(_cited("the Harbour Rules and the Harbour Act")) == {"Harbour Rules", "Harbour Act"}


def test_kind_is_the_one_that_names_say_most_often() -> None:
    (one,) = cited_documents(['the Berthing Rules ("BERTH")', "the BERTH Rulebook", "BERTH Guidance"])

    assert one.kind == "rules"


def test_time_is_linear_in_the_length_of_a_word() -> None:
    start = time.process_time()
    cited_documents(["I" * 20_000])
    assert time.process_time() - start < 1
