#!/usr/bin/env python3
"""Books tables in a restaurant with twelve seats: the service behind tables.intents.yaml. Python 3.8 or newer, no packages.

    [TABLES_SECRET=…] ./table_service.py [PORT]     PORT defaults to 8800; without TABLES_SECRET, signatures are not verified"""
import hashlib, hmac, json, os, re, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("TABLES_SECRET", "").encode()
SEATS, taken, replies = 12, {}, {}  # taken: seats by time; replies: replies to handle by idempotency key
lock = threading.Lock()


def resolve(call):
    at = call["parameters"].get("time", "").strip()
    if re.fullmatch(r"(1[7-9]|2[01]):[0-5]\d", at):
        return {"success": {"value": at}}
    return {"unsupported": {"reason": "closed", "dialog": "We are open from 17:00 to 22:00. When shall it be?"}} if at else {"needsValue": {}}


def confirm(call):
    people, at = call["parameters"]["people"], call["parameters"]["time"]
    free = [t for t in (f"{h}:{m}" for h in range(17, 22) for m in ("00", "30")) if taken.get(t, 0) + people <= SEATS]
    if not free:
        return {"code": "failureFull", "dialog": f"We have no table for {people} tonight."}
    best = min(free, key=lambda t: abs(int(t[:2]) * 60 + int(t[3:]) - int(at[:2]) * 60 - int(at[3:])))
    asked = {"code": "ready", "validFor": "10m", "dialog": f"A table for {people} at {best}, {5 * people} EUR deposit. Shall I book it?"}
    return asked if best == at else {**asked, "proposed": {"time": best}}


def handle(call):
    people, at = call["parameters"]["people"], call["parameters"]["time"]
    if taken.get(at, 0) + people > SEATS:
        return {"code": "failureFull", "dialog": f"The last table at {at} has just gone."}
    taken[at] = taken.get(at, 0) + people
    return {"code": "success", "dialog": f"Booked for {people} at {at}.", "response": {"booking": f"T{len(replies) + 1}", "time": at}}


class Service(BaseHTTPRequestHandler):
    def is_signed(self, key, body):
        signed = dict(part.partition("=")[::2] for part in self.headers.get("X-Intent-Signature", "").split(","))
        lines = ["intents-http-2", self.command, self.path, signed.get("t", ""), key, ""]
        expected = hmac.new(SECRET, "\n".join(lines).encode("latin-1") + body, hashlib.sha256).hexdigest()
        is_ours = hmac.compare_digest(expected.encode(), signed.get("v2", "").encode("latin-1"))
        return is_ours and abs(time.time() - int(signed["t"])) < 300

    def do_POST(self):
        key, body = self.headers.get("Idempotency-Key", ""), self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if SECRET and not self.is_signed(key, body):
            return self.send_error(401)
        call = json.loads(body)
        with lock:
            reply = replies.get(key) or {"resolve": resolve, "confirm": confirm, "handle": handle}[call["phase"]](call)
            if call["phase"] == "handle":
                replies[key] = reply  # a repeat books nothing and gets the same reply
        text = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8800), Service)
    print(f"tables at http://127.0.0.1:{server.server_port}/intents", flush=True)
    server.serve_forever()
