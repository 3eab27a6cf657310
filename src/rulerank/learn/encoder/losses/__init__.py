"""The losses an encoder can be fine-tuned with; `rulerank.settings.encoder.LOSSES` names them."""

from rulerank.learn.encoder.losses.base import EncoderLoss
from rulerank.learn.encoder.losses.load import load_loss

__all__ = ["EncoderLoss", "load_loss"]
