"""The sample corpus on disk: a BEIR folder, whole or not at all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulerank.corpora.sample.documents import Passage, Rulebook
from rulerank.corpora.sample.questions import Question, Questioner
from rulerank.corpora.sample.riders import draw_riders
from rulerank.corpora.sample.wording import WORDINGS, Language, vocabulary
from rulerank.corpora.sample.world import draw_regimes
from rulerank.files import replacing_folder, write_json, write_lines, write_text

_CONNECTIONS = {2: "Directly Connected", 1: "Indirectly Connected"}
_HELD_OUT = {"dev": 0.15, "test": 0.15}


def write_sample(root: Path, *, seed: int, questions: int, language: Language = "english") -> dict[str, int]:
    """Generate the sample corpus and put it in `root`'s place.

    Parameters
    ----------
    root : Path
        The folder to write: corpus.jsonl, queries.jsonl, qrels/, documents.json, questions_test.json.
    seed : int
        Same seed, same bytes.
    questions : int
        How many questions to make.
    language : {"english", "korean"}, optional (default="english")
        The language of the rulebook and the questions.

    Returns
    -------
    dict of str to int
        How many documents, passages and questions were written, and how many of the questions are in each
        split.

    Raises
    ------
    SettingsError
        The rulebook does not hold that many different questions; `root` is left as it was.

    Notes
    -----
    In the qrels, the first passage of a question is the provision that it is mainly about.

    """
    rulebook, rng = draw_rulebook(seed, language)
    documents = vocabulary(language, "documents")
    made = Questioner(rulebook, language, rng).make(questions)
    splits = _split(made, rng)
    numbered = {f"Q{number:04d}": question for number, question in enumerate(made, start=1)}
    with replacing_folder(root) as folder:
        write_lines(folder / "corpus.jsonl", map(_corpus_row, rulebook.passages))
        write_lines(
            folder / "queries.jsonl",
            (
                {
                    "_id": query_id,
                    "text": question.text,
                    "metadata": {
                        "level": question.level,
                        "type": question.type,
                        "group": question.cluster,
                    },
                }
                for query_id, question in numbered.items()
            ),
        )
        for split in ("train", *_HELD_OUT):
            inside = {
                key: question for key, question in numbered.items() if splits[question.cluster] == split
            }
            _write_qrels(folder / "qrels" / f"{split}.tsv", inside)
        write_json(folder / "documents.json", {key: _names(key, spec) for key, spec in documents.items()})
        write_json(folder / "questions_test.json", _obliqa(numbered, splits, rulebook.passages))
    counts = Counter(splits[question.cluster] for question in made)
    return {
        "documents": len(documents),
        "passages": len(rulebook.passages),
        "questions": len(made),
        **{split: counts[split] for split in ("train", *_HELD_OUT)},
    }


def draw_rulebook(seed: int, language: Language = "english") -> tuple[Rulebook, random.Random]:
    """Return the rulebook of a seed, and the random generator from which its questions are drawn next."""
    rng = random.Random(seed)  # noqa: S311 - reproducible text, no secret
    facts, documents, aspects, riders = (
        vocabulary(language, name) for name in ("facts", "documents", "aspects", "riders")
    )
    regimes = draw_regimes(rng, aspects, language)
    # A separate generator: one rider more or less leaves all other texts unchanged.
    chains = draw_riders(random.Random(f"riders {seed}"), regimes, aspects, riders)  # noqa: S311
    return Rulebook(regimes, chains, documents, aspects, facts, WORDINGS[language], rng), rng


def _split(questions: Sequence[Question], rng: random.Random) -> dict[str, str]:
    """Return the split of each cluster, filling the held-out ones first."""
    sizes = Counter(question.cluster for question in questions)
    clusters = sorted(sizes)
    rng.shuffle(clusters)
    splits = dict.fromkeys(clusters, "train")
    free = iter(clusters)
    for split, share in _HELD_OUT.items():
        filled = 0
        while filled < share * len(questions):
            cluster = next(free)
            splits[cluster] = split
            filled += sizes[cluster]
    return splits


def _corpus_row(passage: Passage) -> dict[str, Any]:
    return {
        "_id": passage.passage_id,
        "title": passage.title,
        "text": passage.text,
        "metadata": {
            "document_id": passage.document_id,
            "section": passage.section,
            "tier": passage.tier,
            "kind": passage.kind,
            "position": passage.position,
            "effective_from": passage.effective_from.isoformat(),
            "scope": passage.scope,
        },
    }


def _names(document_id: str, spec: Mapping[str, Any]) -> list[str]:
    return [document_id, spec["title"], *spec["names"]]


def _obliqa(
    questions: Mapping[str, Question], splits: Mapping[str, str], passages: Iterable[Passage]
) -> list[dict[str, Any]]:
    by_id = {passage.passage_id: passage for passage in passages}
    return [
        {
            "QuestionID": query_id,
            "Question": question.text,
            "Passages": [
                {
                    "DocumentID": by_id[key].document_id,
                    "PassageID": by_id[key].section,
                    "Passage": by_id[key].text,
                    "ID": key,
                    "Connection": _CONNECTIONS[grade],
                }
                for key, grade in question.references.items()
            ],
        }
        for query_id, question in questions.items()
        if splits[question.cluster] == "test"
    ]


def _write_qrels(path: Path, questions: Mapping[str, Question]) -> None:
    rows = [
        f"{query_id}\t{passage_id}\t{grade}\n"
        for query_id, question in questions.items()
        for passage_id, grade in question.references.items()
    ]
    write_text(path, "query-id\tcorpus-id\tscore\n" + "".join(rows))
