"""Replaces a piece of the model's convolution: break.py PATTERN TEXT."""
import re, sys
text = open("npu.c").read()
head, body = text.split("int npu_conv", 1)
body, tail = body.split("int npu_pool", 1)
changed, count = re.subn(re.escape(sys.argv[1]) if "\\" not in sys.argv[1] else sys.argv[1], lambda _: sys.argv[2], body)
assert count == 1, sys.argv[1]
open("broken/npu.c", "w").write(head + "int npu_conv" + changed + "int npu_pool" + tail)
