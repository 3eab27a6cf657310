from __future__ import annotations

import pytest

from rulerank.answer.verification.force import disagreement

REPORT = "소방시설업자는 착공하기 7일 전까지 소방서장에게 신고하여야 한다."
CLOSE = "관계인은 소방시설을 폐쇄하거나 차단하여서는 아니 된다."
EXTEND = "소방청장은 3개월의 범위에서 그 기간을 연장할 수 있다."
APPLY = "이 법은 국가가 소유하는 건축물에는 적용하지 아니한다."


@pytest.mark.parametrize(
    ("claim", "support", "because"),
    [
        ("소방시설업자는 소방서장에게 신고해야 한다.", REPORT, None),
        (
            "소방시설업자는 소방서장에게 신고할 수 있다.",
            REPORT,
            "modality: the claim states permission, what",
        ),
        ("소방시설업자는 신고하여서는 아니 된다.", REPORT, "modality: the claim states prohibition"),
        ("소방시설업자는 소방서장에게 신고한다.", REPORT, "modality: the claim states no duty"),
        ("소방시설업자는 신고하지 아니하여야 한다.", REPORT, "negation: added"),
        ("관계인은 소방시설을 차단해서는 안 된다.", CLOSE, None),
        ("관계인은 소방시설을 차단할 수 없다.", CLOSE, None),
        ("관계인은 소방시설을 차단할 수 있다.", CLOSE, "modality: the claim states permission"),
        ("소방청장은 기간을 연장할 수 있다.", EXTEND, None),
        ("소방청장은 기간을 연장할 수 있다.", f"{REPORT} {EXTEND}", None),
        (
            "소방청장은 기간을 연장하여야 한다.",
            EXTEND,
            "modality: the claim states obligation, what it cites",
        ),
        ("국가가 소유하는 건축물에는 이 법을 적용하지 않는다.", APPLY, None),
        ("이 법은 국가가 소유하는 건축물에 적용한다.", APPLY, "negation: lost"),
        ("이 법은 건축물에 적용한다.", f"이 법은 건축물에 적용한다. {APPLY}", None),
    ],
)
def test_korean_duties_and_denials_are_those_of_the_support(
    claim: str, support: str, because: str | None
) -> None:
    found = disagreement(claim, support)
    assert found is None if because is None else (found or "").startswith(because)
