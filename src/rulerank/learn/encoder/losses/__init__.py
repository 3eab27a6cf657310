"""The losses for fine-tuning an encoder; `rulerank.settings.encoder.LOSSES` names them."""

from rulerank.learn.encoder.losses.base import EncoderLoss
from rulerank.learn.encoder.losses.load import load_loss

__all__ = ["EncoderLoss", "load_loss"]
