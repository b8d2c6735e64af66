# The cache of mappings: a second run searches nothing and decides the same. Files that are damaged, are for other layers or cannot be read
# or written change nothing but the time.
#
# RUN: rm -rf %t && %python %s %t %S/map.mlir | FileCheck %s --match-full-lines

import pathlib
import re
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
module = re.sub(".*expected-remark.*\n", "", pathlib.Path(sys.argv[2]).read_text())
folder.mkdir()
cache = folder / "a cache"


def read(where):
    """Returns the identity of each file: a search writes a new one."""
    return {file.name: file.stat().st_ino for file in where.iterdir()} if where.is_dir() else {}


def decide(name, text=module, options="", where=cache):
    """Prints how many mappings are written, and whether the decisions are those without a cache."""
    before = read(where)
    run, plain = (subprocess.run(["uma-opt", f"--uma-accel-map={option} {options}"], input=text, capture_output=True, text=True,
                                 timeout=600) for option in (f"cache='{where}'", ""))
    written = set(read(where).items()) - set(before.items())
    print(f"{name}: status {run.returncode}, {len(written)} written, {'equal' if run.stdout == plain.stdout else 'different'}",
          run.stderr[:1000])
    return run.stdout


# CHECK: first: status 0, [[N:[1-9][0-9]*]] written, equal{{ ?}}
decide("first")
# CHECK-NEXT: second: status 0, 0 written, equal{{ ?}}
decide("second")
# CHECK-NEXT: options: status 0, [[N]] written, equal{{ ?}}
decide("options", options="serpentine=false")
# CHECK-NEXT: memory: status 0, [[N]] written, equal{{ ?}}
decide("memory", module.replace("constant 1024 : index", "constant 2048 : index"))
# CHECK-NEXT: bandwidth: status 0, [[N]] written, equal{{ ?}}
decide("bandwidth", module.replace("%bandwidth = arith.constant 4", "%bandwidth = arith.constant 8"))

files = sorted(cache.iterdir())
for number, file in enumerate(files):
    text = file.read_text()
    damage = [b"", b"\0\xff\xfe", text[:-10].encode(), b"#uma.accel.mapping<loops = [zz by 4], buffers = []>", b"3 : i32",
              b"#uma.accel.mapping<loops = [n by 96], buffers = []>", b"x" * 100000, text.encode() * 2]
    file.write_bytes(damage[number % len(damage)])
# CHECK-NEXT: damaged: status 0, [[N]] written, equal{{ ?}}
decide("damaged")
for file in cache.iterdir():
    file.unlink()
    file.mkdir()
# CHECK-NEXT: folders: status 0, 0 written, equal{{ ?}}
decide("folders")

# An edited mapping is taken, which shows that there is no search. The first layer of the module has one tile of 16.
edited = folder / "edited"
decide("", where=edited)
for file in edited.iterdir():
    if "loops = []" in file.read_text() and "[x at 0]" in file.read_text():
        file.write_text("#uma.accel.mapping<loops = [n by 16], buffers = [x at 1], rows>\n")
# CHECK: edited: status 0, 0 written, different{{ ?}}
# CHECK-NEXT: True
print("loops = [n by 16], buffers = [x at 1], rows" in decide("edited", where=edited))
# CHECK-NEXT: no folder: status 0, 0 written, equal{{ ?}}
decide("no folder", where=pathlib.Path("/dev/null/cache"))
# CHECK-NEXT: file: status 0, 0 written, equal{{ ?}}
(folder / "file").write_text("")
decide("file", where=folder / "file")
