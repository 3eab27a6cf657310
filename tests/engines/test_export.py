"""A ranker of the sample, exported as a user would do it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import polars as pl
import pytest
import yaml

from rulerank.bundle import RANKER, Contents, Encoders, Golden, Model, load_bundle, write_bundle
from rulerank.engines import FORMATS, PORTABLE, portable, question_parameters
from rulerank.engines.columns import Portable
from rulerank.engines.passages import joined, passage_fields
from rulerank.errors import BundleError
from rulerank.features.registry import registered
from rulerank.features.standing import Standing
from rulerank.ranker import Ranker
from rulerank.settings import Settings
from rulerank.text.english import unigrams_and_bigrams
from rulerank.trees import Trees

EXPERIMENT = Path(__file__).parents[2] / "experiments/named/portable.yaml"
FEATURES = yaml.safe_load(EXPERIMENT.read_text())["params"]["extract"]["features"]


def test_experiment_trains_one_pass_over_features_that_an_engine_can_compute() -> None:
    params = yaml.safe_load(EXPERIMENT.read_text())["params"]
    settings = Settings.model_validate(params)
    assert set(FEATURES) < set(PORTABLE)
    assert {each.in_pass for each in registered().named(FEATURES)} == {1}
    assert settings.candidates.runs == ("bm25", "bm25_context", "dense")


@pytest.fixture(scope="module")
def bundle_for_engines(pipeline: Path, ranker: Ranker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The exported ranker of the shared run with its model replaced by one of portable features."""
    table = pl.read_parquet(pipeline / "outputs/features.parquet")
    sizes = table["query_id"].rle().struct.field("len").to_list()
    data = lightgbm.Dataset(table.select(FEATURES).to_numpy(), table["relevance"].to_numpy(), group=sizes)
    options = {"objective": "lambdarank", "verbosity": -1, "num_threads": 1, "num_leaves": 15}
    trees = lightgbm.train(options, data.set_feature_name(FEATURES), 10)
    model = Model(
        Trees(trees.model_to_string()), registered().named(FEATURES), {"slope": 1.0, "intercept": 0.0}
    )
    known = ranker.bundle
    contents = Contents(
        known.documents, known.passages, known.edges, known.index, {"ranker": model}, None, None, {}
    )
    golden = Golden(table.head(50), pl.read_ipc(pipeline / "outputs/bundle/golden/questions.arrow"))
    facts = {name: known.manifest[name] for name in ("settings", "data", "rulerank", "versions", "groups")}
    encoders = Encoders(*[pipeline / "outputs/bundle/encoder"] * 2)
    folder = tmp_path_factory.mktemp("portable") / "bundle"
    write_bundle(folder, contents, encoders, golden, facts)
    return folder


@pytest.mark.parametrize("to", FORMATS)
def test_export_proves_what_it_writes_and_says_so(
    to: str, bundle_for_engines: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    said = call("export", bundle_for_engines, "--to", to, "--out", tmp_path / "engine")
    assert said.code == 0, said.err
    assert "10000 rows through 10 trees" in said.out
    assert "0 wrong leaves" in said.out
    page = (tmp_path / "engine/README.md").read_text()
    assert all(f"| `{name}` |" in page for name in FEATURES)


def test_passages_and_question_give_the_features_that_the_ranker_computes(
    bundle_for_engines: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    call("export", bundle_for_engines, "--to", "solr", "--out", tmp_path / "engine")
    bundle = load_bundle(bundle_for_engines)
    question = "Who must keep the register?"
    parameters = question_parameters(bundle, question, portable(bundle).columns)
    stored = pl.read_parquet(tmp_path / "engine/passages.parquet")
    assert stored["passage_id"].to_list() == bundle.passages["passage_id"].to_list()
    (batch,) = bundle.described(bundle.queries(["q"], [question]))
    features = batch.frame(bundle.features)
    both = features.join(stored, on="passage_id", suffix=" stored", maintain_order="left")
    for feature, field in (("dense_score", "dense_vector"), ("pretrained_score", "pretrained_vector")):
        cosines = both[field].to_numpy() @ np.array(parameters[field], np.float32)
        assert cosines == pytest.approx(both[feature].to_numpy(), abs=1e-5)
    for fact in set(FEATURES) & set(stored.columns):
        # Values that the trees treat as 0 are stored as 0.
        assert both[f"{fact} stored"].to_list() == pytest.approx(both[fact].to_list(), rel=0, abs=1e-35), fact
    words = set(parameters["terms"].split())
    held = [len(words & set(terms.split())) > 0 for terms in both["terms"]]
    assert held == (both["bm25_score"] > 0).to_list()


def test_terms_with_a_space_stay_whole(bundle_for_engines: Path) -> None:
    bundle = load_bundle(bundle_for_engines)
    settings = bundle.manifest["settings"] | {"text": {"analyser": "english_bigrams"}}
    bundle = replace(bundle, manifest=bundle.manifest | {"settings": settings})
    columns = portable(bundle).columns
    (asked,) = unigrams_and_bigrams([question := "Who must keep the register?"])
    assert asked == ["must", "keep", "regist", "must keep", "keep regist"]
    stated = question_parameters(bundle, question, columns)["terms"]
    assert stated == "must keep regist must▁keep keep▁regist"
    stored = passage_fields(bundle, columns)["terms"].str.split(" ").to_list()
    terms = unigrams_and_bigrams(bundle.passages["text"].to_list())
    counted = [sum(term in set(asked) for term in each) for each in terms]
    assert [sum(term in stated.split() for term in each) for each in stored] == counted


@pytest.mark.parametrize("term", ["keep\tregister", "keep\u00a0register", "keep▁register"])
def test_term_that_an_engine_would_take_for_others_is_refused(term: str) -> None:
    assert joined(["tug", "keep_register", "Rule 3"]) == "tug keep_register Rule▁3"
    with pytest.raises(BundleError, match=f"found {re.escape(repr(term))}"):
        joined(["tug", term])


def test_passages_say_from_when_they_are_in_force(
    bundle_for_engines: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    call("export", bundle_for_engines, "--to", "elasticsearch", "--out", tmp_path / "engine")
    stored = pl.read_parquet(tmp_path / "engine/passages.parquet")
    passages = load_bundle(bundle_for_engines).passages
    assert passages["effective_from"].n_unique() > 1
    assert stored["effective_from"].equals(passages["effective_from"])


@pytest.mark.parametrize(
    ("to", "name", "field"),
    [
        ("elasticsearch", "index.json", '"effective_from": { "type": "date" }'),
        ("opensearch", "index.json", '"effective_from": { "type": "date" }'),
        ("solr", "schema.json", '{ "name": "effective_from", "type": "pdate" }'),
        ("vespa", "schemas/passage.sd", "field effective_from type int { indexing: attribute }"),
    ],
)
def test_engine_has_a_field_for_the_day(
    to: str, name: str, field: str, small: Portable, tmp_path: Path
) -> None:
    FORMATS[to].write(small, tmp_path)
    assert field in " ".join((tmp_path / name).read_text().split())


def test_ranker_that_no_engine_can_run_is_refused_with_its_features(
    bundle: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    said = call("export", bundle, "--to", "vespa", "--out", tmp_path / "engine")
    assert said.code == 1
    assert "found a second pass, completion, " in said.err
    for name in ("closure_score", "relevance_prior", "q_to_nbrmean_cos", "first_score"):
        assert f" {name}," in said.err
    assert " bm25_score," not in said.err
    assert "make experiment NAME=portable" in said.err
    assert not (tmp_path / "engine").exists()


def test_ranker_whose_scores_depend_on_the_list_is_refused(bundle_for_engines: Path) -> None:
    bundle = load_bundle(bundle_for_engines)
    standing = Standing(("bm25_score",), np.array([0.5]), 1.0)
    models = {RANKER: replace(bundle.models[RANKER], standing=standing)}
    with pytest.raises(BundleError, match="compute, found standing"):
        portable(replace(bundle, models=models))


def test_unknown_format_is_named_with_the_nearest(
    bundle: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    said = call("export", bundle, "--to", "elastic", "--out", tmp_path / "engine")
    assert said.code == 1
    assert "found 'elastic'; the nearest is elasticsearch" in said.err


def test_folder_with_other_files_is_left_alone(
    bundle_for_engines: Path, call: Callable[..., Any], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert call("export", bundle_for_engines, "--to", "vespa", "--out", out).code == 0
    assert call("export", bundle_for_engines, "--to", "solr", "--out", out).code == 0
    (out / "notes.txt").write_text("mine")
    said = call("export", bundle_for_engines, "--to", "solr", "--out", out)
    assert said.code == 1
    assert "expected a new folder, or an earlier output to replace, found notes.txt in it" in said.err
    assert (out / "notes.txt").read_text() == "mine"
    said = call("export", bundle_for_engines, "--to", "solr", "--out", bundle_for_engines / "search")
    assert said.code == 1
    assert "expected a folder outside of" in said.err
