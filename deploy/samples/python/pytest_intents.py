"""A pytest fixture: a whole pipeline on this machine, for tests of your workers and clients.

After `pip install` it is a plugin of pytest. If you have copied the file, add this to your conftest.py: pytest_plugins = ["pytest_intents"]. The fixture `intent_pipeline` then runs `intents dev`
once for all tests: the program that the environment variable INTENTS_PROGRAM names, or else the one in the wheel of this package, or else `intents` on the PATH. INTENTS_ARGUMENTS has arguments for it, such as "--definitions folder". The pipeline has a broker of its own and
does not encrypt, whatever KAFKA_BOOTSTRAP_SERVERS, INTENTS_KAFKA_CONFIG and INTENTS_ENCRYPTION_KEY_FILE say: to use a Kafka, put --bootstrap-servers into
INTENTS_ARGUMENTS.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest

from intent_pipeline import IntentClient

try:
    from intent_pipeline_program import carried_program
except ImportError:  # this file was copied without the package

    def carried_program() -> Optional[str]:
        return None


class IntentPipeline:
    """A running pipeline. `log` has what its processes have written to standard error."""

    def __init__(self, bootstrap_servers: str, log: Path) -> None:
        self.bootstrap_servers, self._log = bootstrap_servers, log

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace")

    def client(self, **options: Any) -> IntentClient:
        return IntentClient(self.bootstrap_servers, **options)


def eventually(what: str, condition: Callable[[], object], timeout: float = 60) -> None:
    """Waits for a condition, and fails the test if it does not come true in so many seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not in {timeout:g} s: {what}")
        time.sleep(0.05)


@pytest.fixture(scope="session")
def intent_pipeline() -> Iterator[IntentPipeline]:
    program: Optional[str] = os.environ.get("INTENTS_PROGRAM") or carried_program() or shutil.which("intents")
    if not program:
        pytest.fail("there is no program 'intents': install the wheel of deploy/python.sh, or name a program that 'swift build' has made in INTENTS_PROGRAM")
    with tempfile.TemporaryDirectory() as folder:
        ready, log = Path(folder, "ready.json"), Path(folder, "log")
        command = [program, "dev", "--stop-with-input", "--no-console", "--port", "0", "--ready-file", str(ready), *shlex.split(os.environ.get("INTENTS_ARGUMENTS", ""))]
        others = ("KAFKA_BOOTSTRAP_SERVERS", "INTENTS_KAFKA_CONFIG", "INTENTS_ENCRYPTION_KEY_FILE")
        environment = {name: value for name, value in os.environ.items() if name not in others}
        with open(log, "wb") as errors:
            process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors)
        with process:  # which waits for its end, and closes its input
            try:
                # A pipeline that is not ready within 90 seconds ends, and says which process is late.
                eventually("the pipeline is ready, or ends", lambda: ready.exists() or process.poll() is not None, 150)
                if not ready.exists():
                    pytest.fail(f"the pipeline did not start: {log.read_text(errors='replace')}")
                yield IntentPipeline(json.loads(ready.read_text())["bootstrapServers"], log)
            finally:
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
