"""Chart of `bench/run.py --html`: a self-contained file."""

import html
import math

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 66rem; padding: 0 1rem; color: #1c2530; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
svg { width: 100%; height: auto; display: block; } text { font: 13px system-ui, sans-serif; fill: #1c2530; paint-order: stroke; stroke: #fff; stroke-width: 3px; }
.ours { fill: #1f6feb; } .less { fill: #b8c0cc; } .grid { stroke: #d6dbe1; } .mark { stroke: #1c2530; stroke-width: 1.5; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; } .wide { overflow-x: auto; }
th, td { text-align: right; padding: .2rem .5rem; border-bottom: 1px solid #e3e7ec; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } .note { color: #57606a; } summary { cursor: pointer; margin: .4rem 0; }
"""


def get_bars(rows: list[tuple[str, float, str]], largest: float, mark: float | None, label: str) -> str:
    """Returns horizontal bars with their numbers. Bars that do not reach `mark` are grey."""
    left, right, step = 240, 120, 28
    width, height = 900, step * len(rows) + 34
    unit = next(unit for unit in (0.25, 0.5, 1, 2, 5, 10, 25, 50, 100, 1000) if largest <= 6 * unit or unit == 1000)
    ticks = math.ceil(largest / unit)
    scale = (width - left - right) / (ticks * unit)
    parts = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(label)}">']
    for number in range(ticks + 1):
        x = left + number * unit * scale
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height - 28}"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 10}" text-anchor="middle">{number * unit:g}</text>')
    for number, (name, value, text) in enumerate(rows):
        y = number * step + 4
        kind = "ours" if mark is None or value >= mark else "less"
        parts.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{html.escape(name)}</text>')
        parts.append(f'<rect class="{kind}" x="{left}" y="{y}" width="{max(value * scale, 1):.1f}" height="20" rx="2"/>')
        parts.append(f'<text x="{left + value * scale + 6:.1f}" y="{y + 15}">{html.escape(text)}</text>')
    if mark is not None:
        x = left + mark * scale
        parts.append(f'<line class="mark" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{height - 28}"/>')
    return "".join(parts) + "</svg>"


def get_table(titles: list[str], rows: list[list[str]]) -> str:
    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    return f'<div class="wide"><table><thead>{line(titles, "th")}</thead><tbody>\n{body}\n</tbody></table></div>'


def get_percent(share: float | None) -> str:
    return f"{100 * share:.1f} %" if share else ""


def get_layers(model: str, name: str, variant: dict) -> str:
    rows = []
    for entry in sorted(variant["layers"], key=lambda layer: -layer["ms"]) + \
            [{"layer": kind, "operator": "", **numbers} for kind, numbers in variant["sums"].items()]:
        rate = 2 * entry["macs"] / entry["ms"] / 1e6 if entry["ms"] and entry["macs"] else None
        rows.append([entry["layer"], entry["operator"], f"{entry['ms']:.4f}", f"{rate:.1f}" if rate else "",
                     get_percent(entry["of_peak"]),
                     f"{entry['ort_ms']:.4f}" if entry["ort_ms"] is not None else ""])
    table = get_table(["layer", "operator", "ms", "GFLOP/s", "of the peak", "ONNX Runtime ms"], rows)
    return f"<details><summary>{html.escape(model)}, {html.escape(name)}</summary>{table}</details>"


def get_html(report: dict) -> str:
    ratios, peaks, table, layers = [], [], [], []
    for result in report["models"]:
        for name, variant in result["variants"].items():
            title = result["model"] if name == "ours" else f"{result['model']}, {name}"
            if "ratio" in variant:
                ratios.append((title, variant["ratio"], f"{variant['ratio']:.3g} ({result['ort_ms']:.3g} / {variant['ms']:.3g} ms)"))
            if variant["of_peak"]:
                peaks.append((title, 100 * variant["of_peak"], f"{get_percent(variant['of_peak'])}, {variant['gflops']:.1f} GFLOP/s"))
            table.append([title, f"{result['ort_ms']:.3f}" if "ort_ms" in result else "", f"{variant['ms']:.3f}",
                          f"{variant['error']:.1e}" if variant["error"] is not None else "",
                          f"{variant['weights_bytes'] / 1e6:.2f}", f"{variant['workspace_bytes'] / 1e6:.2f}",
                          f"{variant['compile_seconds']:.2f}", f"{variant['cc_seconds']:.1f}", f"{variant['largest_source'] / 1e3:.0f}"])
            if "layers" in variant:
                layers.append(get_layers(result["model"], name, variant))
    many = "s" if report["threads"] > 1 else ""
    parts = [
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>uma: benchmarks</title><style>{STYLE}</style></head><body>',
        "<h1>The emitted C beside ONNX Runtime</h1>",
        f'<p class="note">{html.escape(report["machine"])}, {report["threads"]} thread{many}, '
        f'{html.escape(report["cc"])} {html.escape(report["cflags"])}</p>']
    if ratios:
        parts.append("<h2>ONNX Runtime's time / ours: right of the line, ours is faster</h2>")
        parts.append(get_bars(ratios, max(1.2, *[1.1 * ratio for _, ratio, _ in ratios]), 1, "ratio of times"))
        parts.append(f'<p>Geometric mean of ours: {report["mean"]:.3f}. A network of one Identity takes ONNX Runtime '
                     f'{1e3 * report["overhead_ms"]:.1f} us.</p>')
    if peaks:
        parts.append("<h2>Share of the cores' measured peak, in percent</h2>")
        parts.append(get_bars(peaks, max(100, *[share for _, share, _ in peaks]), None, "share of the peak"))
    parts.append("<h2>Numbers</h2>" + get_table(
        ["model", "ORT ms", "ours ms", "error", "weights MB", "workspace MB", "compile s", "cc s", "source kB"], table))
    if layers:
        parts.append("<h2>Layers</h2>" + "\n".join(layers))
    for title, lines in (("Failed", report["failed"]), ("Marks missed", report["missed"])):
        if lines:
            parts.append(f"<h2>{title}</h2><ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>")
    return "\n".join(parts) + "\n</body></html>\n"
