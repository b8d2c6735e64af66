#!/usr/bin/python3
"""Writes the manual pages uma.1, uma-compile.1, ... from what `uma --help` and `uma COMMAND --help` print.

  utils/man.py UMA FOLDER

Each page is also written compressed, as packages install it. A line of the help that is not understood is an
error, so that no option is lost. help2man is not used because it takes the options of llvm::cl as paragraphs.
"""

import datetime
import gzip
import os
import pathlib
import re
import subprocess
import sys
import textwrap

EXIT_CODES = re.compile(r"\nExit codes: (.*)\.\s*$", re.DOTALL)


def read(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text)


def paragraph(text: str) -> list[str]:
    """Returns the lines of a text: a line that begins with a dot would be a macro."""
    return [escape(line) for line in textwrap.wrap(text, 72, break_long_words=False, break_on_hyphens=False)]


def split_exit_codes(text: str) -> tuple[str, list[str]]:
    """Returns the help before its exit codes, and the section about them."""
    match = EXIT_CODES.search(text)
    if not match:
        sys.exit("man.py: the help has no 'Exit codes:' at its end")
    lines = [".SH EXIT STATUS"]
    for code in re.split(r",\s+(?=\d )", match[1]):
        number, meaning = code.split(" ", 1)
        lines += [".TP", f".B {number}", *paragraph(meaning)]
    return text[: match.start()], lines


def header(name: str, summary: str, version: str) -> list[str]:
    # A fixed time for builds whose packages have to be the same.
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else datetime.datetime.now()
    title = escape(name.upper())
    return [
        f'.TH "{title}" 1 "{day:%Y-%m-%d}" "{escape(version)}" "User Commands"',
        ".SH NAME",
        f"{escape(name)} \\- {escape(summary)}",
    ]


def command_page(name: str, text: str, version: str) -> list[str]:
    text, exit_codes = split_exit_codes(text)
    match = re.match(r"SUBCOMMAND '\S+': (.*)\n\nUSAGE: (.*)\n\nOPTIONS:\n", text)
    if not match:
        sys.exit(f"man.py: 'uma {name} --help' does not begin with SUBCOMMAND, USAGE and OPTIONS")
    lines = header(f"uma-{name}", match[1][0].lower() + match[1][1:], version)
    lines += [".SH SYNOPSIS", f".B uma {name}", escape(match[2].removeprefix(f"uma {name} ")), ".SH OPTIONS"]
    for line in text[match.end() :].splitlines():
        option = re.fullmatch(r"  (-\S+(?: <\S+>)?) +- (.*)", line)
        value = re.fullmatch(r"    =(\S+) +- +(.*)", line)
        no_value = re.fullmatch(r"    (?:=<empty>|<empty>|) *- +(.*)", line)
        if option:
            lines += [".TP", f".B {escape(option[1])}", *paragraph(option[2])]
        elif value and value[1] != "<empty>":
            lines += [".RS", ".TP", f".B {escape(value[1])}", *paragraph(value[2]), ".RE"]
        elif no_value:
            lines += [".RS", ".TP", "without a value", *paragraph(no_value[1]), ".RE"]
        elif line and line not in ("Generic Options:", "Options:"):
            sys.exit(f"man.py: a line of 'uma {name} --help' is not understood: {line}")
    return lines + exit_codes + [".SH SEE ALSO", ".BR uma (1)"]


def main_page(text: str, version: str) -> tuple[list[str], list[str]]:
    """Returns the page and the names of the commands."""
    text, exit_codes = split_exit_codes(text)
    name, summary = text.split("\n", 1)[0].split(": ", 1)
    lines = header(name, summary, version) + [".SH SYNOPSIS", ".B uma", escape("COMMAND [options] [files]")]
    commands = []
    examples = [".SH EXAMPLES", ".nf"]
    section = ".SH COMMANDS"
    lines.append(section)
    for line in text.splitlines()[1:]:
        entry = re.fullmatch(r"  (uma (\S+)\b.*?)  +(.*)", line)
        if line == "Examples:":
            section = ".SH EXAMPLES"
        elif section == ".SH EXAMPLES" and line.startswith("  "):
            examples.append(escape(line.strip()))
        elif entry:
            commands.append(entry[2])
            lines += [".TP", f".B {escape(entry[1])}", *paragraph(entry[3])]
        elif line and not line.startswith("'uma COMMAND --help'"):
            sys.exit(f"man.py: a line of 'uma --help' is not understood: {line}")
    lines += examples + [".fi"] + exit_codes
    lines += [".SH ENVIRONMENT", ".TP", ".B UMA_ACCELERATOR_PATH", "Folders to search for accelerators, separated by colons."]
    pages = [f"{escape('uma-' + command)} (1)" for command in commands]
    lines += [".SH SEE ALSO"] + [f".BR {page}{',' if page != pages[-1] else ''}" for page in pages]
    return lines, commands


def write(folder: pathlib.Path, name: str, lines: list[str]) -> None:
    text = ("\n".join(lines) + "\n").encode()
    (folder / f"{name}.1").write_bytes(text)
    (folder / f"{name}.1.gz").write_bytes(gzip.compress(text, mtime=0))


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: man.py UMA FOLDER")
    uma, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = read(uma, "--version").strip()
    page, commands = main_page(read(uma, "--help"), version)
    write(folder, "uma", page)
    for command in commands:
        write(folder, f"uma-{command}", command_page(command, read(uma, command, "--help"), version))


main()
