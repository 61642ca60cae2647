#!/usr/bin/env python3
"""Puts load on a running console: readers of server-sent events, of whom some read nothing, and requests at a fixed rate.

    python3 deploy/console/load.py http://127.0.0.1:8233 --readers 10000 --rate 1000 --seconds 20 --stuck 100

Each reader follows a session of its own. The requests go to these sessions, so that each result has a reader. Readers that are stuck want the events of all sessions, and read
none of them: the console has to cut them off, and the others must not notice. Latency begins when a request was due, not when it was sent. Prints a line of JSON: how many
readers there were, how many of the stuck ones were cut off, requests a second, latency of the POST (ms) and from the POST to its first result at the reader (ms), and the memory
of the console's process (MiB), if --pid names it. Only for a console on this machine: it takes no other address."""
import argparse
import asyncio
import json
import pathlib
import time
import urllib.parse


def percentile(values: list[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000, 1) if values else -1


def memory(pid: int) -> float:
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)


class Load:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        url = urllib.parse.urlsplit(options.base)
        if url.hostname not in ("127.0.0.1", "localhost") or url.port is None:
            raise SystemExit("only a console on this machine is measured: http://127.0.0.1:PORT")
        self.host, self.port = url.hostname, url.port
        self.posts: list[float] = []
        self.told: list[float] = []
        self.sent: dict[str, float] = {}
        self.failures: dict[str, int] = {}
        self.open = self.lost = self.cut = 0
        self.peak = 0.0

    async def connect(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self.host, self.port, limit=2**16)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n\r\n".encode())
        await writer.drain()
        await reader.readuntil(b"retry: 1000")
        self.open += 1
        return reader, writer

    async def stuck(self, over: asyncio.Event) -> None:
        reader, writer = await self.connect("/api/v1/events")
        writer.transport.pause_reading()
        await over.wait()
        writer.transport.resume_reading()
        try:
            # What was on its way comes, and then the end.
            while await asyncio.wait_for(reader.read(2**20), 1):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            return
        self.cut += 1

    async def reader(self, number: int) -> None:
        reader, _ = await self.connect(f"/api/v1/sessions/load-{number}/events")
        try:
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    due = self.sent.pop(f"load-{number}", None)
                    if due is not None:
                        self.told.append(time.monotonic() - due)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        self.lost += 1

    async def watch_memory(self, pid: int) -> None:
        while True:
            self.peak = max(self.peak, memory(pid))
            await asyncio.sleep(0.25)

    async def poster(self, due: asyncio.Queue) -> None:
        connection = None
        while True:
            at, number = await due.get()
            if at is None:
                return
            session = f"load-{number % (self.options.readers - self.options.stuck)}"
            self.sent[session] = at
            body = json.dumps({"session": session, "intent": self.options.intent, "whenBusy": "replace"}).encode()
            head = f"POST /api/v1/requests HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            try:
                if connection is None:
                    connection = await asyncio.open_connection(self.host, self.port)
                reader, writer = connection
                writer.write(head.encode() + body)
                answer = await reader.readuntil(b"\r\n\r\n")
                length = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
                status = answer.split()[1].decode()
                if status != "202":
                    self.failures[status] = self.failures.get(status, 0) + 1
                self.posts.append(time.monotonic() - at)
            except (ConnectionError, asyncio.IncompleteReadError) as problem:
                self.failures[type(problem).__name__] = self.failures.get(type(problem).__name__, 0) + 1
                connection = None

    async def run(self) -> None:
        o = self.options
        before = memory(o.pid) if o.pid else None
        over = asyncio.Event()
        readers = []
        for number in range(o.readers):
            is_stuck = number >= o.readers - o.stuck
            readers.append(asyncio.create_task(self.stuck(over) if is_stuck else self.reader(number)))
            if number % 100 == 99:
                deadline = time.monotonic() + 30
                while self.open < number + 1 and time.monotonic() < deadline:
                    await asyncio.sleep(0.01)
        while self.open < o.readers:
            await asyncio.sleep(0.05)
        idle = memory(o.pid) if o.pid else None
        watching = asyncio.create_task(self.watch_memory(o.pid)) if o.pid else None
        due: asyncio.Queue = asyncio.Queue()
        posters = [asyncio.create_task(self.poster(due)) for _ in range(o.connections)]
        started = time.monotonic()
        total = int(o.rate * o.seconds)
        for number in range(total):
            at = started + number / o.rate
            wait = at - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            due.put_nowait((at, number))
        for _ in posters:
            due.put_nowait((None, 0))
        await asyncio.gather(*posters)
        took = time.monotonic() - started
        await asyncio.sleep(2)
        over.set()
        await asyncio.wait(readers[o.readers - o.stuck :] or [asyncio.create_task(asyncio.sleep(0))], timeout=60)
        if watching:
            watching.cancel()
        print(
            json.dumps({
                "readers": self.open, "lost": self.lost, "stuck": o.stuck, "stuckCutOff": self.cut, "requests": total, "requestsPerSecond": round(len(self.posts) / took, 1),
                "post": {"p50": percentile(self.posts, 0.5), "p99": percentile(self.posts, 0.99)},
                "toReader": {"count": len(self.told), "p50": percentile(self.told, 0.5), "p99": percentile(self.told, 0.99)},
                "failures": self.failures, "memory": {"before": before, "withReaders": idle, "peak": self.peak or None},
            }))
        for reader in readers:
            reader.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base")
    parser.add_argument("--readers", type=int, default=1000)
    parser.add_argument("--stuck", type=int, default=0, help="how many of the readers read nothing")
    parser.add_argument("--rate", type=float, default=200, help="requests a second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=64, help="connections that post")
    parser.add_argument("--intent", default="GetRideStatus")
    parser.add_argument("--pid", type=int, help="the console's process, for its memory")
    options = parser.parse_args()
    if not 0 <= options.stuck < options.readers:
        parser.error("--stuck is less than --readers")
    asyncio.run(Load(options).run())


if __name__ == "__main__":
    main()
