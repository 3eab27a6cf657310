import time

import pytest

from rulerank.corpora.regml.wording import without_citations


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("The disclosures required by § 1005.7(b) must be clear.", "The disclosures must be clear."),
        ("Disclosures are required by §§ 1005.7(b)(1), (2), and (3).", "Disclosures are required."),
        ("Section 1005.17(b) applies to transfers.", "The rule applies to transfers."),
        ("Under § 1005.11, a bank must refund.", "A bank must refund."),
        ("Except as otherwise provided in § 1005.36(a), a receipt is given.", "A receipt is given."),
        ("Keep the receipt (see comment 9(b)-1.ii for how long).", "Keep the receipt."),
        ("See § 1005.9 for receipts.", ""),
        ("For receipts, see §§ 1005.9 and 1005.16.", ""),
        ("A card is a device; see § 1005.2(a)(1).", "A card is a device."),
        ("The exclusion in paragraph (b)(2) of this section applies.", "The exclusion applies."),
        ("Use the clauses in Appendix A-7 or Model Form A-10(a).", "Use the clauses."),
        ("Fees under § 1005.31(b)(1)(vi) and (b)(2), and paragraph (c)(3) are shown.", "Fees are shown."),
        ("The limit is $1005.50 under 12 CFR 1026.2(a).", "The limit is $1005.50 under 12 CFR 1026.2(a)."),
        ("Section 130(f) of the Act protects lessors.", "Section 130(f) of the Act protects lessors."),
        ("A lessor may (1) ask or (2) wait.", "A lessor may (1) ask or (2) wait."),
    ],
)
def test_citations_go_with_the_words_that_introduce_them(sentence, words) -> None:
    assert without_citations(sentence) == words


@pytest.mark.parametrize("words", ["the log of the ship ", "the paragraph ", "as described in "])
def test_long_sentence_takes_time_in_proportion(words) -> None:
    start = time.process_time()
    assert without_citations(words * 10_000)
    assert time.process_time() - start < 5
