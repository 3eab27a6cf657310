import time

import pytest

TIMES = 8
TEXTS = {
    "white space": lambda size: f"Rule{' ' * size}1.1",
    "citations": lambda size: "A pilot logs it under Rule 1.1 and section 4 of the Sea Act. " * (size // 60),
    "amendments": lambda size: "In Rule 1.1, for a ferry, in the definition of “a”, for “b” " * (size // 60),
    "exceptions": lambda size: "Rules 1.1 and 1.2, other than rule 1.2, are revoked. " * (size // 53),
    "revocations": lambda size: "Rule 1.1 is revoked. " * (size // 21),
    "lead-ins": lambda size: "In the Quay Rules, omit rule 1.1; " * (size // 34),
    "quotations": lambda size: "The notice says “Rule 1.1 is revoked.” " * (size // 39),
    "a list": lambda size: f"Rule 1.1{', 1.1' * (size // 5)}",
    "capitals": lambda size: "A" * size,
}


@pytest.mark.parametrize("name", TEXTS)
def test_time_grows_with_the_length_and_not_with_its_square(reading, name) -> None:
    def once(size: int) -> float:
        rows = [("r", "9", TEXTS[name](size)), ("r", "1.1", "")]
        start = time.process_time()
        reading("english_rulebook", rows, {"r": ["Quay Rules"]})
        return time.process_time() - start

    def seconds(size: int) -> float:
        # The garbage of other tests may be collected during one of the two.
        return min(once(size) for _ in range(2))

    # Quadratic time would be 64 times as long. A fixed cost makes short texts slower per character.
    assert seconds(25_000 * TIMES) < TIMES * 3 * seconds(25_000) + 0.2


def test_chain_of_divisions_is_not_read_anew_from_each_of_its_links(reading) -> None:
    rows = [("r", "9", "Appendix A to " * 4_000), ("r", "Appendix A", "")]
    start = time.process_time()
    read = reading("us_cfr", rows, {"r": ["Quay Rules"]})
    # Some 20 seconds, if each link is followed to the end.
    assert time.process_time() - start < 8
    assert read.edges["target_id"].to_list() == ["r:Appendix A"]


def test_citation_across_white_space_is_found_in_its_place(reading) -> None:
    text = f"See Rule{' ' * 200_000}1.1."
    read = reading("english_rulebook", [("r", "9", text), ("r", "1.1", "")], {"r": ["Quay Rules"]})
    assert read.edges.select("target_id", "start", "end").rows() == [("r:1.1", 4, 200_011)]
