"""A ranking index on disk: arrays that are mapped into memory, so loading reads next to nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.arrays import load_arrays, save_arrays
from rulerank.authority.supersession import Supersession
from rulerank.features.definitions import Definitions
from rulerank.features.index import DESCRIBED, RankingIndex, translated
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.surroundings import Surroundings
from rulerank.features.terms import Bigrams
from rulerank.files import read_json, write_json
from rulerank.graph.closure import Closure
from rulerank.ragged import Ragged, ragged_from
from rulerank.retrieve.generator import Generator, generator_class
from rulerank.retrieve.quantized import QuantizedVectors, quantized_from
from rulerank.retrieve.translation_table import load_table
from rulerank.settings import Candidates, Extract

AROUND, GENERATORS, JUDGEMENTS, TRAINED = "around", "generators", "judgements", "trained"
TRANSLATION = "translation"
STATIC = "static."
DEFINED = "defined_terms.json"


def save_index(index: RankingIndex, folder: Path) -> None:
    """Write an index into a folder."""
    save_generators(index.generators, folder / GENERATORS)
    save_surroundings(index.around, folder / AROUND)
    save_judgements(index.judgements, folder / JUDGEMENTS)
    save_trained(index, folder / TRAINED)
    if index.translation is not None:
        index.translation.table.save(folder / TRANSLATION)


def save_trained(index: RankingIndex, folder: Path) -> None:
    """Write what depends on the adapter: vectors of training questions, lengths of the neighbours' means."""
    known, lengths = index.judgements.known.arrays("known"), index.centroid_lengths
    save_arrays(folder, {**known, "centroid_lengths": lengths})


def load_index(
    folder: Path, passage_ids: pl.Series, candidates: Candidates, settings: Extract
) -> RankingIndex:
    """Read the index that `save_index` wrote."""
    trained = load_arrays(folder / TRAINED)
    late = ["late"] if (folder / GENERATORS / "late").is_dir() else []
    generators = load_generators([*DESCRIBED, *late, *candidates.runs], folder / GENERATORS)
    around = load_surroundings(folder / AROUND)
    judgements = load_judgements(folder / JUDGEMENTS, around).knowing(quantized_from(trained, "known"))
    lengths: Any = trained["centroid_lengths"]
    table = load_table(folder / TRANSLATION) if (folder / TRANSLATION).is_dir() else None
    translation = translated(table, generators, around)
    return RankingIndex(passage_ids, generators, around, judgements, lengths, translation, settings)


def save_judgements(judgements: JudgementIndex, folder: Path) -> None:
    """Write judgements into a folder, without the embeddings of their questions."""
    lists = {**judgements.sets.arrays("sets"), **judgements.judged.arrays("judged")}
    rows = {"clusters": judgements.clusters, "with_text": judgements.with_text}
    save_arrays(folder, {**lists, **rows})


def load_judgements(folder: Path, around: Surroundings) -> JudgementIndex:
    """Read what `save_judgements` wrote; `JudgementIndex.knowing` adds the embeddings of the questions.

    Parameters
    ----------
    folder : Path
        The folder that was written.
    around : Surroundings
        The surroundings of the same passages.

    """
    arrays = load_arrays(folder)
    lists = ragged_from(arrays, "sets"), ragged_from(arrays, "judged")
    clusters, with_text = (arrays[name].astype(np.int64) for name in ("clusters", "with_text"))
    unknown = QuantizedVectors.of(np.empty((0, 0), np.float32))
    return JudgementIndex(*lists, clusters, with_text, unknown, around.documents, around.sections)


def save_generators(generators: Mapping[str, Generator], folder: Path) -> None:
    """Write each generator into a folder with its name."""
    for name, generator in generators.items():
        generator.save(folder / name)


def load_generators(runs: Iterable[str], folder: Path) -> dict[str, Generator]:
    """Read generators, named as in `candidates.runs`, from the folders of their names."""
    classes = [generator_class(run) for run in dict.fromkeys(runs)]
    return {each.name: each.load(folder / each.name) for each in classes}


def save_surroundings(around: Surroundings, folder: Path) -> None:
    """Write what is known about the passages into a folder."""
    bigrams = around.bigrams
    lists = {
        "ancestors": around.ancestors,
        "neighbours": around.neighbours,
        "bigrams": bigrams.postings,
        "definers": around.definitions.definers,
        "holders": around.definitions.holders,
        "closure": around.closure.links,
        "authority": around.authority.above,
        "superseders": around.superseders,
    }
    arrays = {
        "has_text": around.has_text,
        "documents": around.documents,
        "sections": around.sections,
        "parents": around.parents,
        "adjacent": around.adjacent,
        "lengths": around.lengths,
        "masses": around.masses,
        "bigram_keys": bigrams.keys,
        "chain_length": around.authority.chain_length,
        **{STATIC + name: values for name, values in around.static.items()},
    }
    for name, listed in lists.items():
        arrays |= listed.arrays(name)
    save_arrays(folder, arrays)
    write_json(folder / DEFINED, list(around.definitions.forms))


def load_surroundings(folder: Path) -> Surroundings:
    """Read what `save_surroundings` wrote."""
    arrays = load_arrays(folder)
    size = len(arrays["has_text"])
    names = (
        "ancestors",
        "neighbours",
        "bigrams",
        "definers",
        "holders",
        "closure",
        "authority",
        "superseders",
    )
    lists: dict[str, Ragged] = {name: ragged_from(arrays, name) for name in names}
    forms = {form: number for number, form in enumerate(read_json(folder / DEFINED))}
    plain = {
        name: arrays[name]
        for name in ("has_text", "documents", "sections", "parents", "adjacent", "lengths", "masses")
    }
    return Surroundings(
        **plain,  # type: ignore[arg-type]
        ancestors=lists["ancestors"],
        neighbours=lists["neighbours"],
        closure=Closure(lists["closure"]),
        authority=Supersession(size, lists["authority"], arrays["chain_length"]),  # type: ignore[arg-type]
        superseders=lists["superseders"],
        bigrams=Bigrams(arrays["bigram_keys"], lists["bigrams"]),  # type: ignore[arg-type]
        definitions=Definitions(forms, lists["definers"], lists["holders"]),
        static={
            name.removeprefix(STATIC): values  # type: ignore[misc]
            for name, values in arrays.items()
            if name.startswith(STATIC)
        },
    )
