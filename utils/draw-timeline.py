#!/usr/bin/python3
"""Draws a timeline of `uma run --trace` or `uma explain --mapping --trace` as SVG.

    utils/draw-timeline.py TRACE.json [--begin CYCLE] [--end CYCLE] [--title TEXT] > timeline.svg

A lane for each engine. Events of a layer have one colour if the timeline names layers, otherwise those of one function.
"""

import argparse
import collections
import html
import json
import sys

WIDTH, MARGIN, LANE, LEFT = 960, 16, 34, 110
COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#9c755f", "#76b7b2", "#e15759", "#edc948"]


def read(path):
    """Returns the lanes, (device, engine) to events, in the order of the file."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    devices = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    engines = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    lanes = collections.OrderedDict(((devices[pid], name), []) for (pid, _), name in engines.items())
    for event in events:
        if event["ph"] == "X" and event["dur"] > 0:
            lanes[devices[event["pid"]], engines[event["pid"], event["tid"]]].append(event)
    return lanes


def draw(lanes, begin, end, title):
    scale = (WIDTH - LEFT - MARGIN) / max(1, end - begin)
    height = 2 * MARGIN + 68 + LANE * len(lanes)
    colours = {}
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
             f'<text x="{MARGIN}" y="{MARGIN + 8}" font-size="14">{html.escape(title)}</text>']
    top = MARGIN + 22
    for number, ((device, engine), events) in enumerate(lanes.items()):
        y = top + number * LANE
        name = engine if len({d for d, _ in lanes}) == 1 else f"{device} {engine}"
        lines.append(f'<text x="{MARGIN}" y="{y + 20}">{html.escape(name)}</text>')
        lines.append(f'<rect x="{LEFT}" y="{y + 4}" width="{WIDTH - LEFT - MARGIN}" height="{LANE - 8}" fill="#f2f2f2"/>')
        for event in events:
            first, last = max(begin, event["ts"]), min(end, event["ts"] + event["dur"])
            if first >= last:
                continue
            key = event["args"].get("layer", event["name"])
            colour = colours.setdefault(key, COLOURS[len(colours) % len(COLOURS)]) if engine != "host" else "#c8c8c8"
            x, width = LEFT + (first - begin) * scale, (last - first) * scale
            lines.append(f'<rect x="{x:.1f}" y="{y + 4}" width="{max(0.6, width):.1f}" height="{LANE - 8}" fill="{colour}" '
                         f'stroke="#ffffff" stroke-width="0.4"><title>{html.escape(event["name"])}: {html.escape(key)}, {event["ts"]} to '
                         f'{event["ts"] + event["dur"]}</title></rect>')
            # Seven pixels a letter.
            if width > 7 * len(event["name"]):
                lines.append(f'<text x="{x + 4:.1f}" y="{y + 20}" fill="#ffffff">{html.escape(event["name"])}</text>')
    y = top + len(lanes) * LANE + 16
    for step in range(5):
        cycle = begin + (end - begin) * step // 4
        anchor = ["start", "middle", "middle", "middle", "end"][step]
        x = LEFT + (cycle - begin) * scale
        lines.append(f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}">{cycle:,}</text>')
    x, y = LEFT, y + 22
    for key, colour in list(colours.items())[:len(COLOURS)]:
        lines.append(f'<rect x="{x}" y="{y - 10}" width="11" height="11" fill="{colour}"/>'
                     f'<text x="{x + 16}" y="{y}">{html.escape(key)}</text>')
        x += 40 + 7 * len(key)
    return "\n".join(lines + ["</svg>"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("--begin", type=int, default=0)
    parser.add_argument("--end", type=int)
    parser.add_argument("--title", default="")
    options = parser.parse_args()
    try:
        lanes = read(options.trace)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        sys.exit(f"{options.trace}: no timeline of uma: {problem!r}")
    last = max((e["ts"] + e["dur"] for events in lanes.values() for e in events), default=0)
    print(draw(lanes, options.begin, last if options.end is None else options.end, options.title))


if __name__ == "__main__":
    main()
