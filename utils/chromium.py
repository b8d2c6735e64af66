"""Drives a headless Chromium through a pipe, in the Chrome DevTools Protocol; needs no other package.

    with Chromium(width, height, dark) as page:
        page.open(path)
        page.run("document.title")
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def find() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    def __init__(self, width: int = 1280, height: int = 800, dark: bool = False, timeout: float = 60):
        self.timeout, self.number, self.buffer = timeout, 0, b""
        self.errors: list[str] = []  # of scripts, and of what the page asks from elsewhere
        self.requests: list[str] = []
        self.profile = tempfile.TemporaryDirectory(prefix="uma-chromium-", ignore_cleanup_errors=True)
        from_us, self.to = os.pipe()
        self.read, to_us = os.pipe()

        def connect():
            # Chromium reads from 3 and writes to 4. The pipes may have these numbers.
            high = os.dup2(from_us, 100), os.dup2(to_us, 101)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
             "--hide-scrollbars", f"--user-data-dir={self.profile.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=connect)
        os.close(from_us)
        os.close(to_us)
        self.session = None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.set_screen(width, height, dark)

    def set_screen(self, width: int, height: int, dark: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.read)
        self.profile.cleanup()

    def receive(self) -> dict:
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], self.timeout)[0]:
                raise TimeoutError(f"Chromium is silent for {self.timeout} s")
            part = os.read(self.read, 1 << 20)
            if not part:
                raise RuntimeError("Chromium has ended")
            self.buffer += part
        text, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(text)
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        return message

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, path: str | pathlib.Path) -> float:
        """Opens a file. Returns the seconds until it is shown, with its scripts run."""
        start = time.monotonic()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while self.receive().get("method") != "Page.loadEventFired":
            pass
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")
        return time.monotonic() - start

    def run(self, script: str):
        """Returns the value of an expression of the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def expect(self, script: str, value) -> None:
        found = self.run(script)
        assert found == value, (script, found, value)

    def center(self, selector: str, index: int = 0) -> list[float]:
        """Returns the middle of an element, which is scrolled into view."""
        element = f"document.querySelectorAll({selector!r})[{index}]"
        self.run(f"{element}.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}})")
        self.run("new Promise((done) => setTimeout(done, 100))")
        return self.run(f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])({element}.getBoundingClientRect())")

    def move(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def press(self, key: str, code: int) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def picture(self, path: str | pathlib.Path, whole: bool = True) -> None:
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
