#!/usr/bin/env python3
"""Makes the table, the JSON and the plot of deploy/bench.sh from the figures of its runs. Python 3.8 or newer, no packages.

    deploy/bench/report.py FOLDER [--json FILE] [--svg FILE]

FOLDER has machine.json and, for each run, CONTENDER.RUN.json as `intents-bench --json` or flow.c prints it. The table goes to standard output. A figure is the
median of its runs, with the lowest and the highest in parentheses."""
import argparse
import html
import json
import math
import os
import re
import statistics
import sys

# In the order of the table: the file's name, and what the contender is called.
CONTENDERS = [
    ("ours", "IntentPipeline"), ("c", "C, librdkafka"), ("python", "Python, confluent-kafka"),
    ("python-validated", "Python, validating each event"), ("framework", "Python, Quix Streams"),
]
CONVERSATIONS = [
    ("prompt", "one prompt"), ("prompt-and-confirmation", "prompt and confirmation"), ("list", "a list, one choice"),
]
PERCENTILES = ["p50", "p90", "p99", "p99.9", "max"]


def read_runs(folder):
    """The runs of each contender, in order."""
    runs = {}
    for name in sorted(os.listdir(folder)):
        match = re.fullmatch(r"(.+)\.(\d+)\.json", name)
        if match:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                runs.setdefault(match[1], []).append((int(match[2]), json.load(file)))
    return {name: [figures for _, figures in sorted(all_of_it, key=lambda run: run[0])] for name, all_of_it in runs.items()}


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "runs": len(values)}


def summarize(runs):
    """One contender's medians, in the form of one run."""
    closed = [run["closed"] for run in runs if run.get("closed")]
    summary = {}
    if closed:
        summary["perSecond"] = spread([run["perSecond"] for run in closed])
        summary["cpu_us"] = spread([run["cpu_us"] for run in closed])
        roles = [role for role in closed[0]["cpu"] if all(role in run["cpu"] for run in closed)]
        summary["cpu"] = {role: spread([run["cpu"][role] for run in closed]) for role in roles}
        if "records" in closed[0]:
            summary["records"] = {
                topic: {key: statistics.median([run["records"][topic][key] for run in closed if topic in run["records"]])
                        for key in ["perIntent", "bytes"]}
                for topic in closed[0]["records"]}
    summary["paced"] = []
    for rate in [paced["rate"] for paced in runs[0]["paced"]]:
        paced = [run for figures in runs for run in figures["paced"] if run["rate"] == rate]
        summary["paced"].append({
            "rate": rate, "perSecond": spread([run["perSecond"] for run in paced]), "cpu_us": spread([run["cpu_us"] for run in paced]),
            "latency_ms": {name: spread([run["latency_ms"][name] for run in paced]) for name in PERCENTILES}})
    return summary


# MARK: The table


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def cell(figure):
    if figure["runs"] == 1:
        return number(figure["median"])
    return f"{number(figure['median'])} ({number(figure['min'])}–{number(figure['max'])})"


def ratio(ours, other):
    return f"{ours / other:.2f}" if other else "–"


def print_table(rows):
    """Prints rows of texts as a Markdown table with aligned columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for index, row in enumerate(rows):
        print("| " + " | ".join(text.ljust(width) for text, width in zip(row, widths)) + " |")
        if index == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    print()


def throughput_table(contenders, summaries):
    present = [(key, name) for key, name in contenders if "perSecond" in summaries.get(key, {})]
    if not present:
        return
    print("Closed loop: throughput. A latency in it would promise nothing, since it sends less while the pipeline is slow.\n")
    rows = [["happy path", "intents a second", "ours to this", "CPU µs an intent", "ours to this", "of which the coordinator"]]
    ours = summaries.get("ours")
    for key, name in present:
        figures = summaries[key]
        compared = ours and key != "ours" and "perSecond" in ours
        rows.append([
            name, cell(figures["perSecond"]), ratio(ours["perSecond"]["median"], figures["perSecond"]["median"]) if compared else "",
            cell(figures["cpu_us"]), ratio(ours["cpu_us"]["median"], figures["cpu_us"]["median"]) if compared else "",
            cell(figures["cpu"]["coordinator"])])
    print_table(rows)


def latency_table(contenders, summaries):
    rows = [["happy path", "rate", *[f"{name}, ms" for name in PERCENTILES], "reached"]]
    for key, name in contenders:
        for paced in summaries.get(key, {}).get("paced", []):
            rows.append([
                name, str(paced["rate"]), *[cell(paced["latency_ms"][percentile]) for percentile in PERCENTILES],
                number(paced["perSecond"]["median"])])
    if len(rows) > 1:
        print("Fixed rate: latency from the moment when the request was due, also if it was sent later.\n")
        print_table(rows)


def conversation_table(summaries):
    rows = [["ours, by conversation", "intents a second", "CPU µs an intent", "rate", "p50, ms", "p99, ms"]]
    for key, name in [("ours", "happy path"), *[(f"ours-{key}", name) for key, name in CONVERSATIONS]]:
        figures = summaries.get(key, {})
        if "perSecond" not in figures:
            continue
        paced = figures["paced"][0] if figures["paced"] else None
        rows.append([
            name, cell(figures["perSecond"]), cell(figures["cpu_us"]), str(paced["rate"]) if paced else "",
            cell(paced["latency_ms"]["p50"]) if paced else "", cell(paced["latency_ms"]["p99"]) if paced else ""])
    if len(rows) > 2:
        print_table(rows)


def record_table(summaries):
    records = summaries.get("ours", {}).get("records")
    if records:
        print("Records of ours in the happy path: how many an intent, and the mean bytes of key, value and headers.\n")
        print_table([["topic", "records", "bytes"]] + [
            [topic, f"{figures['perIntent']:.2f}", number(figures["bytes"])] for topic, figures in records.items()])


# MARK: The plot

# Colours of the contenders, on light and on dark.
COLOURS = [("#0969da", "#58a6ff"), ("#57606a", "#9198a1"), ("#bc4c00", "#f0883e"), ("#1a7f37", "#3fb950"), ("#8250df", "#bc8cff")]


def style():
    def colours(kind):
        return "\n".join(f"  .f{index} {{ fill: {pair[kind]}; }} .s{index} {{ stroke: {pair[kind]}; }}" for index, pair in enumerate(COLOURS))

    return f"""
  text {{ font: 12px system-ui, sans-serif; fill: #24292f; }}
  .title {{ font-weight: 600; font-size: 14px; }}
  .quiet {{ fill: #57606a; }}
  .axis {{ stroke: #8c959f; fill: none; }}
  .range {{ stroke: #24292f; fill: none; }}
  .grid {{ stroke: #d0d7de; fill: none; }}
  .line {{ fill: none; stroke-width: 2; }}
  .p99 {{ stroke-dasharray: 5 3; }}
  .background {{ fill: #ffffff; }}
{colours(0)}
  @media (prefers-color-scheme: dark) {{
  text {{ fill: #e6edf3; }} .quiet {{ fill: #9198a1; }} .axis {{ stroke: #656c76; }} .range {{ stroke: #e6edf3; }} .grid {{ stroke: #30363d; }}
  .background {{ fill: #0d1117; }}
{colours(1)}
  }}
"""


def text(x, y, words, kind="", anchor="start"):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{html.escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<path class="{kind}" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def latency_plot(contenders, summaries, left, top, width, height):
    """Latency by rate, on logarithmic axes: p50 as a line, p99 dashed."""
    series = [
        (index, [(paced["rate"], paced["latency_ms"]) for paced in summaries[key]["paced"]])
        for index, (key, _) in enumerate(contenders) if summaries.get(key, {}).get("paced")]
    rates = sorted({rate for _, points in series for rate, _ in points})
    if not rates:
        return []
    values = [max(latency[name]["median"], 0.1) for _, points in series for _, latency in points for name in ["p50", "p99"]]
    marks = [factor * 10.0**power for power in range(-2, 6) for factor in [1, 2, 5]]
    low, high = max(mark for mark in marks if mark <= min(values)), min(mark for mark in marks if mark >= max(values))
    marks = [mark for mark in marks if low <= mark <= high]

    def x(rate):
        span = math.log(rates[-1] / rates[0])
        return left + (width * math.log(rate / rates[0]) / span if span else width / 2)

    def y(value):
        return top + height * math.log(high / max(value, low)) / math.log(high / low) if high > low else top + height / 2

    parts = [text(left - 40, top - 34, "Latency at a fixed rate, ms", "title"), text(left - 40, top - 16, "solid p50, dashed p99; less is better", "quiet")]
    for mark in marks:
        parts += [line(left, y(mark), left + width, y(mark), "grid"), text(left - 6, y(mark) + 4, f"{mark:g}", "quiet", "end")]
    parts.append(line(left, top + height, left + width, top + height, "axis"))
    for rate in rates:
        parts.append(text(x(rate), top + height + 18, f"{rate:,}", "quiet", "middle"))
    parts.append(text(left + width / 2, top + height + 36, "intents a second", "quiet", "middle"))
    for index, points in series:
        for name in ["p50", "p99"]:
            path = "L".join(f"{x(rate):.1f} {y(latency[name]['median']):.1f}" for rate, latency in points)
            parts.append(f'<path class="line s{index} {name}" d="M{path}"/>')
            for rate, latency in points:
                parts.append(f'<circle class="f{index}" cx="{x(rate):.1f}" cy="{y(latency[name]["median"]):.1f}" r="2.5"/>')
    return parts


def bars(title, subtitle, contenders, summaries, figure, left, top, width, height):
    """One bar for each contender, with a line from the lowest to the highest run."""
    present = [(index, name, summaries[key][figure]) for index, (key, name) in enumerate(contenders) if figure in summaries.get(key, {})]
    parts = [text(left, top - 34, title, "title"), text(left, top - 16, subtitle, "quiet")]
    if not present:
        return []
    most, step = max(value["max"] for _, _, value in present), height / len(present)
    for position, (index, name, value) in enumerate(present):
        middle, length = top + step * (position + 0.5), (width - 60) * value["median"] / most
        parts.append(text(left, middle - 10, name))
        parts.append(f'<rect class="f{index}" x="{left}" y="{middle - 4:.1f}" width="{length:.1f}" height="12" rx="2"/>')
        if value["runs"] > 1:
            parts.append(line(left + (width - 60) * value["min"] / most, middle + 2, left + (width - 60) * value["max"] / most, middle + 2, "range"))
        end = (width - 60) * (value["max"] if value["runs"] > 1 else value["median"]) / most
        parts.append(text(left + end + 6, middle + 6, number(value["median"])))
    return parts


def plot(contenders, summaries, machine):
    width, height, top = 960, 400, 70
    parts = latency_plot(contenders, summaries, 60, top, 330, 220)
    parts += bars("Throughput, intents a second", "closed loop; more is better", contenders, summaries, "perSecond", 440, top, 250, 220)
    parts += bars("CPU µs an intent", "without broker and load; less is better", contenders, summaries, "cpu_us", 710, top, 250, 220)
    x = 60
    for index, (key, name) in enumerate(contenders):
        if key in summaries:
            parts += [f'<rect class="f{index}" x="{x}" y="352" width="12" height="12" rx="2"/>', text(x + 18, 362, name)]
            x += 40 + 7 * len(name)
    parts.append(text(60, 386, f"{machine['broker']}, {machine['cores']} cores for everything, {machine['date']}; medians, bars with lowest and highest run", "quiet"))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="Latency, throughput and CPU time of IntentPipeline, a C program and three Python programs">\n<style>{style()}</style>\n'
        f'<rect class="background" width="{width}" height="{height}" rx="6"/>\n{body}\n</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--json")
    parser.add_argument("--svg")
    options = parser.parse_args()
    with open(os.path.join(options.folder, "machine.json"), encoding="utf-8") as file:
        machine = json.load(file)
    runs = read_runs(options.folder)
    if not runs:
        sys.exit("report.py: there are no runs")
    summaries = {name: summarize(all_runs) for name, all_runs in runs.items()}
    print("\n".join(f"{name}: {value}" for name, value in machine.items()) + "\n")
    throughput_table(CONTENDERS, summaries)
    latency_table(CONTENDERS, summaries)
    conversation_table(summaries)
    record_table(summaries)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "medians": summaries, "runs": runs}, file, indent=1)
            file.write("\n")
    if options.svg:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(plot(CONTENDERS, summaries, machine))


if __name__ == "__main__":
    main()
