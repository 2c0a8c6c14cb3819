"""Make the pictures of the pages: `python tools/pictures.py`.

A demo fills a small folder for a while; Debian's chromium looks at its pages. The pictures go to
docs/pictures/, where README and the how-to show them.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
PROGRAM: Final = "from trapline.app.commands.main import main; main()"
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HELD: Final = 170  # pages of an engine in a federation of four
GROWN_S: Final = 60.0  # after which all are described anew
VISITS: Final = 3000  # after which there is something to see
POINTS: Final = 25  # of the live chart
ANSWERED: Final = "!document.getElementById('who-line').textContent.includes('asking')"
DRAWN: Final = "document.querySelectorAll('.plot .main-svg').length >= 2"
LIVE: Final = f"document.getElementById('chart-rate').data?.[0].x.length >= {POINTS}"


def main() -> None:
    with _demo() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        _read(
            url + "api/search?q=space+telescope"
        )  # the first question opens the index
        _shoot(browser, "search", url + "search?q=space+telescope")
        _shoot(browser, "why", url + "why?url=" + quote(_lively(url), safe=""), DRAWN)
        _shoot(browser, "plan", url + "plan", DRAWN)
        _shoot(browser, "laboratory", url + "laboratory")
        _shoot(browser, "dashboard", url + "dashboard", LIVE)
        _shoot_phone(browser, url)
        browser.close()
    with _federation() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        _read(url + "api/search?q=sloop")  # the first question opens the indexes
        _shoot(browser, "federation", url + "search?q=space+telescope", ANSWERED)
        browser.close()


@contextmanager
def _demo() -> Iterator[str]:
    port = _free_port()
    url = f"http://127.0.0.1:{port}/"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "space"
        words = ["demo", "--no-browser", "--port", str(port), "--dir", str(folder)]
        demo = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for_visits(url)
            yield url
        finally:
            demo.terminate()
            demo.wait()


@contextmanager
def _federation() -> Iterator[str]:
    """The search page of a broker, when engines have filled their folders for a while."""
    with tempfile.TemporaryDirectory() as name:
        port = _free_port()
        words = ["demo", "--engines", "4", "--no-browser", "--port", str(port)]
        demo = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words, "--dir", name],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield _wait_for_engines(f"http://127.0.0.1:{port}/")
        finally:
            demo.terminate()
            demo.wait()


def _wait_for_engines(url: str) -> str:
    """Until the first engine has its share, and others have told that they have grown."""
    held = 0
    while held < HELD:
        time.sleep(1.0)
        try:
            held = _read(url + "api/status")["pages_held"]
        except OSError:
            continue  # it is not there yet
    time.sleep(GROWN_S)
    return url


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for_visits(url: str) -> None:
    made = 0
    while made < VISITS:
        time.sleep(1.0)
        try:
            made = _read(url + "api/status")["visits"]
        except OSError:
            continue  # it is not there yet
        print(f"\r{made:,} of {VISITS:,} visits", end="", flush=True)
    print()


def _lively(url: str) -> str:
    """A page of which there is much to tell."""
    changes = _read(url + "api/changes?limit=1000")["changes"]
    counts = Counter(str(change["url"]) for change in changes)
    return counts.most_common(1)[0][0]


def _read(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)


def _shoot(browser: Browser, name: str, url: str, ready: str = "true") -> None:
    page = browser.new_page(
        viewport={"width": 1120, "height": 840},
        color_scheme="light",
        bypass_csp=True,  # to wait for what a script of ours says
    )
    page.goto(url)
    page.wait_for_function(ready, timeout=120_000)
    _save(page, name)


def _shoot_phone(browser: Browser, url: str) -> None:
    page = browser.new_page(
        viewport={"width": 360, "height": 740},
        color_scheme="dark",
        device_scale_factor=2.0,
    )
    page.goto(url + "search?q=space+telescope")
    _save(page, "search-phone")


def _save(page: Page, name: str) -> None:
    page.wait_for_timeout(300)  # what fades has faded
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    page.close()
    # a page has few colours: a palette is a third of the size
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
    print(f"{path.name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
