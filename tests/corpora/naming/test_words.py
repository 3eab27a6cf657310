import pytest

from rulerank.corpora.naming.words import Key, akin, is_code, key_of, tidy


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (["Harbour Rules", "Harbours Rulebook", "Harbour Rules 2019"], Key(("harbour",), "rules")),
        (["PIL", "PIL "], Key(("PIL",), "")),
        (["PIL Rulebook", "PIL Rules"], Key(("PIL",), "rules")),
        (["Harbour Regulations 2004"], Key(("harbour",), "regulations")),
        (["Code of Safe Mooring"], Key(("safe", "mooring"), "code")),
        (["Supplementary Guidance – Tugs", "Guidance on Tugs"], Key(("tug",), "guidance")),
        (["Fire and Smoke Rules and Guidance"], Key(("fire", "smoke"), "rules")),
        (["Rules", "Rulebook"], Key((), "rules")),
    ],
)
def test_variants_of_a_name_have_one_key(names, key) -> None:
    assert {key_of(name) for name in names} == {key}


def test_kinds_of_one_tier_are_akin() -> None:
    assert akin("guidance", "manual")
    assert not akin("rules", "regulations")
    assert not akin("code", "policy")


def test_what_runs_into_a_name_is_left_out() -> None:
    assert tidy("Under The  Harbour Rules") == "Harbour Rules"


@pytest.mark.parametrize(("name", "code"), [("PIL", True), ("A&C", True), ("Harbour", False), ("A", False)])
def test_codes_have_two_capitals(name, code) -> None:
    assert is_code(name) is code
