#!/usr/bin/python3
"""Draws the pictures in docs/images that show what the tools compute.

    utils/draw-images.py BUILD FOLDER

    digits-partition.svg   the graph of the demo's network, partitioned for Vanilla (`uma explain --json`)
    digits-memory.svg      its memory plan (`uma compile --report`, drawn by `uma-memplan`)
    dpu-timeline.svg       the commands of the device of docs/tutorial/dpu.md (`uma explain --mapping --trace`)
    digits-roofline.svg    its quantized layers on Strawberry (`uma explain --mapping --json`)

test/Docs/images.test checks that docs/images has the current ones.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
from html import escape

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIGITS = ROOT / "examples/digits/digits.onnx"
COLOURS = {"vanilla": "#0072b2", "cpu": "#6b6b6b"}
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" font-family="sans-serif" font-size="12">\n<rect width="{0}" height="{1}" fill="#ffffff"/>'


def draw_partition(explanation: dict) -> str:
    """Layers from top to bottom in the color of their device, with the reason why a layer of arithmetic stays on the CPU."""
    rows, width = 24, 760
    lines = [HEAD.format(width, len(explanation["layers"]) * rows + 16)]
    for number, layer in enumerate(explanation["layers"]):
        y = 8 + number * rows
        colour = COLOURS[layer["target"]]
        if number:
            lines.append(f'<path d="M70 {y - 4}V{y + 1}" stroke="#6b6b6b" stroke-width="1.5"/>')
        lines.append(f'<rect x="10" y="{y}" width="120" height="20" rx="3" fill="{colour}"/>')
        lines.append(f'<text x="70" y="{y + 14}" text-anchor="middle" fill="#ffffff">{escape(layer["operator"])}</text>')
        lines.append(f'<text x="142" y="{y + 14}" fill="#1b1b1b">{escape(layer["name"])}</text>')
        lines.append(f'<text x="215" y="{y + 14}" fill="{colour}">{escape(layer["target"])}</text>')
        reason = layer["reasons"][0]["constraint"] if layer["reasons"] else ""
        lines.append(f'<text x="280" y="{y + 14}" fill="#4a4a4a">{escape(reason)}</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"


def draw_roofline(layers: list[dict], bandwidth: float, title: str) -> str:
    """MACs per cycle against MACs per loaded byte, both logarithmic, below what the array and the DMA allow."""
    width, height, left, bottom = 640, 360, 60, 50
    peak = max(layer["macs"] / (layer["utilisation"] * layer["cycles"]) for layer in layers)
    low, high, floor = 0.25, 256.0, 1.0

    def x(intensity: float) -> float:
        return left + (width - left - 20) * math.log(intensity / low) / math.log(high / low)

    def y(rate: float) -> float:
        return height - bottom - (height - bottom - 40) * math.log(rate / floor) / math.log(2 * peak / floor)

    lines = [HEAD.format(width, height), f'<text x="{left}" y="20" font-size="14">{escape(title)}</text>']
    for power in range(-2, 9, 2):
        lines.append(f'<text x="{x(2.0 ** power):.1f}" y="{height - bottom + 18}" text-anchor="middle">{2.0 ** power:g}</text>')
    for power in range(0, 9, 2):
        lines.append(f'<text x="{left - 8}" y="{y(2.0 ** power) + 4:.1f}" text-anchor="end">{2 ** power}</text>')
        lines.append(f'<path d="M{left} {y(2.0 ** power):.1f}H{width - 20}" stroke="#dddddd"/>')
    knee = peak / bandwidth
    lines.append(f'<path d="M{x(low):.1f} {y(low * bandwidth):.1f}L{x(knee):.1f} {y(peak):.1f}H{width - 20}" fill="none" stroke="#0072b2" stroke-width="2"/>')
    lines.append(f'<text x="{x(knee) + 6:.1f}" y="{y(peak) - 6:.1f}" fill="#0072b2">{peak:.0f} MACs per cycle</text>')
    lines.append(f'<text x="{x(1.0):.1f}" y="{y(bandwidth) - 12:.1f}" text-anchor="end" fill="#0072b2">{bandwidth:g} bytes per cycle</text>')
    for layer in layers:
        px, py = x(layer["macs"] / layer["loaded_bytes"]), y(layer["macs"] / layer["cycles"])
        lines.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="#b3261e"/><text x="{px + 8:.1f}" y="{py + 4:.1f}">{escape(layer["name"])}</text>')
    lines.append(f'<text x="{(left + width) / 2}" y="{height - 10}" text-anchor="middle">MACs per loaded byte</text>')
    lines.append(f'<text transform="translate(16 {height / 2}) rotate(-90)" text-anchor="middle">MACs per cycle</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"


def block(page: str, mark: str) -> str:
    """Returns the first code block of a page with this mark in its first line."""
    return re.search(rf"^```[^\n]*{re.escape(mark)}\n(.*?)^```$", (ROOT / "docs/tutorial" / page).read_text(), re.M | re.S)[1]


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    tools, output = pathlib.Path(sys.argv[1]).resolve() / "bin", pathlib.Path(sys.argv[2]).resolve()
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="uma-images-") as name:
        folder = pathlib.Path(name)

        def run(tool: str, *arguments) -> str:
            return subprocess.run([tools / tool, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout

        explanation = json.loads(run("uma", "explain", DIGITS, "-a", "vanilla", "--json"))
        (output / "digits-partition.svg").write_text(draw_partition(explanation))

        run("uma", "compile", DIGITS, "-a", "vanilla", "-o", "digits_c", "--report=report.html")
        report = json.loads(re.search(r'id="?data"?[^>]*>(.*?)</script>', (folder / "report.html").read_text(), re.S)[1])
        # A layer that writes over its data ends their rectangle, and begins its own.
        rows = []
        for t in report["tensors"]:
            over = any(t["offset"] < o["offset"] + o["bytes"] and o["offset"] < t["offset"] + t["bytes"] and o["first"] == t["last"]
                       for o in report["tensors"] if o is not t)
            rows.append(f"{t['name']},{t['first']},{t['last'] + (not over)},{t['bytes']},{t['offset']}")
        (folder / "plan.csv").write_text("id,lower,upper,size,offset\n" + "\n".join(rows) + "\n")
        run("uma-memplan", "plan.csv", "--draw", output / "digits-memory.svg")

        # The network and the device of the tutorial, from its pages.
        environment = f"export UMA='{ROOT}' PATH='{tools}':/usr/bin:/bin\n"
        subprocess.run(["bash", "-e", "-c", environment + block("README.md", "sh test")], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (folder / "dpu.uma").write_text(block("dpu.md", "uma file=dpu.uma"))
        for suffix in "ch":
            (folder / f"dpu.{suffix}").write_text((ROOT / f"test/Integration/Inputs/dpu/dpu.{suffix}").read_text())
        run("uma", "explain", "digits_int8.mlir", "-a", "./dpu.uma", "--mapping", "--trace=timeline.json")
        drawn = subprocess.run([sys.executable, ROOT / "utils/draw-timeline.py", folder / "timeline.json", "--title", "dpu: four convolutions"],
                               check=True, stdout=subprocess.PIPE)
        (output / "dpu-timeline.svg").write_bytes(drawn.stdout)
        mapping = json.loads(run("uma", "explain", "digits_int8.mlir", "-a", "strawberry,dma_bytes=8", "--mapping", "--json"))
        (output / "digits-roofline.svg").write_text(draw_roofline(mapping["layers"], 8, "The layers of digits on Strawberry"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
