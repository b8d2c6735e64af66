"""Puts mistakes into the emitted C of the digits network, each behind a macro: break-digits.py digits.c"""

import pathlib
import sys

BROKEN = {
    "BEHIND": "((unsigned char *)v3)[DIGITS_WORKSPACE_SIZE] = 1;",
    "BEFORE": "v2[-1] = 1;",
    "INPUT": "((float *)v1)[3] += 1;",
    "STATE": "static int runs; pool2[0] += (float)runs++;",
    "GARBAGE": "pool2[0] += (float)garbage;",
    "NUMBERS": "pool2[0] += 100;",
    "READ": "volatile float beyond = v1[DIGITS_INPUT_IMAGE_SIZE]; (void)beyond;",
    "SHIFT": "volatile int shift = 32; pool2[0] += (float)((1 << shift) & 0);",
}

path = pathlib.Path(sys.argv[1])
text = path.read_text()
code = "".join(f"#ifdef BROKEN_{name}\n{line}\n#endif\n" for name, line in BROKEN.items())
for place, line in (('  UMA_PROFILE_BEGIN(0, "conv1");\n', "int garbage = ((unsigned char *)v3)[0] & 1;\n(void)garbage;\n"),
                    ('  UMA_PROFILE_BEGIN(14, "dense");\n', code)):
    head, found, tail = text.partition(place)
    assert found, place
    text = head + line + place + tail
path.write_text(text)
