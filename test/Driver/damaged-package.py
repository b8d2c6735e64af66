"""`uma run` of a package that is damaged: one line that names the file and what is wrong with it, before anything is built."""
# RUN: rm -rf %t && mkdir %t && uma compile %source/examples/digits/digits.onnx -o %t/package
# RUN: %python -B %s %t %S/Inputs/status.py | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import json
import os
import subprocess
import sys

os.chdir(sys.argv[1])
with open("package/metadata.json") as file:
    METADATA = file.read()
with open("package/digits.mlirbc", "rb") as file:
    GRAPH = file.read()


def run(*arguments):
    # A compiler that fails: nothing is built.
    subprocess.run([sys.executable, sys.argv[2], "uma", *arguments], check=True)


def run_text(text):
    with open("package/metadata.json", "w") as file:
        file.write(text)
    run("run", "package", "--cc", "false")


def run_with(*path, value=None):
    """With another value in a field of metadata.json, or without the field."""
    metadata = holder = json.loads(METADATA)
    for key in path[:-1]:
        holder = holder[key]
    if value is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    run_text(json.dumps(metadata))


def run_graph(data):
    with open("package/digits.mlirbc", "wb") as file:
        file.write(data)
    run("run", "package", "--cc", "false")


# What is no JSON.

# CHECK: uma: error: package/metadata.json:1:1: Expected object key
# CHECK-NEXT: status 2, 1 lines of errors
run_text("{")
# CHECK-NEXT: uma: error: package/metadata.json:1:101: Nested more than 100 levels deep
# CHECK-NEXT: status 2, 1 lines of errors
run_text("[" * 100000)
# CHECK-NEXT: uma: error: package/metadata.json: is not an object; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_text("[]")
# The same in a folder that a package is written to: it is no package, and stays as it is.
# CHECK-NEXT: {{.*}}digits.onnx: error: deep: holds files and is no package of uma, so it is not replaced; name another folder or empty it
# CHECK-NEXT: status 2, 1 lines of errors
os.mkdir("deep")
with open("deep/metadata.json", "w") as file:
    file.write('{"format": "uma-package", "files": ' + "[" * 100000)
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
run("compile", os.path.join(source, "examples/digits/digits.onnx"), "-o", "deep")

# Fields that are missing or of another type.

# CHECK-NEXT: uma: error: package/metadata.json: 'name' is missing: expected a string that is not empty; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("name")
# CHECK-NEXT: uma: error: package/metadata.json: 'name' is not a string that is not empty; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("name", value=3)
# The name becomes the path of a program.
# CHECK-NEXT: uma: error: package/metadata.json: 'name' is not an identifier of C; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("name", value="../../bin/sh")
# CHECK-NEXT: uma: error: package/metadata.json: 'graph' is not the name of a file in the package; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("graph", value="../digits.mlirbc")
# CHECK-NEXT: uma: error: package/metadata.json: 'checksums' is missing: expected an object; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("checksums")
# CHECK-NEXT: uma: error: package/metadata.json: 'workspace.bytes' is not a number of bytes; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("workspace", "bytes", value=-1)
# CHECK-NEXT: uma: error: package/metadata.json: 'inputs[0].shape' holds what is not a positive size; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("inputs", 0, "shape", value=[1, 1e300])
# CHECK-NEXT: uma: error: package/metadata.json: 'outputs[0]' is not an object; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("outputs", 0, value=[])
# CHECK-NEXT: uma: error: package/metadata.json: 'checksums.none.mlirbc' is missing: expected a string that is not empty; the package is damaged or older than this uma: compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_with("graph", value="none.mlirbc")
os.remove("package/metadata.json")
# CHECK-NEXT: uma: error: package is no package of 'uma compile': it has no metadata.json
# CHECK-NEXT: status 2, 1 lines of errors
run("run", "package")

# The graph: one bit, its end, all of it, and a whole graph of another package.

with open("package/metadata.json", "w") as file:
    file.write(METADATA)
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_graph(GRAPH[:999] + bytes([GRAPH[999] ^ 1]) + GRAPH[1000:])
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_graph(GRAPH[:-1])
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
run_graph(b"")
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
# CHECK-NEXT: uma: error: package/digits.mlirbc: was changed after the package was compiled; compile the model again
# CHECK-NEXT: status 2, 1 lines of errors
for type in ("f32", "tensor<*xf32>", "tensor<4xcomplex<f32>>", "tensor<4xi3>"):
    with open("other.mlir", "w") as file:
        file.write(f'func.func @main(%x: {type}) -> {type} attributes {{uma.network = "digits"}} {{ return %x : {type} }}')
    subprocess.run(["uma-opt", "other.mlir", "--emit-bytecode", "-o", "package/digits.mlirbc"], check=True)
    run("run", "package", "--cc", "false")
os.remove("package/digits.mlirbc")
os.mkdir("package/digits.mlirbc")
# CHECK-NEXT: uma: error: cannot open input file 'package/digits.mlirbc': Is a directory
# CHECK-NEXT: status 2, 1 lines of errors
run("run", "package", "--cc", "false")

# As it was, it is run; the compiler that is none ends it.
os.rmdir("package/digits.mlirbc")
# CHECK-NEXT: make: {{.*}}
# CHECK-NEXT: uma: error: the C of 'digits' does not build
# CHECK-NEXT: status 4, 2 lines of errors
run_graph(GRAPH)
