"""RegML, the XML in which the U.S. Consumer Financial Protection Bureau publishes its regulations."""

from rulerank.corpora.regml.files import regulation_files
from rulerank.corpora.regml.read import read_regml

__all__ = ["read_regml", "regulation_files"]
