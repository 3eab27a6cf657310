import polars as pl

from rulerank.splits.protocol import published


def test_published_split_is_left_as_it_is() -> None:
    queries = pl.DataFrame({"query_id": ["q0", "q1"], "split": ["validation", "train"]})
    judgements = pl.DataFrame({"query_id": ["q0", "q1"], "passage_id": ["a", "a"], "relevance": [1, 1]})
    split = published(queries, judgements)
    assert split.queries is queries
    assert split.judgements is judgements
    assert split.dropped.height == 0
