from rulerank.graph.citations import load_grammar
from rulerank.graph.citations.written import Laws, listed_citations, written_citations

GRAMMAR = load_grammar("korean")
TEXTS = [
    "「항만안전법」 제5조제1항 및 같은 법 시행령 제7조에 따라",
    "「계류설비의 기술기준(NFTC 901)」2.5.9.3에 적합하게 하고, NFTC 901 2.1은 폭 1.2 m에 적용한다.",
    "「항만안전법 시행령」 [별표 4]와 「어촌법」에 따른다.",
    "제5조에 따른다.",
]


def test_texts_cite_by_name_and_number() -> None:
    assert written_citations(TEXTS, Laws(GRAMMAR, TEXTS), GRAMMAR) == [
        [("항만안전법", "5조"), ("항만안전법시행령", "7조")],
        [("NFTC901", "2.5.9.3"), ("NFTC901", "2.1")],
        [("항만안전법시행령", "별표4"), ("어촌법", "")],
        [],
    ]


def test_lists_name_the_same() -> None:
    laws = Laws(GRAMMAR, TEXTS)
    listed = [
        "「항만안전법」제5조",
        "같은 법 시행령 제7조",
        "NFTC 901 2.5.9.3",
        "「계류설비의 기술기준」",
        "「어촌법」에 따라 폭 1.2",
    ]
    assert listed_citations(listed, laws, GRAMMAR) == [
        ("항만안전법", "5조"),
        ("항만안전법시행령", "7조"),
        ("NFTC901", "2.5.9.3"),
        ("NFTC901", ""),
        ("어촌법", ""),
    ]
