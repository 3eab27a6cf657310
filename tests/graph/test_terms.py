import pytest

from rulerank.graph.citations import load_grammar
from rulerank.graph.terms import defined_terms, term_edges

ENGLISH, CFR = load_grammar("english_rulebook"), load_grammar("us_cfr")


def nodes(terms):
    return [term.node for term in terms.values()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('In these Rules, "Licence Holder" means a person that holds a licence.', ["term:licence holder"]),
        ("“Berth” has the meaning given in section 4.", ["term:berth"]),
        ('"Pilot" or "Harbour Pilot" means a person who guides ships.', ["term:pilot", "term:harbour pilot"]),
        ("Dangerous Cargo\tMeans goods of class 1.\nMaster\tHas the meaning given in the Act.",
         ["term:dangerous cargo", "term:master"]),
        ("(a) Hot Work means work with flames.", ["term:hot work"]),
        ("Term\tDefinition\nETA\tExpected time of arrival.\n(a)\tan item\n/Table End\nOther\tcell",
         ["term:eta"]),
        ("The Port Office (“PA”) asks for a list (the “First Report”).", ["term:pa", "term:first report"]),
        ("This means that a ship must wait. The test (see above) refers to nothing.", []),
        ("", []),
    ],
)  # fmt: skip
def test_definitions_found(passages_of, text, expected) -> None:
    assert nodes(defined_terms(passages_of([("D", "1", text)]), ENGLISH)) == expected


def uses(passages, share=1.0, grammar=ENGLISH):
    _, used = term_edges(passages, defined_terms(passages, grammar), grammar, share)
    return [(source, target) for source, target, *_ in used.iter_rows()]


def test_longest_term_wins_and_plural_counts(passages_of) -> None:
    rows = passages_of(
        [
            ("D", "1", '"Person" means anyone. "Relevant Person" means a master.'),
            ("D", "2", "All Relevant Persons must register."),
            ("D", "3", "A Person may appeal."),
        ]
    )
    assert uses(rows) == [("D:2", "term:relevant person"), ("D:3", "term:person")]


def test_capitals_make_the_term(passages_of) -> None:
    rows = passages_of(
        [
            ("D", "1", '"Person" means anyone. The Compliance Officer ("CO") reports.'),
            ("D", "2", "a person co signs"),
            ("E", "1", "the CO signs"),
        ]
    )
    assert uses(rows) == [("E:1", "term:co")]


def test_everyday_word_is_a_term_in_its_own_document_alone(passages_of) -> None:
    rows = passages_of(
        [
            ("D", "1", '"specified" means named in a notice. "harbour dues" means all fees.'),
            ("D", "2", "a specified ship"),
            ("E", "1", "a specified ship pays harbour dues"),
        ]
    )
    assert uses(rows) == [("D:2", "term:specified"), ("E:1", "term:harbour dues")]


def test_term_used_everywhere_gets_no_edges(passages_of) -> None:
    rows = [("D", "0", '"Ship" means a vessel. "Crane" means a lift.')]
    rows += [("D", str(i), "The Ship moors." if i < 4 else "A Crane lifts.") for i in range(1, 5)]
    assert uses(passages_of(rows), 0.5) == [("D:4", "term:crane")]


def test_definition_counts_as_definition_not_as_use(passages_of) -> None:
    rows = passages_of([("D", "1", '"Ship" means a vessel. Every Ship counts.')])
    defined, used = term_edges(rows, defined_terms(rows, ENGLISH), ENGLISH, 1.0)
    assert defined.rows() == [("D:1", "term:ship", "DEFINES", '"Ship"')]
    assert used.height == 0


def test_terms_of_the_cfr_are_used_without_capitals_in_their_own_part(passages_of) -> None:
    rows = passages_of(
        [
            ("1005", "2(a)", "“Access device” means a card."),
            ("1005", "2(b)", "Security interest and security mean any interest in property."),
            ("1005", "3", "Two access devices need no security."),
            ("1013", "1", "an access device"),
        ]
    )
    assert uses(rows, grammar=CFR) == [("1005:3", "term:access device"), ("1005:3", "term:security")]
