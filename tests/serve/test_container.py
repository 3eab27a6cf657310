"""The health check of the container, run outside of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulerank.serve.settings import ServeSettings

DOCKERFILE = Path(__file__).parents[2] / "Dockerfile"
PROXY = {"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}


def _healthy(port: str) -> bool:
    said = re.search(r"^HEALTHCHECK .*?CMD (\[.*?\])$", DOCKERFILE.read_text().replace("\\\n", ""), re.M)
    assert said
    _, *arguments = json.loads(said[1])
    asked = [each.replace("8080", port) for each in arguments]
    return subprocess.run([sys.executable, *asked], env=PROXY, stderr=subprocess.DEVNULL).returncode == 0


def test_server_is_healthy_beside_a_proxy_until_it_stops(bundle: Path, listening: Callable[..., Any]) -> None:
    with listening(ServeSettings(bundle=bundle)) as address:
        port = address.rpartition(":")[2]
        assert _healthy(port)
    assert not _healthy(port)
