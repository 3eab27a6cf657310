import json

import polars as pl
import pytest
from typer.testing import CliRunner

from rulerank.cli import app
from rulerank.graph.citations import compare
from rulerank.tables import EDGES


def _gold(*pairs):
    rows = [(source, target, "REFERENCES", "Rule 2") for source, target in pairs]
    return pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")


def test_comparison_counts_listed_sources_alone(reading, passages_of) -> None:
    rows = [
        ("r", "1", "Rule 2, Rule 3 and SEA section 1."),
        ("r", "2", "Rule 3"),
        ("r", "3", ""),
        ("s", "1", ""),
    ]
    read = reading("english_rulebook", rows, {"r": ["Quays"], "s": ["SEA"]})
    result = compare(read.edges, _gold(("r:1", "r:2"), ("r:1", "s:1")), passages_of(rows))
    assert (result.found, result.gold, result.right) == (3, 2, 2)
    assert (result.precision, result.recall, result.f1) == (pytest.approx(2 / 3), 1, pytest.approx(0.8))
    assert result.errors.rows() == [("extra", "r:1", "r:3", "Rule 3", rows[0][2])]


def test_kind_that_the_table_does_not_list_is_out_of_its_reach(reading, passages_of) -> None:
    rows = [("r", "1", "Rule 2 and SEA section 1."), ("r", "2", ""), ("s", "1", "")]
    read = reading("english_rulebook", rows, {"r": ["Quays"], "s": ["SEA"]})
    result = compare(read.edges, _gold(("r:1", "s:1")), passages_of(rows))
    assert (result.precision, result.reachable_precision) == (0.5, 1)


def test_nothing_found_and_nothing_listed(reading, passages_of) -> None:
    rows = [("r", "1", "x")]
    result = compare(reading("english_rulebook", rows, {"r": ["R1"]}).edges, _gold(), passages_of(rows))
    assert (result.precision, result.recall, result.f1) == (0, 0, 0)


def test_commands(tmp_path) -> None:
    passages = [("a", "1", "Under Rule 2 and Rule 7."), ("b", "2", "Moor."), ("c", "3", "Rule 2.")]
    lines = [
        json.dumps(
            {"_id": name, "title": "", "text": text, "metadata": {"document_id": "Q", "section": section}}
        )
        for name, section, text in passages
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))
    table, errors, out = tmp_path / "gold.csv", tmp_path / "errors.csv", tmp_path / "edges.parquet"
    table.write_text("SourceID,ReferenceText,TargetID\na,Rule 2,b\na,3,c\n")
    arguments = ["citations", "evaluate", "--data", tmp_path, "--gold", table, "--errors", errors]
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    printed = json.loads(done.stdout)
    assert (printed["precision"], printed["recall"], printed["unresolved"]) == (
        1,
        0.5,
        {"no such section": 1},
    )
    assert pl.read_csv(errors).select("kind", "source_id", "target_id").rows() == [("miss", "a", "c")]
    arguments = ["citations", "extract", "--data", tmp_path, "--out", out]
    CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert pl.read_parquet(out).select("source_id", "target_id", "start", "end").rows() == [
        ("a", "b", 6, 23),
        ("c", "b", 0, 6),
    ]
