"""Riders: passages that govern a provision and share no word with it, so only citations lead there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulerank.corpora.sample.world import Key, Regime


@dataclass(frozen=True)
class Rider:
    """One link of the chain that a provision is subject to.

    Parameters
    ----------
    key : Key
        Its own key: the provision's, with the link's role.
    document_id : str
        Its document.
    text : str
        Its wording, in which `{cite}` and `{code}` are still to be filled in.
    subject : Key
        The provision that the chain starts from.
    following : Key, optional
        The next link; None for the last.

    """

    key: Key
    document_id: str
    text: str
    subject: Key
    following: Key | None = None


@dataclass(frozen=True)
class Chain:
    """What a provision says about its riders, and the riders in order."""

    tail: str
    riders: tuple[Rider, ...]


def draw_riders(
    rng: random.Random, regimes: Sequence[Regime], aspects: Mapping[str, Any], words: Mapping[str, Any]
) -> dict[Key, Chain]:
    """Return the chain of each provision that has one, in random order.

    Parameters
    ----------
    rng : random.Random
        Chooses provisions, chains and wordings.
    regimes : sequence of Regime
        What is regulated.
    aspects, words : mapping
        The vocabulary files aspects.yaml and riders.yaml.

    """
    drawn = [key for key in _open_to_riders(regimes, aspects) if rng.random() < words["share"]]
    # In the order of the rulebook, the place of a rider would give its provision away.
    rng.shuffle(drawn)
    return {key: _chain(rng, key, rng.choice(words["chains"]), words) for key in drawn}


def _open_to_riders(regimes: Sequence[Regime], aspects: Mapping[str, Any]) -> Iterator[Key]:
    """Yield the provisions that are asked about and are whole sentences, except changes of others."""
    for regime in regimes:
        for name, aspect in aspects.items():
            whole = not name.startswith("item-") and "matter" not in aspect
            if name in regime.aspects and "asks" in aspect and whole:
                yield regime.key, name


def _chain(rng: random.Random, subject: Key, shape: Mapping[str, Any], words: Mapping[str, Any]) -> Chain:
    keys = [(subject[0], f"{subject[1]}/{role}") for role in shape["links"]]
    # The links of a chain use one scale.
    facts = {slot: rng.choice(values) for slot, values in words["slots"].items()}
    riders = []
    for role, key, following in zip(shape["links"], keys, [*keys[1:], None], strict=True):
        spec = words["roles"][role]
        text = rng.choice(spec["texts"])
        # Citations wait until every place is known.
        filled = text.format_map(facts | {"cite": "{cite}", "code": "{code}"})
        riders.append(Rider(key, spec["document"], filled, subject, following))
    return Chain(rng.choice(shape["tails"]), tuple(riders))
