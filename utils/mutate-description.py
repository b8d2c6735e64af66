#!/usr/bin/env python3
"""Mutation-tests `uma test`: makes one mistake at a time in a description and
counts how many are found.

Each kind of mistake is made at every possible position: two arguments of a
call swapped, an argument left out or replaced, a size swapped in a shape, a
`require` dropped or weakened, an attribute forgotten, changed or loosened to
`any`, another operator, another function, patterns in another order. A mistake is
found if `uma check` or `uma test` fails, or emits a warning that the correct
description does not cause.

Equivalent mutants, which describe the same calls for the same layers, are not
counted. `why_equivalent` gives the reason for each.

usage: mutate-description.py --uma build/bin/uma DESCRIPTION... [--sample N]
"""

import argparse
import concurrent.futures
import dataclasses
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile


@dataclasses.dataclass
class Mutant:
    kind: str
    line: int  # from 1
    what: str  # old and new text
    text: str  # the whole description


def split(text):
    """Splits a list at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def swapped(parts, i, j):
    parts = list(parts)
    parts[i], parts[j] = parts[j], parts[i]
    return parts


def replaced(parts, i, new):
    return parts[:i] + ([] if new is None else [new]) + parts[i + 1:]


def mutate_list(parts, what):
    """Yields mutants with two neighbours swapped, if they differ."""
    for i in range(len(parts) - 1):
        if parts[i] != parts[i + 1]:
            yield what, swapped(parts, i, i + 1)


def mutate_call(line, callees):
    head, function, body = re.match(r"(\s*call )(\w+)\((.*)\)$", line).groups()
    parts = split(body)
    put = lambda function, parts: f"{head}{function}({', '.join(parts)})"
    for kind, changed in mutate_list(parts, "swap arguments"):
        yield kind, put(function, changed)
    numbers = [p for p in parts if re.fullmatch(r"\w+", p)]
    for i, part in enumerate(parts):
        yield "drop argument", put(function, replaced(parts, i, None))
        if part.isdigit():
            yield "change constant", put(function, replaced(parts, i, str(1 - min(int(part), 1))))
        elif i >= 3:
            # Sizes follow the tensors.
            yield "constant for name", put(function, replaced(parts, i, "1"))
            other = numbers[(numbers.index(part) + 2) % len(numbers)] if part in numbers else part
            if other != part and parts.index(other) >= 3:
                yield "other name", put(function, replaced(parts, i, other))
    for other in callees:
        if other != function:
            yield "other function", put(other, parts)


OTHER_OPERATOR = {"relu": "tanh", "bias_add": "add", "conv2d": "max_pool2d", "dense": "batch_matmul"}


def mutate_operator(line):
    head, kind, body = re.match(r"(\s*\w+ = (?:optional )?)(\w+)\((.*)\)$", line).groups()
    parts = split(body)
    put = lambda kind, parts: f"{head}{kind}({', '.join(parts)})"
    tensors = [i for i, part in enumerate(parts) if "=" not in part]
    for i, j in zip(tensors, tensors[1:]):
        yield "swap operands", put(kind, swapped(parts, i, j))
    if kind in OTHER_OPERATOR:
        yield "other operator", put(OTHER_OPERATOR[kind], parts)
    for i, part in enumerate(parts):
        if "=" not in part:
            continue
        name, value = part.split("=", 1)
        if value != "any":
            yield "loosen attribute", put(kind, replaced(parts, i, f"{name}=any"))
        yield "drop attribute", put(kind, replaced(parts, i, None))
        if value == "same":
            yield "change attribute", put(kind, replaced(parts, i, f"{name}=[0, 0, 0, 0]"))
            yield "change attribute", put(kind, replaced(parts, i, f"{name}=[1, 1, 1, 1]"))
        elif value.isdigit():
            yield "change attribute", put(kind, replaced(parts, i, f"{name}={int(value) + 1}"))
        elif value.startswith("["):
            elements = split(value[1:-1])
            for changed_kind, changed in mutate_list(elements, "swap in attribute"):
                yield changed_kind, put(kind, replaced(parts, i, f"{name}=[{', '.join(changed)}]"))
            for k, element in enumerate(elements):
                if element.isdigit():
                    changed = replaced(elements, k, str(int(element) + 1))
                    yield "change attribute", put(kind, replaced(parts, i, f"{name}=[{', '.join(changed)}]"))


def mutate_require(line):
    yield "drop require", ""
    for old, new in (("==", "!="), ("&&", "||"), ("% 2 == 1", "% 2 == 0"), ("<=", "<"), (">=", ">")):
        if old in line:
            yield "change require", line.replace(old, new, 1)
    if "&&" in line:
        condition, reason = line.split(",", 1)
        word, both = condition.split("require ")
        for one in both.split("&&"):
            yield "drop half of a require", f"{word}require {one.strip()},{reason}"


def mutate_inputs(line):
    head, body, tail = re.match(r"(\s*pattern \w+\()(.*)(\) \{)$", line).groups()
    parts = split(body)
    put = lambda parts: f"{head}{', '.join(parts)}{tail}"
    # All at once, because operators require the same element type of all operands.
    yield "other element type", put([p.replace("f32", "f16") for p in parts])
    yield "any element type", put([p.replace("f32[", "[") for p in parts])
    for i, part in enumerate(parts):
        before, sizes = re.match(r"(.*)\[(.*)\]$", part).groups()
        sizes = split(sizes)
        join = lambda sizes: f"{before}[{', '.join(sizes)}]"
        for kind, changed in mutate_list(sizes, "swap sizes"):
            yield kind, put(replaced(parts, i, join(changed)))
        for k, size in enumerate(sizes):
            if size.isdigit():
                yield "loosen size", put(replaced(parts, i, join(replaced(sizes, k, "any"))))
        yield "drop size", put(replaced(parts, i, join(sizes[1:])))


def mutate(text):
    """Returns all mutants of a description."""
    lines = text.split("\n")
    callees = sorted(set(re.findall(r"call (\w+)\(", text)))
    mutants = []

    def add(kind, i, what, changed):
        mutants.append(Mutant(kind, i + 1, what, "\n".join(changed)))

    begin = None
    patterns = []
    for i, line in enumerate(lines):
        word = line.strip().split(" ")[0].split("(")[0]
        if word == "pattern":
            begin, changes = i, mutate_inputs(line)
        elif word == "call":
            changes = mutate_call(line, callees)
        elif word == "require":
            changes = mutate_require(line)
        elif re.match(r"\s*\w+ = ", line) and begin is not None:
            changes = mutate_operator(line)
        else:
            if line.strip() == "}" and begin is not None:
                patterns.append((begin, i + 1))
                begin = None
            continue
        for kind, changed in changes:
            add(kind, i, f"{line.strip()}  ->  {changed.strip() or 'nothing'}",
                replaced(lines, i, changed or None))
    for (a, b), (c, d) in zip(patterns, patterns[1:]):
        add("swap patterns", a, f"'{lines[a].strip()}' behind the next",
            lines[:a] + lines[c:d] + lines[b:c] + lines[a:b] + lines[d:])
    return mutants


# Values of attributes that are not written.
DEFAULTS = {"strides=[1, 1]", "dilations=[1, 1]", "groups=1", "padding=[0, 0, 0, 0]"}


def why_equivalent(mutant, unbreakable):
    """Returns the reason why a mutant describes the same calls for the same layers, or None."""
    old, new = mutant.what.split("  ->  ") if "  ->  " in mutant.what else ("", "")
    if mutant.kind in ("drop require", "drop half of a require"):
        # `uma test` of the correct description found no layer that violates the
        # requirement: the rules of the operators imply it.
        reason = re.search(r'"(.*)"', old).group(1)
        if reason in unbreakable:
            return "the operators imply the requirement"
    if mutant.kind == "drop attribute":
        removed = set(split(old[old.index("(") + 1:-1])) - set(split(new[new.index("(") + 1:-1]))
        if removed and removed <= DEFAULTS:
            return "an attribute that is not written must have this value, its default"
    if mutant.kind == "loosen attribute" and "groups=any" in new and "groups=1" in old:
        # conv2d requires channels of data == channels of weights * groups, and both
        # have the same name in the pattern.
        header = next(line for line in reversed(mutant.text.split("\n")[:mutant.line]) if "pattern" in line)
        data, weights = (split(p[p.index("[") + 1:-1]) for p in split(re.search(r"\((.*)\) \{", header).group(1))[:2])
        if data[1] == weights[1]:
            return "equal channels of data and weights leave groups=1 only"
    return None


def run(command, seconds=300):
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             encoding="utf-8", errors="replace", timeout=seconds)
    return process.returncode, process.stdout, process.stderr


def get_warnings(errors):
    """Returns the warnings without their locations."""
    return {line.split("warning: ", 1)[1] for line in errors.split("\n") if "warning: " in line}


class Tester:
    def __init__(self, uma, description, options):
        self.uma, self.description, self.options = uma, description, options
        self.text = description.read_text()
        status, out, errors = run([uma, "test", str(description)] + options)
        self.is_missing = status == 4 and "the model of the device does not build here" in errors
        if status != 0 and not self.is_missing:
            sys.exit(f"{description}: the right description fails with status {status}\n{errors}")
        self.warnings = get_warnings(errors)
        self.unbreakable = set(re.findall(r'no layer breaks "(.*)"', out))

    def find(self, mutant):
        """Returns how a mutant is found, or None if it is not."""
        with tempfile.TemporaryDirectory(prefix="uma-mutant") as folder:
            # Link all other files of the folder, for models and headers.
            for beside in self.description.parent.iterdir():
                if beside != self.description:
                    (pathlib.Path(folder) / beside.name).symlink_to(beside.resolve())
            file = pathlib.Path(folder) / self.description.name
            file.write_text(mutant.text)
            status, _, errors = run([self.uma, "check", str(file)])
            if status < 0:
                return f"CRASH of check: {status}"
            if status != 0 or get_warnings(errors) - self.warnings:
                return "check"
            status, _, errors = run([self.uma, "test", str(file)] + self.options)
            if status < 0:
                return f"CRASH of test: {status}"
            if status != 0:
                return "test"
            return "warning" if get_warnings(errors) - self.warnings else None


def sample(mutants, count, seed):
    """Returns a sample of about `count` mutants, with about as many of each kind."""
    order = random.Random(seed)
    by_kind = {}
    for mutant in mutants:
        by_kind.setdefault(mutant.kind, []).append(mutant)
    for some in by_kind.values():
        order.shuffle(some)
    chosen = []
    while len(chosen) < min(count, len(mutants)):
        for kind in sorted(by_kind):
            if by_kind[kind]:
                chosen.append(by_kind[kind].pop())
    return chosen[:count]


def main():
    parser = argparse.ArgumentParser(description="Counts the mistakes in descriptions that uma test finds")
    parser.add_argument("descriptions", nargs="+", type=pathlib.Path)
    parser.add_argument("--uma", default="build/bin/uma")
    parser.add_argument("--sample", type=int, metavar="N", help="test N mutants of each description only")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--min", type=float, default=0.95, help="the share that has to be found")
    parser.add_argument("--cases", help="passed to uma test")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--skip-missing", action="store_true",
                        help="leave out descriptions whose model does not build here")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    failed = False
    for description in args.descriptions:
        tester = Tester(args.uma, description, ["--cases", args.cases] if args.cases else [])
        if tester.is_missing and args.skip_missing:
            print(f"{description.name}: skipped, the model of the device does not build here")
            continue
        mutants, equivalent = [], []
        for mutant in mutate(tester.text):
            reason = why_equivalent(mutant, tester.unbreakable)
            (equivalent if reason else mutants).append((mutant, reason))
        mutants = [mutant for mutant, _ in mutants]
        total = len(mutants)
        if args.sample:
            mutants = sample(mutants, args.sample, args.seed)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            results = list(zip(mutants, pool.map(tester.find, mutants)))
        found = sum(how is not None and not how.startswith("CRASH") for _, how in results)
        for mutant, how in results:
            if how is None or how.startswith("CRASH") or args.verbose:
                print(f"{description}:{mutant.line}: {how or 'NOT FOUND'}: {mutant.kind}: {mutant.what}")
        if args.verbose:
            for mutant, reason in equivalent:
                print(f"{description}:{mutant.line}: left out, {reason}: {mutant.what}")
        by = {how: sum(h == how for _, h in results) for how in ("check", "test", "warning")}
        print(f"{description.name}: {found} of {len(results)} mutants found"
              f" ({by['check']} by uma check, {by['test']} by uma test, {by['warning']} by its warnings);"
              f" {total} in all, {len(equivalent)} equivalent")
        failed |= found < args.min * len(results) or any(how and how.startswith("CRASH") for _, how in results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
