from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.analysers import Enquiry, main, reciprocal_ranks
from rulerank.settings import Bm25
from rulerank.text.analysers import syllables, whole_words

ENQUIRIES = [
    Enquiry(question="비상구는 어디에", answer="비상구를 설치한다"),
    Enquiry(question="유도등이 필요한가", answer="유도등은 면제된다"),
    Enquiry(question="what of this", answer="nothing alike"),
]


def test_own_answer_is_ranked_among_all_and_ties_go_by_the_order_of_the_file() -> None:
    assert reciprocal_ranks(ENQUIRIES, syllables, Bm25()).tolist() == pytest.approx([1, 1, 1 / 3])
    # Whole words with their particles share nothing, so every answer has score 0.
    assert reciprocal_ranks(ENQUIRIES, whole_words, Bm25()).tolist() == pytest.approx([1, 1 / 2, 1 / 3])


def test_every_analyser_has_a_row_with_its_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "asked.jsonl"
    data.write_text("".join(json.dumps(each.model_dump()) + "\n" for each in ENQUIRIES))
    main(data, ["rulerank.text.analysers:whole_words"])
    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    found = {row[1].strip(): row[2].strip() for row in rows}
    assert found["syllables"] == "0.7778"
    assert found["words"] == found["rulerank.text.analysers:whole_words"] == "0.6111"
    assert list(found)[:2] == ["english", "english_bigrams"]


def test_p_values_are_corrected_for_the_number_of_analysers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [first + second for first in "가나다라마바" for second in "소노도로모"]
    asked = [{"question": f"{name}는 어디에", "answer": f"{name}를 둔다"} for name in names]
    data = tmp_path / "asked.jsonl"
    data.write_text("".join(json.dumps(each) + "\n" for each in asked))
    main(data, ["rulerank.text.analysers:whole_words"])
    rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    found = {row[1].strip(): (row[5].strip(), row[6].strip()) for row in rows}
    # Whole words find no answer, everything else finds all of them: two of five comparisons are significant.
    assert found.pop("words") == found.pop("rulerank.text.analysers:whole_words") == ("0.0001", "0.0005")
    assert found.pop("english") == ("", "")
    assert set(found.values()) == {("1.0000", "1.0000")}


def test_file_without_enquiries_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.jsonl").write_text("\n")
    with pytest.raises(SystemExit):
        main(tmp_path / "none.jsonl")
    assert "expected lines with a question and an answer" in capsys.readouterr().err
