#!/usr/bin/env bash
# Follows the README with the wheel, where Swift is not installed: deploy/python.sh --check runs this in the root directory that it has made.
set -euo pipefail

say() { printf '== %s\n' "$*"; }
fail() {
    printf '%s\n' "$*"
    cat /tmp/*.log
    exit 1
}
# eventually WHAT COMMAND…: waits until the command succeeds, a minute at most.
eventually() {
    local what=$1
    shift
    for _ in {1..600}; do
        if "$@" >/tmp/eventually.log 2>&1; then return; fi
        sleep 0.1
    done
    fail "not in a minute: $what"
}

say "there is no Swift"
if command -v swift || find / -xdev -name 'libswift*' | grep .; then fail "there is Swift: see above"; fi
python3 - <<'PYTHON'
# The loopback interface of this namespace is down at first.
import fcntl, socket, struct
SIOCSIFFLAGS, IFF_UP_AND_RUNNING = 0x8914, 0x41
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP_AND_RUNNING))
PYTHON

say "pip install"
python3 -m venv /venv
/venv/bin/pip install -q --no-index --find-links /wheels intent-pipeline pytest
export PATH=/venv/bin:$PATH
intent-pipeline --version

say "intent-pipeline dev, and the worker of the README"
intent-pipeline dev --no-workers --ready-file /tmp/ready >/tmp/dev.log 2>&1 &
pipeline=$!
eventually "the pipeline is ready" test -e /tmp/ready
awk '/^# tea.py$/ { shown = 1 } /^```$/ { shown = 0 } shown' /README.md >/tea.py
python3 /tea.py -b 127.0.0.1:8232 >/tmp/worker.log 2>&1 &
worker=$!
eventually "the worker's intent is served" sh -c 'intent-pipeline catalog list | grep OrderTea'

say "a request from Python"
timeout 60 python3 - <<'PYTHON' || fail "the request from Python failed"
from intent_pipeline import Answer, IntentClient

with IntentClient("127.0.0.1:8232") as client, client.ask("OrderTea") as tea:
    completion = tea.converse(lambda prompt: Answer.typed("mint"))
assert (completion.status, completion.dialog) == ("success", "Your mint tea is ready."), completion
PYTHON

say "a chat"
timeout 60 intents chat OrderTea <<<green >/tmp/chat.log 2>&1 || fail "the chat failed"
grep -q 'Your green tea is ready' /tmp/chat.log || fail "the chat ended otherwise"

say "intent-pipeline doctor"
intent-pipeline doctor || fail "the doctor found a fault"

say "the console"
python3 - <<'PYTHON'
import json, urllib.request
with urllib.request.urlopen(json.load(open("/tmp/ready"))["console"]) as page:
    assert b"<html" in page.read().lower()
PYTHON
kill "$worker" "$pipeline"
wait

say "pytest, with the test of the README"
mkdir /tests
awk '/^# test_rides.py$/ { shown = 1 } /^```$/ { shown = 0 } shown' /README.md >/tests/test_rides.py
timeout 120 pytest -q /tests
