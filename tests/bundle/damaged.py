"""Damage every file of a bundle in turn and load it: python damaged.py FOLDER changes the folder.

One process runs all cases, separate from the tests, because damage that is not refused may end it.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rulerank.bundle import load_bundle
from rulerank.bundle.manifest import digest
from rulerank.errors import BundleError

Damage = Callable[[bytes], bytes]


def truncated(content: bytes) -> bytes:
    # Without the line break at the end: cutting off only that would not change the JSON.
    said = content.rstrip(b"\n")
    return said[: len(said) * 2 // 3]


def garbled(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + b"\xff" * 256 + content[middle + 256 :]


def header(content: bytes) -> bytes:
    """State the greatest possible length of the header."""
    return content[:8] + b"\xff\xff" + content[10:]


def promising(content: bytes) -> bytes:
    """State a million times more values in the header."""
    dictionary = content[10:128].replace(b"(", b"(1000000, ", 1)[:118]
    return content[:10] + dictionary + content[128:]


def of_values(change: Callable[[np.ndarray], Any]) -> Damage:
    def damage(content: bytes) -> bytes:
        values = np.load(io.BytesIO(content)).copy()
        changed = change(values)
        stream = io.BytesIO()
        np.save(stream, values if changed is None else changed)
        return stream.getvalue()

    return damage


def _one(value: float) -> Callable[[np.ndarray], None]:
    def change(values: np.ndarray) -> None:
        within = np.iinfo(values.dtype) if values.dtype.kind in "iu" else np.finfo(np.float64)
        values.flat[values.size // 2] = np.clip(value, within.min, within.max)

    return change


nan, infinite, beyond, before = (of_values(_one(value)) for value in (np.nan, np.inf, 2**30, -7))
inverted = of_values(np.logical_not)
shuffled = of_values(
    lambda values: np.random.default_rng(1).permutation(values, axis=-1 if len(values) == 2 else 0)
)
wider = of_values(lambda values: values.astype(np.float64 if values.dtype != np.float64 else np.int8))

SHUFFLED = {
    "index/around/documents.npy",
    "index/around/parents.npy",
    "index/around/static.degree.npy",
    "index/around/bigrams.items.npy",
    "index/around/masses.npy",
    "index/translation/sources.weights.npy",
    "index/translation/frequencies.npy",
    "index/generators/bm25/postings.weights.npy",
    "index/generators/bm25_context/idf.npy",
    "index/generators/dense/vectors.npy",
    "index/generators/dense/place.npy",
    "index/generators/dense/vectors_scale.npy",
    "index/generators/dense/pretrained.npy",
    "index/generators/late/tokens.npy",
    "index/trained/known.npy",
}
SWAPPED = [
    ("ranker.txt", "ranker_without_judgement.txt"),
    ("ranker.onnx", "ranker_without_judgement.onnx"),
    ("golden/ranker.arrow", "golden/ranker_without_judgement.arrow"),
    ("golden/questions.arrow", "golden/extracted.arrow"),
    ("passages.arrow", "documents.arrow"),
    ("calibration.json", "trust.json"),
    ("index/around/closure.items.npy", "index/around/closure.weights.npy"),
    ("index/around/static.degree.npy", "index/around/static.pagerank.npy"),
    ("index/generators/bm25/vocabulary.json", "index/generators/bm25_context/vocabulary.json"),
    ("index/generators/bm25/postings.items.npy", "index/generators/bm25_context/postings.items.npy"),
]
"""Files of one kind whose places are exchanged."""


def damages(name: str, content: bytes) -> Iterator[tuple[str, Damage]]:
    """Yield the kinds of damage to a file."""
    if not name.endswith(".npy"):
        yield "truncated", truncated
        # Values that no tree reads, and parts of a model file that its trees do not use, change nothing.
        # Nor do vectors of words that no golden question has.
        if not name.endswith((".txt", "model.onnx", "weights.bin")) and not name.startswith("golden/"):
            yield "garbled", garbled
        return
    values = np.load(io.BytesIO(content))
    for each in (truncated, header, promising, wider):
        yield each.__name__ if each is not wider else "wider", each
    if not values.size:
        return
    if values.dtype.kind == "f":
        yield from (("nan", nan), ("infinite", infinite))
    elif values.dtype.kind == "b":
        yield "inverted", inverted
    else:
        yield from (("beyond", beyond), ("before", before))
    if name in SHUFFLED:
        yield "shuffled", shuffled


class Sealed:
    """A bundle whose manifest is rewritten after each change, as if it had been exported so."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = json.loads((folder / "manifest.json").read_text())

    def said(self, changed: dict[str, bytes | None]) -> tuple[str, str, float]:
        """Load the bundle with other contents of some files, None for a file that is missing."""
        kept = {name: (self.folder / name).read_bytes() for name in changed}
        for name, content in changed.items():
            if content is None:
                (self.folder / name).unlink()
            else:
                (self.folder / name).write_bytes(content)
        self._seal(changed)
        start = time.perf_counter()
        try:
            load_bundle(self.folder)
            said = "loaded", ""
        except BundleError as error:
            said = "BundleError", str(error)
        except BaseException as error:
            said = type(error).__name__, str(error)
        seconds = time.perf_counter() - start
        for name, content in kept.items():
            (self.folder / name).write_bytes(content)
        return *said, seconds

    def _seal(self, changed: dict[str, bytes | None]) -> None:
        files, sizes = dict(self.manifest["files"]), dict(self.manifest["sizes"])
        for name, content in changed.items():
            del files[name], sizes[name]
            if content is not None:
                files[name], sizes[name] = hashlib.sha256(content).hexdigest(), len(content)
        said = {**self.manifest, "files": files, "sizes": sizes}
        del said["digest"]
        (self.folder / "manifest.json").write_text(json.dumps({**said, "digest": digest(said)}))


def main(folder: Path) -> None:
    bundle = Sealed(folder)
    arrays = 0
    for name in (name for name in bundle.manifest["files"] if name != "MODEL_CARD.md"):
        content = (folder / name).read_bytes()
        every: list[tuple[str, bytes | None]] = [("missing", None)]
        every += [(kind, damage(content)) for kind, damage in damages(name, content)]
        if name.endswith(".npy"):
            # There are many arrays, so the kinds of damage take turns: each array gets one of them.
            arrays += 1
            every = [
                each
                for place, each in enumerate(every)
                if place == arrays % len(every) or each[0] == "shuffled"
            ]
        for kind, changed in every:
            _print(name, kind, *bundle.said({name: changed}))
    for one, other in SWAPPED:
        both = {one: (folder / other).read_bytes(), other: (folder / one).read_bytes()}
        _print(one, f"swapped with {other}", *bundle.said(both))


def _print(*said: str | float) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
