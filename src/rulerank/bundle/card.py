"""MODEL_CARD.md: what a bundle is, what it was made from, how well it ranks, and what its limits are.

It holds what is known at export. The measures of the evaluation, which comes later, are shown by
`rulerank bundle describe --evaluation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import metadata, requires
from typing import Any

from rulerank.bundle.contents import Contents
from rulerank.bundle.names import ON_NEW_RULES
from rulerank.features.trust import Limits

CARD = "MODEL_CARD.md"

LIMITS = """\
- It ranks and quotes the passages of this corpus. It knows no law outside the corpus and no changes since
  the export. It gives no legal advice: have its results read by someone who knows the rules.
- Its measures hold for questions like those it was trained on. It may rank
  worse on a corpus or a way of asking that it has not seen.
- A probability states what was observed on training questions of this corpus, not a promise for one question.
- Judgements of training questions raise passages that were relevant before. A question whose best passages
  nobody has asked about is left to `ranker_on_new_rules` as described under Models.
- The hashes of the manifest prove that the files are whole, not who wrote them. Load bundles that you trust.
"""

MEANING = """\
Means over training questions, each ranked by models that have not seen it, with the 95 % bootstrap interval.
They are known when the bundle is written. Results on held-out questions are in the run's evaluation:
`rulerank bundle describe BUNDLE --evaluation outputs/evaluation`.
"""


def model_card(contents: Contents, facts: Mapping[str, Any]) -> str:
    """Return the card as Markdown.

    Parameters
    ----------
    contents : Contents
        The ranker to export.
    facts : mapping
        What the manifest says besides the files. A missing fact is left out of the card: `data`, `questions`
        by split, `out_of_fold` by model and measure (mean, low, high, n), `versions`, `settings`.

    """
    data, settings = facts.get("data", {}), facts.get("settings", {})
    parts = [
        f"# Model card: ranker over {data.get('name', 'a corpus')}\n",
        "Finds and orders the passages of a body of regulation that govern a question, for people who have "
        "to know which rules apply. LambdaMART over lexical, dense and graph features; format and loading: "
        "docs/bundle.md of rulerank.\n",
        "## Data\n",
        _data(contents, facts),
        "## Models\n",
        _models(contents),
        "## Features\n",
        _features(contents),
        "## Figures\n",
        _figures(facts.get("out_of_fold", {})),
        "## Limits\n",
        LIMITS,
        "## Licences\n",
        _licences(settings.get("encoder", {}).get("name")),
    ]
    return "\n".join(parts)


def _data(contents: Contents, facts: Mapping[str, Any]) -> str:
    count = f"{contents.passages.height} passages of {contents.documents.height} documents"
    questions = facts.get("questions", {})
    asked = ", ".join(f"{number} {split}" for split, number in sorted(questions.items()))
    protocol = facts.get("settings", {}).get("prepare", {}).get("protocol")
    lines = [
        f"- corpus: {count}",
        f"- questions: {asked or 'not recorded'}; splits by the protocol {protocol or 'not recorded'}",
        f"- judged training questions whose vectors the bundle holds: {len(contents.index.judgements.known)}",
    ]
    files = facts.get("data", {}).get("files", {})
    return "\n".join(lines) + "\n\n" + _table(("file", "SHA-256"), sorted(files.items()))


def _models(contents: Contents) -> str:
    rows = [
        (
            name,
            each.trees.rounds,
            len(each.features),
            f"{each.curve['slope']:.3f}",
            f"{each.curve['intercept']:.3f}",
        )
        for name, each in contents.trained.items()
    ]
    told = "`ranker` answers every question itself.\n"
    trust = contents.trust or {}
    if half := _below(trust, 0):
        told = f"`ranker` leaves questions with less than {half} to `{ON_NEW_RULES}`.\n"
    if full := _below(trust, 1):
        told += f"With less than {full}, the scores are the means of both.\n"
    return _table(("model", "trees", "features", "slope", "intercept"), rows) + "\n" + told


def _below(trust: Limits, place: int) -> str:
    """Return the limits in one place of each pair; a share is never below 0."""
    return " or ".join(f"{name} {each[place]:.3f}" for name, each in sorted(trust.items()) if each[place] > 0)


def _features(contents: Contents) -> str:
    groups: dict[str, list[str]] = {}
    read = {each.name: each for model in contents.trained.values() for each in model.features}
    for each in read.values():
        groups.setdefault(each.group, []).append(each.name)
    return _table(
        ("group", "features", "names"),
        [(group, len(names), ", ".join(sorted(names))) for group, names in groups.items()],
    )


def _figures(out_of_fold: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    if not out_of_fold:
        return "None were recorded when the bundle was written.\n"
    rows = [
        (model, name, f"{each['mean']:.4f}", f"{each['low']:.4f} to {each['high']:.4f}", each["n"])
        for model, measures in sorted(out_of_fold.items())
        for name, each in sorted(measures.items())
    ]
    return MEANING + "\n" + _table(("model", "measure", "mean", "interval", "questions"), rows)


def _licences(encoder: str | None) -> str:
    needed = [re.split(r"[<>=!~; \[]", each)[0] for each in requires("rulerank") or () if "extra" not in each]
    rows = [(name, metadata(name)["Version"], licence_of(name)) for name in sorted(needed)]
    return (
        f"- encoder `{encoder or 'not recorded'}`: under the licence that its publisher states\n"
        "- corpus, questions and judgements: under the terms of their publisher; the bundle holds the text\n"
        "- packages that load the bundle, as they say themselves:\n\n"
        + _table(("package", "version", "licence"), rows)
    )


def licence_of(package: str) -> str:
    """Return what an installed package says about its licence, in a few words."""
    said = metadata(package)
    classified = [
        each.rpartition(" :: ")[2] for each in said.get_all("Classifier") or () if "License ::" in each
    ]
    # Some readers of metadata raise an error for a field that is missing.
    stated = {name: said[name] for name in ("License-Expression", "License") if name in said}
    first = stated.get("License-Expression") or ", ".join(classified) or stated.get("License") or "not stated"
    return first.strip().splitlines()[0]


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    cells = ([str(cell).replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
