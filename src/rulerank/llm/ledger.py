"""The account of requests to a language model: tokens, cost and seconds, and a limit on the tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition
from typing import Any, NamedTuple

from rulerank.errors import InputError, ModelError
from rulerank.files import json_line

CHARACTERS_PER_TOKEN = 3
"""Used to bound a prompt's tokens before they are counted; most texts have more characters per token."""


class Usage(NamedTuple):
    """The tokens of a request, as the endpoint counted them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass
class Ledger:
    """Counts tokens over any number of threads, and writes one line of JSON per request.

    A request whose tokens nobody counted is taken to have used all that was set aside for it.

    Parameters
    ----------
    budget : int, optional (default=0)
        Maximum number of tokens, of prompts and answers together; 0 sets no limit.
    path : Path, optional
        The JSON Lines file to which requests are appended.
    prompt_price, completion_price : float, optional (default=0)
        Price of a million tokens of each kind, in any one currency.

    """

    budget: int = 0
    path: Path | None = None
    prompt_price: float = 0.0
    completion_price: float = 0.0
    prompt_tokens: int = field(default=0, init=False)
    completion_tokens: int = field(default=0, init=False)
    requests: int = field(default=0, init=False)
    uncounted_tokens: int = field(default=0, init=False)
    _reserved: int = field(default=0, init=False)
    _settled: Condition = field(default_factory=Condition, init=False, repr=False)

    @property
    def cost(self) -> float:
        """The cost of all requests."""
        return self._cost(self.prompt_tokens, self.completion_tokens)

    def reserve(self, characters: int, max_tokens: int) -> int:
        """Set aside the most tokens that a request can use, and return their number.

        If only what is set aside for other requests stands in the way, this waits for them: most use less.

        Raises
        ------
        ModelError
            The budget might not suffice.

        """
        most = characters // CHARACTERS_PER_TOKEN + max_tokens
        with self._settled:
            while self.budget and self._spent + self._reserved + most > self.budget:
                if not self._reserved or self._spent + most > self.budget:
                    raise ModelError(
                        f"token budget: expected room for {most:,} tokens, found {self._spent:,} of "
                        f"{self.budget:,} spent and {self._reserved:,} reserved. Raise "
                        "answer.model.token_budget; answers that are kept are not asked for again."
                    )
                self._settled.wait()
            self._reserved += most
        return most

    @property
    def _spent(self) -> int:
        return self.prompt_tokens + self.completion_tokens + self.uncounted_tokens

    def settle(self, reserved: int, usage: Usage | None, seconds: float, **said: Any) -> None:
        """Replace what was set aside for a request with what it used, and log this along with `said`.

        Parameters
        ----------
        reserved : int
            What was set aside.
        usage : Usage or None
            What it used; None if nobody counted it.
        seconds : float
            How long it took.
        **said
            Further values of its line.

        """
        counted = usage or Usage(0, 0)
        line = {
            **said,
            **counted._asdict(),
            "seconds": round(seconds, 3),
            "cost": round(self._cost(*counted), 8),
        }
        with self._settled:
            self._reserved -= reserved
            self.prompt_tokens += counted.prompt_tokens
            self.completion_tokens += counted.completion_tokens
            self.uncounted_tokens += reserved if usage is None else 0
            self.requests += 1
            self._settled.notify_all()
            if self.path is not None:
                self._append(self.path, json_line(line))

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1e6

    def _append(self, path: Path, line: bytes) -> None:
        try:
            with path.open("ab") as stream:
                stream.write(line)
        except OSError as error:
            raise InputError(
                path, f"expected a log to write: {error.strerror}. Choose another path."
            ) from error
