"""Every option that `uma COMMAND --help` lists is completed, with the values that the help names; and is in the manual page.

RUN: %python %s %source/utils/man.py %t | FileCheck %s
CHECK: 11 commands, {{[0-9][0-9][0-9]}} options, no differences
"""

import pathlib
import re
import subprocess
import sys


def read(*words: str) -> str:
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def complete(*words: str) -> list[str]:
    return [line.split("\t")[0] for line in read("uma", "__complete", *words).splitlines() if not line.startswith(":")]


subprocess.run([sys.executable, sys.argv[1], "uma", sys.argv[2]], check=True)
commands = complete("")
in_help = re.findall(r"^  uma (\w+) ", read("uma", "--help").split("Examples:")[0], re.MULTILINE)
assert sorted(commands) == sorted(in_help), (commands, in_help)
options = 0
for command in commands:
    page = pathlib.Path(sys.argv[2], f"uma-{command}.1").read_text().replace("\\-", "-")
    expected, words = set(), {}
    for line in read("uma", command, "--help").splitlines():
        if match := re.match(r"  (--?[\w-]+)(?:(=| )<(.+?)>)? +- ", line):
            option, separator, value = match.groups()
            expected.add(option + ("=" if separator == "=" else ""))
            assert f"\n.B {line.split(' - ')[0].strip()}\n" in page, f"{command}: {line} is not in the page"
            if value and re.fullmatch(r"\w+(\|\w+)+", value) and "file" not in value and "folder" not in value:
                words[option] = value.split("|")
        elif match := re.match(r"    =([\w-]+) +- ", line):
            words.setdefault(option, []).append(match[1])
            assert f"\n.B {match[1]}\n" in page, f"{command}: {line} is not in the page"
    # llvm::cl shows this one in the help alone.
    expected.remove("--help-list")
    # The help does not say that a boolean may have a value; of this one, both are of use.
    if "--merge-regions" in expected:
        expected.add("--merge-regions=")
    offered = set(complete(command, "-"))
    assert offered == expected, f"{command}: offered {offered - expected}, not offered {expected - offered}"
    for option, values in words.items():
        found = complete(command, f"{option}=")
        assert found == [f"{option}={value}" for value in values], f"{command} {option}: {found}, expected {values}"
    options += len(expected)
print(f"{len(commands)} commands, {options} options, no differences")
