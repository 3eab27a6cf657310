import pytest

from rulerank.errors import InputError
from rulerank.yaml_files import parse_yaml


@pytest.mark.parametrize(
    ("text", "place"), [("a: [\n", "2:1"), ("a: 1\nb: \x01\n", "2:4"), ("a: b: c\n", "1:5")]
)
def test_malformed_yaml_is_placed(text, place) -> None:
    with pytest.raises(InputError, match=rf"^a\.yaml:{place}: malformed YAML"):
        parse_yaml(text, "a.yaml")


@pytest.mark.parametrize(("text", "message"), [("a: 2024-13-45", "month must"), ("[" * 5000, "recursion")])
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
    with pytest.raises(InputError, match=rf"^a\.yaml:{place}: malformed YAML: the key '{key}' stands twice"):
        parse_yaml(text, "a.yaml")


def test_key_that_overrides_a_merged_one_is_no_second() -> None:
    text = "x: {one: &one {a: 1, b: 2}, two: &two {<<: *one, b: 3}}\ny: {<<: *two, a: 4}\n"

    assert parse_yaml(text, "a.yaml")["y"] == {"a": 4, "b": 3}
