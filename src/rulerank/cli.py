"""The command line: use an exported ranker, and fetch the public data."""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulerank.commands.authority import authority
from rulerank.commands.citations import citations
from rulerank.commands.graph import graph
from rulerank.commands.refwalk import refwalk
from rulerank.console import reported
from rulerank.errors import DataWarning, InputError
from rulerank.files import require_outputs

if TYPE_CHECKING:
    from rulerank.ranker import RankedPassage

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Rank regulatory text: every passage that governs a question, in order.",
)
data = typer.Typer(no_args_is_help=True, help="Get the public data sets.")
app.add_typer(data, name="data")
app.add_typer(graph, name="graph")
app.command()(refwalk)
app.add_typer(authority, name="authority")
app.add_typer(citations, name="citations")

BundlePath = Annotated[Path, typer.Argument(metavar="BUNDLE", help="Folder of an exported ranker.")]
Question = Annotated[str, typer.Argument(metavar="QUESTION", help="A question in plain words.")]
Depth = Annotated[int, typer.Option("--k", min=1, help="Passages to rank.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@app.command()
def rank(bundle: BundlePath, question: Question, k: Depth = 10, as_json: AsJson = False) -> None:
    """Print the passages that govern a question, best first, with the features that mattered.

    What a later passage has voided keeps its place; what voids it is named
    beside it.

    Example: rulerank rank outputs/bundle "Who must keep the register?" --k 5
    """
    import rulerank

    ranked = rulerank.load(bundle).rank(question, k)
    if as_json:
        typer.echo(json.dumps([_plain(passage) for passage in ranked], indent=2, ensure_ascii=False))
        return
    for passage in ranked:
        reasons = ", ".join(
            f"{reason.feature} {reason.value:.3g} ({reason.contribution:+.2f})" for reason in passage.reasons
        )
        typer.echo(
            f"{passage.rank:>3}. {_place(passage.document, passage.section)}  "
            f"score {passage.score:.3f}, probability {passage.probability:.2f}  [{passage.passage_id}]"
        )
        if passage.voided_by:
            typer.echo(f"     voided by {', '.join(passage.voided_by)}")
        typer.echo(f"     {_shortened(passage.text)}")
        typer.echo(f"     because {reasons}")


@app.command()
def answer(bundle: BundlePath, question: Question, k: Depth = 10) -> None:
    """Print every obligation that answers a question, in the rules' own words, bound to its passage.

    The ranked passages are cut where their scores fall off; what remains is
    quoted, each bullet ending in its [P#]. What a later passage has voided is
    never quoted without it. When no kept passage states an obligation, the
    answer says so.
    """
    import rulerank
    from rulerank.answer.extractive import extractive_answer
    from rulerank.answer.sources import sources
    from rulerank.answer.tail_filter import keep

    ranker = rulerank.load(bundle)
    ranked = ranker.rank(question, k)
    settings = ranker.bundle.answer
    kept = ranked[: keep([passage.score for passage in ranked], settings.tau_min, settings.tau_delta)]
    quoted = sources(ranker.bundle, [passage.passage_id for passage in kept])
    answered = extractive_answer([passage.text for passage in quoted])
    typer.echo(answered.text)
    if answered.bullets:
        typer.echo()
        for place, passage in enumerate(quoted, start=1):
            typer.echo(f"[P{place}] {_place(passage.document, passage.section)}  {passage.passage_id}")


@app.command()
def evaluate(
    bundle: BundlePath,
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS.json", help="Questions in the ObliQA format.")
    ],
    run: Annotated[Path | None, typer.Option("--run", help="Also write the ranking as a TREC run.")] = None,
) -> None:
    """Measure an exported ranker on judged questions and print one JSON object.

    Keys: queries, Recall@10, MAP@10, nDCG@10, FullCov@10, candidate_recall,
    and runs: the same measures for each candidate generator, their fusion,
    and the ranker without the judgement features.
    """
    import rulerank
    from rulerank.bundle import RANKER
    from rulerank.corpora import read_questions, write_run
    from rulerank.evaluate.measures import MEASURES, average, candidate_recall, per_query

    require_outputs(run)
    ranker = rulerank.load(bundle)
    asked = read_questions(questions, ranker.bundle.passages, "test", questions.stem)
    for problem in asked.problems:
        warnings.warn(problem, DataWarning, stacklevel=1)
    if not asked.queries.height:
        raise InputError(
            questions,
            "expected a question with a text and a passage of this corpus, found none. Check the bundle.",
        )
    runs, candidates = ranker.runs(asked.queries)
    rows = average(per_query(asked.judgements, runs)).drop("queries").to_dicts()
    means: dict[str, dict[str, float]] = {row.pop("run"): row for row in rows}
    result: dict[str, Any] = {
        "queries": asked.queries.height,
        **{measure: means[RANKER][measure] for measure in MEASURES},
        "candidate_recall": candidate_recall(asked.judgements, candidates),
        "runs": {name: scores for name, scores in means.items() if name != RANKER},
    }
    if run is not None:
        write_run(runs.filter(runs["run"] == RANKER), run)
    typer.echo(json.dumps(result, indent=2))


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(help="The data set; `obliqa` is the one there is.")],
    to: Annotated[Path, typer.Option("--to", help="Folder to put the files in.")] = Path("data/obliqa"),
) -> None:
    """Download a public data set at its pinned revision, every file checked; resumes where it stopped.

    Then: make reproduce DATA=data/obliqa
    """
    from rulerank.corpora import fetch as fetch_files
    from rulerank.corpora import obliqa_files

    if name != "obliqa":
        raise InputError(name, "expected the data set 'obliqa'. Run `rulerank data fetch obliqa`.")
    paths = fetch_files(obliqa_files(), to)
    typer.echo(f"{len(paths)} files in {to}")


def main() -> None:
    """Run the command line; an error of rulerank's own is one message and exit code 1."""
    with reported():
        app(prog_name="rulerank")


def _plain(passage: RankedPassage) -> dict[str, Any]:
    """Return a passage as JSON can say it: a missing value is null, since JSON has no NaN."""
    plain = asdict(passage)
    for reason in plain["reasons"]:
        if math.isnan(reason["value"]):
            reason["value"] = None
    return plain


def _place(document: str, section: str) -> str:
    return f"{document} {section}".strip()


def _shortened(text: str, limit: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
