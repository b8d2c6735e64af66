# MLIR files with the operations of the project, by upstream's server.
#
# RUN: env PYTHONPATH=%S/Inputs %python %s | FileCheck %s

from lsp_client import Client, position

GOOD = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = uma.graph.relu %x : (tensor<2xf32>) -> tensor<2xf32>\n"
GOOD += "  return %0 : tensor<2xf32>\n}\n"
client = Client("--language=mlir")
client.call("initialize", capabilities={}, processId=1, rootUri=None)
# CHECK: clean: []
print("clean:", client.open("file:///a.mlir", GOOD))
# CHECK-NEXT: wrong: {{.*}}uma.graph.reluu
print("wrong:", client.open("file:///b.mlir", GOOD.replace("relu", "reluu"))[0]["message"])
# CHECK-NEXT: hover: {{.*}}uma.graph.relu
place = {"textDocument": {"uri": "file:///a.mlir"}, "position": position(GOOD, "uma.graph.relu", 3)}
print("hover:", client.call("textDocument/hover", **place)["result"]["contents"]["value"].replace("\n", " "))
# CHECK-NEXT: exit: 0
print("exit:", client.exit())

# Brackets that are nested too deep for the parser's stack are an error of the document; the session goes on.
deep = Client("--language=mlir", "--log=error")
deep.call("initialize", capabilities={})
deep.notify("initialized")
for text in ("module attributes {uma.x = " + "[" * 100000, '"a.b"() ({' * 30000, "func.func private @f(" + "tuple<" * 100000):
    # CHECK-COUNT-3: deep: brackets are nested deeper than 256 levels
    diagnostics = deep.open("file:///deep.mlir", text)
    print("deep:", diagnostics[0]["message"].split(" at ")[0] if diagnostics and deep.call(
        "textDocument/hover", textDocument={"uri": "file:///deep.mlir"}, position={"line": 0, "character": 2}).get("result", 0) is None else diagnostics)
# CHECK: exit: 0
print("exit:", deep.exit())
