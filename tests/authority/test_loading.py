from pathlib import Path

import pytest

from rulerank.authority.loading import load_domain, shipped_domains
from rulerank.errors import InputError

WHOLE = """
anchor_type: title
superseding_type: [lien, release]
scope_keys: [plot]
rules:
  - {later: lien, earlier: title, scope_keys: [plot, owner]}
  - [release, lien]
"""


HEAD = "anchor_type: title\nsuperseding_type: [lien, release]\nscope_keys: [plot]\n"


def _written(folder: Path, text: str) -> Path:
    path = folder / "land.yaml"
    path.write_text(text)
    return path


def test_domain_is_read_with_the_scope_keys_of_its_rules(tmp_path: Path) -> None:
    domain = load_domain(_written(tmp_path, WHOLE))
    assert [(rule.later, rule.earlier, rule.scope_keys) for rule in domain.rules] == [
        ("lien", "title", ("plot", "owner")),
        ("release", "lien", ("plot",)),
    ]
    assert domain.types == ("title", "lien", "release")
    assert domain.keys == ("plot", "owner")


def test_domain_without_rules_lets_each_superseding_type_void_each_anchor_type(tmp_path: Path) -> None:
    text = "anchor_type: [title, deed]\nsuperseding_type: lien\nscope_keys: plot\n"
    domain = load_domain(_written(tmp_path, text))
    assert [(rule.later, rule.earlier) for rule in domain.rules] == [("lien", "title"), ("lien", "deed")]
    assert domain.rules[0].scope_keys == ("plot",)


def test_domain_rules_may_say_later_type_and_earlier_type(tmp_path: Path) -> None:
    text = WHOLE.replace("[release, lien]", "{later_type: release, earlier_type: lien}")
    assert load_domain(_written(tmp_path, text)).rules[1].later == "release"


def test_domain_may_be_named_and_described_and_its_rules_say_scope(tmp_path: Path) -> None:
    text = WHOLE.replace("[release, lien]", "{name: R2, later: release, earlier: lien, scope: bank}")
    domain = load_domain(_written(tmp_path, f"name: land\ndescription: Liens.\n{text}"))
    assert domain.name == "land"
    assert (domain.rules[1].name, domain.rules[1].scope_keys) == ("R2", ("bank",))


def test_domain_keys_may_be_spelt_otherwise(tmp_path: Path) -> None:
    text = "Domain: land\nAnchor-Types: [title]\nsuperseding types: [lien]\nscope_key: plot\n"
    assert load_domain(_written(tmp_path, text)).model_dump(exclude={"rules"}, exclude_none=True) == {
        "name": "land",
        "anchor_type": ("title",),
        "superseding_type": ("lien",),
        "scope_keys": ("plot",),
        "answers": (),
    }


def test_domain_rule_of_several_types_is_a_rule_for_each_pair(tmp_path: Path) -> None:
    text = HEAD + "rules:\n  - {later: [lien, release], earlier: [title, deed]}\n"
    pairs = [(rule.later, rule.earlier) for rule in load_domain(_written(tmp_path, text)).rules]
    assert pairs == [("lien", "title"), ("lien", "deed"), ("release", "title"), ("release", "deed")]


@pytest.mark.parametrize(
    "rules",
    [
        "{later: lien, earlier: title}",
        "{burden: {later type: lien, Earlier: title}}",
        "[[lien, title, plot]]",
        "[{later: lien, earlier: title, scope_keys: plot}]",
    ],
)
def test_domain_rules_are_a_list_or_a_mapping(tmp_path: Path, rules: str) -> None:
    (rule,) = load_domain(_written(tmp_path, f"{HEAD}rules: {rules}\n")).rules
    assert (rule.later, rule.earlier, rule.scope_keys) == ("lien", "title", ("plot",))


@pytest.mark.parametrize("rules", ["", "[]", "{}"])
def test_domain_with_empty_rules_has_the_usual_ones(tmp_path: Path, rules: str) -> None:
    domain = load_domain(_written(tmp_path, f"{HEAD}rules: {rules}\n"))
    assert [(rule.later, rule.earlier) for rule in domain.rules] == [("lien", "title"), ("release", "title")]


def test_domain_types_are_compared_without_case(tmp_path: Path) -> None:
    assert load_domain(_written(tmp_path, WHOLE.replace("type: title", "type: ' Title'"))).types[0] == "title"


def test_shipped_domains_load_by_name() -> None:
    assert shipped_domains() == [
        "conflicts_of_interest",
        "court_opinions",
        "drug_labels",
        "finance_events",
        "policies",
        "security_advisories",
    ]
    assert load_domain("security_advisories").scope_keys == ("product", "cve_id")
    names = ("finance_events", "conflicts_of_interest", "policies")
    rules = [rule.name for name in names for rule in load_domain(name).rules]
    assert rules == [f"R{number}" for number in range(1, 11)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            WHOLE.replace("scope_keys: [plot]\n", "scop_keys: [plot]\n"),
            "scop_keys: unknown key; the nearest valid key is scope_keys",
        ),
        (
            WHOLE.replace("later: lien", "latter: lien"),
            "rules.0.latter: unknown key; the nearest valid key is later",
        ),
        (WHOLE.replace("anchor_type: title\n", ""), "anchor_type: expected this key, found none"),
        (WHOLE.replace("[release, lien]", "7"), "rules.1: expected a rule, {later: "),
        (WHOLE.replace("[release, lien]", "{later: {}, earlier: lien}"), "rules.1.later: "),
        (WHOLE.replace("[release, lien]", "{later: [{}], earlier: lien}"), "rules.1.later: "),
        (HEAD.replace("[lien, release]", ".nan"), "superseding_type: "),
        (f"{WHOLE}scope: plot\n", "expected the key scope_keys once, found it again as 'scope'"),
        (HEAD + "rules: lien\n", "rules: expected a list of rules, found 'lien'"),
        (HEAD + "rules: {lien: title}\n", "rules: expected a list of rules"),
        (HEAD + "rules: {lien: [title, deed]}\n", "rules: expected a list of rules"),
        (WHOLE.replace("superseding_type: [lien, release]", "superseding_type: []"), "superseding_type: "),
        (
            "",
            "expected the keys anchor_type, superseding_type, scope_keys, rules, answers, name",
        ),
        ("- a", "expected the keys"),
    ],
)
def test_domain_at_fault_is_refused_by_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    path = _written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load_domain(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_domain_that_is_no_yaml_is_refused_by_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"land\.yaml:2:\d+: malformed YAML"):
        load_domain(_written(tmp_path, "anchor_type: title\nrules: a: b\n"))


def test_domain_of_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="the nearest is finance_events"):
        load_domain("finance_event")


def test_domain_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file, found none"):
        load_domain(tmp_path / "none.yaml")
