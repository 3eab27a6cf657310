"""From a new process to the first answer. Nothing of rulerank is imported before the clock starts."""

from __future__ import annotations

from time import perf_counter

import psutil


def first_answer(bundle: str, question: str) -> dict[str, float]:
    """Return the seconds of import, loading and the first answer, and the memory in use then, in MiB."""
    start = perf_counter()
    import rulerank

    imported = perf_counter()
    ranker = rulerank.load(bundle)
    loaded = perf_counter()
    ranker.rank(question)
    answered = perf_counter()
    memory = psutil.Process().memory_full_info()
    return {
        "import": imported - start,
        "load": loaded - imported,
        "first answer": answered - loaded,
        "import to first answer": answered - start,
        "load to first answer": answered - imported,
        "resident memory, RSS": memory.rss / 2**20,
        "of it this process's own, USS": memory.uss / 2**20,
    }
