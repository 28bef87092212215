"""Fetches Apache Kafka by Maven, or says why it cannot be had."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.cache import made_once

VERSION = "4.1.2"
_POM = f"""\
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>live-scoring</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>{VERSION}</version>
    </dependency>
    <dependency><!-- where the broker's log lines go -->
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
"""
_SECONDS = 200
"""Ten where Maven has everything in its own store."""


class UnavailableError(Exception):
    """Apache Kafka cannot run on this machine."""


def find_command(name: str) -> str:
    """The path of a command.

    Raises:
        UnavailableError: There is none.
    """
    path = shutil.which(name)
    if path is None:
        raise UnavailableError(f"there is no {name} on this machine")
    return path


def fetch_classpath() -> str:
    """What Java needs to run the broker, as one class path; Maven is asked for it once.

    Raises:
        UnavailableError: Maven or the artifact is missing.
    """
    return made_once(f"kafka-{VERSION}.classpath", _fetch, _is_whole).read_text()


def _is_whole(answer: Path) -> bool:
    """Whether all is still in Maven's own store."""
    return answer.exists() and all(map(os.path.exists, answer.read_text().split(os.pathsep)))


def _fetch(folder: Path) -> Path:
    maven = find_command("mvn")
    pom, answer = folder / "pom.xml", folder / "classpath"
    pom.write_text(_POM)
    goal = ["dependency:build-classpath", f"-Dmdep.outputFile={answer}"]
    try:
        fetched = subprocess.run(
            [maven, "--batch-mode", "--quiet", "--file", str(pom), *goal],
            capture_output=True,
            check=False,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"Maven did not fetch it within {_SECONDS} s") from error
    if fetched.returncode:
        errors = (line for line in fetched.stdout.splitlines() if "ERROR" in line)
        raise UnavailableError(f"Maven cannot fetch it: {next(errors, fetched.stderr)}")
    return answer
