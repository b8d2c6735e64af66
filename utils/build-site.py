#!/usr/bin/python3
"""Builds the documentation as a web site, from the pages in docs/ and the files they link to.

    utils/build-site.py BUILD [--output FOLDER]

Stages the pages in BUILD/site-pages and writes BUILD/site (or FOLDER) by Debian's `mkdocs` and `mkdocs-material`, without a
network. The site also works from the disk (file://), with search. A link from a page to another file of the repository leads to
a page made from that file, a link to a folder to a list of its files. Every page of docs/ gets an entry in the navigation: in the
section that NAVIGATION names or, if it names none, under "More". Fails with the page and the line if a link leads nowhere.
"""

import argparse
import json
import logging
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
THEME = ROOT / "utils/site-theme"

# Sections with the pages in their order; a name stands for docs/NAME.md. Names without a page are left out.
NAVIGATION = {
    "Start": ["getting-started", "questions", "explain", "report", "placement"],
    "Tutorial": ["tutorial/README", "tutorial/vanilla", "tutorial/ultratrail", "tutorial/strawberry", "tutorial/vta", "tutorial/chocolate",
                 "tutorial/dpu", "tutorial/dpu-backend"],
    "Your device": ["add-an-accelerator", "recipes", "description-language", "mapping", "instructions", "backend", "plugins"],
    "Firmware": ["firmware", "package", "memory", "processors", "quantize"],
    "MLIR": ["composition", "scheduling", "editor", "python", "c-api", "migration"],
    "Speed": ["kernels", "tuning", "benchmarks"],
    "Reference": ["errors", "generated/cli", "supported-operators", "generated/graph-ops", "generated/tir-ops", "generated/transform-ops",
                  "generated/accel-ops", "generated/cpu-attributes", "generated/passes", "generated/onnx-node-tests"],
    "Compiler": ["architecture", "rationale", "testing", "dependencies"],
}
# Titles in the navigation, where the heading of the page is too long for it.
TITLES = {
    "docs/generated/cli.md": "Commands", "docs/generated/graph-ops.md": "uma.graph", "docs/generated/tir-ops.md": "uma.tir",
    "docs/generated/transform-ops.md": "transform.uma", "docs/generated/accel-ops.md": "uma.accel",
    "docs/generated/cpu-attributes.md": "#uma.cpu", "docs/generated/onnx-node-tests.md": "ONNX's tests",
    "docs/tutorial/README.md": "Overview",
}

FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\]\([^()]*\)|\[[^\[\]]*\])*\]\()([^()\s]+)(\))")
LANGUAGES = {".c": "c", ".h": "c", ".cpp": "cpp", ".py": "python", ".td": "tablegen", ".txt": "cmake", ".sh": "sh", ".mlir": "mlir",
             ".uma": "uma", ".json": "json", ".js": "js", ".v": "verilog", ".css": "css"}


def slugify(text: str, separator: str = "-") -> str:
    """Returns the anchor that GitHub gives to a heading, so that a link works in both places."""
    text = re.sub(r"<[^>]*>", "", text)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def tracked_files() -> set[str]:
    """Returns the files that a link may lead to: those of the repository, without ignored ones."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return {name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()}
    skipped = {".git", "node_modules", "__pycache__"}
    return {str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
            if path.is_file() and not skipped & set(path.parts) and not path.relative_to(ROOT).parts[0].startswith("build")}


def page_of(name: str) -> str:
    """Returns the path of a file's page in the staged folder."""
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    if name.endswith(".md"):
        return "repository/" + name
    return f"files/{name}.md"


class Stage:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.files = tracked_files()
        self.folders = {str(parent) for name in self.files for parent in pathlib.PurePosixPath(name).parents}
        self.pending: list[str] = []
        self.done: set[str] = set()
        self.problems: list[str] = []

    def want(self, name: str) -> str:
        """Returns the path of the page or picture of a file or folder, which is staged later."""
        if name not in self.done:
            self.done.add(name)
            self.pending.append(name)
        if name in self.folders:
            return f"files/{name}/folder.md"
        if pathlib.PurePosixPath(name).suffix in (".svg", ".png"):
            return name.removeprefix("docs/")
        return page_of(name)

    def run(self, pages: list[str]) -> None:
        for page in pages:
            self.want(page)
        while self.pending:
            name = self.pending.pop()
            target = self.folder / self.want(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            if name in self.folders:
                target.write_text(self.list_folder(name))
            elif target.suffix in (".svg", ".png"):
                shutil.copyfile(ROOT / name, target)
            elif name.endswith(".md"):
                target.write_text(self.convert(name))
            else:
                target.write_text(self.show_file(name))

    def link_to(self, page: str, name: str) -> str:
        return posixpath.relpath(self.want(name), posixpath.dirname(page) or ".")

    def list_folder(self, name: str) -> str:
        page = f"files/{name}/folder.md"
        lines = [f"# {name}", ""]
        for file in sorted(self.files):
            if file.startswith(name + "/"):
                lines.append(f"- [`{file.removeprefix(name + '/')}`]({self.link_to(page, file)})")
        return "\n".join(lines) + "\n"

    def show_file(self, name: str) -> str:
        path = ROOT / name
        language = LANGUAGES.get(path.suffix, "text")
        head = f"# {name}\n\n"
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            return head + f"A binary file of {path.stat().st_size} bytes.\n"
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text) or [""]))
        return f"{head}{fence}{language}\n{text.rstrip()}\n{fence}\n"

    def convert(self, name: str) -> str:
        """Returns a page in the Markdown of mkdocs: links between staged pages, fences without the words of its tests."""
        page, lines, fence, text = page_of(name), [], "", (ROOT / name).read_text().splitlines()
        list_before = False
        for number, line in enumerate(text, 1):
            match = FENCE.match(line)
            if fence:
                if line.strip() == fence:
                    fence = ""
                lines.append(line)
                continue
            if match:
                fence = match[2]
                lines.append(match[1] + match[2] + self.fence_words(match[3] or self.guess_language(text[number:])))
                continue
            # GitHub begins a list without an empty line before it.
            starts = re.match(r"(?:[-*]|\d+\.) ", line)
            if starts and lines and lines[-1].strip() and not list_before:
                lines.append("")
            list_before = bool(starts) or (list_before and bool(line.strip()))
            lines.append(self.convert_links(name, number, page, line))
        return "\n".join(lines) + "\n"

    @staticmethod
    def guess_language(lines: list[str]) -> str:
        """Returns the language of the code that starts these lines, for fences that name none."""
        code = "\n".join(lines).split("```")[0]
        if re.search(r"^\s*(accelerator|pattern|processor|instruction|strategy|attribute|engine|tokens|call|tile|await|pass|launch) ?.*[{(\"=]", code, re.M):
            return "uma"
        return "mlir" if re.search(r"%\w+ = |\w+\.\w+ [%@]|#uma\.|uma\.\w+\.\w+", code) else "text"

    @staticmethod
    def fence_words(words: str) -> str:
        language, *rest = words.split()
        title = next((word.split("=", 1)[1] for word in rest if word.startswith(("file=", "append="))), "")
        if title.endswith(".uma"):
            language = "uma"
        return language + (f' title="{title}"' if title else "")

    def convert_links(self, name: str, number: int, page: str, line: str) -> str:
        # Links in code are text.
        held: list[str] = []
        table = line.startswith("|")

        def hold(match: re.Match) -> str:
            # GitHub ends a cell of a table even in code.
            held.append(match[0].replace("\\|", "|") if table else match[0])
            return f"\0{len(held) - 1}\0"

        line = re.sub(r"`+[^`]*`+", hold, line)
        line = LINK.sub(lambda match: match[1] + self.target(name, number, page, match[2]) + match[3], line)
        return re.sub(r"\0(\d+)\0", lambda match: held[int(match[1])], line)

    def target(self, name: str, number: int, page: str, link: str) -> str:
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link) or not path:
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), urllib.parse.unquote(path)))
        if path not in self.files and path not in self.folders:
            self.problems.append(f"{name}:{number}: there is no {path}")
            return link
        if path in self.folders and f"{path}/README.md" in self.files:
            path += "/README.md"
        return self.link_to(page, path) + (f"#{anchor}" if anchor else "")


def heading(name: str) -> str:
    for line in (ROOT / name).read_text().splitlines():
        if line.startswith("# "):
            return re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", line[2:]).strip()
    return pathlib.PurePosixPath(name).stem


def navigation(pages: list[str]) -> list[dict]:
    """Returns the navigation in the form of mkdocs: every page once, in the order of NAVIGATION."""
    rest = set(pages) - {"docs/README.md"}
    sections: list[dict] = [{"Home": page_of("docs/README.md")}]

    def entry(page: str) -> dict:
        return {TITLES.get(page) or heading(page): page_of(page)}

    for title, names in NAVIGATION.items():
        there = [f"docs/{name}.md" for name in names if f"docs/{name}.md" in rest]
        rest -= set(there)
        if there:
            sections.append({title: [entry(page) for page in there]})
    devices = sorted(page for page in rest if page.startswith("dialects/"))
    rest -= set(devices)
    if devices:
        sections.insert(4, {"Devices": [{pathlib.PurePosixPath(page).parent.name: page_of(page)} for page in devices]})
    if rest:
        sections.append({"More": [entry(page) for page in sorted(rest)]})
    return sections


def configuration(stage: pathlib.Path, output: pathlib.Path, sections: list[dict]) -> dict:
    palette = [{"media": f"(prefers-color-scheme: {scheme})", "scheme": name, "primary": "indigo", "accent": "indigo",
                "toggle": {"icon": f"material/weather-{icon}", "name": f"Change to {other} colors"}}
               for scheme, name, icon, other in (("light", "default", "sunny", "dark"), ("dark", "slate", "night", "light"))]
    return {
        "site_name": "uma", "site_description": "Describe an accelerator in one file; compile ONNX and TensorFlow Lite models to C that calls it",
        "docs_dir": str(stage), "site_dir": str(output), "use_directory_urls": False, "nav": sections,
        "theme": {"name": "material", "custom_dir": str(THEME / "overrides"), "font": False, "palette": palette, "language": "en",
                  "features": ["navigation.top", "navigation.tracking", "search.highlight", "toc.follow"],
                  "icon": {"logo": "material/chip"}},
        "extra_css": ["site.css"], "extra": {"generator": False}, "plugins": ["search"],
        "markdown_extensions": ["tables", "sane_lists", "attr_list", "md_in_html", "pymdownx.superfences",
                                {"pymdownx.highlight": {"guess_lang": False, "anchor_linenums": False}},
                                {"toc": {"slugify": slugify, "permalink": True, "toc_depth": 3}}],
    }


def finish_search(output: pathlib.Path) -> None:
    """Removes sources from the index of the search, and writes it as a script, too: a page from the disk may not fetch a file, but may run a script."""
    path = output / "search/search_index.json"
    index = json.loads(path.read_text())
    # Sources would hide the pages that explain them.
    index["docs"] = [entry for entry in index["docs"] if not entry["location"].startswith("files/")]
    text = json.dumps(index, separators=(",", ":"))
    path.write_text(text)
    (output / "search/search_index.js").write_text(f"var __index = {text};\n")
    worker = next((output / "assets/javascripts/workers").glob("search.*.min.js"))
    # A worker of a page from the disk is this script in a frame, see offline.js.
    (output / "search/worker.js").write_text(f"var __worker = {json.dumps(worker.read_text())};\n")


class Problems(logging.Handler):
    """Collects the warnings of mkdocs, which are errors here."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    try:
        from mkdocs import config as mkdocs_config
        from mkdocs.commands import build as mkdocs_build
        from pygments.lexers import LEXERS as pygments_lexers
    except ImportError:
        print("The site needs mkdocs and its theme: apt-get install mkdocs mkdocs-material", file=sys.stderr)
        return 2
    folder, output = options.build.resolve() / "site-pages", (options.output or options.build / "site").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    stage = Stage(folder)
    if "docs/README.md" not in stage.files:
        print(f"{ROOT}/docs has no README.md, the front page", file=sys.stderr)
        return 1
    pages = sorted(name for name in stage.files if re.fullmatch(r"docs/.*\.md|dialects/[^/]*/README\.md", name))
    stage.run(pages)
    if stage.problems:
        print("\n".join(stage.problems), file=sys.stderr)
        return 1
    for file in (THEME / "files").iterdir():
        shutil.copyfile(file, folder / file.name)
    values = configuration(folder, output, navigation(pages))
    problems = Problems()
    logging.getLogger("mkdocs").addHandler(problems)
    sys.path.insert(0, str(THEME))
    for lexer, name in (("DescriptionLexer", "uma"), ("MLIRLexer", "mlir")):
        pygments_lexers[lexer] = ("uma_lexers", name, (name,), (), ())
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # The same pages give the same bytes.
    file = options.build / "site.yml"
    file.write_text("{}\n")  # The function that makes anchors cannot be in a file.
    mkdocs_build.build(mkdocs_config.load_config(config_file=str(file), **values))
    finish_search(output)
    if problems.messages:
        print("\n".join(problems.messages), file=sys.stderr)
        return 1
    print(f"{output}/index.html: {len(list(output.rglob('*.html')))} pages")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
