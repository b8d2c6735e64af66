"""The table "Your header has …" of docs/description-language.md: every row stands in a description that is right, as it is written."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %S/../../docs/description-language.md %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# CHECK: {{1[6-9]|2[0-9]}} rows are in descriptions that uma takes

import pathlib
import re
import subprocess
import sys

page, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])

CONV = "x: f32[1, c, h, w], k: f32[oc, c, kh, kw]"
DESCRIPTIONS = [
    """w: const f32[n, k] as [k, n], x: f32[...m, k]
y: f32[...m, n] = dense(x, w)
call npu_gemm(x, w, y, m, n, k)""",
    """x: f32[m, ic], w: const f32[oc, ic] as [oc / 16, ic, oc % 16]
y = dense(x, w)
call npu_dense(x, w, y, m, oc, ic)""",
    """x: f32[1, c, h, w] as [1, h, w, c], w: f32[oc, c, 3, 3]
y: f32[1, oc, oh, ow] as [1, oh, ow, oc] = conv2d(x, w, padding=outside)
split oc by 512
call npu_conv(x, w, y, c, h, w_, oc, oh, ow)""".replace("h, w]", "h, w_]").replace("h, w, c]", "h, w_, c]"),
    f"""{CONV}, b: f32[oc]
a = conv2d(x, k, strides=[s, s])
t = optional bias_add(a, b)
y = optional relu(t) | clip(t, a_min=0, a_max=6)
call npu_one(x, k, b, y, which(y, NPU_RELU, NPU_CLIP, NPU_NONE), NPU_FAST + which(t, NPU_BIAS, 0), NAME, c, h, w, oc, kh, kw)
call npu_two(&npu_cfg{{field = h}}, &struct npu_cfg{{field = w}}, npu_cfg{{field = c}}, npu_cfg{{pad.top = 1, strides[0] = s}}, x, k, y)""",
    """x: f32[1, c, any, any], w: f32[oc, c, 3, 3]
y: f32[1, oc, oh, ow] = conv2d(x, w)
call npu_sizes(x, w, y, c, oc, oh, ow)""",
    """x: f32[m, k], w: const f32[n, k]
y = dense(x, w)
scratch t: f32[k * 16]
code { for (int i = 0; i < m; ++i) npu_row(x + i * k, w, t, &y[i * n]); }""",
    """x: f32[1, ic, h, w], w: f32[oc, ic, 1, 1]
y = conv2d(x, w)
call npu_gemm(w, x, y, oc, ic, h)""".replace("h, w]", "h, any]"),
    """x: i8[m, k], w: const i8[oc, k]
sums = dense(x, w)
y = requantize(sums, clamp=[low, high])
call npu_int8(x, w, y, m, oc, k, zero_point(x), factor(y, oc), multiplier(y, oc), shift(y, oc), zero_point(y), low, high)""",
]
text = "accelerator npu {\n  include \"npu.h\"\n  constant NAME, NPU_RELU, NPU_CLIP, NPU_NONE, NPU_FAST, NPU_BIAS\n"
text += '  pass PRE_PARTITIONING "uma-graph-gather-windows,uma-graph-fold-constant"\n'
text += '  pass PRE_PARTITIONING "uma-graph-sign-data"\n'
for number, description in enumerate(DESCRIPTIONS):
    inputs, *lines = description.split("\n")
    text += f"  pattern p{number}({inputs}) {{\n" + "".join(f"    {line}\n" for line in lines) + "  }\n"
text += "}\n"
(folder / "npu.uma").write_text(text)
done = subprocess.run(["uma", "check", "--no-header", folder / "npu.uma"], capture_output=True, text=True)
if done.returncode:
    sys.exit(text + done.stdout + done.stderr)


def normalize(code: str) -> str:
    # In the table the two tensors of a convolution are x and w.
    return re.sub(r"\s", "", code).replace("w_", "w")


table = page.split("## Your header has")[1].split("\n## ")[0]
rows = re.findall(r"^\| (?!your header|---)(.*?) \| (.*) \|$", table, re.MULTILINE)
known = normalize(text)
for header, row in rows:
    for code in re.findall(r"`([^`]*)`", row):
        # An ellipsis stands for any code.
        parts = [normalize(part) for part in re.split(r"…|value", code)]
        parts = [part.rstrip(",)}") for part in parts if part.strip(",)} ")]
        missing = [part for part in parts if part not in known]
        if missing:
            sys.exit(f"{header}: nothing tests {missing} of '{code}'")
print(f"{len(rows)} rows are in descriptions that uma takes")
