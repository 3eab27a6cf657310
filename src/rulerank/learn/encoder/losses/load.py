"""From the name of a loss in params.yaml to its class."""

from __future__ import annotations

import pkgutil

from rulerank.errors import SettingsError
from rulerank.learn.encoder.losses.base import EncoderLoss
from rulerank.settings import Finetune
from rulerank.settings.encoder import LOSSES


def load_loss(settings: Finetune) -> type[EncoderLoss]:
    """Return the class that `finetune.loss` names.

    Raises
    ------
    SettingsError
        It cannot be imported or is not an `EncoderLoss`, or `finetune.head` is set and the loss does not
        train both sides.

    """
    try:
        loss = pkgutil.resolve_name(LOSSES.get(settings.loss, settings.loss))
    except (ImportError, AttributeError) as error:
        raise SettingsError(
            f"finetune.loss: expected a class that can be imported, found {settings.loss!r}: {error}. "
            "Correct the name, or install its package."
        ) from error
    if not (isinstance(loss, type) and issubclass(loss, EncoderLoss)):
        raise SettingsError(
            "finetune.loss: expected a subclass of rulerank.learn.encoder.losses.EncoderLoss, "
            f"found {settings.loss!r}. Name another class."
        )
    if settings.head is not None and not loss.both_sides:
        raise SettingsError(
            f"finetune.head: expected a loss that trains both sides, found {settings.loss!r}, which leaves "
            "the passages alone. Set finetune.loss: multiple_negatives, or head: null."
        )
    return loss
