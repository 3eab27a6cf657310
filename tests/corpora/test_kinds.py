import pytest

from rulerank.corpora.kinds import kind_of, tier_of


@pytest.mark.parametrize(
    ("section", "text", "tier", "kind"),
    [
        ("1", " \u200e\n", 3, "heading"),
        ("1", "Record keeping", 3, "rule"),
        ("1", "A Firm must keep records.", 3, "rule"),
        ("1", 'For the purposes of this Part, "Ledger" means a book of accounts.', 3, "definition"),
        ("1", "Ledger Keeper means a person who keeps a Ledger.", None, "definition"),
        ("1", "In these Rules:\n(a)\ta Small Ledger means a Ledger of one page.", None, "definition"),
        ("1", "This means a Firm must keep records.", 3, "rule"),
        ("1", "A Firm must pay by means of a cheque.", 3, "rule"),
        ("1.Guidance.2", "A Firm may wish to plan.", 3, "guidance"),
        ("1", "A Firm should plan.", 5, "guidance"),
        ("1", "The notice must be in the prescribed form.", 3, "form"),
        ("1", "A Firm must complete Form AB-2 each year.", 3, "form"),
        ("1", "Rule 2 does not apply to a Small Firm.", 3, "exception"),
        ("1", "Except where Rule 3 applies, a Firm must keep records.", 3, "exception"),
    ],
)
def test_kind_is_read_from_the_words(section, text, tier, kind) -> None:
    assert kind_of(section, text, tier) == kind


@pytest.mark.parametrize(
    ("names", "tier"),
    [
        (["BRR", "Bank Recovery REGULATIONS 2018"], 1),
        (["Federal Decree 10"], 2),
        (["General Rulebook (GEN)"], 3),
        (["Sanctions Rules and Guidance"], 3),
        (["Notice on reporting"], 4),
        (["Guidance on the Funds Rules"], 5),
        (["GPM", "Guidance & Policies Manual"], 5),
        (["Glossary"], None),
        (["Regulation of spot markets"], None),
        ([], None),
    ],
)
def test_tier_is_stated_by_the_names_or_unknown(names, tier) -> None:
    assert tier_of(names) == tier
