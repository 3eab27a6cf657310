import pytest

NAMES = {"A": ["45 CFR Part 164"], "B": ["45 CFR Part 160"]}
SECTIONS = ["164.302", "164.306", "164.306(a)", "164.308", "164.308(a)(1)", "164.310", "Form 77"]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Comply with § 164.308(a)(1)(ii).", ["A:164.308(a)(1)"]),
        ("45 CFR 164.308(a)(1)(ii)", ["A:164.308(a)(1)"]),
        ("§ 164.302 and 45 CFR 160.103", ["A:164.302", "B:160.103"]),
        ("§§ 164.302 through 164.310", ["A:164.302", "A:164.306", "A:164.308", "A:164.310"]),
        ("paragraph (a) of this section", ["A:164.306(a)"]),
        ("45 CFR part 160", ["B:Part 160"]),
        ("Submit Form 77.", ["A:Form 77"]),
        ("42 CFR 164.302", []),
        ("section 1171 of the Act", []),
    ],
)
def test_references(reading, text, targets) -> None:
    rows = [("A", "164.306(b)", text), *(("A", section, "") for section in SECTIONS)]
    rows += [("B", "Part 160", ""), ("B", "160.103", "")]
    assert reading("us_cfr", rows, NAMES).edges["target_id"].to_list() == targets
