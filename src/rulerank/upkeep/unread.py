"""What an update leaves unread, for whoever wrote the changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulerank.graph.build import curated
from rulerank.tables import is_blank
from rulerank.upkeep.build import Rulebook
from rulerank.upkeep.changes import Changes

SHOWN = 5
"""The most ids in a sentence."""


def unread(changes: Changes, before: Rulebook, after: Rulebook) -> Iterator[str]:
    """Yield a sentence on each kind of names and citations that are not read after a change.

    Parameters
    ----------
    changes : Changes
        The change.
    before, after : Rulebook
        The passages, without curated references if those are not used.

    """
    known = {*after.passages["passage_id"]}
    unknown = {target for targets in changes.cites.values() for target in targets} - known
    if unknown:
        yield f"cited, but not in the corpus: {_listed(sorted(unknown))}. Correct the ids, or add passages."
    unused = changes.names.keys() - {*after.documents["document_id"]}
    if unused:
        yield (
            f"named, but without a passage: {_listed(sorted(unused))}. The names are kept for passages that "
            "are added later; correct the ids if they are others."
        )
    shared = _shared(changes, after)
    if shared:
        yield (
            f"also the names of other documents: {_listed(shared)}. Citations by them are read only if the "
            "rest of the text says which is meant; choose other names."
        )
    if curated(after.references, after.passages) is None:
        if any(changes.cites.values()):
            yield "cites is not used: the citations of this corpus are read from its texts."
        return
    if curated(before.references, before.passages) is None:
        yield "the corpus now lists what its passages cite, so citations are no longer read from any text."
    given = {**changes.amended, **changes.added}
    silent = [
        key
        for key, columns in given.items()
        if not is_blank(columns.get("text", "")) and key not in changes.cites
    ]
    if silent:
        yield (
            f"the corpus lists what its passages cite, so the new texts of {_listed(silent)} are read for "
            "what they change, but not for citations. Add cites to these lines if they cite a passage."
        )


def _shared(changes: Changes, after: Rulebook) -> list[str]:
    """Return the new names of documents that another document has."""
    owners: dict[str, set[str]] = {}
    for document, title, aliases in after.documents.select("document_id", "title", "aliases").iter_rows():
        for name in (title, *aliases):
            owners.setdefault(name.casefold(), set()).add(document)
    given = {(document, name) for document, names in changes.names.items() for name in names}
    return sorted({name for document, name in given if owners.get(name.casefold(), set()) - {document}})


def _listed(ids: Sequence[str]) -> str:
    more = len(ids) - SHOWN
    return ", ".join(ids[:SHOWN]) + (f" and {more} more" if more > 0 else "")
