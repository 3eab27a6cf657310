import pytest

from rulerank.corpora.regml.elements import read_elements
from rulerank.errors import InputError


@pytest.fixture
def xml(tmp_path):
    def _xml(text):
        path = tmp_path / "a.xml"
        path.write_text(text, encoding="utf-8")
        return path

    return _xml


def test_elements_keep_their_text_their_order_and_their_place(xml) -> None:
    root = read_elements(xml('<r xmlns="eregs">\n  one <b k="v">two</b> &amp; three\n</r>'))
    bold = root.child("b")
    assert (root.name, bold.attributes, bold.line, bold.column) == ("r", {"k": "v"}, 2, 7)
    assert root.text.split() == ["one", "two", "&", "three"]
    assert root.child("b", "missing") is None


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("<r>\n<a>\n</r>", "3:3", "mismatched tag"),
        ("<r>\n  <a", "2:3", "unclosed token"),
        ("", "1:1", "no element found"),
        ('<!DOCTYPE r [\n<!ENTITY x "y">]><r>&x;</r>', "1:", "expected no DOCTYPE, found one of 'r'"),
        ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>', "1:", "no DOCTYPE"),
        ('<r>\n</r><!DOCTYPE r SYSTEM "http://localhost/x.dtd">', "2:", "junk after document element"),
        ("<r>\n&x;</r>", "2:1", "undefined entity"),
        ("<a>" * 500 + "</a>" * 500, "1:", "at most 100 nested elements"),
    ],
)
def test_bad_xml_names_line_and_column(xml, text, place, found) -> None:
    path = xml(text)
    with pytest.raises(InputError) as caught:
        read_elements(path)
    assert str(caught.value).startswith(f"{path}:{place}")
    assert found in str(caught.value)
