"""Client of the Language Server Protocol for tests: sends messages and waits for answers."""

import json
import subprocess


class Client:
    def __init__(self, *arguments):
        self.server = subprocess.Popen(["uma-lsp-server", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0

    def send_bytes(self, body):
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def read(self):
        length = None
        while line := self.server.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if length is None:
            raise EOFError(f"the server ended with {self.server.wait()}")
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def call(self, method, **params):
        """Returns the whole response; skips notifications of the server."""
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        while (message := self.read()).get("id") != self.next_id:
            pass
        return message

    def read_diagnostics(self):
        while (message := self.read()).get("method") != "textDocument/publishDiagnostics":
            pass
        return message["params"]["diagnostics"]

    def open(self, uri, text):
        """Opens a document and returns its diagnostics."""
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "uma", "version": 1, "text": text})
        return self.read_diagnostics()

    def change(self, uri, text):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": text}])
        return self.read_diagnostics()

    def exit(self):
        self.call("shutdown")
        self.notify("exit")
        return self.server.wait(timeout=600)


def position(text, needle, delta=0):
    """Returns the position of `needle` in an ASCII text."""
    offset = text.index(needle) + delta
    return {"line": text.count("\n", 0, offset), "character": offset - (text.rfind("\n", 0, offset) + 1)}
