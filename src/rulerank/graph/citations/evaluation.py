"""Citing edges measured against a table that people made."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

_ENDS = ["source_id", "target_id"]
_CONTEXT = 150
"""How many characters of the passage are shown on each side of an error's evidence."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """How two sets of pairs agree.

    Parameters
    ----------
    found, gold, right : int
        Pairs read from the text, pairs that people marked or listed, and pairs in both.

    """

    found: int
    gold: int
    right: int

    @property
    def precision(self) -> float:
        """Return the share of the pairs read that people marked."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Return the share of the marked pairs that were read."""
        return self.right / self.gold if self.gold else 0.0


@dataclass(frozen=True, eq=False)
class Evaluation(Agreement):
    """How well the extracted edges agree with a table.

    Parameters
    ----------
    found, gold, right : int
        Extracted edges from passages that the table lists as sources; edges of the table; edges in both.
    reachable : int
        Extracted edges that the table could contain. For one passage, many tables list either what it cites
        in its own document or what it cites in others. If the table gives a passage no edge of a kind, no
        edge of that kind counts here. Nor do edges to passages between the ends of a range, if the table
        lists only the ends.
    errors : polars.DataFrame
        kind (miss or extra), source_id, target_id, evidence, near (the text around it).

    """

    reachable: int
    errors: pl.DataFrame

    @property
    def reachable_precision(self) -> float:
        """Return the share of the reachable edges that the table contains."""
        return self.right / self.reachable if self.reachable else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        total = self.found + self.gold
        return 2 * self.right / total if total else 0.0


def compare(edges: pl.DataFrame, gold: pl.DataFrame, passages: pl.DataFrame) -> Evaluation:
    """Compare edges extracted from the text with a curated table of the same corpus.

    Parameters
    ----------
    edges : polars.DataFrame
        From `extract`. Only REFERENCES and REQUIRES_FORM are compared, and only from sources that the table
        lists.
    gold : polars.DataFrame
        source_id, target_id and evidence of the table, between passages of the corpus.
    passages : polars.DataFrame
        The passages table.

    """
    sources = gold["source_id"].unique().implode()
    cited = edges.filter(
        pl.col("type").is_in(["REFERENCES", "REQUIRES_FORM"]), pl.col("source_id").is_in(sources)
    ).unique(_ENDS, keep="first", maintain_order=True)
    gold = gold.unique(_ENDS, keep="first", maintain_order=True)
    extra, missed = (
        left.join(right, on=_ENDS, how="anti", maintain_order="left")
        for left, right in ((cited, gold), (gold, cited))
    )
    kinds = [*_ENDS[:1], "inside"]
    spelt_out = cited.filter("between").join(gold, on=_ENDS, how="semi").select("source_id").unique()
    ends_alone = extra.filter("between").join(spelt_out, on="source_id", how="anti")
    reachable = (
        _inside(cited, passages)
        .join(_inside(gold, passages), on=kinds, how="semi")
        .join(ends_alone, on=_ENDS, how="anti")
    )
    errors = pl.concat(
        [
            missed.select(
                pl.lit("miss").alias("kind"), *_ENDS, "evidence", pl.lit(None, pl.Int32).alias("start")
            ),
            extra.select(pl.lit("extra").alias("kind"), *_ENDS, "evidence", "start"),
        ]
    ).join(passages.select(source_id="passage_id", text="text"), on="source_id", maintain_order="left")
    near = [
        _near(text, evidence, start)
        for text, evidence, start in errors.select("text", "evidence", "start").iter_rows()
    ]
    return Evaluation(
        found=cited.height,
        gold=gold.height,
        right=cited.height - extra.height,
        reachable=reachable.height,
        errors=errors.select("kind", *_ENDS, "evidence", near=pl.Series(near, dtype=pl.String)),
    )


def _inside(edges: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Return the edges with the column `inside`: whether both ends are in one document."""
    owner = passages.select("passage_id", "document_id")
    return (
        edges.select(_ENDS)
        .join(owner.rename({"passage_id": "source_id", "document_id": "of"}), on="source_id")
        .join(owner.rename({"passage_id": "target_id", "document_id": "to"}), on="target_id")
        .with_columns(inside=pl.col("of") == pl.col("to"))
    )


def _near(text: str, evidence: str, start: int | None) -> str:
    """Return the text around the evidence, or its beginning if it does not contain the evidence."""
    place = max(text.find(evidence), 0) if start is None else start
    return " ".join(text[max(0, place - _CONTEXT) : place + len(evidence) + _CONTEXT].split())
