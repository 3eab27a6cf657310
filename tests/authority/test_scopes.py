import polars as pl

from rulerank.authority.scopes import index_scopes, instants

ROWS = [
    ("a", "title", 1, "plot 7", "ann lee"),
    ("b", "title", 2, "plot 8", "ann lee"),
    ("c", "lien", 0, "plot 7", "ann lee"),
    ("d", "lien", 4, None, "bob"),
]
KEYS = ("plot", "owner")


def test_documents_with_equal_values_share_a_scope(table) -> None:
    index = index_scopes(table(ROWS, KEYS), KEYS)
    assert index.of.tolist() == [0, 1, 0, -1]
    assert index.values == [("plot 7", "ann lee"), ("plot 8", "ann lee")]
    assert index.members(0).tolist() == [0, 2]
    assert index.members(-1).tolist() == []


def test_key_that_no_document_has_leaves_all_without_scope(table) -> None:
    assert index_scopes(table(ROWS, KEYS), ["deed"]).of.tolist() == [-1] * 4


def test_scope_is_named_when_all_its_values_stand_in_the_question_as_whole_words(table) -> None:
    index = index_scopes(table(ROWS, KEYS), KEYS)
    assert index.named("Does ANN  Lee's claim to Plot 7 stand?") == [0]
    assert index.named("Does Ann Lee own plot 7 or plot 8?") == [0, 1]
    assert index.named("Does Ann Lee own plot 77?") == []
    assert index.named("Who owns plot 7?") == []
    assert index.named("Does Bob own plot 7?") == []


def test_scope_too_short_to_tell_is_not_named(table) -> None:
    rows = [("a", "title", 1, "us"), ("b", "title", 2, "usb")]
    index = index_scopes(table(rows, ("plot",)), ("plot",))
    assert index.named("Do us and USB stand?") == [1]


def test_scope_given_in_part_is_every_scope_that_agrees(table) -> None:
    index = index_scopes(table(ROWS, KEYS), KEYS)
    assert index.given({"plot": "plot 8", "owner": "ann lee"}) == [1]
    assert index.given({"owner": "ann lee", "other": "x"}) == [0, 1]
    assert index.given({"plot": "plot 9", "owner": None}) == []
    assert index.given({}) == []


def test_undated_documents_are_older_than_all(table) -> None:
    times = instants(table(ROWS, KEYS)["timestamp"])
    assert pl.Series(times).arg_sort().to_list() == [2, 0, 1, 3]
