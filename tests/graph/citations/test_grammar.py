import pytest
import yaml

from rulerank.errors import InputError
from rulerank.graph.citations import extract, fitting_grammar, grammar_names, load_grammar
from rulerank.graph.citations.patterns import Patterns

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


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["A carrier must stop.", "See § 1005.2(a)."], "us_cfr"),
        (["A carrier must stop under 12 CFR part 5.", *["A carrier must stop."] * 49, *[""] * 99], "us_cfr"),
        (["A carrier must stop under 12 CFR part 5.", *["A carrier must stop."] * 50], "english_rulebook"),
        (["A carrier must stop.", "See § 2(a)."], "english_rulebook"),
        (["선박은 정지하여야 한다.", "선박은 보고하여야 한다.", "12 CFR 5"], "korean"),
        ([], "english_rulebook"),
        (["", " "], "english_rulebook"),
    ],
)
def test_grammar_of_the_texts_is_found(texts: list[str], name: str) -> None:
    assert fitting_grammar("auto", texts).name == name
    assert fitting_grammar("korean", texts).name == "korean"


def test_new_jurisdiction_is_a_file(write, passages_of, documents_of) -> None:
    passages = passages_of([("q", "9", "See berths 1 to 3."), ("q", "1", ""), ("q", "2", ""), ("q", "3", "")])
    edges = extract(passages, documents_of({"q": ["Quays"]}), load_grammar(write())).edges
    assert edges["target_id"].to_list() == ["q:1", "q:2", "q:3"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"numbr": "x"}, "quays.yaml: numbr: unknown key; the nearest valid key is number"),
        ({"divisions": {"berth": {"wrods": []}}}, "divisions.berth.wrods: unknown .* nearest .* words"),
        ({"free": [{"befor": "at"}]}, "free.0.befor: unknown key; the nearest valid key is before"),
        ({"lists": {"joiners": ["and"]}}, "lists.ranges: expected this key, found none"),
        ({"number": "("}, r"quays.yaml: number: is no regular expression: .*, found '\('"),
        ({"number": "(a)"}, "number: has a group without a name"),
        ({"number": r"(?P<n>\d+)"}, "number: has the group 'n', which is not asked for"),
        ({"number": r"(?i)\d+"}, "number: has a flag for the whole pattern"),
        ({"number": r"\d{99999999999}"}, "number: is no regular expression: .* too large"),
        ({"number": ""}, "number: matches the empty text; .*, found ''"),
        ({"number": r"\d*"}, "number: matches the empty text"),
        ({"names": {"derived": ["Act"]}}, r"names.derived.0: expected \(\?P<name>...\) as its only group"),
        (
            {"divisions": {"berth": {"edge": "CITES"}}},
            "divisions.berth.edge: input should be .*found 'CITES'",
        ),
        ({"divisions": {"berth": {"words": []}}}, "divisions: expected words of one, .*found no way to cite"),
        (
            {"divisions": {"berth": {"words": ["b"], "outside": ["birth"]}}},
            "yaml: divisions.berth.outside: expected names .*, found 'birth'; the nearest is 'berth'",
        ),
        ({"relations": [{"type": "SPECIFIES"}]}, "relations.0: expected words before or after .* neither"),
        ({"narrative_tiers": [9]}, "narrative_tiers.0: .*less than or equal to 5, found 9"),
    ],
)
def test_mistake_in_a_grammar_names_file_and_key(write, changes, message) -> None:
    with pytest.raises(InputError, match=message):
        load_grammar(write(**changes))


def test_suffix_of_a_code_is_a_word_and_no_pattern(write) -> None:
    names = {"code": "[A-Z]{2,}", "suffixes": ["Rules (old"]}
    citation = Patterns(load_grammar(write(names=names))).citation
    assert citation.search("see QY Rules (old 3")["code"] == "QY Rules (old"


def test_unknown_grammar_names_those_there_are() -> None:
    with pytest.raises(InputError, match="english_rulebook, korean, us_cfr"):
        load_grammar("latin")


def test_malformed_yaml_names_the_line(tmp_path) -> None:
    (tmp_path / "bad.yaml").write_text("name: a\nnumber: [")
    with pytest.raises(InputError, match=r"bad\.yaml:2"):
        load_grammar(str(tmp_path / "bad.yaml"))
