# Text that nobody means well: each ends in one message and exit status 1, soon.
#
# RUN: %python %s %t | FileCheck %s

import os
import subprocess
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
MODULE = os.path.join(folder, "empty.mlir")
with open(MODULE, "w") as file:
    file.write("module {}\n")


def check(name, text):
    path = os.path.join(folder, name + ".uma")
    with open(path, "wb") as file:
        file.write(text)
    result = subprocess.run(
        ["uma-opt", MODULE, "--uma-accel-load=accelerators=" + path],
        capture_output=True,
        timeout=600,
    )
    errors = [line for line in result.stderr.split(b"\n") if b" error: " in line]
    message = errors[0].split(b" error: ")[1].decode() if errors else "none"
    position = errors[0].split(b" error: ")[0].decode().split(".uma:")[-1] if errors else ""
    print(f"{name}: status {result.returncode}, {len(errors)} error, {position} {message}")


def condition(text):
    return b'accelerator a {\n pattern p(x: [n]) {\n y = relu(x)\n require ' + text + b', "r"\n call f(y)\n }\n}\n'


# CHECK: nul: status 1, 1 error, 1:16: unexpected byte 0x00 outside of a string or comment
check("nul", b"accelerator a {\n"[:15] + b"\0\n}\n")
# CHECK: nul-in-string: status 1, 1 error, 2:12: a string cannot hold a NUL byte
check("nul-in-string", b'accelerator a {\n  include "\0"\n}\n')
# CHECK: byte: status 1, 1 error, 1:13: unexpected byte 0xff outside of a string or comment
check("byte", b"accelerator \xff {\n}\n")
# CHECK: byte-in-word: status 1, 1 error, 2:7: unexpected byte 0xe8 outside of a string or comment
check("byte-in-word", b"accelerator a {\n  patt\xe8rn p(x) {\n  }\n}\n")
# CHECK: not-utf8: status 1, 1 error, 2:11: the string is not UTF-8
check("not-utf8", b'accelerator a {\n  include "\xff\xfe"\n}\n')
# CHECK: comment: status 0, 0 error, none
check("comment", b"# \xff\xfe\0\naccelerator a {\r\n}\r\n")
# CHECK: integer: status 1, 1 error, 4:14: integer 99999999999999999999 does not fit in 64 bits
check("integer", condition(b"n < 99999999999999999999"))
# CHECK: attribute: status 1, 1 error, 3:27: integer -9223372036854775809 does not fit in 64 bits
check("attribute", b"accelerator a {\n pattern p(x) {\n y = softmax(x, axis=    -9223372036854775809)\n }\n}\n")
# CHECK: float: status 1, 1 error, 5:9: number 1e999 does not fit in 64 bits
check("float", condition(b"n < 4").replace(b"f(y)", b"f(1e999)"))
# CHECK: size: status 1, 1 error, 2:16: integer 18446744073709551616 does not fit in 64 bits
check("size", b"accelerator a {\n pattern p(x: [18446744073709551616]) {\n }\n}\n")
# CHECK: parentheses: status 1, 1 error, 4:{{[0-9]+}}: the expression is nested too deeply
check("parentheses", condition(b"(" * 1000000 + b"n"))
# CHECK: negations: status 1, 1 error, 4:{{[0-9]+}}: the expression is nested too deeply
check("negations", condition(b"!" * 1000000 + b"n"))
# CHECK: chain: status 1, 1 error, 4:{{[0-9]+}}: the expression is nested too deeply
check("chain", condition(b"n" + b" + n" * 1000000))
# CHECK: brackets: status 1, 1 error, 3:28: expected an integer or a name in the list, found '['
check("brackets", b"accelerator a {\n pattern p(x) {\n y = conv2d(x, x, strides=" + b"[" * 1000000)
# CHECK: braces: status 1, 1 error, 1:16: expected include, model, link, pass or pattern, found '{'
check("braces", b"accelerator a {" + b"{" * 1000000)
# CHECK: name: status 1, 1 error, 3:6: unknown operator 'aaaa
check("name", b"accelerator a {\n pattern p(x) {\n y = " + b"a" * 100000 + b"(x)\n }\n}\n")

# Every beginning of a description ends in one error.
path = os.path.join(os.environ["UMA_ACCELERATOR_PATH"], "vanilla", "vanilla.uma")
with open(path, "rb") as file:
    text = file.read().replace(b'model "runtime/vanilla.c"', b"").rstrip()
# CHECK-COUNT-12: truncated: status 1, 1 error
# CHECK-NOT: truncated
for part in range(12):
    check("truncated", text[: len(text) * part // 12])
