"""The anchor of a Korean question by fixed patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator

_NUMBER = r"\d[\d,.]*(?:\s?[십백천만억]+)?"
_BOUND = r"(?:\s?(?:이상|이하|이내|미만|초과|이전|이후|간|마다|동안|까지|전|후))*"
TEMPORAL = re.compile(
    rf"(?<![제\d]){_NUMBER}\s?(?:년|개월|월|주일|주|일|시간|분|초)(?![가-힣]*[법률조])(?:\s?{_NUMBER}\s?(?:월|일|분))*{_BOUND}"
    r"|매(?:년|월|주|일|분기)|연\s?\d+\s?회(?:\s?이상)?"
)
MAGNITUDE = re.compile(
    rf"(?<![제\d]){_NUMBER}\s?(?:%|퍼센트|[ck]?m[23]?|mm|제곱미터|세제곱미터|미터|밀리미터|층|명|인|원|개소|개"
    rf"|대|세대|톤|kg|킬로그램|리터|[lL]|MPa|볼트|kW|배|도|°C|분의\s?\d+){_BOUND}"
)
_CASE = (
    r"(?:[한된인할될는은을던]\s(?:경우|때|상황)(?:에는|에도|에서|에|는|의)?"
    r"|(?:하|되|이라|있다|없다|한다|된다|이)면)"
)
SITUATIONAL = re.compile(rf"(?:[^\s,.?]+[\s,]\s?){{0,8}}?[^\s,.?]*{_CASE}(?=[\s,.?]|$)")
DOMAIN = re.compile(
    r"「(?P<quoted>[^「」\n]{2,60})」|(?P<plain>[가-힣]{2,20}(?:법|령|규칙|기준|고시|조례))(?=\s?제\d|\s(?:시행|제\d))"
)
CITATION = re.compile(
    r"(?:「[^」\n]{1,60}」\s?)?제\s?\d+(?:조|항|호|장|절|관)(?:의\s?\d+)?|\[?별[표지]\s?제?\d*(?:호?서식)?\]?"
)
_ROLE = (
    r"(?:관리자|보조자|책임자|사업자|업자|소유자|점유자|설계자|시공자|감리자|감리원|기술자|점검자|신청인|관계인|대표자"
    r"|담당자|근로자|입주자|설치자|시행자|수급인|도급인|건축주|법인|업체|회사|기관|직원|대원|서장|본부장)"
)
ACTOR = re.compile(
    rf"(?P<actor>[가-힣]{{0,12}}{_ROLE})(?=(?:들)?(?:은|는|이|가|에게|께서|도|의|을|를)?(?:[\s,.?()]|$))"
)

_PARTICLE = re.compile(
    r"(?<=[가-힣A-Za-z0-9)]{2})(?:에서는|에서도|으로서|으로써|으로|에는|에도|에서|에게|까지|부터|이나|이라|처럼|만을"
    r"|은|는|이|가|을|를|에|로|와|과|도|만|나)$"
)
_OF = re.compile(r"(?<=[가-힣]{2})의$")
# A conjugated word states or asks; it does not name.
_VERB = re.compile(
    r"(?:나요|까요|니까|는지요?|은지요?|인지요?|ㄴ지|지요|[다고며면여서어]|하는|되는|있는|없는|[한된할될]|하기|위한|따른|대한|관한"
    r"|해|해야|하게|되게|않는|같은|합니다|습니다|세요|시오|바랍니다|궁금|맞는|알|수|것이?|것을|것은)$"
)
_EMPTY = frozenset(
    """
    가 감사 같이 것 경우 과 관련 관련하여 그 그것 그리고 는 다른 답변 대하여 대해
    대해서 등 등을 등이 따라 따라서 따로 때 또는 를 로 만약 모두 무엇 문의 및
    방법 부탁 사항 수 아니면 알 어느 어디 어떤 어떻게 언제 에
    여부 와 왜 위하여 위해 으로 은 을 의 의미 이 이것 이유
    있을 없을 저 적용 주시기 중 질문 질의 통해 포함 필요 가능 해당 현재 혹은
    """.split()  # noqa: SIM905
)


def topics(text: str) -> list[str]:
    """Return the runs of words that name something: those of two words or more, or else the first one.

    A run ends at a particle, except the possessive one, and at a conjugated word.
    """
    found = list(_runs(text))
    longer = [run for run in found if " " in run]
    return longer or found[:1]


def _runs(text: str) -> Iterator[str]:
    for piece in re.split(r"[^\w\s·ㆍ]+", text):
        run: list[str] = []
        for word in [*piece.split(), ""]:
            stem = _PARTICLE.sub("", word)
            names = bool(stem) and stem not in _EMPTY and word not in _EMPTY and not _VERB.search(word)
            if names:
                run.append(stem)
            if run and (not names or stem != word):
                yield _OF.sub("", " ".join(run))
                run = []
