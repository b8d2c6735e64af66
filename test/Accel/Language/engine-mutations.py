# Damaged descriptions of devices with memories: each is read or has errors with positions, soon and without a crash.
#
# RUN: env PYTHONPATH=%source/test/LSP/Inputs %python %s | FileCheck %s

import re

from lsp_client import Client

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


client = Client()
client.call("initialize", capabilities={})
client.open("file:///npu.uma", "")


def check(name, texts, expected):
    """Lets the language server, one process for all, read each text as `uma` would. A crash ends the test."""
    for text in texts:
        errors = [found["message"] for found in client.change("file:///npu.uma", text) if found["severity"] == 1]
        if not expected(errors):
            print(f"{name}: {errors}\n{text}\n")
            return
    print(f"{name}: {len(texts)} texts")


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
client.exit()
