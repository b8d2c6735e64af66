#!/usr/bin/env python3
"""Sends malformed messages and mutated descriptions to uma-lsp-server: no crash, no hang.

  utils/fuzz-lsp.py [--count N] [--seed S] [--language mlir]      uma-lsp-server is on PATH
"""

import argparse
import json
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/LSP/Inputs"))
from lsp_client import Client  # noqa: E402

METHODS = ["hover", "completion", "definition", "rename", "documentSymbol", "formatting", "inlayHint", "none"]


def mutate(text, rng):
    data = bytearray(text)
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            del data[at : at + rng.randint(1, 30)]
        elif kind == 1:
            data[at:at] = bytes([rng.randrange(256)])
        elif kind == 2:
            data[at:at] = rng.choice([b"{", b"}", b"(", b"\"", b"[", b"\\", b"\n", b"=", "\u20ac".encode()])
        else:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + rng.randint(1, 60)]
    return bytes(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--language", choices=["uma", "mlir"], default="uma")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    if arguments.language == "mlir":
        return fuzz_mlir(arguments, rng)
    texts = [path.read_bytes() for path in sorted(ROOT.glob("dialects/*/*.uma"))]
    client = Client()
    client.call("initialize", capabilities={}, initializationOptions={"model": str(ROOT / "examples/digits/digits.onnx")})
    uri = "file:///fuzz.uma"
    for number in range(arguments.count):
        try:
            text = mutate(rng.choice(texts), rng).decode(errors="replace")
            client.open(uri, "")
            client.change(uri, text)
            position = {"line": rng.randrange(-1, text.count("\n") + 2), "character": rng.randrange(-1, 90)}
            params = {"textDocument": {"uri": uri}, "position": position, "newName": rng.choice(["a", "k", "", "\u20ac"])}
            client.call("textDocument/" + rng.choice(METHODS), **params)
            message = {"jsonrpc": "2.0", "id": -1, "method": "textDocument/hover", "params": params}
            client.send_bytes(mutate(json.dumps(message).encode(), rng))
        except (EOFError, BrokenPipeError) as error:
            sys.exit(f"seed {arguments.seed}, message {number}: {error or 'the server ended'}")
    status = client.exit()
    print(f"{arguments.count} descriptions and messages, exit code {status}")
    return status


def fuzz_mlir(arguments, rng):
    """The server for MLIR on damaged files of the tests."""
    folders = ("test/Graph/IR", "test/TIR/IR", "test/TIR/Transforms", "test/Accel/IR")
    texts = [path.read_bytes()[:6000] for folder in folders for path in sorted((ROOT / folder).glob("*.mlir"))]
    client = Client("--language=mlir", "--log=error")
    client.call("initialize", capabilities={})
    client.notify("initialized")
    for number in range(arguments.count):
        text = mutate(rng.choice(texts), rng).decode(errors="replace")
        document = {"uri": f"file:///fuzz{number % 50}.mlir"}
        position = {"line": rng.randrange(text.count("\n") + 2), "character": rng.randrange(90)}
        try:
            client.notify("textDocument/didOpen", textDocument={**document, "languageId": "mlir", "version": number, "text": text})
            client.call("textDocument/" + rng.choice(["hover", "definition", "references", "documentSymbol", "completion"]), textDocument=document,
                        position=position, context={"triggerKind": 1, "includeDeclaration": True})
        except (EOFError, BrokenPipeError) as error:
            sys.exit(f"seed {arguments.seed}, file {number}: {error or 'the server ended'}")
    status = client.exit()
    print(f"{arguments.count} files of MLIR, exit code {status}")
    return status


if __name__ == "__main__":
    sys.exit(main())
