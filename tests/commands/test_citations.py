import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulerank.cli import app
from rulerank.errors import DataWarning, InputError


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two rules, each of which cites the other and a rule that does not exist."""
    texts = {"2.1": "Under Rule 2.2 a carrier must keep a log. See Rule 9.9.", "2.2": "Logs are of Rule 2.1."}
    lines = [
        json.dumps({"_id": section, "text": text, "metadata": {"document_id": "CAR", "section": section}})
        for section, text in texts.items()
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))
    return tmp_path


def _evaluated(data: Path, table: str, *more: str) -> dict:
    gold = data / "gold.csv"
    gold.write_text(table)
    command = ["citations", "evaluate", "--data", str(data), "--gold", str(gold), *more]
    return json.loads(CliRunner().invoke(app, command, catch_exceptions=False).stdout)


def test_evaluate_compares_the_sources_of_the_table_alone(data: Path) -> None:
    measured = _evaluated(data, "TargetID, SourceID,Note,ReferenceText\n2.2,2.1,x,Rule 2.2\n")
    assert (measured["found"], measured["gold"], measured["right"]) == (1, 1, 1)
    assert measured["unresolved"] == {"no such section": 1}


def test_evaluate_warns_of_rows_left_out_and_writes_the_errors(data: Path) -> None:
    rows = "SourceID,ReferenceText,TargetID\n2.1,Rule 2.2,2.2\n2.2,logs,2.1\n2.2,self,2.2\n"
    with pytest.warns(DataWarning, match="gold.csv: 1 rows from a passage to itself left out"):
        measured = _evaluated(data, rows, "--errors", str(data / "errors.csv"))
    assert measured["f1"] == 1
    assert (data / "errors.csv").read_text() == "kind,source_id,target_id,evidence,near\n"


def test_evaluate_without_an_edge_to_compare_is_refused(data: Path) -> None:
    with (
        pytest.warns(DataWarning, match="2 rows from an unknown passage give no edge"),
        pytest.raises(InputError, match="expected an edge between passages"),
    ):
        _evaluated(data, "SourceID,ReferenceText,TargetID\nzz,Rule 2,2.1\nzy,Rule 2,2.1\n")


def test_evaluate_without_a_table_is_refused_for_a_folder_that_is_not_regml(data: Path) -> None:
    command = ["citations", "evaluate", "--data", str(data)]
    with pytest.raises(InputError, match=r"expected paragraphs of RegML, found none\..* with --gold"):
        CliRunner().invoke(app, command, catch_exceptions=False)


def test_evaluate_takes_a_grammar_by_its_path(data: Path) -> None:
    grammar = data / "quays.yaml"
    grammar.write_text(
        "name: quays\ndescription: Berths of a port\nnumber: '\\d+(?:\\.\\d+)*'\n"
        "divisions:\n  berth: {words: ['rules?']}\n"
        "lists: {joiners: ['\\s+and\\b', '\\s*,'], ranges: ['\\s+to\\b']}\n"
        "pointing: {of: '\\s+of\\s+(?:the\\s+)?'}\n"
    )
    table = "SourceID,ReferenceText,TargetID\n2.1,Rule 2.2,2.2\n"
    assert _evaluated(data, table, "--grammar", str(grammar))["right"] == 1


@pytest.mark.parametrize(
    ("unresolved", "message"),
    [("edges.parquet", "expected a file of its own for each output"), (".", "found a folder")],
)
def test_extract_refuses_its_outputs_before_it_writes_any(data: Path, unresolved: str, message: str) -> None:
    outputs = ["--out", str(data / "edges.parquet"), "--unresolved", str(data / unresolved)]
    with pytest.raises(InputError, match=message):
        CliRunner().invoke(
            app, ["citations", "extract", "--data", str(data), *outputs], catch_exceptions=False
        )
    assert not (data / "edges.parquet").exists()


def test_evaluate_refuses_a_folder_for_errors_before_it_reads(data: Path) -> None:
    command = ["citations", "evaluate", "--data", str(data / "none"), "--gold", "none", "--errors", str(data)]
    with pytest.raises(InputError, match="expected a file to write, found a folder"):
        CliRunner().invoke(app, command, catch_exceptions=False)


def test_evaluate_takes_enquiries_with_their_lists(tmp_path: Path) -> None:
    record = {
        "question_id": 3,
        "answer": "「항만안전법」 제5조에 따른다.",
        "law_references": ["「항만안전법」제5조", "「어촌법」"],
    }
    path = tmp_path / "asked.jsonl"
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    command = ["citations", "evaluate", "--data", str(path)]
    measured = json.loads(CliRunner().invoke(app, command, catch_exceptions=False).stdout)
    assert (measured["precision"], measured["recall"], measured["gold"]) == (1, 0.5, 2)
