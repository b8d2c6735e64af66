# Damaged descriptions of devices with memories: each is read or has errors with positions, soon and without a crash.
#
# RUN: %python %s %t | FileCheck %s

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
TEXT = """accelerator npu {
  attribute kib = 64
  constant NPU_DMA
  memory sram { size = kib * 1024 }
  engine dma { wait npu_wait(NPU_DMA, commands) }
  engine array {
    macs = 256
    wait npu_wait(1, commands)
  }
  transfer main -> sram on dma {
    setup = 24
    bandwidth = 8
    call npu_load(to, from, rows, row_bytes, stride)
  }
  tokens { push npu_push(from, to); pop npu_pop(from, to) }
  await npu_finish()
  pattern dense(x: f32[n, k], w: f32[m, k]) {
    t: f32[n, m] as [m / 4, n, m % 4] = dense(x, w)
    y: f32[n, m] = relu(t)
    tile m by 4, n, k
    place x, w, t in sram
    call npu_dense(x, w, t, stride(t, m), 1 - first(t)) on array { cycles = n * k }
    call npu_relu(t, y, n, m) on dma { cycles = n }
  }
}"""
TOKENS = list(re.finditer(r"\w+|->|[^\s\w]", TEXT))
# Replacements for a token.
OTHERS = ["{", "}", "(", ")", "->", "on", "tile", "engine", "0", ",", ";", "\n", '"', "x", "="]


def read(case):
    """Reads the text and returns the errors, or None if a process ends otherwise."""
    number, text = case
    path = os.path.join(folder, f"{number}.uma")
    with open(path, "w") as file:
        file.write(text)
    run = subprocess.run(
        ["uma-opt", f"--uma-accel-load=accelerators={path}"],
        input="module {}", capture_output=True, text=True, timeout=60,
    )
    os.remove(path)
    errors = re.findall(r"^\S+\.uma:\d+:\d+: error: (.*)", run.stderr, re.MULTILINE)
    return errors if run.returncode == (1 if errors else 0) else None


def check(name, texts, expected):
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(read, enumerate(texts)))
    for text, errors in zip(texts, results):
        if errors is None or not expected(errors):
            print(f"{name}: {errors}\n{text}\n")
            return
    print(f"{name}: {len(results)} texts")


# The whole text has no error; each beginning has one, which is that something is missing.
# CHECK: whole: 1 texts
check("whole", [TEXT], lambda errors: not errors)
# CHECK-NEXT: truncated: {{[0-9]+}} texts
beginnings = [""] + [TEXT[: token.end()] for token in TOKENS[:-1]]
check("truncated", beginnings, lambda errors: sum("expected" in error for error in errors) == 1)
# CHECK-NEXT: dropped: {{[0-9]+}} texts
check("dropped", [TEXT[: t.start()] + TEXT[t.end() :] for t in TOKENS], lambda errors: len(errors) <= 16)
# Another token in each place.
# CHECK-NEXT: replaced: {{[0-9]+}} texts
check(
    "replaced",
    [TEXT[: t.start()] + OTHERS[i % len(OTHERS)] + TEXT[t.end() :] for i, t in enumerate(TOKENS)],
    lambda errors: len(errors) <= 16,
)
