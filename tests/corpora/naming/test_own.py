import pytest

from rulerank.corpora.naming.own import own_names


def _own(*texts: str, first: str = "1."):
    return own_names([first, *map(str, range(2, len(texts) + 1))], texts)


@pytest.mark.parametrize(
    ("texts", "titles"),
    [
        (["These Rules may be cited as the Harbour Rules."], ["Harbour Rules"]),
        (["This document is called the Pilots Manual (“PM”)."], ["Pilots Manual", "PM"]),
        (['This Rulebook ("PIL") applies to every Pilot.'], ["PIL"]),
        (["These Harbour Rules apply.", "See these Harbour Rules."], ["Harbour Rules"]),
        (["HARBOUR REGULATIONS 2004"], ["HARBOUR REGULATIONS 2004"]),
        (["HARBOUR RULES", "These Rules apply to ships."], ["HARBOUR RULES"]),
        (["The Crew Act 1990 may be cited as the Seamen Act 1990."], []),
        (["GENERAL PRINCIPLES", "These Rules apply to ships."], []),
        (["APPLICATION OF THESE RULES", "These Rules apply to ships."], []),
        (["These Tug Rules apply.", "These Rules apply.", "These Rules apply."], []),
    ],
)
def test_title_is_what_a_document_states_of_itself(texts, titles) -> None:
    assert list(_own(*texts).titles) == titles


def test_title_may_be_the_section_of_the_first_passage() -> None:
    assert _own("Made by the Board.", first="HARBOUR REGULATIONS 2004").titles == (
        "HARBOUR REGULATIONS 2004",
    )


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["These Rules apply to ships.", "This Rulebook and these Rules bind pilots."], "Rules"),
        (["This document was made by the Board and contains Principles for tugs."], "Principles"),
        (["A ship must carry a light."], None),
        (["A ship must carry a light."] * 8 + ["These Rules apply to ships."], None),
    ],
)
def test_kind_is_what_a_document_calls_itself_where_it_begins(texts, kind) -> None:
    assert _own(*texts).kind == kind


def test_what_a_document_may_mean_itself_by_is_a_hint() -> None:
    own = _own("The purpose of the Code of Mooring (“COM”) is order.", "this Rope Rulebook, in these Rules")

    assert own.hints == ("Rope Rulebook", "Code of Mooring", "COM")
