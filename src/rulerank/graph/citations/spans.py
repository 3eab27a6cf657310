"""A text as it is read, without invisible characters, that still knows where each character was."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from rulerank.text import INVISIBLE, visible

# Anything that is not ASCII, with what combines with it; NFKC changes nothing else. Also surplus white space,
# because a pattern would try to match from each of its characters.
_QUOTATION = re.compile(r"“[^“”]*+”|(?<!\w)\"[^\"]{1,2000}+\"")
"""After a digit, a straight mark stands for inches."""
_SURPLUS = re.compile(r"\s{9,}")
_CLUSTERS = re.compile(rf"[\s{''.join(map(chr, INVISIBLE))}]{{9,}}|[\x00-\x7f]?[^\x00-\x7f]+")


class Visible:
    """The visible characters of a text (see `rulerank.text.visible`), and their places in it.

    More than eight white-space characters in a row become one: a line break if there is one among them, else
    a space.

    Parameters
    ----------
    raw : str
        The text as it is in the corpus.

    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = raw
        self._places: list[tuple[int, int]] = [(0, 0)]
        if raw.isascii() and not _SURPLUS.search(raw):
            return
        pieces: list[str] = []
        length, last = 0, 0
        for cluster in _CLUSTERS.finditer(raw):
            shown = _shown(cluster[0])
            if shown == cluster[0]:
                continue
            pieces += [raw[last : cluster.start()], shown]
            length += cluster.start() - last
            self._places.append((length, cluster.start()))
            # Within a cluster of unequal length, the places are those of its individual characters.
            step = 0
            for offset, character in enumerate(cluster[0]):
                self._places.append((length + min(step, len(shown)), cluster.start() + offset))
                step += len(visible(character))
            length += len(shown)
            last = cluster.end()
            self._places.append((length, last))
        self.text = "".join([*pieces, raw[last:]])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]` is in the raw text: the smallest span that shows it."""
        return self._raw(start), self._raw(end - 1) + 1 if end > start else self._raw(start)

    def _raw(self, place: int) -> int:
        after = bisect_right(self._places, (place, len(self.raw)))
        shown, raw = self._places[after - 1]
        end = self._places[after][1] if after < len(self._places) else len(self.raw)
        return max(raw, min(raw + place - shown, end - 1))


def _shown(cluster: str) -> str:
    return _SURPLUS.sub(lambda run: "\n" if "\n" in run[0] else " ", visible(cluster))


def quoted(text: str, place: int) -> bool:
    """Return whether a place in a text is between quotation marks; what is not closed is no quotation."""
    starts, ends = _quotations(text)
    before = bisect_right(starts, place) - 1
    return before >= 0 and place < ends[before]


# Every citation of a text asks.
@lru_cache(maxsize=8)
def _quotations(text: str) -> tuple[list[int], list[int]]:
    """Return where the quotations of a text start and end."""
    found = [match.span() for match in _QUOTATION.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]
