"""A small regulation in RegML: ferries, in two versions, with interpretations."""

from collections.abc import Callable
from pathlib import Path

import pytest

_FILE = """<?xml version='1.0' encoding='UTF-8'?>
<regulation xmlns="eregs">
  <fdsys><date>{published}</date><title>FERRY SERVICES</title></fdsys>
  <preamble>
    <regLetter>Q</regLetter>
    <cfr><title>12</title><section>{part}</section></cfr>
    <effectiveDate>{effective}</effectiveDate>
  </preamble>
  <part label="{part}"><content>{content}</content></part>
</regulation>
"""

CONTENT = """
<subpart subpartLetter="A" label="2001-Subpart-A"><title>General</title><content>
  <section label="2001-2" sectionNum="2"><subject>§ 2001.2 Tickets.</subject>
    <paragraph label="2001-2-p1" marker=""><content>These rules are about tickets.</content></paragraph>
    <paragraph label="2001-2-a" marker="(a)"><title type="keyterm">Refunds.</title><content/>
      <paragraph label="2001-2-a-1" marker="(1)"><content>An operator must refund a
        <ref target="2001-2-b" reftype="term">ticket</ref> under paragraph
        <ref target="2001-2-b" reftype="internal">(b)</ref> of this section.</content></paragraph>
    </paragraph>
    <paragraph label="2001-2-b" marker="(b)"><title>Ticket.</title><content>“<def term="ticket">Ticket</def>”
      means a right to travel. See § <ref target="2001-2-a" reftype="internal">2001.2(a)</ref>, § <ref
      target="2001-2-b" reftype="internal">2001.2(b)</ref> and § <ref target="2001-99" reftype="internal"
      >2001.99</ref>.</content></paragraph>
  </section>
</content></subpart>
<appendix appendixLetter="A" label="2001-A"><appendixTitle>Appendix A to Part 2001—Forms</appendixTitle>
  <appendixSection appendixSecNum="1" label="2001-A-1"><subject>A-1—Refund form</subject>
    <paragraph label="2001-A-1-p1" marker=""><content>Please refund my fare.</content></paragraph>
    <paragraph label="2001-A-1-p2"><content><graphic><url>a.png</url></graphic></content></paragraph>
  </appendixSection>
</appendix>
<interpretations label="2001-Interp">
  <interpSection label="2001-Interp-h1"><title>Introduction</title>
    <interpParagraph label="2001-Interp-h1-1" marker="1."><content>A preface.</content></interpParagraph>
  </interpSection>
  <interpSection label="2001-2-Interp" sectionNum="2"><title>Section 2001.2—Tickets</title>
    <interpParagraph label="2001-2-a-Interp" marker="Interp" target="2001-2-a"><title>2(a) Refunds</title>
      <interpParagraph label="2001-2-a-Interp-1" marker="1."><title>Storms.</title>
        <content>A storm does not end the duty to refund a <ref target="2001-2-b" reftype="term">ticket</ref>
          required by § <ref target="2001-2-a-1" reftype="internal">2001.2(a)(1)</ref>. The operator may offer
          another day (see § <ref target="2001-2-b" reftype="internal">2001.2(b)</ref>). A third sentence
          is left out.</content>
        <interpParagraph label="2001-2-a-Interp-1-i" marker="i."><content>Model form
          <ref target="2001-A-1" reftype="internal">A-1</ref> helps.</content></interpParagraph>
      </interpParagraph>
      <interpParagraph label="2001-2-a-Interp-2" marker="2.">
        <content>See comment 2(b)-1.</content></interpParagraph>
    </interpParagraph>
    <interpParagraph label="2001-2-b-Interp" marker="Interp"><title>2(b) Ticket</title><content/>
      <interpParagraph label="2001-2-b-Interp-1" marker="1.">
        <content>A pass is a ticket.</content></interpParagraph>
    </interpParagraph>
  </interpSection>
</interpretations>
"""


@pytest.fixture
def regulation(tmp_path: Path) -> Callable[..., Path]:
    """Write a version of a regulation into a folder of its part; return the corpus's folder."""

    def _regulation(
        name: str = "2020-1",
        content: str = CONTENT,
        part: str = "2001",
        effective: str = "2020-01-01",
        published: str = "2019-06-01",
    ) -> Path:
        path = tmp_path / part / f"{name}.xml"
        path.parent.mkdir(exist_ok=True)
        text = _FILE.format(content=content, part=part, effective=effective, published=published)
        path.write_text(text, encoding="utf-8")
        return tmp_path

    return _regulation
