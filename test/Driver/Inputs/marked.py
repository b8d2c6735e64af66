"""Descriptions with marks where `uma check` has to report something: `@` stands in front of the place, the expected
messages are given in the order of the marks. Whatever else is reported is a failure."""

import os
import pathlib
import re
import subprocess

MESSAGE = re.compile(r"(.*):(\d+):(\d+): (error|warning): (.*)")


def unmark(text):
    """The text without marks, and their positions as (line, column)."""
    places = []
    while "@" in text:
        before, text = text.split("@", 1)
        line = before.count("\n") + 1
        places.append((line, len(before) - (before.rfind("\n") + 1) + 1))
        text = before + text
    return text, places


def check(name, text, expected, files=None, arguments=(), env=None, status=2):
    """Runs `uma check` on the description and returns what is wrong with what it says, as lines."""
    folder = pathlib.Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    text, places = unmark(text)
    path = folder / "npu.uma"
    path.write_text(text)
    for file, contents in (files or {}).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(contents)
    run = subprocess.run(
        ["uma", "check", str(path), *arguments], capture_output=True, text=True, env=dict(os.environ, **(env or {})))
    lines = run.stderr.splitlines()
    found, problems = [], []
    for number, line in enumerate(lines):
        match = MESSAGE.fullmatch(line)
        # Sizes that only one shape names are no matter here.
        if not match or match[1] != str(path) or (match[4], match[5][:8]) == ("warning", "nothing "):
            continue
        position = (int(match[2]), int(match[3]))
        found.append((position, match[5], lines[number + 1 :]))
        source = text.splitlines()[position[0] - 1]
        if lines[number + 1 : number + 3] != [source, " " * (position[1] - 1) + "^"]:
            problems.append(f"no source line and caret below: {line}")
    wanted = [(place, *([message] if isinstance(message, str) else message)) for place, message in zip(places, expected)]
    if len(places) != len(expected):
        problems.append(f"{len(places)} marks for {len(expected)} messages")
    if [position for position, _, _ in found] != sorted(place for place, *_ in wanted):
        problems.append(f"expected errors at {[place for place, *_ in wanted]}")
    for place, message, *notes in wanted:
        fitting = [rest for position, text, rest in found if position == place and message in text]
        if not fitting:
            problems.append(f"expected at {place}: {message}")
        for note in notes:
            if fitting and not any(note in line for line in fitting[0][:6]):
                problems.append(f"expected below {place}: {note}")
    if run.returncode != status:
        problems.append(f"status {run.returncode}, expected {status}")
    if (status == 0) != ("no errors" in run.stdout):
        problems.append("standard output: " + run.stdout)
    return problems and [f"{name}:", *problems, run.stderr]
