"""Stage index: the inputs of features that learn from no fold: words, graph, facts, judgements."""

from __future__ import annotations

from typing import cast

import numpy as np
import polars as pl

from rulerank.features.index import DESCRIBED, TRAINED, build_generators
from rulerank.features.judgement_index import JudgementIndex, build_judgement_index
from rulerank.features.storage import (
    AROUND,
    GENERATORS,
    JUDGEMENTS,
    save_generators,
    save_judgements,
    save_surroundings,
)
from rulerank.features.surroundings import Surroundings, build_surroundings
from rulerank.files import replacing_folder
from rulerank.pipeline.chosen import chosen
from rulerank.pipeline.paths import CENTRALITY_TABLE, EDGE_TABLE, INDEX, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.settings import Settings
from rulerank.tables import CENTRALITY


@stage(
    "index",
    reads=[TABLES, EDGE_TABLE, CENTRALITY_TABLE],
    writes=[INDEX],
    params=["candidates", "extract", "text"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/index`."""
    chosen(settings)
    workspace = Workspace(settings)
    material = workspace.material
    runs = [run for run in (*DESCRIBED, *settings.candidates.runs) if run not in TRAINED]
    generators = build_generators(material, runs, settings.candidates)
    bm25 = cast("Bm25", generators["bm25"])
    around = build_surroundings(material, CENTRALITY.read(CENTRALITY_TABLE), bm25, settings.extract)
    judgements = _judgements(workspace, around)
    with replacing_folder(INDEX) as folder:
        save_generators(generators, folder / GENERATORS)
        save_surroundings(around, folder / AROUND)
        save_judgements(judgements, folder / JUDGEMENTS)
    return Outcome(
        {
            "passages": workspace.passages.height,
            "terms": len(bm25.idf),
            "bigrams": len(around.bigrams.keys),
            "judged_questions": len(judgements.sets),
        }
    )


def _judgements(workspace: Workspace, around: Surroundings) -> JudgementIndex:
    training = workspace.queries.filter(pl.col("split") == "train")
    known = training["text"].is_not_null().to_numpy()
    return build_judgement_index(
        workspace.judgements,
        workspace.passages["passage_id"],
        training["query_id"].to_list(),
        training["cluster"].to_numpy().astype(np.int64),
        np.flatnonzero(known),
        QuantizedVectors.of(np.empty((0, 0), np.float32)),
        around.documents,
        around.sections,
    )


if __name__ == "__main__":
    main.run()
