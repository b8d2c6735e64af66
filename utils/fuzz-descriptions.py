#!/usr/bin/env python3
"""Mutation-fuzzes the description language: damages a description with every statement, token by token.

    utils/fuzz-descriptions.py FOLDER [--uma build/bin/uma] [--count N] [--seed S] [--jobs J]

A mutant must be refused with exit code 2, or pass three checks: `uma check` prints it in a form that reads back as
the same description, `uma format` is idempotent, and `uma-opt --uma-partition --uma-lower` lowers it or emits an
error. On a crash, a hang or another exit code, the script keeps the mutant in FOLDER, prints the problem and exits
with 1.
"""

import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys

NUMBERS = ["0", "1", "2", "3", "7", "16", "1024", "2147483648", "9223372036854775807", "18446744073709551616", "0.5", "1e400"]
TIMEOUT = 300
ROOT = pathlib.Path(__file__).resolve().parent
NETWORK = ROOT / "fuzzing/language.mlir"
TOOLS = ROOT.parent / "build/bin"


def run(*command) -> subprocess.CompletedProcess:
    command = [str(TOOLS / command[0]), *map(str, command[1:])]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, errors="replace")


def mutate(tokens: list[str], seed: int) -> str:
    generator = random.Random(seed)
    words = sorted(set(tokens))
    mutant = list(tokens)
    for _ in range(generator.choice([1, 1, 1, 2, 3])):
        position = generator.randrange(len(mutant))
        kind = generator.choice(["delete", "insert", "replace", "swap", "number", "cut"])
        if kind == "delete":
            del mutant[position]
        elif kind == "insert":
            mutant.insert(position, generator.choice(words))
        elif kind == "replace":
            mutant[position] = generator.choice(words)
        elif kind == "swap":
            other = generator.randrange(len(mutant))
            mutant[position], mutant[other] = mutant[other], mutant[position]
        elif kind == "number":
            numbers = [index for index, token in enumerate(mutant) if token[0].isdigit()]
            mutant[generator.choice(numbers or [position])] = generator.choice(NUMBERS)
        elif generator.random() < 0.2:
            del mutant[position + 1:]
    return " ".join(mutant)


def get_ir(file: pathlib.Path) -> str:
    """Returns the operations without positions and without sizes, whose order is not fixed."""
    text = run("uma", "check", "--no-header", "--print-ir", file).stdout
    text = re.sub(r'source = "[^"]*"| source "[^"]*"', "", text)
    lines = [line for line in text.splitlines() if "uma.accel.dim" not in line]
    sizes = sorted(line for line in text.splitlines() if "uma.accel.dim" in line)
    return "\n".join(lines + sizes)


def check(file: pathlib.Path) -> str | None:
    """Returns the problem, "" if there is none and the mutant is accepted, or None if it is refused."""
    checked = run("uma", "check", "--no-header", file)
    formatted = run("uma", "format", file)
    for done in (checked, formatted):
        if done.returncode not in (0, 2):
            return f"{done.args[1]} ends with {done.returncode}: {done.stderr[:200]}"
        if done.returncode == 2 and "error: " not in done.stderr:
            return f"{done.args[1]} says no error"
    if checked.returncode:
        return None
    again = file.with_suffix(".again.uma")
    again.write_text(formatted.stdout)
    if run("uma", "format", again).stdout != formatted.stdout:
        return "is not formatted after formatting"
    if get_ir(again) != get_ir(file):
        return "formatting changes it"
    printed = run("uma", "check", "--no-header", "--print-text", file)
    again.write_text(printed.stdout)
    if printed.returncode or get_ir(again) != get_ir(file):
        return f"printing changes it: {printed.stderr[:200]}"
    lowered = run("uma-opt", NETWORK, f"--uma-partition={file}", "--uma-lower", "-o", "/dev/null")
    if lowered.returncode and (lowered.returncode != 1 or "error: " not in lowered.stderr):
        return f"uma-opt ends with {lowered.returncode}: {lowered.stderr[:200]}"
    again.unlink()
    return ""


def main() -> int:
    global TOOLS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", type=pathlib.Path, default=TOOLS / "uma")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    TOOLS = options.uma.resolve().parent
    options.folder.mkdir(parents=True, exist_ok=True)
    tokens = re.findall(r'//[^\n]*|"[^"\n]*"|[A-Za-z_]\w*|\d+\.\d+|\d+|\.\.\.|&&|\|\||[<>=!]=|\S|\n', (ROOT / "fuzzing/language.uma").read_text())

    whole = options.folder / "whole.uma"
    whole.write_text(" ".join(tokens))
    if (problem := check(whole)) != "":
        sys.exit(f"{whole}: {problem or 'is refused'}")

    def try_one(seed: int) -> tuple[pathlib.Path, str]:
        file = options.folder / f"mutant{seed}.uma"
        file.write_text(mutate(tokens, seed))
        try:
            problem = check(file)
        except subprocess.TimeoutExpired as expired:
            problem = f"{expired.cmd[0]} {expired.cmd[1]} takes more than {TIMEOUT} seconds"
        if not problem:
            file.unlink()
        return file, problem

    problems = taken = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as executor:
        for file, problem in executor.map(try_one, range(options.seed, options.seed + options.count)):
            taken += problem is not None
            if problem:
                problems += 1
                print(f"{file}: {problem}", flush=True)
    print(f"{options.count} mutants, {taken} of them descriptions, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
