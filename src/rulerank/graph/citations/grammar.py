"""The grammar of a jurisdiction: what its citations look like, as data.

A grammar is a YAML file. Those of this package are chosen by name, others by path, so that a new
jurisdiction needs a new file and no code.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rulerank.errors import nearest
from rulerank.graph.citations.regular import (
    Kinds,
    Name,
    Names,
    OptionalPattern,
    Pattern,
    Patterns,
    Shorts,
    Terms,
)

Citing = Literal["REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM", "SUPERSEDES"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Division(_Part):
    """A kind of section, by the words it is cited with."""

    words: Patterns = ()
    """As they are written before a number, singular and plural; case makes no difference."""
    number: Pattern | None = None
    """Shape of its numbers where it is not the grammar's own."""
    label: Pattern | None = None
    """Shape of a component of section ids that is such a division: `part3`. Without one, its numbers are
    plain section numbers."""
    plain: bool = False
    """Whether its number is a plain section number in a document where nothing carries the label."""
    elided: Literal["always", "lettered", "never"] = "always"
    """When a citation of what lies in it may leave it out; lettered: when the number has its letter."""
    restarts: bool = False
    """Whether numbers start anew in it, so that "of Schedule 1" says where to look."""
    outside: tuple[str, ...] = ()
    """Divisions that have none of it: a statute has sections in its body, paragraphs in its schedules."""
    units: Pattern | None = None
    """Shape of section ids that no other word cites: the paragraph `58)` is no section 58."""
    cites: str = ""
    """The division whose numbers its words stand before too: "Model Form A-3" is a section of Appendix A."""
    edge: Citing = "REFERENCES"


class Sections(_Part):
    """How section ids, and numbers as they are cited, fall into components."""

    component: Pattern | None = None
    """One component of an id in lower case; none splits at dots and brackets."""
    spelling: dict[str, str] = {}
    """What is replaced in a component, by what: the same section may be written in several ways."""
    sub: Pattern = r"\(.*"
    """Components that roll up to the one above where they are not indexed."""
    levels: Patterns = ()
    """Shapes of these by depth, the outermost first: (a), (1), (i), (A). With them such a number stands as
    deep as its shape says; without, it takes the place of the last of its shape."""


class Lists(_Part):
    """Several numbers after one word."""

    joiners: Patterns
    ranges: Patterns
    range_end: OptionalPattern = ""
    """What may close a range, after its last number."""
    measures: Patterns = ()
    """What follows a number that is none of the list: "4.4, 30 days"."""
    continuation_joiners: Patterns = ()
    """What may come before a continuation, on one line; none: whatever joins numbers."""
    continuation: Pattern | None = None
    """A number that takes the place of the end of the one before: "Rule 2.1(1) and (3)"."""


class Free(_Part):
    """Numbers that cite without a word or a name before them."""

    before: OptionalPattern = ""
    """What comes before: "subject to"."""
    preceded: OptionalPattern = ""
    """What must come right before, and is no part of the citation: a lookbehind."""
    number: Pattern | None = None
    """Their shape where it is not the grammar's own."""


class Naming(_Part):
    """What documents are called."""

    code: Pattern | None = None
    """Shape of short codes, which may come right before a number."""
    number: Pattern | None = None
    """Shape of the numbers after a code where it is not the grammar's own."""
    quoted: Name | None = None
    """A name that the text itself marks as one, the group `name`: 「건축법」."""
    under: tuple[str, ...] = ()
    """Words after a name that name another document, made under the first: "같은 법 시행령"."""
    suffixes: tuple[str, ...] = ()
    """Words that may follow a code: "COBS Rulebook"."""
    skipped: tuple[str, ...] = ()
    """Words of a title that may be missing or others: "Guidance on Logs" is "Guidance - Logs"."""
    small: tuple[str, ...] = ()
    """Words of a shortened title that need not occur in the full one."""
    title: Pattern | None = None
    """Shape of a title in the text. One whose words all occur in the title of a single document, the first
    word first, names that document: "Guidance on Mining"."""
    longer: Pattern | None = None
    """After a name: it is the beginning of another one, "12 CFR part 1003"."""
    derived: Names = ()
    """Further names: what the group `name` is in a document's name."""
    closing: OptionalPattern = r"[\"”’'」』)\]]*,?\s*"
    """What may come between a name and the citation after it."""
    defined_after: Shorts = ()
    """After a known name, a definition of a shorter one, the group `short`."""
    defined_before: Shorts = ()
    """Before a known name, the same."""
    conventions: Kinds = ()
    """Before a known name, a statement that a division (the group `kind`) is always one of that document."""


class Pointing(_Part):
    """What says which document a number is counted in."""

    of: OptionalPattern
    """Between a number and the division or the document it belongs to."""
    article: OptionalPattern = ""
    """What may stand between other words and a citation: "the "."""
    this: Patterns = ()
    """Before a division: the citing passage's own, no citation."""
    own: Patterns = ()
    """The citing document."""
    same: Patterns = ()
    """The document named last."""
    outer: bool = False
    """Whether "Form A-3 in Appendix A" cites the appendix too."""
    foreign: Pattern | None = None
    """After a citation: a document outside the corpus, where no known name follows."""
    foreign_before: Pattern | None = None
    """The same before one."""


class Relation(_Part):
    """Words around a citation that say more than that it is cited."""

    type: Citing
    before: Patterns = ()
    followed: OptionalPattern = ""
    """What must follow the words `before`, from the citation on."""
    after: Patterns = ()
    reverse: bool = False
    """Whether the cited section is the edge's source: "is repealed by Rule 2"."""

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        if not self.before and not self.after:
            raise ValueError("expected words before or after a citation, found neither")
        return self


class Defining(_Part):
    """How terms are defined, and how they are written where they are used."""

    verbs: OptionalPattern = ""
    """Between a term and what it means; none: no definition is read by them."""
    joiner: OptionalPattern = ""
    """Between two quoted terms that are defined at once."""
    unquoted: OptionalPattern = ""
    """Shape of a term without quotation marks, at the beginning of a line."""
    lead: OptionalPattern = ""
    """What may come before such a term."""
    bracketed: OptionalPattern = ""
    """What may come before a quoted term in brackets: (the "Scheme Report")."""
    other: Terms = ()
    """Further definitions, the term being the group `term`."""
    table: OptionalPattern = ""
    """The heading of a table of terms and meanings, a tab between."""
    table_end: OptionalPattern = ""
    """What such a table ends with, besides the end of the passage."""
    never: tuple[str, ...] = ()
    """First words, in lower case, of what is none: "this means"."""
    capitals: bool = True
    """Whether a term is used only where its capitals are. If not, its own documents use it."""
    endings: dict[str, str] = {}
    """Endings of a word, and what stands in their place in its basic form; the first that fits."""
    kept_endings: tuple[str, ...] = ()
    """Endings that are none of these."""
    shortest: int = 1
    """Characters of the shortest word that loses an ending."""


class Grammar(_Part):
    """How one jurisdiction cites."""

    name: str
    description: str
    number: Pattern
    divisions: dict[str, Division] = Field(min_length=1)
    sections: Sections = Sections()
    lists: Lists
    free: tuple[Free, ...] = ()
    relative: bool = False
    """Whether a continuation alone cites within the section that contains it."""
    names: Naming = Naming()
    pointing: Pointing
    terms: Defining = Defining()
    relations: tuple[Relation, ...] = ()
    delegations: Patterns = ()
    """Words that leave a matter to subordinate rules without saying which."""
    narrative_tiers: tuple[Annotated[int, Field(ge=1, le=5)], ...] = ()
    """Tiers whose documents make no rules: what they say of their own places ("see paragraph 3 above") leads
    the reader and cites no provision, so that it is MENTIONS, not REFERENCES."""

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
