"""Every description in docs/description-language.md is one that uma takes; parts of descriptions stand in a whole one here. The
statements of the grammar are those that the tables and texts of the page explain.
"""
# RUN: rm -rf %t && mkdir %t && %python -B %s %S/../../docs/description-language.md %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# CHECK: {{[1-9]}} descriptions
# CHECK-NEXT: {{[1-9]}} parts
# CHECK-NEXT: {{2[0-9]|3[0-9]}} statements

import pathlib
import re
import subprocess
import sys

page, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])

# By the first line of a part: what stands around it, and in the place of each line with an ellipsis.
AROUND = {
    "  constant NPU_PAD_SAME, NPU_RELU, NPU_NONE, NPU_BIAS, NPU_FAST": ("accelerator npu {{\n{}  }}\n}}\n", [
        """  pattern p(x: f32[1, _ic, ih, any], w: f32[oc, _ic, 3, 3], b: f32[oc]) {
    c = conv2d(x, w, strides=[s, s], padding=same)
    t = optional bias_add(c, b)
    y = optional relu(t)
"""]),
    "    scratch t: f32[k]": ("accelerator npu {{\n  pattern p(x: f32[m, k], w: f32[n, k]) {{\n    y = dense(x, w)\n{}  }}\n}}\n", []),
    "accelerator npu {\n  attribute sram_kib = 64": ("{}  }}\n}}\n", [
        "  pattern p(x: f32, k: f32) {\n    y = conv2d(x, k)\n"]),
    "accelerator npu {\n  include \"npu.h\"\n  prologue": (
        "{}  attribute sram_kib = 64\n  pattern p(x, w) {{\n    y = conv2d(x, w)\n    call npu_conv(x, w, y)\n  }}\n}}\n", []),
    "  pattern dense_relu(x: f32, w: f32) {": ("accelerator npu {{\n{}}}\n", []),
    "  pattern conv2d(x: i8[1, ic, ih, iw]": ("accelerator npu {{\n{}}}\n", []),
}
descriptions = parts = 0
(folder / "runtime").mkdir()
(folder / "runtime/vanilla.c").write_text("")
for number, block in enumerate(re.findall(r"^```\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)):
    if block.startswith("file "):
        continue
    around = [value for start, value in AROUND.items() if block.startswith(start)]
    if around:
        template, ellipses = around[0]
        for text in ellipses:
            block = re.sub(r"^ *…\n", lambda _, text=text: text, block, count=1, flags=re.MULTILINE)
        block = template.format(block)
        parts += 1
    else:
        descriptions += 1
    file = folder / f"block{number}.uma"
    file.write_text(block)
    done = subprocess.run(["uma", "check", "--no-header", file], capture_output=True, text=True)
    if done.returncode or "warning" in done.stderr:
        sys.exit(block + done.stdout + done.stderr)
print(f"{descriptions} descriptions\n{parts} parts")

grammar = page.split("## Grammar")[1].split("```")[1]
items, statements = (re.search(rf"^{rule} +=(.*?)^\w", grammar, re.MULTILINE | re.DOTALL).group(1) for rule in ("item", "statement"))
keywords = {word for word in re.findall(r'"([a-z_]+)"', items + statements) if word not in ("true", "false", "plevel", "in", "by", "optional")}
explained = page.split("## Grammar")[0]
for keyword in sorted(keywords):
    if not re.search(rf"`{keyword}\b|`\w+`, `{keyword}\b", explained):
        sys.exit(f"'{keyword}' is in the grammar, and nothing explains it")
print(f"{len(keywords)} statements")
