"""The grammar of a jurisdiction: what its citations look like, as data.

A grammar is a YAML file. The grammars of this package are chosen by name, others by path, so a new
jurisdiction needs a new file and no code.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rulerank.errors import nearest
from rulerank.graph.citations.defining import Defining
from rulerank.graph.citations.regular import (
    Kind,
    Kinds,
    Name,
    Names,
    OptionalPattern,
    Part,
    Pattern,
    Patterns,
    Shorts,
)
from rulerank.graph.citations.relating import Citing, Excepting, Relation, Revocations, Shared


class Division(Part):
    """A kind of section, described by the words used to cite it."""

    words: Patterns = ()
    """The words as written before a number, singular and plural; case makes no difference."""
    number: Pattern | None = None
    """Shape of its numbers, if it differs from the grammar's own."""
    also: Pattern | None = None
    """Another shape of its numbers, beside that one: "Part III"."""
    label: Pattern | None = None
    """Shape of a component of section ids that is such a division: `part3`. Without a label, its numbers are
    plain section numbers."""
    plain: bool = False
    """Whether its number is a plain section number in a document where nothing carries the label."""
    elided: Literal["always", "lettered", "never"] = "always"
    """When a citation of its contents may leave it out. "lettered": when the number carries its letter."""
    restarts: bool = False
    """Whether numbering restarts in it, so that "of Schedule 1" says where to look."""
    outside: tuple[str, ...] = ()
    """Divisions that do not contain it: a statute has sections in its body, paragraphs in its schedules."""
    inner: bool = False
    """Whether a plain number may be that of a part of a section: "Article 2, paragraph 3"."""
    units: Pattern | None = None
    """Shape of section ids that no other word cites: the paragraph `58)` is not section 58."""
    cites: str = ""
    """The division whose numbers also follow its words: "Model Form A-3" is a section of Appendix A."""
    edge: Citing = "REFERENCES"


class Sections(Part):
    """How section ids, and numbers as cited, split into components."""

    component: Pattern | None = None
    """One component of an id in lower case. Without it, ids are split at dots and brackets."""
    spelling: dict[str, str] = Field(default_factory=dict)
    """What is replaced in a component, and by what, because a section may be written in several ways."""
    sub: Pattern = r"\(.*"
    """Components that roll up to the one above if they are not indexed."""
    levels: Patterns = ()
    """Shapes of these by depth, the outermost first: (a), (1), (i), (A). With them, the shape of such a
    number gives its depth. Without them, it replaces the last number of the same shape."""


class NumberLists(Part):
    """Several numbers after one word."""

    joiners: Patterns
    ranges: Patterns
    range_end: OptionalPattern = ""
    """What may close a range after its last number."""
    measures: Patterns = ()
    """What follows a number that does not belong to the list: "4.4, 30 days"."""
    continuation_joiners: Patterns = ()
    """What may come before a continuation, on one line. If empty, whatever joins numbers."""
    continuation: Pattern | None = None
    """A number that replaces the end of the one before: "Rule 2.1(1) and (3)"."""


class Free(Part):
    """Numbers that cite without a word or a name before them."""

    before: OptionalPattern = ""
    """What comes before: "subject to"."""
    preceded: OptionalPattern = ""
    """What must come right before without being part of the citation: a lookbehind."""
    number: Pattern | None = None
    """Their shape, if it differs from the grammar's own."""


class Naming(Part):
    """How documents are named."""

    code: Pattern | None = None
    """Shape of short codes, which may come right before a number."""
    number: Pattern | None = None
    """Shape of the numbers after a code, if it differs from the grammar's own."""
    quoted: Name | None = None
    """A name that the text itself marks as such, the group `name`: 「건축법」."""
    under: tuple[str, ...] = ()
    """Words after a name that make it name another document, issued under the first: "같은 법 시행령"."""
    suffixes: tuple[str, ...] = ()
    """Words that may follow a code: "COBS Rulebook"."""
    skipped: tuple[str, ...] = ()
    """Words of a title that may be missing or differ: "Guidance on Logs" is "Guidance - Logs"."""
    small: tuple[str, ...] = ()
    """Words of a shortened title that need not occur in the full one."""
    title: Pattern | None = None
    """Shape of a title in a text; it names the document that has all its words and begins with the first."""
    makers: OptionalPattern = ""
    """Who made a document, after its name: "of the European Parliament and of the Council"."""
    longer: Pattern | None = None
    """What shows, after a name, that it is only the beginning of another: "12 CFR part 1003"."""
    derived: Names = ()
    """Further names: what the group `name` matches in a document's name."""
    closing: OptionalPattern = r"[\"”’'」』)\]]*,?\s*"
    """What may come between a name and the citation after it."""
    defined_after: Shorts = ()
    """After a known name, a definition of a shorter one, the group `short`."""
    defined_before: Shorts = ()
    """The same before a known name."""
    amending: Kind | None = None
    """How the title of a document ends that amends another, with the group `kind`: what is before that and
    the kind are the title of the other, which it calls the principal `kind`."""
    conventions: Kinds = ()
    """A statement before a known name that a division (the group `kind`) always means that document's."""


class Pointing(Part):
    """What says in which document a number is counted."""

    of: OptionalPattern
    """Between a number and the division or the document it belongs to."""
    article: OptionalPattern = ""
    """What may come between other words and a citation: "the "."""
    this: Patterns = ()
    """Before a division: the citing passage's own division, so not a citation."""
    own: Patterns = ()
    """The citing document."""
    same: Patterns = ()
    """The document named last."""
    in_that: Kind | None = None
    """After a citation: the division (the group `kind`) of an earlier one: "of that Schedule"."""
    inside: Pattern | None = None
    """Between a division in which numbering restarts and a number in it: "Schedule 2, paragraph 3"."""
    amended: Pattern | None = None
    """After a number that is counted in the amended document: "제3조의 개정규정"."""
    hanging: Pattern | None = None
    """After a number whose document follows the next one: "section 13 of, and Schedule 1 to, the Act"."""
    same_section: Pattern | None = None
    """Before a number that continues a section: that of the citation before ("같은 조 제2항")."""
    outer: bool = False
    """Whether "Form A-3 in Appendix A" also cites the appendix."""
    foreign: Pattern | None = None
    """After a citation: a document outside the corpus, if no known name follows."""
    foreign_before: Pattern | None = None
    """The same before a citation."""


class Variant(Part):
    """When a grammar fits a corpus better than that of its language."""

    of: str
    """The grammar of the language."""
    marks: Pattern
    """What a fair share of the texts of such a corpus has: "§ 1005.2"."""


class Grammar(Part):
    """How one jurisdiction cites."""

    name: str
    description: str
    variant: Variant | None = None
    number: Pattern
    divisions: dict[str, Division] = Field(min_length=1)
    sections: Sections = Sections()
    lists: NumberLists
    free: tuple[Free, ...] = ()
    relative: bool = False
    """Whether a continuation by itself cites within the section that contains it."""
    names: Naming = Naming()
    pointing: Pointing
    terms: Defining = Defining()
    relations: tuple[Relation, ...] = ()
    shared: Shared = Shared()
    heading: OptionalPattern = ""
    """What a provision may have before its words: "제3조(다른 법률의 개정) ①"."""
    announcing: Patterns = ()
    """After a document or a section: it is amended by what follows, "are amended as follows"."""
    throughout: Name | None = None
    """What replaces words, the group `name`, wherever the document has them that is amended."""
    annexing: OptionalPattern = ""
    """The same before the schedule that says how: "are amended in accordance with the Schedule"."""
    revocations: Revocations = Revocations()
    excepting: Excepting = Excepting()
    delegations: Patterns = ()
    """Words that leave a matter to subordinate rules without saying which."""
    narrative_tiers: tuple[Annotated[int, Field(ge=1, le=5)], ...] = ()
    """Tiers whose documents make no rules. What they say about their own places ("see paragraph 3 above")
    guides the reader and cites no provision, so it is MENTIONS, not REFERENCES."""

    @model_validator(mode="after")
    def _cites(self) -> Self:
        if not (self.free or self.names.code or any(each.words for each in self.divisions.values())):
            raise ValueError("divisions: expected words of one, names.code or free, found no way to cite")
        return self

    @model_validator(mode="after")
    def _knows_divisions(self) -> Self:
        for name, division in self.divisions.items():
            for key, outer in [*(("outside", each) for each in division.outside), ("cites", division.cites)]:
                if outer and outer not in self.divisions:
                    raise ValueError(
                        f"divisions.{name}.{key}: expected names of divisions, found {outer!r}; the "
                        f"nearest is {nearest(outer, self.divisions)!r}"
                    )
        return self
