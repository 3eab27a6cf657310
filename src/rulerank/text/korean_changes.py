"""How Korean regulations word what changes another rule: 제3조 중 “12시간”을 “6시간”으로 한다."""

from __future__ import annotations

import re

from rulerank.text.language import ChangeWords

_DONE = r"(?:한다|된다|하고|하며|되고|되며|하였다|되었다)"
_SUBSTITUTION = re.compile(
    r"[“\"](?P<old>[^“”\"]{1,300})[”\"] ?(?:을|를)(?! 삭제)(?: [^“”\".]{1,60})?"
    r" [“\"](?P<new>[^“”\"]{1,300})[”\"] ?(?:으로|로)"
    r"(?=,| (?:한다|하고|하며|각각|개정|변경|대체|갈음|바꾸|바꾼|고치|고친|보고|보며|본다))"
)
_REPEAL = re.compile(rf"(?:폐지|삭제){_DONE}|효력을 (?:잃는다|상실한다)")
_CHANGE_EXCEPTION = re.compile(
    r"그대로 적용한다|종전(?:의)? [^.]{0,60}(?:따른다|의한다|적용한다)"
    r"|경우에는? [^.]{0,80}(?:효력이 없다|적용하지 (?:아니|않))|(?:은|는) [^.]{0,80}경우에는? 효력이 없다"
)
_CHANGING = re.compile(r"개정|폐지|삭제|신설|추가|변경|대체|갈음|바꾸|바꾼|고치|고친|효력|\0(?:으로|로)")
_NEW_RULE = re.compile(
    r"다음과 같이 (?:한다|(?:개정|변경|신설)한다|바꾼다|고친다)|다음으로 (?:대체|갈음)한다"
)
_LIMIT = re.compile(
    r"경우|한하여|한정하여|[에의] 관하여는|[에의] 대하여는|제외하고|범위에서|신설|추가"
    r"|(?:본문|단서|전단|후단|첫 문장)|\0(?:을|를) 삭제"
)

KOREAN_CHANGES = ChangeWords(
    substitutions=(_SUBSTITUTION,),
    new_alone=None,
    repeal=_REPEAL,
    suspension=re.compile(r"정지|적용하지 (?:아니|않)|까지"),
    reviving=re.compile(r"부활|효력을 회복"),
    ended=re.compile(r"폐지|삭제|효력"),
    change_exception=_CHANGE_EXCEPTION,
    changing=_CHANGING,
    new_rule=_NEW_RULE,
    aside=re.compile(r"(?<=[조항호\d])\([^()]{1,200}\)"),
    limit=_LIMIT,
    announcing=None,
    one_place=re.compile(r"(?:첫|두|세|네) ?번째|처음|마지막"),
    rider=None,
    saving=None,
    limiting=None,
    former=None,
)
