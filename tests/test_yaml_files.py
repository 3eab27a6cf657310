from datetime import date

import pytest

from rulerank.errors import InputError
from rulerank.yaml_files import parse_yaml


@pytest.mark.parametrize(
    ("text", "place"), [("a: [\n", "2:1"), ("a: 1\nb: \x01\n", "2:4"), ("a: b: c\n", "1:5")]
)
def test_malformed_yaml_is_placed(text, place) -> None:
    with pytest.raises(InputError, match=rf"^a\.yaml:{place}: malformed YAML"):
        parse_yaml(text, "a.yaml")


@pytest.mark.parametrize(
    ("text", "message"),
    [("a: 2024-13-45", "month must"), ("[" * 5000, "recursion")],
    ids=["no date", "too deep"],
)
def test_yaml_that_python_cannot_hold_is_refused(text, message) -> None:
    with pytest.raises(InputError, match=rf"^a\.yaml: malformed YAML: .*{message}"):
        parse_yaml(text, "a.yaml")


@pytest.mark.parametrize(
    ("text", "place", "key"),
    [
        ("seed: 1\nthreads: 2\nseed: 3\n", "3:1", "seed"),
        ("ranker:\n  num_leaves: 31\n  num_leaves: 15\n", "3:3", "num_leaves"),
        ("- {a: 1, 'a': 2}\n", "1:10", "a"),
    ],
)
def test_key_that_stands_twice_is_refused(text, place, key) -> None:
    with pytest.raises(InputError, match=rf"^a\.yaml:{place}: malformed YAML: the key '{key}' occurs twice"):
        parse_yaml(text, "a.yaml")


def test_key_that_overrides_a_merged_one_is_no_second() -> None:
    text = "x: {one: &one {a: 1, b: 2}, two: &two {<<: *one, b: 3}}\ny: {<<: *two, a: 4}\n"

    assert parse_yaml(text, "a.yaml")["y"] == {"a": 4, "b": 3}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("017", "017"),
        ("1:30", "1:30"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("no", "no"),
        ("On", "On"),
        ("0", 0),
        ("-12", -12),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("5.", 5.0),
        ("-.inf", -float("inf")),
        ("True", True),
        ("2024-03-01", date(2024, 3, 1)),
        ("~", None),
        ("", None),
        ("- \n", [None]),
    ],
)
def test_plain_scalars_are_those_of_yaml_1_2(text, value) -> None:
    found = parse_yaml(text, "a.yaml")
    assert (type(found), found) == (type(value), value)


def test_aliases_that_multiply_are_refused_before_they_do() -> None:
    def levels(count: int) -> str:
        rows = (f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 10)}]\n" for n in range(count))
        return "".join(rows)

    assert parse_yaml(levels(3), "a.yaml")["a2"] == [[["x"] * 10] * 10] * 10
    with pytest.raises(InputError, match=r"^a\.yaml: malformed YAML: aliases stand for more than 100,000 v"):
        parse_yaml(levels(40), "a.yaml")


def test_alias_within_what_it_names_is_refused() -> None:
    with pytest.raises(InputError, match=r"^a\.yaml:2:11: malformed YAML: an alias is inside the value"):
        parse_yaml("x: 1\ny: &y {z: [*y]}\n", "a.yaml")
