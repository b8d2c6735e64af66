"""The site of the documentation: it is built without a network, asks for nothing from elsewhere, every link leads to a page and an
anchor, the reference has all operations, passes, options and statements, and questions are answered two clicks from the front page."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %source %build %t | FileCheck %s
# REQUIRES: full, mkdocs
# CHECK: {{[1-9][0-9][0-9]+}} pages
# CHECK-NEXT: {{[1-9][0-9][0-9][0-9]+}} links
# CHECK-NEXT: {{[1-9][0-9][0-9]+}} operations
# CHECK-NEXT: {{[1-9][0-9]+}} passes with {{[1-9][0-9]+}} options
# CHECK-NEXT: {{[1-9][0-9][0-9]+}} options of {{1[0-9]}} commands
# CHECK-NEXT: {{[3-9][0-9]}} statements
# CHECK-NEXT: 10 questions

import html.parser
import json
import os
import pathlib
import posixpath
import re
import subprocess
import sys
import urllib.parse

source, build, folder = map(pathlib.Path, sys.argv[1:4])
site = folder / "site"
# Every request would go to a port that nobody serves.
environment = dict(os.environ, http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9")
subprocess.run([sys.executable, "-B", source / "utils/build-site.py", folder], check=True, env=environment, stdout=subprocess.DEVNULL)


class Page(html.parser.HTMLParser):
    """The anchors, links, resources and text of a page."""

    def __init__(self, path: pathlib.Path):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.text: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in ("script", "img", "source", "iframe") and "src" in values:
            self.resources.append(values["src"])
        elif tag == "link" and values.get("rel") != "canonical":
            self.resources.append(values["href"])

    def handle_data(self, data):
        self.text.append(data)


pages = {str(path.relative_to(site)): Page(path) for path in site.rglob("*.html")}
print(f"{len(pages)} pages")

count, problems = 0, []
reached: dict[str, set[str]] = {name: set() for name in pages}
for name, page in pages.items():
    for link in page.links + page.resources:
        url = urllib.parse.urlsplit(link)
        if url.scheme or url.netloc:
            if link in page.resources:
                problems.append(f"{name}: loads {link}")
            continue
        count += 1
        # The page of an unknown address has absolute links.
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(url.path))) if url.path else name
        path = path.lstrip("/") if name == "404.html" else path
        path = "index.html" if path == "." else path
        if not (site / path).is_file():
            problems.append(f"{name}: no page for {link}")
        elif url.fragment and path in pages and urllib.parse.unquote(url.fragment) not in pages[path].anchors and url.fragment != "__skip":
            problems.append(f"{name}: no anchor for {link}")
        elif path in pages:
            reached[name].add(path + (f"#{url.fragment}" if url.fragment else ""))
for sheet in site.rglob("*.css"):
    problems += [f"{sheet.name}: loads {url}" for url in re.findall(r"url\([\"']?(https?:[^)]*)", sheet.read_text())]
if problems:
    sys.exit("\n".join(sorted(set(problems))[:50]))
print(f"{count} links")


def text(name: str) -> str:
    return "".join(pages[name].text)


def tblgen(*arguments: str) -> str:
    mlir = re.search(r"^MLIR_DIR:PATH=(.*)/lib/cmake/mlir/*$", (build / "CMakeCache.txt").read_text(), re.M)[1]
    command = [f"{mlir}/bin/mlir-tblgen", f"-I{mlir}/include", f"-I{source}/include", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def expect(found: set[str], page: str, what: str) -> None:
    content = text(page)
    missing = [name for name in sorted(found) if not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-]\w)", content)]
    if missing:
        sys.exit(f"{page} lacks {what}: {missing}")


operations = 0
for page, definitions in (("graph-ops", "Graph/IR/GraphOps.td"), ("tir-ops", "TIR/IR/TIROps.td"), ("accel-ops", "Accel/IR/AccelOps.td"),
                          ("transform-ops", "TIR/TransformOps/TIRTransformOps.td")):
    declared = set(re.findall(r'StringLiteral\("((?:uma|transform\.uma)\.[\w.]+)"\)', tblgen("-gen-op-decls", str(source / "include/uma" / definitions))))
    assert declared, definitions
    expect(declared, f"generated/{page}.html", "operations")
    operations += len(declared)
print(f"{operations} operations")


def ask(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


listed = dict(re.findall(r"^ {6}--([\w-]*\buma-[\w-]+) +- +(.*)", ask("uma-opt", "--help"), re.M))
passes = {name for name, summary in listed.items() if not summary.startswith("Former name of --")}
expect(passes, "generated/passes.html", "passes")
sections = dict(re.findall(r'<h3 id="([^"]*)">(.*?)(?=<h[23] |</article>)', (site / "generated/passes.html").read_text(), re.S))
pass_options, current = 0, None
for line in ask("uma-opt", "--help").splitlines():
    named = re.match(r" {6}--([\w-]+)", line)
    option = re.match(r" {8}--([\w-]+)", line)
    if named:
        current = named[1] if named[1] in passes else None
    elif option and current:
        assert f"<code>{option[1]}</code>" in sections[current], f"{current}: generated/passes.html lacks the option {option[1]}"
        pass_options += 1
print(f"{len(passes)} passes with {pass_options} options")

commands = ["uma " + name for name in re.findall(r"^  uma (\w+) .*  ", ask("uma", "--help").split("Examples")[0], re.M)] + ["uma-memplan"]
options = 0
chapters = dict(re.findall(r'<h2 id="([^"]*)">(.*?)(?=<h2 |</article>)', (site / "generated/cli.html").read_text(), re.S))
for command in commands:
    chapter = chapters[command.replace(" ", "-")]
    flags = set(re.findall(r"^  (--?[a-z][\w-]*)", ask(*command.split(), "--help"), re.M)) - {"--help", "--help-list", "--version"}
    missing = [flag for flag in flags if not re.search(rf"<code>{flag}[ =<&\[]", chapter)]
    assert flags or command == "uma format", command
    if missing:
        sys.exit(f"{command}: generated/cli.html lacks {missing}")
    options += len(flags)
print(f"{options} options of {len(commands)} commands")

# The statements and settings that the parser knows.
parser = {file.name: file.read_text() for file in (source / "lib/Accel/Language").glob("*.cpp")}
items = re.findall(r'"(\w+)"', re.search(r"words = \{(.*?)\};", parser["Parser.cpp"], re.S)[1])
flat = re.findall(r'^ {6}\{"(\w+)",$', parser["FlatStatements.cpp"], re.M)
inner = re.findall(r'\{"(\w+)", &PatternParser::', parser["ParsePattern.cpp"])
settings = [name for code in parser.values() for name in re.findall(r'\{"(\w+)"(?:\}|, Setting::)', code)]
assert items and flat and inner and settings
keywords = {*items, *flat, *inner, *settings}
expect(keywords, "description-language.html", "statements")
print(f"{len(keywords)} statements")

QUESTIONS = {
    "pass the stride": "strides=[s, s]", "conv4 on the CPU": "uma explain", "layer my device refuses": "pin", "operators are supported": "DEPTHWISE_CONV_2D",
    "bound the RAM": "--arena", "same numbers as TFLite": "--rounding=tflite", "firmware build": "--project=zephyr", "from Python": "uma.compile(",
    "load a pass": "--load-pass-plugin", "strategy or a schedule": "plevel",
}
index = json.loads((site / "search/search_index.json").read_text())["docs"]
searched = {entry["location"] for entry in index}
for question, answer in QUESTIONS.items():
    [link] = set(re.findall(rf'<a href="([^"]*)">[^<]*{question}', (site / "index.html").read_text()))
    first = link.partition("#")[0]
    near = [first] + sorted({name.partition("#")[0] for name in reached[first]})
    assert link in reached["index.html"] and any(answer in text(name) for name in near), question
    assert any(question in entry["title"] + entry["text"] for entry in index), question
    assert link in searched or first in searched, question
print(f"{len(QUESTIONS)} questions")
assert not any(location.startswith("files/") for location in searched)
