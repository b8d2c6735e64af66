"""What an exploration needs at every place where its points are evaluated: models, the description with its files, options."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pathlib
import shutil
import tempfile
from typing import NamedTuple

from .. import Error, Module, __version__, _finish, _uma, import_model

#: Largest folder of a description that travels, in bytes and in files.
_MAX_BYTES, _MAX_FILES = 64 << 20, 5000


@functools.lru_cache(maxsize=1)
def get_build() -> str:
    """A text that differs between builds of the compiler, and is equal where the same files are installed."""
    with open(_uma.library(), "rb") as file:
        return f"{__version__} {hashlib.blake2b(file.read(), digest_size=8).hexdigest()}"


def get_cache_folder(kind: str) -> pathlib.Path | None:
    """The folder for results of a kind, as for the compiler's mappings; None if nothing is kept."""
    chosen = os.environ.get("UMA_CACHE_DIR")
    if chosen == "":
        return None
    if chosen is None:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        chosen = os.path.join(base, "uma")
    return pathlib.Path(chosen, kind)


class StudyModel(NamedTuple):
    name: str
    sha256: str  # of the file, or of the bytes that were given
    code: bytes  # the imported graph
    shapes: dict  # of inputs that the file leaves open

    def identify(self) -> dict:
        """What a log says about the model."""
        found = {"name": self.name, "sha256": self.sha256}
        return {**found, "shapes": self.shapes} if self.shapes else found


class Description(NamedTuple):
    """A description as it travels: its files, by their paths below its folder."""

    name: str
    file: str
    files: dict[str, bytes]
    settings: list[str]  # of the command line, NAME=VALUE
    attributes: dict  # with these settings
    memories: dict


class Study(NamedTuple):
    models: tuple[StudyModel, ...]
    description: Description
    options: dict  # of the driver: cpu_cycles_per_mac, policy, lower
    allow_cpu: bool
    simulate: bool

    def get_key(self) -> str:
        """A hash of everything that a result depends on, besides the attributes of the point."""
        digest = hashlib.sha256(get_build().encode())
        description = self.description
        parts = [description.file, description.settings, self.options, self.allow_cpu, self.simulate]
        digest.update(json.dumps(parts, sort_keys=True).encode())
        for path, contents in sorted(description.files.items()):
            digest.update(json.dumps([path, hashlib.sha256(contents).hexdigest()]).encode())
        return digest.hexdigest()

    def get_model_key(self, model: StudyModel) -> str:
        return hashlib.sha256(f"{self.get_key()} {hashlib.sha256(model.code).hexdigest()}".encode()).hexdigest()


def read_models(models, shapes=None) -> tuple[StudyModel, ...]:
    """Imports models: paths, or what else `uma.compile` takes, or a dict of these by name. `shapes` has sizes of inputs, by NAME or
    MODEL:NAME."""
    if isinstance(models, dict):
        named = dict(models)
    else:
        named = {}
        for model in _as_list(models):
            is_path = isinstance(model, (str, os.PathLike))
            name = pathlib.Path(model).stem if is_path else "model" if not named else f"model{len(named) + 1}"
            if name in named:
                raise Error(f"two models are named '{name}'" + ("; rename a file" if is_path else ""))
            named[name] = model
    if not named:
        raise Error("no model is given")
    own_shapes = _split_shapes(shapes or {}, list(named))
    return tuple(_read_model(name, model, own_shapes[name]) for name, model in named.items())


def _read_model(name: str, model, shapes: dict) -> StudyModel:
    contents = None
    if isinstance(model, (str, os.PathLike)):
        path = pathlib.Path(model)
        try:
            contents = path.read_bytes()
        except OSError as error:
            raise Error(f"{path}: {'no such file' if isinstance(error, FileNotFoundError) else error.strerror}") from None
    code = import_model(model, shapes=shapes)._native.bytecode()
    return StudyModel(name, hashlib.sha256(code if contents is None else contents).hexdigest(), code,
                      {name: [int(size) for size in sizes] for name, sizes in shapes.items()})


def _split_shapes(shapes: dict, models: list[str]) -> dict[str, dict]:
    """The shapes of each model. Names of inputs may have a colon, too."""
    result: dict[str, dict] = {model: {} for model in models}
    for name, sizes in shapes.items():
        model, colon, own = name.partition(":")
        if colon and own and model in result:
            result[model][own] = sizes
        else:
            for every in result.values():
                every.setdefault(name, sizes)
    return result


def _as_list(models):
    if isinstance(models, (str, bytes, bytearray, os.PathLike, Module)) or hasattr(models, "SerializeToString"):
        return [models]
    return list(models)


def describe(accelerator: list[str], accelerator_dirs) -> dict:
    """The name, the file, the attributes and the memories of a description with settings."""
    return json.loads(_finish(*_uma.describe(accelerator, list(accelerator_dirs))))


def read_description(accelerator, accelerator_dirs, with_folder: bool) -> Description:
    """Reads a description and, with `with_folder`, the files in its folder, from which its model is built."""
    words = accelerator.split(",") if isinstance(accelerator, str) else [os.fspath(word) for word in accelerator]
    if not words or not words[0]:
        raise Error("no accelerator is given")
    for word in words[1:]:
        if "=" not in word:
            raise Error(f"'{word}' is a second accelerator; explore one, with settings NAME=VALUE after it")
    if words[0].endswith(".so"):
        raise Error(f"'{words[0]}' is a plugin; points of descriptions in a file can be explored")
    found = describe(words, accelerator_dirs)
    path = pathlib.Path(os.path.abspath(found["file"]))
    needed = {path, *(pathlib.Path(os.path.abspath(model)) for model in found["models"])}
    if with_folder:
        needed |= _find_files(path.parent)
    # Files keep their places, since they name each other.
    base = pathlib.Path(os.path.commonpath([each.parent for each in needed]))
    files = {each.relative_to(base).as_posix(): each.read_bytes() for each in needed}
    return Description(found["name"], path.relative_to(base).as_posix(), files, words[1:], found["attributes"], found["memories"])


def _find_files(folder: pathlib.Path) -> set[pathlib.Path]:
    """The files of a folder, where compilers find headers."""
    files, size = set(), 0
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if any(part.startswith(".") or part == "__pycache__" for part in relative.parts) or not path.is_file():
            continue
        size += path.stat().st_size
        if size > _MAX_BYTES or len(files) == _MAX_FILES:
            raise Error(f"{folder} holds more than {_MAX_FILES} files or {_MAX_BYTES >> 20} MiB, and all of it travels to where points are "
                        "simulated; put the description and its model into a folder of their own")
        files.add(path)
    return files


class Workplace:
    """A study on the disk of the process that evaluates its points. Removed by `close`."""

    def __init__(self, study: Study):
        self.study = study
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="uma-explore-"))
        for name, contents in study.description.files.items():
            path = self.folder / "description" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
        self.description = str(self.folder / "description" / study.description.file)
        self.model_keys = [study.get_model_key(model) for model in study.models]

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
