"""The log of an exploration, DIR/points.jsonl: what was asked for, then one line for each point, in the order in which they end."""

from __future__ import annotations

import json
import os
import pathlib
import zlib

from .. import Error

NAME = "points.jsonl"
_FORMAT = {"format": "uma-explore-log", "version": 1}
#: Members of the first line, as messages name them.
_MEMBERS = {"uma": "another version of uma", "accelerator": "another accelerator", "models": "other models",
            "attributes": "other values to sweep", "constraints": "other constraints", "objectives": "other objectives",
            "search": "another search", "study": "another description or other options"}
_RESULTS = ("explore.json", "points.csv", "index.html")


def _write(line: dict) -> bytes:
    return (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "backslashreplace")


def seal(number: int, results: dict) -> dict:
    """The results of a point with a checksum, by which `unseal` knows damage of any kind."""
    line = {"id": number, "results": results}
    return {**line, "crc32": zlib.crc32(_write(line))}


def unseal(line) -> tuple[int, dict]:
    """Returns what `seal` was given. Raises ValueError if `line` is anything else."""
    if not isinstance(line, dict) or line.keys() != {"id", "results", "crc32"} or seal(line["id"], line["results"]) != line:
        raise ValueError
    return line["id"], line["results"]


class Log:
    """A log that points are added to. `known` has the results of earlier runs by number."""

    def __init__(self, folder, header: dict, resume: bool):
        self.folder = pathlib.Path(folder)
        self.path = self.folder / NAME
        self.known: dict[int, dict] = {}
        self.header = {**_FORMAT, **header}
        self.file = None
        self.kept = 0  # bytes of an earlier run
        try:
            if self.path.exists() and not self.path.is_file():
                raise Error(f"{self.path}: is no file")
            if self.path.exists():
                if not resume and self._has_points():
                    raise Error(f"{self.folder} has results of an exploration; go on with --resume, or name another folder")
                if resume:
                    self.kept = self._read()
            elif self.folder.is_dir():
                if any((self.folder / name).exists() for name in _RESULTS):
                    raise Error(f"{self.folder} has results of an exploration, but no {NAME} to go on with; name another folder")
            elif resume:
                raise Error(f"{self.folder} has nothing to resume: no such folder")
            elif self.folder.exists():
                raise Error(f"{self.folder}: is no folder")
        except OSError as error:
            raise Error(f"{error.filename or self.path}: {error.strerror}") from None

    def open(self) -> None:
        """Opens the file before the first point, so that nothing is left where none can be evaluated."""
        if self.file is not None:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = open(self.path, "r+b" if self.kept else "wb")
            self.file.truncate(self.kept)
            self.file.seek(self.kept)
            if not self.kept:
                self.file.write(_write(self.header))
            self.file.flush()
        except OSError as error:
            raise Error(f"{error.filename or self.path}: {error.strerror}") from None

    def _has_points(self) -> bool:
        """Whether there is more than a first line: nothing is lost without it."""
        with open(self.path, "rb") as file:
            return bool(file.readline()) and bool(file.readline())

    def _read(self) -> int:
        """Reads the points. Returns the size of the part that is whole: a line that has no end was interrupted."""
        contents = self.path.read_bytes()
        lines = contents.split(b"\n")
        kept = len(contents) - len(lines.pop())
        for number, line in enumerate(lines, 1):
            try:
                found = json.loads(line)
                if number > 1:
                    point, results = unseal(found)
                    self.known[point] = results
            except (ValueError, TypeError, RecursionError):
                # The last line may have lost a part when the machine stopped.
                if number == len(lines) and number > 1:
                    return kept - len(line) - 1
                raise Error(f"{self.path}:{number}: the line is damaged; remove it, or name another folder") from None
            if number == 1:
                self._check(found)
        return kept

    def _check(self, found: dict) -> None:
        """Refuses to mix points of different explorations."""
        header = self.header
        if not isinstance(found, dict) or any(found.get(name) != value for name, value in _FORMAT.items()):
            raise Error(f"{self.path}: no log of this version of uma explore; name another folder")
        for member, words in _MEMBERS.items():
            if found.get(member) != header.get(member):
                detail = f": it has '{found.get(member)}', this is '{header.get(member)}'" if isinstance(header.get(member), str) and \
                    member != "study" else ""
                raise Error(f"{self.folder} cannot be resumed with {words}{detail}; repeat the command that began it, or name another "
                            "folder")

    def add(self, number: int, results: dict) -> None:
        self.open()
        self.known[number] = results
        try:
            self.file.write(_write(seal(number, results)))
            self.file.flush()
        except OSError as error:
            raise Error(f"{self.path}: {error.strerror}") from None

    def close(self) -> None:
        if self.file is None:
            return
        try:
            self.file.close()
        except OSError as error:
            raise Error(f"{self.path}: {error.strerror}") from None


class Memory:
    """Points of an exploration that writes no files."""

    def __init__(self):
        self.known: dict[int, dict] = {}

    def add(self, number: int, results: dict) -> None:
        self.known[number] = results

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass


def write_whole(path: pathlib.Path, text: str) -> None:
    """Writes a file whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(text.encode("utf-8", "backslashreplace"))
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise Error(f"{path}: {error.strerror}") from None
