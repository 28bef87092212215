"""deploy/Dockerfile is linted, and built as far as that goes without an engine."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.deploy.dockerfile import FILE, stages
from tests.deploy.native_image import CONFIG, NativeImage
from tests.deploy.tools import ROOT, UnavailableError, run

pytestmark = pytest.mark.xdist_group("image")  # which is built once

_PINNED = re.compile(r"^([a-z0-9-]+)==(\S+)", re.M)


_PROBE = """
import pathlib
status = pathlib.Path("/proc/self/status").read_text()
print(status.partition("CapEff:")[2].split()[0])
for place in ("/", "/etc", "/opt/live-scoring", "/srv", "/tmp"):
    try:
        pathlib.Path(place, "probe").touch()
        print(place)
    except OSError:
        pass
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> NativeImage:
    try:
        return NativeImage(tmp_path_factory.mktemp("image"))
    except UnavailableError as reason:
        pytest.skip(str(reason))


def pins(name: str) -> set[tuple[str, str]]:
    return set(_PINNED.findall((ROOT / "deploy" / name).read_text(encoding="utf-8")))


def arguments(keyword: str) -> list[str]:
    *_, last = stages()
    return [i.arguments for i in last if i.keyword == keyword]


def test_the_linter_has_nothing_to_say(dockerfile_linter: Path) -> None:
    assert run([dockerfile_linter, FILE]).stdout == ""


def test_both_stages_have_one_python_of_one_version() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert re.search(r"^ARG PYTHON=\d+\.\d+\.\d+-slim-\w+$", text, re.M)
    assert re.findall(r"^FROM (\S+)", text, re.M) == ["python:${PYTHON}"] * 2


def test_it_runs_as_a_user_without_a_name_and_is_stopped_politely() -> None:
    (user,) = arguments("USER")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert arguments("STOPSIGNAL") == ["SIGTERM"]


def test_what_is_copied_is_let_in() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    first, _ = stages()
    copied = [s for i in first if i.keyword == "COPY" for s in i.arguments.split()[:-1]]
    assert sorted(copied) == sorted(line[1:] for line in ignored if line.startswith("!"))


@pytest.mark.parametrize("name", ["requirements-build.lock", "requirements-run.lock"])
def test_the_image_is_made_of_what_is_tested(name: str) -> None:
    assert pins(name) <= pins("requirements.lock")


def test_the_image_has_all_that_the_project_depends_on() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {name for line in project["dependencies"] for name in re.findall(r"^[\w-]+", line)}
    assert wanted <= {name for name, _ in pins("requirements-run.lock")}


def test_the_image_holds_the_worker_and_neither_pip_nor_a_compiler(image: NativeImage) -> None:
    names = {path.name for path in image.files()}
    assert {"live-scoring", "live_scoring", "faust"} <= names
    assert not names & {"pip", "hatchling", "pytest", "gcc"}


def test_the_image_says_its_version(image: NativeImage, tmp_path: Path) -> None:
    asked = run(image.command(tmp_path, "--version"), image.environment())
    assert asked.stdout == f"live-scoring, version {version('live-scoring-worker')}\n"


def test_the_image_reads_a_mounted_configuration(image: NativeImage) -> None:
    command = image.command(ROOT / "config", "check-config", "--config", CONFIG)
    assert "3 of 3 cases passed" in run(command, image.environment()).stdout


def test_the_image_runs_without_capabilities_and_writes_to_tmp_alone(
    image: NativeImage, tmp_path: Path
) -> None:
    (tmp_path / "probe.py").write_text(_PROBE)
    probed = run(image.process(tmp_path, "python", f"{CONFIG}/probe.py"), image.environment())
    assert probed.stdout.split() == ["0000000000000000", "/tmp"]  # noqa: S108 -- the image's own
