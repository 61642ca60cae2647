#!/usr/bin/env python3
"""Records a conversation in a terminal and writes it as an SVG: the picture in README.md. Python 3.8 or newer, no packages.

    deploy/record.py --bin .build/release -o Sources/Authoring/IntentKit/IntentKit.docc/Resources/chat.svg

Starts `intents dev`, or uses the pipeline at KAFKA_BOOTSTRAP_SERVERS, opens a shell in a pseudo-terminal, types a command and its answers at the
pace of a person, and notes when the terminal shows what. The pipeline's output and its times are recorded, not written by this script."""
import argparse, html, json, os, pty, re, select, signal, struct, subprocess, sys, tempfile, termios, fcntl, time

# What the person types: a text that the terminal has to show first, and then the keys.
SCRIPT = [
    (r"\$ $", 'intents chat RequestRide -p "dropOff=the airport"'),
    (r"or something else: $", "2"),
    (r"or something else: $", "Comfort"),
    (r"n \(Cancel\): $", "y"),
    (r"Cancel my ride\): $", ""),
    (r"\$ $", None),
]
COLUMNS, KEY_SECONDS, THINK_SECONDS, TIMEOUT_SECONDS = 84, 0.055, 1.0, 60


def start_pipeline(folder):
    """Starts `intents dev`, and returns it with its address once it is ready."""
    ready = os.path.join(tempfile.mkdtemp(), "ready.json")
    process = subprocess.Popen([os.path.join(folder, "intents"), "dev", "--port", "0", "--ready-file", ready], stdout=subprocess.DEVNULL)
    for _ in range(600):
        if os.path.exists(ready):
            with open(ready, encoding="utf-8") as file:
                return process, json.load(file)["bootstrapServers"]
        if process.poll() is not None:
            break
        time.sleep(0.1)
    process.terminate()
    sys.exit("The pipeline did not start.")


def record(folder, servers):
    """Plays SCRIPT in a shell. Returns what the terminal received: pairs of seconds and text."""
    child, terminal = pty.fork()
    if child == 0:
        environment = {"PATH": f"{os.path.abspath(folder)}:{os.environ['PATH']}", "PS1": "$ ", "TERM": "xterm-256color", "LANG": "C.UTF-8",
                       "KAFKA_BOOTSTRAP_SERVERS": servers}
        os.execve("/bin/sh", ["sh", "-i"], environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    started, chunks, unread = time.monotonic(), [], ""

    def read(seconds):
        nonlocal unread
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([terminal], [], [], left)[0]:
                return
            data = os.read(terminal, 65536)
            text = data.decode()
            chunks.append((time.monotonic() - started, text))
            unread += text

    for expected, keys in SCRIPT:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not re.search(expected, re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", unread)):
            if time.monotonic() > deadline:
                sys.exit(f"The terminal did not show {expected!r}, but: {unread!r}")
            read(0.02)
        unread = ""
        if keys is None:
            break
        read(THINK_SECONDS)
        for key in keys + "\n":
            os.write(terminal, key.encode())
            read(KEY_SECONDS)
    os.close(terminal)
    os.waitpid(child, 0)
    return chunks


def lines(chunks):
    """The screen's lines: lists of (seconds, style, text). The programs here only append, in colours of SGR 2, 31 to 36."""
    result, style = [[]], ""
    for seconds, text in chunks:
        for part in re.split(r"(\x1b\[[0-9;?]*[a-zA-Z]|\r?\n|\r)", text):
            if not part or part == "\r":
                continue
            if part.endswith("\n"):
                result.append([])
            elif part.startswith("\x1b"):
                code = part[2:-1]
                style = {"": "", "0": "", "2": "dim"}.get(code, f"c{code}" if re.fullmatch("3[1-6]", code) else style)
            else:
                last = result[-1][-1] if result[-1] else None
                if last and last[1] == style and seconds - last[0] < 0.001:
                    result[-1][-1] = (last[0], style, last[2] + part)
                else:
                    result[-1].append((seconds, style, part))
    while result and "".join(text for _, _, text in result[-1]).strip() in ("", "$"):
        result.pop()
    return wrap(result)


def wrap(rows):
    """Breaks rows that are longer than the terminal, as a terminal does."""
    wrapped = []
    for row in rows:
        wrapped.append([])
        column = 0
        for seconds, style, text in row:
            while column + len(text) > COLUMNS:
                wrapped[-1].append((seconds, style, text[: COLUMNS - column]))
                text, column = text[COLUMNS - column :], 0
                wrapped.append([])
            wrapped[-1].append((seconds, style, text))
            column += len(text)
    return wrapped


STYLE = """
.frame { fill: #fdfcf9; stroke: #d3cfc4 }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: #24292f; white-space: pre }
.dim { fill: #6a737d } .c31 { fill: #b31d28 } .c32 { fill: #1a7f37 } .c33 { fill: #9a6700 } .c34 { fill: #0550ae } .c35 { fill: #8250df } .c36 { fill: #0a7480 }
.c31, .c32, .c33, .c34, .c35, .c36 { font-weight: bold }
@media (prefers-color-scheme: dark) {
  .frame { fill: #161b22; stroke: #3b434d }
  text { fill: #e6edf3 }
  .dim { fill: #8b949e } .c31 { fill: #ff7b72 } .c32 { fill: #56d364 } .c33 { fill: #e3b341 } .c34 { fill: #79c0ff } .c35 { fill: #d2a8ff } .c36 { fill: #56d4dd }
}
@media (prefers-reduced-motion: no-preference) {
  text { animation: appear 1ms both }
  @keyframes appear { from { opacity: 0 } to { opacity: 1 } }
}
"""
LINE_HEIGHT, MARGIN, CHARACTER = 21, 22, 8.43


def svg(rows, title):
    """A <text> for each piece that appeared at once. Its `textLength` keeps the columns, whatever the font. Without animations all of it is visible."""
    width, height = round(2 * MARGIN + COLUMNS * CHARACTER), round(2 * MARGIN + LINE_HEIGHT * len(rows) - 4)
    start = min(piece[0] for row in rows for piece in row) if rows else 0
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
           f"<title>{html.escape(title)}</title>", f"<style>{STYLE}</style>",
           f'<rect class="frame" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>']
    for number, row in enumerate(rows):
        column = 0
        for seconds, style, text in row:
            bare = text.strip(" ")
            if bare:
                place = column + len(text) - len(text.lstrip(" "))
                attributes = {"class": style, "x": f"{MARGIN + place * CHARACTER:.2f}", "y": MARGIN + 13 + number * LINE_HEIGHT,
                              "textLength": f"{len(bare) * CHARACTER:.2f}", "style": f"animation-delay:{seconds - start:.2f}s"}
                written = " ".join(f'{name}="{value}"' for name, value in attributes.items() if value != "")
                out.append(f'<text {written}>{html.escape(bare, quote=False)}</text>')
            column += len(text)
    return "\n".join(out) + "\n</svg>\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", default=".build/release", help="the folder of the built programs (default: %(default)s)")
    options.add_argument("-o", "--output", default="Sources/Authoring/IntentKit/IntentKit.docc/Resources/chat.svg", help="default: %(default)s")
    options.add_argument("--text", action="store_true", help="also print the recording as text")
    chosen = options.parse_args()
    pipeline, servers = None, os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if not servers:
        pipeline, servers = start_pipeline(chosen.bin)
    try:
        rows = lines(record(chosen.bin, servers))
    finally:
        if pipeline:
            pipeline.send_signal(signal.SIGINT)
            pipeline.wait()
    with open(chosen.output, "w", encoding="utf-8") as file:
        file.write(svg(rows, 'A person asks for a ride to "the airport" with the command intents chat and answers three questions.'))
    if chosen.text:
        print("\n".join("".join(text for _, _, text in row) for row in rows))


if __name__ == "__main__":
    main()
