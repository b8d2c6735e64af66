# Hints: the sizes that the layers of a model bind. The editor names the model at the start or by a change of settings.
#
# RUN: mkdir -p %t
# RUN: env PYTHONPATH=%S/Inputs %python %s %t %source/examples/digits/digits.onnx | FileCheck %s --match-full-lines --implicit-check-not=error

import sys

from lsp_client import Client

TEXT = """accelerator npu {
  include "npu.h"
  pattern conv(x: f32[1, ic, ih, iw], w: f32[oc, ic, kh, kw]) {
    y = conv2d(x, w, strides=[s, s], padding=any)
    call npu_conv(x, w, y, ic, ih, iw, oc, kh, kw, s)
  }
  pattern dense(x: f32[n, k], w: f32[m, k]) {
    y = dense(x, w)
    call npu_dense(x, w, y, n, m, k)
  }
  pattern never(x: f32[n]) {
    y = exp(x)
    call npu_exp(x, y, n)
  }
}
"""
folder, model = sys.argv[1:]
URI = f"file://{folder}/npu.uma"


def show(client, text=TEXT, first=0, last=99):
    answer = client.call("textDocument/inlayHint", textDocument={"uri": URI},
                         range={"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}})
    lines = text.split("\n")
    for hint in answer["result"]:
        before = lines[hint["position"]["line"]][:hint["position"]["character"]]
        print("hint:", before.strip(" ").split(" ")[-1], hint["label"], "|", hint["tooltip"])
    print("end", flush=True)


client = Client()
client.call("initialize", capabilities={}, initializationOptions={"model": model})
client.notify("initialized")
client.open(URI, TEXT)
# CHECK: hint: conv 4 layers | layers of digits.onnx that the pattern takes
# CHECK-NEXT: hint: dense 1 layer | layers of digits.onnx that the pattern takes
# CHECK-NEXT: hint: never 0 layers | layers of digits.onnx that the pattern takes
# CHECK-NEXT: hint: ic = 1 to 32 | in the layers of digits.onnx
# CHECK-NEXT: hint: ih = 4, 8 | in the layers of digits.onnx
# CHECK-NEXT: hint: iw = 4, 8 | in the layers of digits.onnx
# CHECK-NEXT: hint: f32[oc = 12 to 48 | in the layers of digits.onnx
# CHECK-NEXT: hint: kh = 3 | in the layers of digits.onnx
# CHECK-NEXT: hint: kw = 3 | in the layers of digits.onnx
# CHECK-NEXT: hint: strides=[s = 1, 2 | in the layers of digits.onnx
# CHECK-NEXT: hint: f32[n = 1 | in the layers of digits.onnx
# CHECK-NEXT: hint: k = 48 | in the layers of digits.onnx
# CHECK-NEXT: hint: f32[m = 10 | in the layers of digits.onnx
# CHECK-NEXT: end
show(client)
# Lines of the screen only.
# CHECK-NEXT: hint: dense 1 layer | {{.*}}
# CHECK-NEXT: hint: f32[n = 1 | {{.*}}
# CHECK-NEXT: hint: k = 48 | {{.*}}
# CHECK-NEXT: hint: f32[m = 10 | {{.*}}
# CHECK-NEXT: end
show(client, first=6, last=8)
# After a change; of a text with errors, there are none.
changed = TEXT.replace("strides=[s, s]", "strides=[1, 1]").replace(", s)", ")")
client.change(URI, changed)
# CHECK-NEXT: hint: conv 3 layers | {{.*}}
# CHECK-NEXT: hint: ic = 1, 12, 24 | {{.*}}
# CHECK: end
show(client, changed, last=2)
client.change(URI, TEXT.replace("dense(x, w)\n", "densee(x, w)\n"))
# CHECK-NEXT: end
show(client)
# Without a model, with one that does not exist and with one that is none.
client.change(URI, TEXT)
for other in (None, {"uma": {}}, {"uma": {"model": "missing.onnx"}}, {"uma": {"model": URI[7:]}}, {"uma": {"model": 3}}, [], 3):
    client.notify("workspace/didChangeConfiguration", settings=other)
    # CHECK-COUNT-7: end
    show(client)
client.notify("workspace/didChangeConfiguration", settings={"uma": {"model": model}})
# CHECK: hint: conv 4 layers | {{.*}}
# CHECK: end
show(client, last=2)
