import pytest
import yaml

from rulerank.errors import InputError
from rulerank.graph.citations import extract, grammar_names, load_grammar

SMALL = {
    "name": "quays",
    "description": "Berths",
    "number": r"\d+(?:\.\d+)*",
    "divisions": {"berth": {"words": ["berths?"]}},
    "lists": {"joiners": [r"\s+and\b"], "ranges": [r"\s+to\b"]},
    "pointing": {"of": r"\s+of\s+"},
}


@pytest.fixture
def write(tmp_path):
    def _write(**changes):
        path = tmp_path / "quays.yaml"
        path.write_text(yaml.safe_dump({**SMALL, **changes}))
        return str(path)

    return _write


def test_every_grammar_of_the_package_loads() -> None:
    assert grammar_names() == ["english_rulebook", "korean", "us_cfr"]
    assert [load_grammar(name).name for name in grammar_names()] == grammar_names()


def test_new_jurisdiction_is_a_file(write, passages_of, documents_of) -> None:
    passages = passages_of([("q", "9", "See berths 1 to 3."), ("q", "1", ""), ("q", "2", ""), ("q", "3", "")])
    edges = extract(passages, documents_of({"q": ["Quays"]}), load_grammar(write())).edges
    assert edges["target_id"].to_list() == ["q:1", "q:2", "q:3"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"numbr": "x"}, "quays.yaml: numbr: Extra inputs"),
        ({"number": "("}, "quays.yaml: number: is no regular expression"),
        ({"number": "(a)"}, "number: has a group without a name"),
        ({"divisions": {"berth": {"edge": "CITES"}}}, "divisions.berth.edge: Input should be"),
    ],
)
def test_mistake_in_a_grammar_names_file_and_key(write, changes, message) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        load_grammar(write(**changes))


def test_unknown_grammar_names_those_there_are() -> None:
    with pytest.raises(InputError, match="english_rulebook, korean, us_cfr"):
        load_grammar("latin")


def test_malformed_yaml_names_the_line(tmp_path) -> None:
    (tmp_path / "bad.yaml").write_text("name: a\nnumber: [")
    with pytest.raises(InputError, match=r"bad\.yaml:2"):
        load_grammar(str(tmp_path / "bad.yaml"))
