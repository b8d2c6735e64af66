# Messages that are no requests: the server answers with the codes of JSON-RPC and goes on.
#
# RUN: env PYTHONPATH=%S/Inputs %python %s | FileCheck %s
# RUN: not uma-lsp-server --language=c 2>&1 | FileCheck %s --check-prefix=USAGE
# USAGE: usage: uma-lsp-server

from lsp_client import Client

client = Client()
client.call("initialize", capabilities={})
for body in (b"{", b"[" * 100000, b"\xff\xfe", b"[]", b"7", b'{"id": {}, "method": "x"}', b'{"id": 1}'):
    client.send_bytes(body)
    print(len(body), client.read()["error"]["code"], flush=True)
# CHECK: 1 -32700
# CHECK-NEXT: 100000 -32700
# CHECK-NEXT: 2 -32700
# CHECK-NEXT: 2 -32600
# CHECK-NEXT: 1 -32600
# CHECK-NEXT: 25 -32600
# CHECK-NEXT: 9 -32600
print("unknown", client.call("textDocument/foo")["error"])
# CHECK-NEXT: unknown {'code': -32601, 'message': "unknown method 'textDocument/foo'"}
print("closed", client.call("textDocument/hover", textDocument={"uri": "file:///none.uma"})["error"]["code"])
# CHECK-NEXT: closed -32602
# The parser of descriptions recurses, but not without end.
for nested in ("{", "(", "pattern p(", "pattern p(x) { require (", "pattern p(x) { require -"):
    client.open("file:///deep.uma", "accelerator a {\n" + nested + nested[-1] * 20000)
    print(nested, "error" in client.call("textDocument/hover", textDocument={"uri": "file:///deep.uma"}, position={"line": 1, "character": 3}))
# CHECK-NEXT: { False
# CHECK-NEXT: ( False
# CHECK-NEXT: pattern p( False
# CHECK-NEXT: pattern p(x) { require ( False
# CHECK-NEXT: pattern p(x) { require - False
# `exit` without `shutdown` is an error.
client.notify("exit")
print("exit", client.server.wait(timeout=600))

# In front of upstream's server, whose parser would recurse.
mlir = Client("--language=mlir", "--log=error")
mlir.call("initialize", capabilities={})
for body in (b"{", b'{"a":' * 20000 + b"1" + b"}" * 20000):
    mlir.send_bytes(body)
    print(len(body), mlir.read()["error"]["code"], flush=True)
print("exit", mlir.exit())
# CHECK-NEXT: exit 1
# CHECK-NEXT: 1 -32700
# CHECK-NEXT: 120001 -32700
# CHECK-NEXT: exit 0
