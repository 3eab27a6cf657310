"""Stage answers: measure the answers under every protocol, and what the tail filters keep."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from rulerank.answer import Answer
from rulerank.corpora import read_run
from rulerank.evaluate.answer_measures import calibration_error, risk_coverage
from rulerank.evaluate.answering import Asked, Protocols, asked, filtered, kept_of_hybrid
from rulerank.evaluate.by_models import ByModels, by_models
from rulerank.evaluate.page import html_page
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import paired_randomisation
from rulerank.files import read_json, replacing_folder, write_json, write_text
from rulerank.pipeline.paths import ANSWERS, BUNDLE, MEASURED_RUNS, OBLIGATIONS, TABLES
from rulerank.pipeline.stage import Outcome, Plot, stage
from rulerank.ranker import Ranker
from rulerank.ranker.ranking import Ranking
from rulerank.retrieve.search import HYBRID
from rulerank.settings import Settings
from rulerank.tables import JUDGEMENTS, QUERIES, stacked
from rulerank.threads import side_by_side
from rulerank.yaml_files import read_yaml

MEASURED = ("validation", "test")
OTHER = Path("experiments/other_questions.yaml")
"""Questions from other fields."""
STATED = 10
"""Passages of each ranking whose stated probability is compared with the judgements."""
_HEAD = """\
# Answers

{name}, {as_of}. Answers in the rules' own words, without a language model. Precision, recall and F1 compare
the passages cited with those judged relevant; a question without an answer counts 0. `rule_`: the same for
the rules that the passages belong to. `tca`: whether what is cited controls, and nothing voided is cited
without what voids it.

Protocols: `served`, the question alone; `oracle`, the judged passages are given; `noise`, they are given
among passages one citation away, ten in all; `partial`, the most relevant judged passage cannot be found;
`unanswerable`, none can. Declined from other fields: {other[declined]:.0%} of {other[questions]} questions.
"""
_BY_MODELS = {
    "repass": "RePASs of what is served, over what was shown",
    "claim_f1": "Claim F1 of what is served, compared with what is stated under `oracle`",
}


@stage(
    "answers",
    reads=[BUNDLE, TABLES, OBLIGATIONS, MEASURED_RUNS, OTHER],
    writes=[ANSWERS],
    params=["answer.measured", "device", "evaluate", "seed", "threads"],
    plots=[Plot("Risk by coverage", ANSWERS / "risk_coverage.csv", x="coverage", y="risk")],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/answers`."""
    ranker = Ranker.load(BUNDLE, threads=settings.threads)
    judged = JUDGEMENTS.read(TABLES / "judgements.parquet")
    queries = QUERIES.read(TABLES / "queries.parquet")
    protocols = Protocols(ranker, _last_day(ranker.bundle.passages))
    models = by_models(settings.answer.measured, settings.device)
    metrics: dict[str, Any] = {"other": _declined(ranker, protocols.as_of)}
    name = read_json(TABLES / "provenance.json")["name"]
    day = "no passage of it dated" if protocols.as_of == date.max else f"as of {protocols.as_of}"
    parts = [_HEAD.format(name=name, as_of=day, other=metrics["other"])]
    curves, scores, seconds = [], [], []
    for split in MEASURED:
        questions = asked(queries.filter(pl.col("split") == split), judged)
        if not questions:
            continue
        of_hybrid = kept_of_hybrid(read_run(MEASURED_RUNS / f"{split}.{HYBRID}.trec"))
        measured = _measure(protocols, questions, of_hybrid, models, settings)
        metrics[split] = measured["metrics"]
        curves.append(measured["curve"].insert_column(0, pl.lit(split).alias("split")))
        scores.append(measured["scores"].insert_column(0, pl.lit(split).alias("split")))
        parts += [f"## {split}\n", *measured["page"]]
        seconds += measured["seconds"]
    with replacing_folder(ANSWERS) as folder:
        write_json(folder / "metrics.json", metrics)
        stacked(curves).write_csv(folder / "risk_coverage.csv")
        stacked(scores).write_parquet(folder / "per_query.parquet")
        page = "\n".join(parts)
        write_text(folder / "report.md", page)
        write_text(folder / "report.html", html_page(page))
    timing = {"answering_ms_p50": round(1000 * float(np.median(seconds)), 1)} if seconds else {}
    return Outcome({name: _short(figures) for name, figures in metrics.items()}, timing)


def _short(figures: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one split, with only the protocol `served`."""
    served = figures.get("protocols", {}).get("served", {})
    shown = {
        name: round(served[name], 4) for name in ("answered", "precision", "recall", "f1", "tca") if served
    }
    return {**{name: value for name, value in figures.items() if name != "protocols"}, **shown}


def _last_day(passages: pl.DataFrame) -> date:
    """Return the day on which the last passage takes effect, so that answers do not depend on today."""
    last = passages["effective_from"].max()
    return last if isinstance(last, date) else date.max


def _measure(
    protocols: Protocols,
    questions: Sequence[Asked],
    of_hybrid: Mapping[str, Sequence[str]],
    models: ByModels,
    settings: Settings,
) -> dict[str, Any]:
    """Answer the questions of one split under every protocol."""
    rows, rankings, sure = [], {}, []
    given: dict[str, list[Answer]] = {}
    # Threads of BLAS within each question would wait for one another.
    with threadpool_limits(1, "blas"):
        every = side_by_side(partial(_asked, protocols), questions, settings.threads)
        for question, (ranking, answers, scored) in zip(questions, every, strict=True):
            rankings[question.query_id] = ranking
            sure.append(ranking.answerable)
            rows += scored
            for name, answer in answers.items():
                given.setdefault(name, []).append(answer)
        seconds = [_seconds(protocols, each, rankings[each.query_id]) for each in questions]
    scores = pl.DataFrame(rows)
    means = scores.group_by("protocol", maintain_order=True).agg(
        pl.len().alias("questions"),
        pl.exclude("query_id", "duties_quoted", "duties").fill_nan(None).mean(),
        coverage=pl.col("duties_quoted").sum() / pl.col("duties").sum(),
    )
    kept = filtered(rankings, questions, protocols, of_hybrid)
    served = scores.filter(pl.col("protocol") == "served")
    curve = risk_coverage(np.array(sure), served["f1"].to_numpy())
    stated = np.concatenate([ranking.probability[:STATED] for ranking in rankings.values()])
    relevant = np.concatenate(
        [np.isin(rankings[each.query_id].first(STATED), each.relevant) for each in questions]
    )
    rates = dict(means.select("protocol", "answered").iter_rows())
    declined = {name: round(1 - rate, 4) for name, rate in rates.items()}
    figures = {
        "questions": len(questions),
        "calibration_error": round(calibration_error(stated, relevant), 4),
        "declined": declined,
        "abstention_precision": _ratio(
            declined["unanswerable"], declined["unanswerable"] + declined["served"]
        ),
        "abstention_recall": declined["unanswerable"],
        "risk_area": round(float(curve["risk"].to_numpy().mean()), 4),
        **models(given["served"], given["oracle"]),
        "protocols": {row.pop("protocol"): row for row in means.to_dicts()},
    }
    sizes = kept.group_by("run", maintain_order=True).agg(pl.exclude("query_id").mean())
    against = _against(kept, settings)
    page = [
        markdown_table(means),
        f"Expected calibration error of the probability stated of the first {STATED}: "
        f"{figures['calibration_error']:.4f}.\n",
        *_by_models(figures),
        "### What the tail filters keep\n",
        markdown_table(sizes.rename({"run": "filter"})),
        markdown_table(against),
    ]
    return {"metrics": figures, "curve": curve, "scores": scores, "page": page, "seconds": seconds}


def _asked(
    protocols: Protocols, question: Asked
) -> tuple[Ranking, dict[str, Answer], list[dict[str, object]]]:
    """Return the ranking of a question, and its answers under every protocol with their measures."""
    by_protocol = protocols.rankings(question)
    answers = protocols.answers(question, by_protocol)
    scored = [
        {"protocol": name, "query_id": question.query_id, **protocols.scores(question, answer)}
        for name, answer in answers.items()
    ]
    return by_protocol["served"], answers, scored


def _seconds(protocols: Protocols, question: Asked, ranking: Ranking) -> float:
    """Return how long it takes to answer again from the evidence of a ranking, with nothing beside it."""
    evidence = ranking.evidence_of(STATED)
    start = time.perf_counter()
    protocols.ranker.answer_from(question.text, evidence, protocols.as_of)
    return time.perf_counter() - start


def _by_models(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the tables of what models measured."""
    for name, title in _BY_MODELS.items():
        if name in figures:
            yield f"### {title}\n"
            yield markdown_table(pl.DataFrame([figures[name]]))


def _against(kept: pl.DataFrame, settings: Settings) -> pl.DataFrame:
    """Test the calibrated filter against every other by F1."""
    by_name = {
        str(name): part["f1"].to_numpy() for (name,), part in kept.group_by("run", maintain_order=True)
    }
    own = by_name.pop("calibrated")
    rows = [
        {
            "against": name,
            "F1": float(other.mean()),
            "difference": float(own.mean() - other.mean()),
            "p": paired_randomisation(own, other, settings.evaluate.permutations, settings.seed),
        }
        for name, other in by_name.items()
    ]
    return pl.DataFrame(rows)


def _declined(ranker: Ranker, as_of: date) -> dict[str, float]:
    """Return the share of the questions from other fields that are declined."""
    questions = read_yaml(OTHER)
    declined = [not ranker.answer(question, as_of=as_of).claims for question in questions]
    return {"questions": len(declined), "declined": round(float(np.mean(declined)), 4)}


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


if __name__ == "__main__":
    main.run()
