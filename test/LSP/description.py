# A session with a description: diagnostics of the language and of the header, hover, completion, definition,
# rename, formatting, symbols, errors.
#
# RUN: mkdir -p %t
# RUN: cp %S/Inputs/npu.h %t/npu.h
# RUN: env PYTHONPATH=%S/Inputs %python %s %t | FileCheck %s

import sys

from lsp_client import Client, position

TEXT = """accelerator npu {
  include "npu.h"
  pattern dense(x: f32[n, k], w: f32[m, k]) {
    y = dense(x, w)
    require n <= 64, "few rows"
    call npu_dense(x, w, y, n, m, k)
  }
}
"""
URI = f"file://{sys.argv[1]}/npu.uma"
client = Client()
at = lambda needle, delta=0: {"textDocument": {"uri": URI}, "position": position(TEXT, needle, delta)}


def show(name, value):
    print(f"{name}: {value}", flush=True)


# CHECK: before initialize: -32002
show("before initialize", client.call("textDocument/hover")["error"]["code"])
client.call("initialize", capabilities={})
client.notify("initialized")

# CHECK-NEXT: clean: []
show("clean", client.open(URI, TEXT))
# The header is checked when the document is opened.
# CHECK-NEXT: header: 5 'npu_dense' takes 6 arguments, found 5
diagnostics = client.open(URI, TEXT.replace(", m, k)\n", ", m)\n"))
show("header", f"{diagnostics[0]['range']['start']['line']} {diagnostics[0]['message']}")
# CHECK: typed: 3 unknown operator 'densee'; did you mean 'dense'?
diagnostics = client.change(URI, TEXT.replace("= dense", "= densee"))
show("typed", f"{diagnostics[0]['range']['start']['line']} {diagnostics[0]['message']}")
client.change(URI, TEXT)

# CHECK: operator: True
show("operator", "Fully connected layer" in client.call("textDocument/hover", **at("dense(x, w)\n"))["result"]["contents"]["value"])
# CHECK-NEXT: statement: {{.*}}`call function(arguments)`
show("statement", client.call("textDocument/hover", **at("call"))["result"]["contents"]["value"][:60])

# CHECK: definition: {'character': 23, 'line': 2}
show("definition", client.call("textDocument/definition", **at("n <= 64"))["result"]["range"]["start"])
# CHECK-NEXT: function: npu.h {'character': 4, 'line': 7}
result = client.call("textDocument/definition", **at("npu_dense"))["result"]
show("function", f"{result['uri'].split('/')[-1]} {result['range']['start']}")

# CHECK-NEXT: rename: [(2, 26), (2, 40), (5, 34)]
edits = client.call("textDocument/rename", **at("k], w"), newName="depth")["result"]["changes"][URI]
show("rename", [(edit["range"]["start"]["line"], edit["range"]["start"]["character"]) for edit in edits])
# CHECK-NEXT: taken: 'm' is already a name here
show("taken", client.call("textDocument/rename", **at("k], w"), newName="m")["error"]["message"])
# CHECK-NEXT: reserved: 'same' cannot be a name
show("reserved", client.call("textDocument/rename", **at("k], w"), newName="same")["error"]["message"])

# CHECK-NEXT: symbols: ['dense']
show("symbols", [s["name"] for s in client.call("textDocument/documentSymbol", **at("x"))["result"]])


def complete(text, needle):
    client.change(URI, text)
    offset = {"textDocument": {"uri": URI}, "position": position(text, needle, len(needle))}
    return [item["label"] for item in client.call("textDocument/completion", **offset)["result"]]


# CHECK-NEXT: operators: ['conv2d', 'conv2d_transpose']
show("operators", complete(TEXT.replace("= dense(x, w)", "= conv2d"), "= conv2d"))
# CHECK-NEXT: attributes: ['padding']
show("attributes", complete(TEXT.replace("= dense(x, w)", "= conv2d(x, w, pad"), "x, w, pad"))
# CHECK-NEXT: functions: ['npu_dense', 'npu_relu']
show("functions", complete(TEXT.replace("npu_dense(x, w, y, n, m, k)", "npu_"), "call npu_"))
# CHECK-NEXT: statements: ['require', 'return']
show("statements", complete(TEXT.replace("    require", "    re\n    require"), "    re"))
# CHECK-NEXT: comment: []
show("comment", complete(TEXT.replace("    require", "    # re\n    require"), "# re"))

# CHECK-NEXT: formatted: True
client.change(URI, TEXT.replace("    y = dense(x, w)", "  y=dense( x,w )"))
show("formatted", client.call("textDocument/formatting", **at("x"))["result"][0]["newText"] == TEXT)
# CHECK-NEXT: not formatted: fix the errors
client.change(URI, TEXT.replace('"few', "few"))
show("not formatted", client.call("textDocument/formatting", **at("x"))["error"]["message"])
# CHECK-NEXT: exit: 0
show("exit", client.exit())
