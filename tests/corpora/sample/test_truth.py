import json

from rulerank.corpora.sample import write_sample
from rulerank.corpora.sample.truth import changed_provisions


def test_every_changed_provision_states_a_figure_that_is_no_longer_in_force(tmp_path) -> None:
    write_sample(tmp_path / "sample", seed=5, questions=20)
    lines = (tmp_path / "sample/corpus.jsonl").read_text().splitlines()
    texts = {record["_id"]: record["text"] for record in map(json.loads, lines)}
    changed = changed_provisions(5)
    assert len(changed) > 20
    for each in changed:
        assert any(figure in texts[each.passage_id] for figure in each.stale)
        assert each.figure in texts[each.by]
        assert each.figure not in each.stale


def test_change_of_a_change_is_changed_by_the_last() -> None:
    by = {each.passage_id: each.by for each in changed_provisions(5)}
    again = [passage_id for passage_id in by if passage_id.startswith("N5-")]
    assert again
    assert all(by[passage_id].startswith("N9-") for passage_id in again)
