#!/usr/bin/python3
"""Runs ONNX's backend tests through the compiler, down to the numbers that the emitted C computes.

    utils/run-onnx-node-tests.py [--uma build/bin/uma] [--jobs 2] [--only conv,relu] [--list] [FOLDER]...

FOLDER is a test (it contains model.onnx and test_data_set_*), or any folder that contains tests. By default, the
tests of Debian's package libonnx-testdata are run. Each test is one `uma run MODEL --test-data SET` per
data set. Possible results are:

    pass            the numbers match the test
    not supported   refused as unsupported, with a reason (exit code 3)
    bad input       refused as invalid (2): the model is not valid ONNX, or the importer has a bug
    WRONG           other numbers (1)
    FAILED          the C did not build or did not run (4)
    CRASH           ended by a signal, or with an undocumented exit code
    HANG            took longer than --timeout seconds

If a test is refused because an input must be a constant or has a dynamic shape, it runs again
with that input bound by --const to its recorded value. This repeats for further inputs.

Prints a table, then the reasons, most frequent first. --page FILE compares the results with a page of the
documentation, so that no test regresses; --fix writes the page. Exits with 1 if a test is WRONG, FAILED, CRASH or
HANG, or if the page differs, and with 77 if the tests are not installed.
"""

import argparse
import collections
import concurrent.futures
import difflib
import os
import pathlib
import re
import subprocess
import sys

KINDS = ["pass", "not supported", "bad input", "WRONG", "FAILED", "CRASH", "HANG"]
BY_EXIT_CODE = {0: "pass", 1: "WRONG", 2: "bad input", 3: "not supported", 4: "FAILED"}
# An input that determines shapes, or one with a dynamic shape.
NEEDS_CONSTANT = r"(?:is|from) '([^']*)', an input of the model; only constants|input '([^']*)': the size of dimension"
BROKEN = {"WRONG", "FAILED", "CRASH", "HANG"}


def find_default() -> list[pathlib.Path]:
    """Returns the folders of the installed test data, or an empty list."""
    try:
        listed = subprocess.run(["dpkg", "-L", "libonnx-testdata"], capture_output=True, text=True).stdout
    except OSError:
        return []
    models = [pathlib.Path(line) for line in listed.splitlines() if line.endswith("/model.onnx")]
    return [pathlib.Path(os.path.commonpath(models))] if models else []


def find_tests(folders: list[pathlib.Path], only: list[str]) -> list[pathlib.Path]:
    tests = {path.parent for folder in folders for path in folder.rglob("model.onnx")}
    return sorted(test for test in tests if not only or any(word in test.name for word in only))


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Reads a varint of a protobuf message at `at`. Returns its value and its end."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def read_tensor_name(path: pathlib.Path) -> str:
    """Returns the name (field 8) of the TensorProto in a file, or "" if it has none."""
    data, at = path.read_bytes(), 0
    try:
        while at < len(data):
            key, at = read_varint(data, at)
            wire_type = key & 7
            if wire_type == 0:
                _, at = read_varint(data, at)
                continue
            size = {1: 8, 5: 4}.get(wire_type)
            if size is None:
                size, at = read_varint(data, at)
            if key >> 3 == 8:
                return data[at : at + size].decode(errors="replace")
            at += size
    except IndexError:
        pass
    return ""


def run_once(command: list[str], timeout: float) -> tuple[str, str]:
    """Runs a command. Returns the result and the first line of output that gives the reason."""
    # A network of one operator runs for microseconds. -O1 compiles faster and has the warnings of -O2.
    environment = {"CFLAGS": "-O1", **os.environ}
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return "HANG", f"longer than {timeout:g} s"
    kind = BY_EXIT_CODE.get(done.returncode, "CRASH")
    if kind == "pass":
        return kind, ""
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    return kind, next((line for line in lines if "error:" in line or "DIFFERENT" in line), lines[-1] if lines else "")


def run(uma: str, test: pathlib.Path, timeout: float) -> tuple[str, str, bool]:
    """Runs a test. Returns the result, the first line of output that gives the reason, and whether inputs were bound."""
    model, was_bound = str(test / "model.onnx"), False
    for data in sorted(test.glob("test_data_set_*")):
        files = {read_tensor_name(path): path for path in sorted(data.glob("input_*.pb"))}
        bound = []
        while True:
            kind, reason = run_once([uma, "run", model, "--test-data", str(data), *bound], timeout)
            wanted = re.search(NEEDS_CONSTANT, reason)
            name = wanted and (wanted.group(1) or wanted.group(2))
            file = files.pop(name, None)
            if kind not in ("not supported", "bad input") or not file:
                break
            bound += ["--const", f"{name}={file}"]
        was_bound |= bool(bound)
        if kind != "pass":
            reason = re.sub("^" + re.escape(model) + r"[:\d]* ", "", reason).removeprefix("error: ")
            return kind, reason, was_bound
    return "pass", "", was_bound


def generalize(reason: str) -> str:
    """Removes names and numbers of a model from a reason, so that equal reasons can be counted."""
    reason = re.sub(r"^(layer|node) '[^']*' ?", "", reason)
    return re.sub(r" \(nodes? '[^)]*\)$", "", reason).lstrip(": ")


def write_page(results: dict[pathlib.Path, tuple[str, str, bool]]) -> str:
    """Returns the results as a Markdown page."""
    root = pathlib.Path(os.path.commonpath([test.parent for test in results]))
    suites = sorted({test.parent.name for test in results})
    lines = [
        "# ONNX's tests of operators",
        "",
        "<!-- Written by utils/run-onnx-node-tests.py --page FILE --fix: change what it measures, not this. -->",
        "",
        "What comes of ONNX's own backend tests, down to the numbers of the emitted C, compared under ONNX's tolerances.",
        "`make test-full` runs them and fails where this page is not what came out. The tests are those of Debian's package",
        "`libonnx-testdata`; `utils/run-onnx-node-tests.py` runs them or any folder of that format.",
        "",
        "| tests | " + " | ".join(KINDS) + " | all |",
        "|---|" + "---|" * (len(KINDS) + 1),
    ]
    for suite in suites:
        kinds = collections.Counter(kind for test, (kind, _, _) in results.items() if test.parent.name == suite)
        lines.append(f"| {suite} | " + " | ".join(str(kinds[kind]) for kind in KINDS) + f" | {kinds.total()} |")
    for kind in KINDS[1:]:
        reasons = collections.defaultdict(list)
        for test, (found, reason, _) in sorted(results.items()):
            if found == kind:
                reasons[generalize(reason).replace(f"{root}/", "")].append(test.name)
        if reasons:
            lines += ["", f"## {kind}", "", "| tests | reason | which |", "|---|---|---|"]
        for reason, names in sorted(reasons.items(), key=lambda item: (-len(item[1]), item[0])):
            shown = [f"`{name}`" for name in names[:3]] + ["..."] * (len(names) > 3)
            lines.append(f"| {len(names)} | {reason} | {', '.join(shown)} |")
    return "\n".join(lines) + "\n"


def count_tests(text: str) -> list[str]:
    """Returns the numbers of tests in the first table of a page, which identify the release of the tests."""
    return re.findall(r"^\| [\w-]+ \|(?: \d+ \|)* (\d+) \|$", text, re.MULTILINE)


def check_page(page: pathlib.Path, text: str, fix: bool) -> bool:
    """Returns whether the page equals `text`. With `fix`, writes the page."""
    if fix:
        page.write_text(text)
        return True
    old = page.read_text() if page.exists() else ""
    if old == text:
        return True
    if old and count_tests(old) != count_tests(text):
        print(f"\nnot compared with {page}, which tells of another release of the tests")
        return True
    print(f"\n{page} says something else; where that is right, --fix writes it anew:")
    print("\n".join(difflib.unified_diff(old.splitlines(), text.splitlines(), "the page", "this run", n=0, lineterm="")))
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="tests at a time (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=300, help="seconds per test (default: %(default)s)")
    parser.add_argument("--only", default="", help="words, one of which a test's name has to hold")
    parser.add_argument("--page", type=pathlib.Path, help="the Markdown page that tells these results")
    parser.add_argument("--fix", action="store_true", help="write the page")
    parser.add_argument("--list", action="store_true", help="print a line for every test")
    options = parser.parse_args()

    folders = options.folders or find_default()
    if not folders:
        print("the package libonnx-testdata is not installed; name a folder of tests", file=sys.stderr)
        return 77
    for folder in folders:
        if not folder.is_dir():
            parser.error(f"{folder}: no such folder")
    tests = find_tests(folders, [word for word in options.only.split(",") if word])
    if not tests:
        parser.error("no tests there")

    results = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(run, options.uma, test, options.timeout): test for test in tests}
        for number, future in enumerate(concurrent.futures.as_completed(futures), 1):
            results[futures[future]] = future.result()
            if sys.stderr.isatty():
                print(f"\r{number}/{len(tests)}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)

    if options.list:
        for test in tests:
            kind, reason, was_bound = results[test]
            print(f"{kind:14} {test.name}{' (bound)' if was_bound else ''}{': ' if reason else ''}{reason}")
        print()
    counts = collections.Counter(kind for kind, _, _ in results.values())
    for kind in KINDS:
        print(f"{kind:14} {counts[kind]:5}")
        if kind == "pass":
            bound = sum(found == "pass" and was_bound for found, _, was_bound in results.values())
            print(f"  of these with inputs bound: {bound}")
    print(f"{'tests':14} {len(tests):5}")

    for kind in KINDS[1:3]:
        reasons = collections.Counter(generalize(reason) for found, reason, _ in results.values() if found == kind)
        if reasons:
            print(f"\n{kind}:")
        for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
            print(f"{count:5}  {reason}")
    broken = [test for test in tests if results[test][0] in BROKEN]
    if broken:
        print("\nbroken:")
    for test in broken:
        print(f"  {results[test][0]:6} {test}: {results[test][1]}")
    is_told = not options.page or check_page(options.page, write_page(results), options.fix)
    return 1 if broken or not is_told else 0


if __name__ == "__main__":
    sys.exit(main())
