"""What a change of the corpus affects: earlier answers, and judged questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import polars as pl
from pydantic import BaseModel, Discriminator, RootModel, Tag

from rulerank.authority.in_force import InForce, Voiding
from rulerank.corpora.records import read_lines
from rulerank.features.judgement_index import JudgementIndex
from rulerank.upkeep.changes import Changes


class _Evidence(BaseModel):
    passage_id: str
    voided_by: list[str] = []


class RecordedAnswer(BaseModel):
    """What a line of an audit says of an answer."""

    query_id: str = ""
    question: str
    evidence: list[_Evidence]
    as_of: date


class _Ranked(BaseModel):
    """A record of a server on a question that was ranked, not answered."""

    route: Literal["rank", "rerank"]


def _kind(record: object) -> str:
    return "ranked" if isinstance(record, dict) and record.get("route") in ("rank", "rerank") else "answer"


class _Record(
    RootModel[
        Annotated[
            Annotated[_Ranked, Tag("ranked")] | Annotated[RecordedAnswer, Tag("answer")], Discriminator(_kind)
        ]
    ]
):
    """One line."""


@dataclass(frozen=True)
class Touched:
    """An answer or a judged question that rests on passages that have changed.

    Parameters
    ----------
    query_id : str
        Id of the question; empty for an answer to a single question.
    because : mapping of str to tuple of str
        By "withdrawn", "amended", "voided" or "revived", the passages.
    question : str, optional
        Its text; empty for a judged question, whose text is not in the bundle.
    source : str, optional
        File and line of a recorded answer; empty for a judged question.

    """

    query_id: str
    because: Mapping[str, tuple[str, ...]]
    question: str = ""
    source: str = ""


def recorded_answers(path: Path) -> Iterator[tuple[str, RecordedAnswer]]:
    """Yield the recorded answers of a file, each with its file and line.

    Parameters
    ----------
    path : Path
        JSON Lines written by `rulerank answer --audit` or `rulerank serve --audit`; questions that were only
        ranked are passed over.

    Raises
    ------
    InputError
        A line is not such a record.

    """
    for line, read in read_lines(path, _Record):
        if isinstance(read.root, RecordedAnswer):
            yield f"{path}:{line}", read.root


def touched_answers(
    answers: Iterable[tuple[str, RecordedAnswer]], changes: Changes, known: Sequence[Voiding]
) -> Iterator[Touched]:
    """Yield the recorded answers that rest on what was withdrawn or amended, or is void by other passages.

    An answer rests on its evidence and on what voided that. Whether a passage is void is decided for the day
    of the answer. Evidence is "voided" if a passage voids it that did not, and "revived" if one that stands
    as it was no longer does.

    Parameters
    ----------
    answers : iterable of (str, RecordedAnswer)
        From `recorded_answers`.
    changes : Changes
        What has changed.
    known : sequence of Voiding
        What voids what, after the change.

    """
    on = cache(partial(InForce, known))
    for source, record in answers:
        rests_on = dict.fromkeys(
            key for each in record.evidence for key in (each.passage_id, *each.voided_by)
        )
        because = _because([*rests_on], changes) | _by_law(record.evidence, on(record.as_of), changes)
        if because:
            yield Touched(record.query_id, because, record.question, source)


def touched_questions(
    questions: pl.DataFrame, judgements: JudgementIndex, passage_ids: pl.Series, changes: Changes
) -> Iterator[Touched]:
    """Yield the judged questions to which a withdrawn or amended passage is relevant.

    Parameters
    ----------
    questions : polars.DataFrame
        query_id of each question of the judgement index.
    judgements : JudgementIndex
        The index before the change.
    passage_ids : polars.Series
        Ids of the passages before the change.
    changes : Changes
        What has changed.

    """
    changed = passage_ids.is_in([*changes.withdrawn, *changes.amended]).to_numpy()
    sets = judgements.sets
    for row in np.unique(sets.owners[changed[sets.items]]).tolist():
        relevant = passage_ids.gather(sets.of(row)).to_list()
        yield Touched(questions["query_id"][row], _because(relevant, changes))


def _because(passages: Sequence[str], changes: Changes) -> dict[str, tuple[str, ...]]:
    found = {
        "withdrawn": tuple(each for each in passages if each in changes.withdrawn),
        "amended": tuple(each for each in passages if each in changes.amended),
    }
    return {name: ids for name, ids in found.items() if ids}


def _by_law(evidence: Sequence[_Evidence], law: InForce, changes: Changes) -> dict[str, tuple[str, ...]]:
    """Return the evidence that other passages void than those recorded."""
    standing = [each for each in evidence if each.passage_id not in changes.withdrawn]
    before = {each.passage_id: {*each.voided_by} for each in standing}
    now = {key: {*law.voided_by(key)} for key in before}
    # What was voided by a changed passage is listed with that passage.
    changed = changes.withdrawn | changes.amended.keys()
    found = {
        "voided": tuple(key for key in now if now[key] - before[key]),
        "revived": tuple(key for key in now if before[key] - now[key] - changed),
    }
    return {name: ids for name, ids in found.items() if ids}
