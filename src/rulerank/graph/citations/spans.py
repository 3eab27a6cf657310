"""A text as it is read, without invisible characters, that still knows where each character was."""

from __future__ import annotations

import re
from bisect import bisect_right

from rulerank.text import INVISIBLE, visible

# Anything that is not ASCII, with what combines with it; NFKC changes nothing else. Also surplus white space,
# because a pattern would try to match from each of its characters.
_MARK = re.compile("[“”]")
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
    opened = max(text.rfind("“", 0, place), text.rfind("”", 0, place))
    closed = _MARK.search(text, place)
    between = opened >= 0 and text[opened] == "“" and closed is not None and closed[0] == "”"
    return between or (text.count('"', 0, place) % 2 == 1 and text.find('"', place) >= 0)
