# The keywords of the grammars for VS Code and Vim equal those that the server completes.
#
# RUN: env PYTHONPATH=%S/Inputs %python %s %source | FileCheck %s

import json
import pathlib
import re
import sys

from lsp_client import Client

client = Client()
client.call("initialize", capabilities={})
URI = "file:///none.uma"
START = "accelerator a {\n"


def complete(text):
    client.open(URI, text)
    place = {"line": text.count("\n"), "character": 0}
    items = client.call("textDocument/completion", textDocument={"uri": URI}, position=place)["result"]
    return sorted(item["label"] for item in items)


known = {"items": complete(START), "statements": complete(START + "pattern p(x) {\n")}
editors = pathlib.Path(sys.argv[1], "editors")
rules = json.loads((editors / "vscode/syntaxes/uma.tmLanguage.json").read_text())["patterns"]
vim = (editors / "vim/syntax/uma.vim").read_text()
for name, comment, group in (("items", "statements of an accelerator", "umaItem"), ("statements", "statements of a pattern", "umaStatement")):
    rule = next(rule["match"] for rule in rules if rule.get("comment") == comment)
    words = re.search(r"\(([a-z_|]+)\)", rule)[1].split("|")
    line = re.search(rf"^syn match {group} .*\\zs\\\((.*)\\\)\\>", vim, re.M)[1].split("\\|")
    print(name, len(known[name]), sorted(words) == known[name], sorted(set(line) - {"accelerator"}) == known[name])
# CHECK: items 27 True True
# CHECK-NEXT: statements 11 True True
client.exit()
