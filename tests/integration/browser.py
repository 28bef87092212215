"""Real Chromium, and what it tells of a page: its console, and what it asked for."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright


@dataclass
class Tab:
    """A page that is watched."""

    page: Page
    console: list[str] = field(default_factory=list)
    """Errors and warnings, of scripts and of the policy."""
    asked: list[str] = field(default_factory=list)
    """Addresses that were asked for, those of the document itself too."""

    def watch(self) -> None:
        """Begin to listen."""
        self.page.on("console", lambda said: self.console.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))


@contextmanager
def browsing(**context: Any) -> Iterator[Tab]:
    """A tab in a browser of its own; skips the test where there is none."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed (Debian: package chromium)")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            tab = Tab(browser.new_context(**context).new_page())
            tab.watch()
            yield tab
        finally:
            browser.close()
