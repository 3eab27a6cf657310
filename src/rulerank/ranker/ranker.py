"""An exported ranker at run time: a question in, ranked passages or an answer out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property, partial
from pathlib import Path

from rulerank.answer import Answer, Answerer
from rulerank.bundle import RANKER, load_bundle
from rulerank.passages import RankedPassage
from rulerank.ranker.answering import Answering
from rulerank.ranker.checks import require_at_least, require_day, require_folder, require_shown, require_texts
from rulerank.ranker.reranker import Reranker
from rulerank.ranker.shown import shown
from rulerank.text import require_question


class Ranker(Reranker):
    """Ranks the passages of one corpus for any question.

    Threads may share it: no call changes what another returns. `Scorer` gives the order of the passages that
    it shows and answers from; `Reranker` has what is asked about passages that the caller names.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker; `Ranker.load` reads one from disk.
    threads : int, optional (default=1)
        Batches of many questions that are described in parallel.

    """

    @classmethod
    def load(cls, path: Path | str, *, threads: int = 1) -> Ranker:
        """Load an exported ranker.

        Parameters
        ----------
        path : path or str
            The bundle's folder.
        threads : int, optional (default=1)
            How many texts the query encoder embeds, and how many batches of questions `runs` and `rank_many`
            describe, in parallel. Results are the same for any number.

        Raises
        ------
        BundleError
            The folder is not a bundle, or its content has changed since it was written.
        InputError
            `path` is not a path, or `threads` is less than 1 or more than any machine can use.

        """
        require_folder(path)
        require_at_least("threads", 1, threads)
        return cls(load_bundle(Path(path), threads), threads)

    def rank(
        self, question: str, k: int = 10, *, reasons: int = 3, model: str = RANKER, as_of: date | None = None
    ) -> list[RankedPassage]:
        """Return the passages that govern a question, best first.

        Parameters
        ----------
        question : str
            In plain words.
        k : int, optional (default=10)
            Passages to return, at most.
        reasons : int, optional (default=3)
            Features to name with each passage.
        model : str, optional (default="ranker")
            The model of the bundle that orders the passages. `ranker_without_judgement` takes nothing about
            single passages from judgements. `ranker` leaves the questions that judgements say nothing about
            to `ranker_on_new_rules`; `ranker_with_judgement` never does.
        as_of : date, optional
            The day whose law applies, by default today. A passage that takes effect later is left out;
            `voided_by` names what has voided a passage by that day.

        Raises
        ------
        InputError
            The question is not a string, is blank or is not UTF-8; `k` is less than 1 or `reasons` less than
            0; `as_of` is not a date; or the bundle has no such model.

        """
        require_shown(k, reasons)
        return shown(self.ranking(question, model=model, as_of=as_of), k, reasons)

    def rank_many(
        self,
        questions: Iterable[str],
        k: int = 10,
        *,
        reasons: int = 0,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> list[list[RankedPassage]]:
        """Return what `rank` returns for each of many questions, in a fraction of the time.

        Parameters
        ----------
        questions : iterable of str
            Each in plain words; they may repeat. A list, a generator, or a column of a polars
            or pandas frame.
        k, reasons, model, as_of
            As in `rank`.

        Raises
        ------
        InputError
            As in `rank`; the message names the question.

        """
        asked = require_texts("questions", questions)
        require_shown(k, reasons)
        return self._each(asked, partial(shown, k=k, reasons=reasons), model=model, as_of=as_of)

    def answer(
        self,
        question: str,
        k: int = 10,
        *,
        model: str = RANKER,
        as_of: date | None = None,
        answerer: Answerer | None = None,
        without: Sequence[str] = (),
    ) -> Answer:
        """Answer a question from the rules in force on a day; each claim cites the passages that state it.

        Parameters
        ----------
        question, model, as_of
            As in `rank`.
        k : int, optional (default=10)
            Passages to rank, at most; the answer rests on those of them that are likely evidence.
        answerer : callable, optional
            By default the answer is put together from the passages' own sentences.
        without : sequence of str, optional
            Ids of passages that are not found, to see the answer without them. What changes a rule of the
            answer is stated with it nevertheless, and so is the lead-in of an item.

        Raises
        ------
        InputError
            As in `rank`.

        """
        require_at_least("k", 1, k)
        self._given.require_ids("without", without)
        ranking = self.ranking(question, model=model, as_of=as_of, without=without)
        return self._answering.by_ranking(question, ranking, k, answerer)

    def answer_from(self, question: str, passage_ids: Sequence[str], as_of: date) -> Answer:
        """Answer a question from given passages, best first, with the rules around them on a day.

        Parameters
        ----------
        question : str
            In plain words.
        passage_ids : sequence of str
            Ids of passages of the corpus.
        as_of : date
            The day whose law applies.

        Raises
        ------
        InputError
            The question is blank, or the corpus lacks a passage.

        """
        require_question(question)
        self._given.require_ids("passage_ids", passage_ids)
        return self._answering.by_passages(question, passage_ids, require_day(as_of))

    @cached_property
    def _answering(self) -> Answering:
        return Answering(self.evidence)
