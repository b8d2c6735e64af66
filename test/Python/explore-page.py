"""The page of `uma explore`: one file with the results, the same bytes for the same results, tables without scripts, and texts of
models that stay texts."""
# REQUIRES: python
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python:%S/Inputs %python -W ignore -B %s %t | FileCheck %s --match-full-lines
# RUN: %if chromium %{ env PYTHONPATH=%source/utils %python -B %source/utils/open-report.py %t/*.html --runs 1 %}

import copy
import html.parser
import json
import pathlib
import sys
import time

import explore_results
from uma._explore_page import printable, write_page

folder = pathlib.Path(sys.argv[1])


class Reader(html.parser.HTMLParser):
    """Collects elements, attributes and texts, and checks that elements are closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.attributes, self.rows, self.data = [], [], set(), {}, ""
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag not in ("meta", "br"):
            self.open.append((tag, dict(attributes)))
        if tag == "tr":
            self.row = self.rows.setdefault(self.open[-3][1].get("class") if len(self.open) > 2 else None, [])
            self.row.append([])
        elif tag in ("td", "th"):
            self.row[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, tag

    def handle_data(self, text):
        if self.open and self.open[-1][0] in ("td", "th"):
            self.row[-1][-1] += text.replace("\u00a0", " ")
        if self.open and self.open[-1][1].get("id") == "data":
            self.data += text


pages = {}
for name, results in explore_results.make_all().items():
    before = copy.deepcopy(results)
    start = time.process_time()
    text = write_page(results)
    seconds = time.process_time() - start
    assert results == before and write_page(before) == text, name
    (folder / f"{name}.html").write_text(text, encoding="utf-8")
    pages[name] = page = Reader(text)
    # One element with data and one with the script; nothing is loaded.
    assert page.elements.count("script") == 2 and not {"link", "img", "iframe"} & set(page.elements), name
    assert not {"onclick", "src", "href"} & page.attributes, name
    assert text.replace("http://www.w3.org/2000/svg", "").find("//www.") < 0, name
    data = json.loads(page.data)
    assert len(data["points"]) == len(results["points"]), name
    if name != "hostile":
        assert data == results, name
    front = page.rows.get("sortable front", [])
    assert len(front) == (1 + sum(p["front"] for p in results["points"]) if front else 0), name
    if name == "large":
        assert len(results["points"]) == 2000 and len(text) < 2.5e6 and seconds < 2, (len(text), seconds)


def show(name, table):
    for row in pages[name].rows[table]:
        print(" | ".join(row))


# CHECK: Point | input_kib | weight_kib | cycles | input_kib + weight_kib | Mostly bound by
# CHECK-NEXT: 2 | 8 | 16 | 321 250 | 24 | dma (62 %)
# CHECK-NEXT: 6 | 16 | 16 | 220 624 | 32 | array (54 %)
# CHECK-NEXT: 10 | 32 | 16 | 186 978 | 48 | array (64 %)
show("small", "sortable front")
# CHECK-NEXT: Points | Reason | With
# CHECK-NEXT: 3 | net: layer 'conv0' needs 8192 bytes of memory 'weights', which has 4096 | weight_kib 4
# CHECK-NEXT: 3 | other net: layer 'conv1' needs 16384 bytes of memory 'weights', which has 8192 | weight_kib 8
show("small", "reasons")

# Names are escaped, and invisible characters are visible.
# CHECK-NEXT: </script><b onclick='x'>\u202E\x1B[31m"&amp; (attribute)
# CHECK-NEXT: </script><b onclick='x'>\u202E\x1B[31m"&amp;
print(*pages["hostile"].rows["sortable front"][0][1:4:2], sep="\n")
# CHECK-NEXT: \u200B \uFE0F \x7F \u00A0 \U000E0001 \uD800 é 😀 \n
print(*map(printable, ["\u200b", "\ufe0f", "\x7f", "\u00a0", "\U000e0001", "\ud800", "é", "😀", "\n"]))

# More reasons than the table has rows.
many = explore_results.make({"weight_kib": [*range(1, 8)], "input_kib": [*range(1, 41)]})
for point in many["points"]:
    point["reason"] += f" ({point['id']})"
text = write_page(many)
(folder / "tall.html").write_text(text, encoding="utf-8")
# CHECK-NEXT: 101 rows
print(len(Reader(text).rows["reasons"]), "rows")
assert "180 points with other reasons: see explore.json" in text

# Numbers that JSON does not have.
many["points"][0]["models"][0]["cycles"] = float("nan")
# CHECK-NEXT: Out of range float values are not JSON compliant{{.*}}
try:
    write_page(many)
except ValueError as error:
    print(error)
