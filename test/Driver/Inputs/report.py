"""Prints the data in the page of `uma compile --report` and checks it against itself: the page is well-formed and holds
nothing from elsewhere, positions exist, sums agree, and the memory plan is what its tensors say."""

import html.parser
import json
import sys

VOID = {"meta", "input"}


class Page(html.parser.HTMLParser):
    """Collects the elements `script` and the cells of tables."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.scripts, self.kinds, self.rows = [], [], [], 0
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            assert not name.startswith("on") and name not in ("src", "href", "action"), (tag, name, value)
        assert tag not in ("link", "img", "iframe", "object", "b2"), tag
        if tag == "script":
            self.kinds.append(dict(attributes).get("type"))
            self.scripts.append("")
        self.rows += tag == "tr" and "data-step" in dict(attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, text):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += text


text = open(sys.argv[1], encoding="utf-8").read()
page = Page(text)
assert page.kinds == ["application/json", "application/json", None], page.kinds
for stranger in ("http:", "https:", "@import", "url(//", "\u202e", "\x1b"):
    assert stranger not in text.replace("http://www.w3.org/2000/svg", ""), stranger
data = json.loads(page.scripts[0])
assert (data["format"], data["version"]) == ("uma-report", 1)
operators, steps, tensors = data["operators"], data["steps"], data["tensors"]
assert page.rows == len(steps)
assert len(data["model_sha256"]) == 64

width, height = data["graph"]["width"], data["graph"]["height"]
box = data["graph"]["node_width"], data["graph"]["node_height"]
for i, one in enumerate(operators):
    assert 0 <= one["x"] <= width - box[0] and 0 <= one["y"] <= height - box[1], one
    for other in operators[:i]:
        assert abs(one["x"] - other["x"]) >= box[0] or abs(one["y"] - other["y"]) >= box[1], (one, other)
    if one["step"] is not None:
        assert i in steps[one["step"]]["operators"], one
for edge in data["edges"]:
    a, b, points = operators[edge["from"]], operators[edge["to"]], edge["points"]
    assert points[:2] == [a["x"] + box[0] // 2, a["y"] + box[1]] and points[-2:] == [b["x"] + box[0] // 2, b["y"]], edge
    assert points[1::2] == sorted(points[1::2]), edge

for i, step in enumerate(steps):
    assert step["macs"] == sum(o["macs"] for o in operators if o["step"] == i), step
    live = [t for t in tensors if t["first"] <= i <= t["last"]]
    assert all(tensors[t] in live for t in step["tensors"]), step
    assert step["live"] == sum(t["bytes"] for t in live), step
    used = sorted((t["offset"], t["offset"] + t["bytes"]) for t in live)
    total = end = 0
    for begin, until in used:
        total, end = total + max(0, until - max(begin, end)), max(end, until)
    assert step["used"] == total, step
    assert end <= data["memory"]["arena"], step
assert data["memory"]["arena"] == data["workspace"]
assert data["memory"]["bound"] == max([step["live"] for step in steps], default=0)
if steps:
    assert steps[data["memory"]["peak"]]["used"] == max(step["used"] for step in steps)
pairs = {(i, j) for j, b in enumerate(tensors) for i, a in enumerate(tensors) if i != j
         and a["offset"] < b["offset"] + b["bytes"] and b["offset"] < a["offset"] + a["bytes"]
         and a["first"] <= b["last"] and b["first"] <= a["last"]}
assert {tuple(o["tensors"]) for o in data["overlaps"]} | {tuple(o["tensors"][::-1]) for o in data["overlaps"]} == pairs
assert 2 * len(data["overlaps"]) == len(pairs)

print("model", data["model"])
print("command", data["command"])
print("targets", ", ".join(f"{t['target']} {t['operators']} {t['macs']}" for t in data["targets"]))
for o in operators:
    print(f"operator {o['name']} {o['operator']} on {o['target']}, {o['macs']} MACs, step {o['step']}: " + "; ".join([o["pattern"], *o["reasons"]]))
print("edges", *(f"{e['from']}-{e['to']}" for e in data["edges"]))
for s in steps:
    kinds = ", ".join(operators[o]["operator"] for o in s["operators"])
    more = "".join(f", {s[key]} {key}" for key in ("cycles", "microseconds") if s[key] is not None)
    print(f"step {s['name']} ({', '.join(s['layers'])}): {kinds} on {s['target']}, {s['macs']} MACs, weights {s['weights']}{more}")
print(f"arena {data['memory']['arena']}, bound {data['memory']['bound']}")
for o in data["overlaps"]:
    a, b = (tensors[t] for t in o["tensors"])
    print(f"overlap of {a['name']} and {b['name']} in steps {o['first']} to {o['last']}, {o['bytes']} bytes")
for a in data["arguments"]:
    print(f"argument {a['name']}: {a['type']}, {a['bytes']} bytes" + ", output" * a["output"])
