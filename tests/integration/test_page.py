"""The status page of a real worker in a real browser; each test has agents of its own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from live_scoring.adapters.embedded_broker import EmbeddedBroker
from tests.integration.browser import browsing
from tests.integration.lab import WINDOW, Lab
from tests.integration.runs import native_run
from tests.integration.waiting import PATIENCE_SECONDS, wait_until
from tests.integration.workers import Worker

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("page")]

PATIENCE_MS = PATIENCE_SECONDS * 1000
TRACES = "https://traces.example.com/"
ASKED = {
    "agent": "*",
    "windows": [WINDOW],
    "gates": {"fine": {"includes": "fine"}, "exact": {"equals": "all fine"}},
}
SAID = "my secret is 4711"
TOKEN = "of-no-other-worker-4711"  # noqa: S105 -- of this test alone


@dataclass
class Site:
    """A worker and the topics that it works on."""

    lab: Lab
    worker: Worker

    def url(self, name: str) -> str:
        """The page of one test's agents."""
        return f"http://{self.worker.address}/?q={name}"

    def say(self, agent: str, text: str, verdict: str) -> None:
        """Have an agent say something, and wait for the verdict on it."""
        sending = [native_run(f"run-{agent}", agent, text, trace_id="4bf92f35")]
        with ThreadPoolExecutor() as pool:  # the browser's driver has this thread's event loop
            pool.submit(self.lab.send, sending).result()
        wait_until(f"{agent} is {verdict}", lambda: (agent, verdict) in self._told())

    def _told(self) -> set[tuple[str, str]]:
        return {(v["agent_id"], v["verdict"]) for v in self.worker.verdicts()}

    def restart(self, **variables: str) -> None:
        """Start the worker anew at the same address; `variables` as of `Worker`."""
        self.worker.kill()
        port = int(self.worker.address.rpartition(":")[2])
        self.worker = Worker(self.lab.config, port, self.worker.log, **variables)


@pytest.fixture(scope="module")
def site(broker: EmbeddedBroker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    lab = Lab(broker.address, "status-page", tmp_path_factory.mktemp("status-page"))
    lab.configure(ASKED, links={"trace": TRACES + "{trace_id}"})
    started = Site(lab, lab.start_worker())
    started.worker.wait_ready()
    yield started
    started.worker.kill()
    lab.close()


def _agents(page: Page) -> list[str]:
    return page.locator("tbody th .agent").all_inner_texts()


def test_the_page_changes_by_itself_when_an_agent_goes_wrong(site: Site) -> None:
    site.say("one-calm", "all fine", "passed")
    with browsing() as tab:
        page = tab.page
        page.goto(site.url("one"))
        assert _agents(page) == ["one-calm"]
        page.get_by_label("Agent or group").fill("typed mean")
        site.say("one-wrong", SAID, "failed")
        expect(page).to_have_title("1 failed · live-scoring", timeout=PATIENCE_MS)
        assert _agents(page) == ["one-wrong", "one-calm"]
        story = page.locator("tbody", has_text="one-wrong")
        run = story.get_by_role("link", name="run-one-wrong").first
        expect(run).to_have_attribute("href", TRACES + "4bf92f35")
        expect(story).to_contain_text("output does not contain 'fine'")
        expect(page.locator("body")).not_to_contain_text(SAID)
        expect(page.get_by_label("Agent or group")).to_have_value("typed mean")
        expect(page.get_by_label("1 change in the last").first).to_be_visible()
        assert tab.console == []
        assert [url for url in tab.asked if not url.startswith((site.url("one"), "data:"))] == []


def test_without_javascript_the_page_loads_itself_anew(site: Site) -> None:
    site.say("two-calm", "all fine", "passed")
    with browsing(java_script_enabled=False) as tab:
        page = tab.page
        page.goto(site.url("two"))
        site.say("two-wrong", SAID, "failed")
        first = page.locator("tbody th .agent").first
        expect(first).to_have_text("two-wrong", timeout=PATIENCE_MS)
        page.get_by_label("Agent or group").fill("two-calm")
        page.get_by_role("button", name="Find").click()
        expect(page.locator("tbody th .agent")).to_have_text(["two-calm"])
        page.get_by_role("link", name="0 failed").click()
        expect(page.get_by_text("No agent is like that.")).to_be_visible()
        assert tab.console == []


def test_the_page_is_worked_by_keyboard_and_fits_a_phone_in_the_dark(site: Site) -> None:
    site.say("three-wrong", SAID, "failed")
    with browsing(viewport={"width": 390, "height": 800}, color_scheme="dark") as tab:
        page = tab.page
        page.goto(site.url("three"))
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="To the agents")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        run = page.get_by_role("link", name="run-three-wrong").first
        expect(run).to_be_focused()
        page.wait_for_event("requestfinished", timeout=PATIENCE_MS)
        expect(run).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(17, 22, 28)"


def test_the_page_survives_a_restart_of_the_worker(site: Site) -> None:
    site.say("four-wrong", SAID, "failed")
    with browsing() as tab:
        page = tab.page
        page.goto(site.url("four"))
        site.worker.kill()
        expect(page.locator("#silence")).to_be_visible(timeout=PATIENCE_MS)
        assert _agents(page) == ["four-wrong"]
        site.restart()
        expect(page.locator("#silence")).to_be_hidden(timeout=PATIENCE_MS)
        expect(page).to_have_title("1 failed · live-scoring", timeout=PATIENCE_MS)
        expect(page.locator("tbody th .agent")).to_have_text(["four-wrong"])


def test_an_open_page_asks_for_the_token_once_the_worker_has_one(site: Site) -> None:
    site.say("five-calm", "all fine", "passed")
    with browsing() as tab:
        page = tab.page
        page.goto(site.url("five"))
        site.restart(WEB__TOKEN=TOKEN)
        page.get_by_label("Token of the workers").fill(TOKEN, timeout=PATIENCE_MS)
        page.keyboard.press("Enter")
        calm = page.locator("tbody th .agent", has_text="five-calm")
        expect(calm).to_be_visible(timeout=PATIENCE_MS)
