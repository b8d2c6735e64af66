# Answers on a description of 500 lines and on 10,000 operations. The goals are 100 and 300 ms of the server's processor
# time, which counts in steps of 10 ms; the limits are five times as large, because processors differ.
#
# RUN: env PYTHONPATH=%S/Inputs %python %s

import os
import pathlib
import sys

from lsp_client import Client, position

PATTERN = """  pattern dense{0}(x: f32[n, k], w: f32[m, k]) {{
    y = dense(x, w)
    require n <= {0}, "few rows"
    call npu_dense(x, w, y, n, m, k)
  }}
"""
slow = []


def get_milliseconds(client):
    """Returns the processor time of a server, in all of its threads."""
    fields = pathlib.Path(f"/proc/{client.server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def measure(client, name, goal, function):
    start = get_milliseconds(client)
    result = function()
    milliseconds = get_milliseconds(client) - start
    print(f"{name}: {milliseconds:.1f} ms, goal {goal} ms")
    if milliseconds > 5 * goal:
        slow.append(name)
    return result


def ask(client, language, goal, params, methods):
    for method in methods:
        response = measure(client, f"{language} {method}", goal, lambda: client.call(f"textDocument/{method}", **params))
        assert response["result"] is not None, response


text = "accelerator npu {\n" + "".join(PATTERN.format(i) for i in range(1, 101)) + "}\n"
client = Client()
client.call("initialize", capabilities={})
uri = "file:///npu.uma"
client.open(uri, text)
# `k` of the last pattern is no size of an operand any more: an error at the end of the text.
wrong = text.replace("dense100(x: f32[n, k]", "dense100(x: f33[n, k]")
assert len(measure(client, "uma change", 100, lambda: client.change(uri, wrong))) > 0
assert client.change(uri, text) == []
params = {"textDocument": {"uri": uri}, "position": position(text, "n <= 100"), "newName": "rows"}
ask(client, "uma", 100, params, ["completion", "definition", "rename", "documentSymbol", "formatting"])
client.exit()

lines = [f"  %{i + 1} = uma.graph.relu %{i} : (tensor<2xf32>) -> tensor<2xf32>" for i in range(1, 10001)]
body = "\n".join(lines).replace("%1 ", "%x ")
module = f"func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {{\n{body}\n  return %10001 : tensor<2xf32>\n}}\n"
client = Client("--language=mlir")
client.call("initialize", capabilities={}, processId=1, rootUri=None)
uri = "file:///a.mlir"
diagnostics = measure(client, "mlir open", 300, lambda: client.open(uri, module))
print(len(module), "bytes;", diagnostics[:1])
if diagnostics:
    sys.exit("the module has errors")
params = {"textDocument": {"uri": uri}, "position": position(module, "uma.graph.relu %5000", 3)}
ask(client, "mlir", 300, params, ["hover", "documentSymbol"])
client.exit()
sys.exit(f"too slow: {slow}" if slow else 0)
