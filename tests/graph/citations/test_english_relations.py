import pytest


def test_form_is_required(reading) -> None:
    rows = [("r", "1", "File Form 7."), ("r", "Form 7", "")]
    assert reading("english_rulebook", rows, {"r": ["R1"]}).edges["type"].to_list() == ["REQUIRES_FORM"]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("Rule 2 is repealed by Rule 3.", [("r:3", "r:2")]),
        ("This Rule revokes and replaces Rule 2.", [("r:1", "r:2")]),
        ("Rule 3 replaces Rule 2.", [("r:3", "r:2")]),
        ("Rule 2 is hereby repealed.", [("r:1", "r:2")]),
        ("From 1 May, Rule 2 has effect as if “one hour” read “two hours”.", [("r:1", "r:2")]),
        ("The words “one hour” in Rule 2, on tugs, are to be read as “two hours”.", [("r:1", "r:2")]),
        ("The period of one hour in Rule 2 ceases to have effect.", [("r:1", "r:2")]),
        ("For “one hour” in Rule 2 there is substituted “two hours”.", [("r:1", "r:2")]),
        ('In Rule 2, for the words "one hour" there shall be substituted "two hours".', [("r:1", "r:2")]),
        ("Rule 2 is amended by substituting “two hours” for “one hour”.", [("r:1", "r:2")]),
        ("Rule 2 is deleted and replaced by this Rule.", [("r:1", "r:2")]),
        ("In Rule 2, “7 days” is replaced by “14 days”.", [("r:1", "r:2")]),
        ("In Rule 2, “10 pm” shall be read as “9 pm”.", [("r:1", "r:2")]),
        ("In Rule 2 the words “7 days” shall be replaced by “14 days”.", [("r:1", "r:2")]),
        ("In Rule 2, the word “weekly” is omitted.", [("r:1", "r:2")]),
        ("Rule 2 shall be amended by replacing “7 days” with “14 days”.", [("r:1", "r:2")]),
        ("In Rule 2, for “7 days” in both places there is substituted “9 days”.", [("r:1", "r:2")]),
        ("Rule 2 has effect as if for “7 days” there were substituted “9 days”.", [("r:1", "r:2")]),
        ("In Rule 2, for “7 days” substitute “9 days”.", [("r:1", "r:2")]),
        ("In Rule 2, substitute “9 days” for “7 days”.", [("r:1", "r:2")]),
        ("Substitute “9 days” for “7 days” in Rule 2.", [("r:1", "r:2")]),
        ("For Rule 2 there is substituted: “Tugs must rest.”", [("r:1", "r:2")]),
        ("Rule 2 is replaced with the following: “Tugs must rest.”", [("r:1", "r:2")]),
        ("Rule 2 is revoked and replaced by the following: “Tugs must rest.”", [("r:1", "r:2")]),
        ("Rule 2 is omitted.", [("r:1", "r:2")]),
        ("Rule 2 shall be deleted.", [("r:1", "r:2")]),
        ("Rule 2 has been repealed.", [("r:1", "r:2")]),
        ("In Rule 2 of the Harbour Rules, the words “a” are deleted.", [("r:1", "r:2")]),
        ("In Rule 2, with effect from 1 July 2022, for “one hour” substitute “two hours”.", [("r:1", "r:2")]),
        ("In Rule 2, “two hours” shall be substituted for “one hour”.", [("r:1", "r:2")]),
        ("“Two hours” is substituted for “one hour” in Rule 2.", [("r:1", "r:2")]),
        ("In Rule 2, omit paragraph (2).", [("r:1", "r:2")]),
        ("In Rule 2, for paragraph (2) substitute— “(2) Tugs must rest.”", [("r:1", "r:2")]),
        ("In Rule 2, after paragraph (2) insert— “(2A) Tugs must rest.”", [("r:1", "r:2")]),
        ("After paragraph (2) of Rule 2 insert— “(2A) Tugs must rest.”", [("r:1", "r:2")]),
        ("In Rule 2, at the end, insert “, unless it rains”.", [("r:1", "r:2")]),
        ("In Rule 2, omit the words from “two” to the end.", [("r:1", "r:2")]),
        ("In Rule 2, in the definition of “tug”, for “one” substitute “two”.", [("r:1", "r:2")]),
        ("In Rule 2, for the definition of “tug” substitute “a tug is a ship”.", [("r:1", "r:2")]),
        ("Rule 2, as it applies to a ferry, is amended by omitting “one”.", [("r:1", "r:2")]),
        (
            "Rule 2, as it applies to a ferry, has effect as if for “1” there were substituted “2”.",
            [("r:1", "r:2")],
        ),
        ("Until May, Rule 2 applies as if for “one” there were substituted “two”.", [("r:1", "r:2")]),
        ("Rule 2 is deleted and replaced by: “Tugs must rest.”", [("r:1", "r:2")]),
        ("Rule 2 is hereby rescinded.", [("r:1", "r:2")]),
        ("Rule 2 is struck out.", [("r:1", "r:2")]),
        ("Rule 2 stands repealed.", [("r:1", "r:2")]),
        ("Rule 2 is hereby annulled.", [("r:1", "r:2")]),
        ("Rule 2 is withdrawn with effect from 1 May 2020.", [("r:1", "r:2")]),
        ("Rule 2 shall cease to apply.", [("r:1", "r:2")]),
        ("Rule 2 shall no longer apply from 1 May 2020.", [("r:1", "r:2")]),
        ("Rule 2 shall be of no effect.", [("r:1", "r:2")]),
        ("Rule 2 shall not apply after 31 December 2020.", [("r:1", "r:2")]),
        ("Rule 2 shall not apply after sunset.", []),
        ("There shall be substituted for Rule 2 the following: “Tugs must rest.”", [("r:1", "r:2")]),
        ("There shall be inserted after paragraph (1) of Rule 2 the following: “(1A) A.”", [("r:1", "r:2")]),
        ("There shall be inserted after Rule 2 the following: “2A. A.”", []),
        ("Rule 2 shall be read as follows: “Tugs must rest.”", [("r:1", "r:2")]),
        ("Rule 2 now reads: “Tugs must rest.”", [("r:1", "r:2")]),
        ("Rule 2 is modified as follows: for “one” read “two”.", [("r:1", "r:2")]),
        ("In Rule 2, the word ‘one’ is replaced by ‘two’.", [("r:1", "r:2")]),
        ("The fee in Rule 2 is increased from £1 to £2.", [("r:1", "r:2")]),
        ("The fee of £1 in Rule 2 is reduced to £0.50.", [("r:1", "r:2")]),
        ("An exemption from Rule 2 is withdrawn.", []),
        ("The mark described in Rule 2 is removed.", []),
        ("Rule 2 is disapplied in respect of tugs.", []),
        ("Rule 2 no longer applies to a tug that has left.", []),
        ("If the fee in Rule 2 is increased from £1 to £2, a notice follows.", []),
        ("The fee in Rule 2 may be increased from £1 to £2.", []),
        ("The speed required by Rule 2 is reduced to six knots in fog.", []),
        ("Rule 2 should be read with Rule 3.", []),
        # It quotes the rule.
        ("Rule 2 reads: “Tugs must rest.”", []),
        ("After Rule 2 insert— “2A. Tugs must rest.”", []),
        ("Subject to Rule 2, in the Sea Act, for “one” substitute “two”.", []),
        ("In Rule 2, for paragraph (2) see the Sea Act.", []),
        ("In the form of Rule 2, omit the words that do not apply.", []),
        ("To comply with Rule 2, delete paragraph (3) of the form.", []),
        ("Rule 2 applies as if a tug were a ship.", []),
        ("The Minister proposes that Rule 2 is revoked.", []),
        ("The Authority recommended to ports that from 1 May 2020 Rule 2 is revoked.", []),
        ("It is intended that, in Rule 2, for “one” there is substituted “two”.", []),
        ("A pilot may, in place of Rule 2, produce a letter.", []),
        ("A ferry must log each trip in place of Rule 2.", []),
        ("This Rule applies in place of Rule 2.", [("r:1", "r:2")]),
        ("This Rule shall have effect in substitution for Rule 2.", [("r:1", "r:2")]),
        ("In place of Rule 2, a tug must rest.", [("r:1", "r:2")]),
        ("If it rains, in place of Rule 2, a tug must rest.", [("r:1", "r:2")]),
        ("Rule 2 is suspended until 31 December 2030.", [("r:1", "r:2")]),
        ("A pilot who fails to comply with Rule 2 is suspended with immediate effect.", []),
        ("The licence of a master who breaches Rule 2 is suspended from 1 May 2023.", []),
        ("Any exemption from Rule 2 expires on 31 December 2023.", []),
        ("From 1 May 2022, this rule has effect in place of Rule 2.", [("r:1", "r:2")]),
        ("From 1 May 2022, the following shall be substituted in place of Rule 2: “Rest.”", [("r:1", "r:2")]),
        ("After consulting the bodies that it considers appropriate, Rule 2 is revoked.", [("r:1", "r:2")]),
        ("The Board recommended that this be done, and accordingly Rule 2 is revoked.", [("r:1", "r:2")]),
        ("Rule 2 expires on 31 December 2030.", [("r:1", "r:2")]),
        ("Rule 2 lapses at the end of the financial year 2029/30.", [("r:1", "r:2")]),
        ("Rule 2 has no effect after 31 December 2030.", [("r:1", "r:2")]),
        ("Rule 2 shall cease to apply on 31 December 2030.", [("r:1", "r:2")]),
        ("Rule 2 ceases to apply on completion of the voyage.", []),
        ("A permit under Rule 2 expires on 31 December 2030.", []),
        ("Once ice melts, Rule 2 no longer applies.", []),
        ("Rule 2 has been amended.", []),
        ("In Rule 2, for “tug” see Rule 3.", []),
        ("In Rule 2, “tug” is defined.", []),
        ("In Rule 2, for “tug” the word “vessel” is common.", []),
        ("Rule 2 is replaced by a practice that is usual.", []),
        ("Rule 2 ceases to have effect where ice closes the port.", []),
        ("The word “tug” in Rule 2 has its usual meaning.", []),
        ("Rule 2 applies. Rule 3 is in force.", []),
        ("Nothing in this Part repeals Rule 2.", []),
        ("This Rule neither amends nor repeals Rule 2.", []),
        ("No notice replaces Rule 2.", []),
        ("If the Authority revokes Rule 2, tugs stay.", []),
        ("A person who amends Rule 2 commits an offence.", []),
        ("An order of the Authority that revokes Rule 2 must be published.", []),
        ("This order, which revokes Rule 2, is published.", [("r:1", "r:2")]),
        ("This is an order that revokes Rule 2.", [("r:1", "r:2")]),
        ("Notice No 5 replaces Rule 2.", [("r:1", "r:2")]),
    ],
)
def test_words_of_amendment_supersede(reading, text, edges) -> None:
    read = reading(
        "english_rulebook", [("r", "1", text), ("r", "2", ""), ("r", "3", "")], {"r": ["Harbour Rules"]}
    )
    assert read.edges.filter(type="SUPERSEDES").select("source_id", "target_id").rows() == edges


@pytest.mark.parametrize(
    "said",
    [
        "Rule 4.3.2 is repealed with effect from 1 January 2020.",
        "Rule 4.3.2 is revoked with immediate effect.",
        "Rule 4.3.2 is\nrepealed.",
        "Rule 4.3.2  is\trepealed.",
        "Rule 4.3.2 ceases to\nhave effect.",
    ],
)
def test_repeal_is_read_whatever_follows_it_and_wherever_a_line_ends(reading, said) -> None:
    rows = [("rules", "9", said), ("rules", "4.3.2", "Log.")]
    read = reading("english_rulebook", rows, {"rules": ["Port Rules"]})
    superseding = read.edges.filter(type="SUPERSEDES")
    assert superseding.select("source_id", "target_id").rows() == [("rules:9", "rules:4.3.2")]


@pytest.mark.parametrize(
    ("text", "tiers", "expected"),
    [
        ("These Rules are made under section 1 of the Harbour Act.", {"r": 3, "a": 1}, True),
        ("These Rules are made under section 1 of the Harbour Act.", {"r": 1, "a": 3}, False),
        ("As section 1 of the Harbour Act says.", {"r": 3, "a": 1}, False),
    ],
)
def test_rules_specify_what_they_are_made_under(reading, text, tiers, expected) -> None:
    rows = [("r", "1", text), ("a", "1", "A master keeps a log.")]
    read = reading("english_rulebook", rows, {"r": ["Log Rules"], "a": ["Harbour Act"]}, tiers)
    typed = read.edges.filter(~read.edges["type"].is_in(["REFERENCES"])).select(
        "source_id", "target_id", "type"
    )
    pair = {("r:1", "a:1", "SPECIFIES"), ("a:1", "r:1", "DELEGATES_TO")}
    assert set(typed.rows()) == (pair if expected else set())


def test_delegation_goes_to_the_rules_that_cite_it(reading) -> None:
    rows = [("a", "1", "Fees are as prescribed by rules made by the port."),
            ("r", "1", "Section 1 of the Harbour Act applies.")]  # fmt: skip
    read = reading("english_rulebook", rows, {"r": ["Fee Rules"], "a": ["Harbour Act"]}, {"a": 1, "r": 3})
    assert ("a:1", "r:1", "DELEGATES_TO") in read.edges.select("source_id", "target_id", "type").rows()
