"""Compiling into a folder that exists: files of an older package are replaced or removed, everything else stays, and a file
that would be lost is an error that names it. Nothing outside the folder is touched, whatever its metadata says."""
# RUN: rm -rf %t && mkdir %t && cp %S/Inputs/tiny.mlir %t && %python -B %s %source/examples/digits/digits.onnx %t

import json
import os
import pathlib
import shutil
import subprocess
import sys

model, root = sys.argv[1], pathlib.Path(sys.argv[2])
os.chdir(root)


def compile(folder: str, *options: str, source: str = model) -> str:
    """The error, or nothing."""
    result = subprocess.run(["uma", "compile", source, "-o", folder, *options], capture_output=True, text=True)
    errors = result.stderr.splitlines()
    if (result.returncode, len(errors)) not in ((0, 0), (2, 1)):
        sys.exit(f"{folder}: status {result.returncode}, {result.stderr}")
    return errors[0] if errors else ""


def read(folder: str) -> dict[str, bytes | str]:
    """All files below a folder, with where symbolic links lead and which folders are empty."""
    found: dict[str, bytes | str] = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file():
            found[name] = path.read_bytes()
        elif not any(path.iterdir()):
            found[name] = "empty"
    return found


def expect(what: str, found, expected) -> None:
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def expect_error(error: str, *parts: str) -> None:
    for part in parts:
        if part not in error:
            sys.exit(f"expected {part!r} in {error!r}")


expect("fresh", compile("vanilla", "-a", "vanilla"), "")
expect("fresh", compile("cpu"), "")
expect("fresh", compile("tiny", source="tiny.mlir"), "")
pathlib.Path("other.mlir").write_text(pathlib.Path("tiny.mlir").read_text().replace('"tiny"', '"other"'))
expect("fresh", compile("other", source="other.mlir"), "")
vanilla, cpu, tiny, other = map(read, ("vanilla", "cpu", "tiny", "other"))
expect("the files that metadata.json lists", sorted(json.loads(vanilla["metadata.json"])["files"]), sorted(vanilla))

# The user's files stay, also beside ours and with names like the ones that uma uses; ours are replaced, and go when the new
# package has none.
mine = {
    "build/digits": b"program",
    "notes.txt": b"mine",
    "devices/vanilla/notes.txt": b"mine, too",
    "devices/other/device.h": b"mine as well",
    "a 100%d $x/b": b"odd",
    "link": "/dev/null",
    "devices/link": "nowhere",
}
shutil.copytree("vanilla", "package")
for name, contents in mine.items():
    place = pathlib.Path("package", name)
    place.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(contents, str):
        place.symlink_to(contents)
    else:
        place.write_bytes(contents)
for package, options, source in ((cpu, (), model), (vanilla, ("-a", "vanilla"), model), (tiny, (), "tiny.mlir"), (cpu, (), model)):
    inode = os.stat("package").st_ino
    expect("again", compile("package", *options, source=source), "")
    expect("again", read("package"), {**package, **mine})
    expect("the folder itself stays", os.stat("package").st_ino, inode)
# Folders that only held ours go with them.
shutil.copytree("vanilla", "stale")
expect("stale", (compile("stale"), read("stale"), os.path.exists("stale/devices")), ("", cpu, False))

# Missing files come back.
os.remove("stale/main.c")
expect("missing", (compile("stale"), read("stale")), ("", cpu))

# A file of ours that was edited, one of the user where a new one of ours goes, or something in its place that is no file.
def conflict(prepare, *names: str) -> None:
    shutil.rmtree("conflict", ignore_errors=True)
    shutil.copytree("tiny", "conflict")
    prepare(pathlib.Path("conflict"))
    before = read("conflict")
    one = len(names) == 1
    error = compile("conflict", "-a", "vanilla")
    listed = "', '".join(names)
    expect_error(
        error,
        f"error: conflict: '{listed}' {'is' if one else 'are'} not as uma wrote {'it' if one else 'them'} and would be "
        f"overwritten; move {'it' if one else 'them'} out of the folder, or name another folder",
    )
    expect("after a conflict", read("conflict"), before)


conflict(lambda folder: (folder / "main.c").write_text("edited"), "main.c")
conflict(lambda folder: (folder / "digits.c").write_text("of the user"), "digits.c")
conflict(lambda folder: [(folder / name).write_text("edited") for name in ("Makefile", "main.c")], "Makefile", "main.c")
conflict(lambda folder: (folder / "digits.h").mkdir(), "digits.h")
conflict(lambda folder: (folder / "devices").write_text("of the user"), "devices")


def link_main(folder: pathlib.Path) -> None:
    pathlib.Path("main-of-the-user.c").write_bytes(tiny["main.c"])
    (folder / "main.c").unlink()
    (folder / "main.c").symlink_to("../main-of-the-user.c")


conflict(link_main, "main.c")
expect("behind a link", pathlib.Path("main-of-the-user.c").read_bytes(), tiny["main.c"])


def link_devices(folder: pathlib.Path) -> None:
    pathlib.Path("sdk").mkdir()
    (folder / "devices").symlink_to("../sdk")


conflict(link_devices, "devices")
expect("behind a link", read("sdk"), {})
# The same contents are no conflict, and an edited file that the new package does not have is the user's.
shutil.copytree("tiny", "same")
shutil.copy("cpu/digits.c", "same")
pathlib.Path("same/tiny.c").write_text("edited")
expect("same", (compile("same"), read("same")), ("", {**cpu, "tiny.c": b"edited"}))

# Metadata of somebody else lists what is not ours: nothing of it is touched.
pathlib.Path("outside").mkdir()
pathlib.Path("outside/file").write_bytes(tiny["main.c"])
for name in ("../outside/file", str(root.resolve() / "outside/file"), "sub/../../outside/file", "to/file", "folder", ".", "", "..", "file\0", "build"):
    shutil.rmtree("hostile", ignore_errors=True)
    shutil.copytree("tiny", "hostile")
    pathlib.Path("hostile/to").symlink_to("../outside")
    pathlib.Path("hostile/sub").mkdir()
    pathlib.Path("hostile/build").mkdir()
    pathlib.Path("hostile/build/file").write_bytes(tiny["main.c"])
    pathlib.Path("hostile/folder").mkdir()
    metadata = json.loads(tiny["metadata.json"])
    metadata["files"].append(name)
    metadata["checksums"][name] = metadata["checksums"]["main.c"]
    pathlib.Path("hostile/metadata.json").write_text(json.dumps(metadata))
    expect(name, compile("hostile", source="other.mlir"), "")
    expect(name, read("hostile"), {**other, "to": "../outside", "sub": "empty", "build/file": tiny["main.c"], "folder": "empty"})
    expect(name, read("outside"), {"file": tiny["main.c"]})
for text in ('{"format": "uma-package"}', '{"format": "uma-package", "files": 7, "checksums": []}', '{"format": "uma-package", "files": [1, {}]}'):
    shutil.rmtree("hostile")
    os.mkdir("hostile")
    pathlib.Path("hostile/metadata.json").write_text(text)
    pathlib.Path("hostile/notes.txt").write_text("mine")
    expect(text, (compile("hostile", source="other.mlir"), read("hostile")), ("", {**other, "notes.txt": b"mine"}))
for text in ('{"format": "other"}', "[", "", "7"):
    shutil.rmtree("hostile")
    os.mkdir("hostile")
    pathlib.Path("hostile/metadata.json").write_text(text)
    expect_error(compile("hostile", source="other.mlir"), "hostile: holds files and is no package of uma, so it is not replaced")
    expect(text, read("hostile"), {"metadata.json": text.encode()})
os.remove("hostile/metadata.json")
os.symlink("../tiny/metadata.json", "hostile/metadata.json")
expect_error(compile("hostile", source="other.mlir"), "hostile: holds files and is no package of uma")

# An empty folder stays the same folder, and what another command has begun to write is not in the way.
os.mkdir("empty")
pathlib.Path("empty/.uma-abcdef").write_text("begun")
inode = os.stat("empty").st_ino
expect("empty", (compile("empty"), read("empty")), ("", {**cpu, ".uma-abcdef": b"begun"}))
expect("empty", os.stat("empty").st_ino, inode)
os.mkdir("here")
os.chdir("here")
expect("here", (compile("."), read(".")), ("", cpu))
os.chdir("..")

# A symbolic link stays one, and the folder behind it is written. Dots mean what the system means by them.
os.makedirs("far/below")
os.symlink("far/below", "down")
expect("link", (compile("down"), os.readlink("down"), read("far/below")), ("", "far/below", cpu))
expect("link", (compile("down/", source="tiny.mlir"), read("down")), ("", tiny))
expect("link/../out", (compile("down/../out"), read("far/out"), os.path.exists("out")), ("", cpu, False))
expect("new folders", (compile("far/new/newer/out/"), read("far/new/newer/out")), ("", cpu))
os.symlink("nowhere", "dangling")
os.symlink("dangling", "chain")
os.symlink("loop", "loop")
before = sorted(os.listdir("."))
expect_error(compile("dangling"), "dangling: cannot be written: 'dangling' is a symbolic link to 'nowhere', which does not exist")
expect_error(compile("dangling/out"), "dangling/out: cannot be written: 'dangling' is a symbolic link to 'nowhere', which does not exist")
expect_error(compile("chain"), "'chain' is a symbolic link to 'dangling', which does not exist")
expect_error(compile("loop"), "loop: cannot be written: Too many levels of symbolic links")
expect_error(compile("loop/out"), "loop/out: cannot be written: Too many levels of symbolic links")
expect_error(compile("missing/../out"), "missing/../out: cannot be written: No such file or directory")
expect("after errors", sorted(os.listdir(".")), before)
