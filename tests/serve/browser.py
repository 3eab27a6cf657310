"""A headless Chromium, driven through the two pipes of its own protocol."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = Path("/usr/bin/chromium")
SECONDS = 20


class Browser:
    """One page in a browser without a window."""

    def __init__(self, profile: Path) -> None:
        commands, self._commands = map(_high, os.pipe())
        self._replies, replies = map(_high, os.pipe())
        flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
        command = f"exec {CHROMIUM} {flags} --user-data-dir={profile} --remote-debugging-pipe about:blank"
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", f"{command} 3<&{commands} 4>&{replies}"],
            pass_fds=(commands, replies),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(replies)
        self._number, self._rest, self._session = 0, b"", ""
        targets = self._call("Target.getTargets")["targetInfos"]
        page = next(each["targetId"] for each in targets if each["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self._call("Page.enable")

    def show(self, url: str, width: int, scheme: str = "light") -> None:
        """Open a page at some width, in light or dark."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._call("Emulation.setScrollbarsHidden", hidden=True)
        # The page before, which may have the same address, must not be taken for this one.
        self.value("window.before = true")
        self._call("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && !window.before")

    def value(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + SECONDS
        while not self.value(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def type(self, text: str) -> None:
        """Type into the element that has the focus."""
        self._call("Input.insertText", text=text)

    def press(self, key: str, *, control: bool = False) -> None:
        """Press a key: Tab or Enter."""
        code = {"Tab": 9, "Enter": 13}[key]
        said = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 2 if control else 0}
        text = {"text": "\r"} if key == "Enter" and not control else {}
        self._call("Input.dispatchKeyEvent", type="keyDown", **said, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", **said)

    def picture(self, path: Path) -> None:
        """Write a picture of the whole page."""
        shot = self._call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(SECONDS)
        os.close(self._commands)
        os.close(self._replies)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        asked: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            asked["sessionId"] = self._session
        os.write(self._commands, json.dumps(asked).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == self._number:
                assert "error" not in said, said["error"]
                return said["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._replies, 1 << 16)
            assert part, "the browser has ended"
            self._rest += part
        whole, _, self._rest = self._rest.partition(b"\0")
        return json.loads(whole)


def _high(descriptor: int) -> int:
    """Move a descriptor out of the way of 3 and 4, which the browser reads and writes."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved
