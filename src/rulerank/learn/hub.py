"""Whether a model is available, checked before anything is loaded.

Without a network, the hub's client would retry for a minute before it reports that there is none.
"""

from __future__ import annotations

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from huggingface_hub import constants, try_to_load_from_cache
from huggingface_hub.errors import HFValidationError

from rulerank.errors import InputError

SECONDS = 5.0
"""How long the hub has to answer."""


def local_only(name: str) -> bool:
    """Return whether a model can only come from this machine: it is a folder, or the hub does not answer."""
    return Path(name).is_dir() or constants.HF_HUB_OFFLINE or not _answers(constants.ENDPOINT)


def require_model(name: str, organisation: str) -> None:
    """Raise InputError for a model that is not a folder, was never fetched, and cannot be fetched now.

    Parameters
    ----------
    name : str
        A folder, or a name on the hub.
    organisation : str
        The owner of the model, if the name does not say so.

    """
    names = [name] if "/" in name else [name, f"{organisation}/{name}"]
    if Path(name).is_dir() or any(map(_fetched, names)) or not local_only(name):
        return
    raise InputError(
        name,
        "expected a folder, or a model of the hub, found no such folder and no answer from "
        f"{constants.ENDPOINT}. Check name and network, or give the folder of a downloaded model.",
    )


def _fetched(name: str) -> bool:
    try:
        return isinstance(try_to_load_from_cache(name, "config.json"), str)
    except HFValidationError:
        return False


def _answers(address: str) -> bool:
    try:
        with urlopen(Request(address, method="HEAD"), timeout=SECONDS):  # noqa: S310
            return True
    except HTTPError:
        return True
    except OSError:
        return False
