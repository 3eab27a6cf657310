import pytest

NAMES = {"L": ["항만안전법"], "E": ["항만안전법 시행령"]}
LAW = [
    "제3조",
    "제3조.제1항",
    "제3조.제2항",
    "제5조",
    "제6조",
    "제7조",
    "제9조의2",
    "별표 1",
    "별지 제3호서식",
]


@pytest.fixture
def cited(reading):
    def read(text, document="L", section="제8조"):
        rows = [
            (document, section, text),
            *(("L", law, "") for law in LAW if (document, section) != ("L", law)),
        ]
        read = reading("korean", [*rows, ("E", "제5조", "")], NAMES)
        return read.edges.filter(read.edges["type"].is_in(["REFERENCES", "REQUIRES_FORM"]))[
            "target_id"
        ].to_list()

    return read


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("제5조에 따른다.", ["L:제5조"]),
        ("제5조부터 제7조까지를 준용한다.", ["L:제5조", "L:제6조", "L:제7조"]),
        ("제5조 및 제9조의2", ["L:제5조", "L:제9조의2"]),
        ("제3조제1항제2호 및 제2항", ["L:제3조.제1항", "L:제3조.제2항"]),
        ("제3조제4항", ["L:제3조"]),
        ("이 법 제6조", ["L:제6조"]),
        ("별표 1에 따라 별지 제3호서식으로 낸다.", ["L:별표 1", "L:별지 제3호서식"]),
        ("제5조ㆍ제6조", ["L:제5조", "L:제6조"]),
        ("제3조제1항에도 불구하고 같은 조 제2항", ["L:제3조.제1항", "L:제3조.제2항"]),
        ("「없는법」 제5조", []),
        ("주택법 제5조", []),
        ("소방법 제5조", []),
        ("측정방법 제5조", ["L:제5조"]),
        ("부칙 제5조", []),
        ("제99조", []),
    ],
)
def test_references_within_a_law(cited, text, targets) -> None:
    assert cited(text) == targets


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("「항만안전법」 제5조 및 같은 법 제6조", ["L:제5조", "L:제6조"]),
        ('「항만안전법」(이하 "법"이라 한다)의 시행. 법 제3조제1항', ["L:제3조.제1항"]),
        ("항만안전법 시행령 제5조", ["E:제5조"]),
        ("「항만안전법」 제3조제1항에도 불구하고 같은 조 제2항", ["L:제3조.제1항", "L:제3조.제2항"]),
        ("이 방법 제5조", ["E:제5조"]),
        ("법 제5조", []),  # nothing says which law
    ],
)
def test_references_to_another_law(cited, text, targets) -> None:
    assert cited(text, "E", "제1조") == targets


def test_paragraph_alone_is_one_of_the_own_article(cited) -> None:
    assert cited("제1항에 따른 신고", "L", "제3조.제2항") == ["L:제3조.제1항"]


def test_decree_specifies_what_the_law_leaves_to_it(reading) -> None:
    rows = [("L", "제3조", "대통령령으로 정하는 바에 따라 신고한다."),
            ("E", "제2조", "「항만안전법」 제3조의 신고는 서면으로 한다.")]  # fmt: skip
    read = reading("korean", rows, NAMES, {"L": 1, "E": 2})
    assert set(read.edges.select("source_id", "target_id", "type").rows()) == {
        ("E:제2조", "L:제3조", "REFERENCES"),
        ("E:제2조", "L:제3조", "SPECIFIES"),
        ("L:제3조", "E:제2조", "DELEGATES_TO"),
    }


def test_name_may_have_brackets_within(reading) -> None:
    names = {"S": ["항만공사 표준시방서(2022년)"], "T": ["항만공사 표준시방서"], "Q": ["질의"]}
    rows = [
        ("Q", "1", "「항만공사 표준시방서(2022년)」 2.2.3에 따른다."),
        ("S", "2.2.3", ""),
        ("T", "2.2.3", ""),
    ]
    assert reading("korean", rows, names).edges["target_id"].to_list() == ["S:2.2.3"]


@pytest.mark.parametrize("dot", ["ㆍ", "·"])
def test_either_dot_separates_the_words_of_a_title(reading, dot) -> None:
    names = {"L": ["항만시설 설치ㆍ유지에 관한 법률"], "Q": ["질의"]}
    rows = [("Q", "1", f"「항만시설 설치{dot}유지에 관한 법률」 제5조에 따라"), ("L", "제5조", "")]
    assert reading("korean", rows, names).edges["target_id"].to_list() == ["L:제5조"]


def test_words_in_brackets_are_not_the_law_named_last(reading) -> None:
    names = {"L": ["항만안전법"], "D": ["방충재"], "Q": ["질의"]}
    text = "「항만안전법」 제3조(방충재 기준 이상의 것을 설치), 같은 법 제5조"
    rows = [("Q", "1", text), *(("L", each, "") for each in ("제3조", "제5조")), ("D", "제5조", "")]
    assert reading("korean", rows, names).edges["target_id"].to_list() == ["L:제3조", "L:제5조"]


def test_date_in_brackets_is_no_section(reading) -> None:
    names = {"L": ["항만지침"], "Q": ["질의"]}
    rows = [("Q", "1", "「항만지침 알림(19.6.26.)」을 따른다."), ("Q", "19.6.26", ""), ("L", "19.6.26", "")]
    assert reading("korean", rows, names).edges["target_id"].to_list() == []


def test_short_name_may_be_defined_between_a_law_and_its_article(reading) -> None:
    decree = "「항만안전법」(이하 “법”이라 한다) 제3조에서 “대통령령으로 정하는 배”란 예인선을 말한다."
    rows = [
        ("L", "제3조", "대통령령으로 정하는 배는 신고한다."),
        ("E", "제3조", "신고는 서면으로 한다."),
        ("E", "제2조", decree),
        ("E", "제4조", "「없는법」(이하 “없는법”이라 한다) 제3조에 따른다."),
    ]
    read = reading("korean", rows, NAMES, {"L": 1, "E": 2})
    assert set(read.edges.select("source_id", "target_id", "type").rows()) == {
        ("E:제2조", "L:제3조", "REFERENCES"),
        ("E:제2조", "L:제3조", "SPECIFIES"),
        ("L:제3조", "E:제2조", "DELEGATES_TO"),
    }


AMENDED = {**NAMES, "A": ["항만안전법 일부개정법률"]}
LEAD = "항만안전법 일부를 다음과 같이 개정한다."


@pytest.fixture
def amended(reading):
    """Return which sections of the law the rows of an amending law change."""

    def read(*texts, section=""):
        rows = [*(("L", law, "") for law in LAW), *(("A", section, text) for text in texts)]
        edges = reading("korean", rows, AMENDED).edges.filter(type="SUPERSEDES")
        return [target.removeprefix("L:") for target in edges["target_id"]]

    return read


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("제5조제1항 본문 중 “12시간”을 “10시간”으로 한다.", ["제5조"]),
        ("제5조 각 호 외의 부분 단서 중 “12시간”을 “10시간”으로 한다.", ["제5조"]),
        ("제5조의 제목 “(휴식)”을 “(휴식시간)”으로 한다.", ["제5조"]),
        ("제5조를 삭제하고, 제6조 및 제7조를 각각 다음과 같이 한다.", ["제5조", "제6조", "제7조"]),
        ("제5조제3항 단서를 삭제한다.", ["제5조"]),
        ("제5조에 제2항 및 제3항을 각각 다음과 같이 신설한다.", ["제5조"]),
        ("제5조제2항을 제3항으로 하고, 같은 조에 제2항을 다음과 같이 신설한다.", ["제5조"]),
        ("별표 1을 별지와 같이 한다.", ["별표 1"]),
        ("제5조에 따른 제3종 시설을 신설한다.", []),
        ("제5조의 사항을 적는다.", []),
    ],
)
def test_law_that_a_lead_in_names_is_amended(amended, text, targets) -> None:
    assert amended(LEAD, text) == targets
    assert amended(f"{LEAD}\n{text}") == targets


def test_addenda_amend_other_laws(amended) -> None:
    text = "제3조(다른 법률의 개정) ① 「없는법」 일부를 다음과 같이 개정한다.\n제5조를 삭제한다."
    assert amended(text, section="부칙 제3조") == []
    other = f"{text}\n② {LEAD}\n제6조 중 “3일”을 “5일”로 한다."
    assert amended(other, section="부칙 제3조") == ["제6조"]


def test_amended_article_that_addenda_cite_is_one_of_the_amended_law(reading) -> None:
    saved = "이 법 시행 전에 한 신고에는 제5조의 개정규정에도 불구하고 종전의 규정에 따른다."
    rows = [("L", "제5조", ""), ("A", "", LEAD), ("A", "부칙 제2조", saved)]
    edges = reading("korean", rows, AMENDED).edges.select("source_id", "target_id", "type")
    assert edges.rows() == [("A:부칙 제2조", "L:제5조", "REFERENCES")]


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("제2조(다른 법률의 폐지) 항만안전법은 폐지한다.", True),
        ("제2조(다른 법률의 폐지) ① 종전의 「항만안전법」(법률 제123호)은 이를 폐지한다.", True),
        ("시설은 항만안전법을 폐지한다고 해도 남는다.", False),
        ("항만안전법 시행령은 폐지한다.", False),
    ],
)
def test_law_that_is_repealed_has_no_rule_in_force(reading, text, ended) -> None:
    rows = [("L", "제5조", ""), ("L", "제6조", ""), ("A", "부칙 제2조", text)]
    edges = reading("korean", rows, AMENDED).edges.filter(type="SUPERSEDES")
    assert edges["target_id"].to_list() == (["L:제5조", "L:제6조"] if ended else [])
