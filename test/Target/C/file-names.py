"""Names of files that make, CMake, a shell or the preprocessor would read as something else are errors at their place in a
description; others build in all that builds packages, in folders of any name. No text of a name runs."""
# REQUIRES: gcc, gxx
# RUN: rm -rf %t && mkdir %t && %python -B %s %t %gcc %gxx | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

os.chdir(sys.argv[1])
os.environ.update(CC=sys.argv[2], CXX=sys.argv[3], CFLAGS="-O0", CXXFLAGS="-O0")
RAN = pathlib.Path("ran")
ODD = ["$(shell touch ran)", "$(touch ran)", "`touch ran`", "; touch ran;", "| touch ran", "&touch ran&", "a b", "a'b", "a#b", "a%b", "a$b", "a$$b", "a:b",
       "a=b", "a~b", "a*b", "a?b", "a[b]", "a(b)", "a{b}", "a<b>", "a!b", "a^b", "a\tb", "a\\b", "${ENV{HOME}}", "-x", "sub/-x", "\u202ecod", "a\u200bb"]


def describe(model: str, header: str) -> None:
    quote = lambda text: text.replace("\\", "\\\\")
    pathlib.Path("npu.uma").write_text(f'accelerator npu {{\n  include "{quote(header)}"\n  model "{quote(model)}"\n  pattern relu(x: f32[n]) {{\n'
                                       "    y = relu(x)\n    call npu_relu(x, y, n)\n  }\n}\n")


def write(path: str, text: str) -> None:
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    pathlib.Path(path).write_text(text)


def run(*command, **options) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{command}: {done.returncode}\n{done.stdout}")
    return done.stdout


HEADER = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint npu_relu(const float *x, float *y, int n);\n#ifdef __cplusplus\n}\n#endif\n"
CODE = "int npu_relu(const float *x, float *y, int n) {\n  for (int i = 0; i < n; ++i)\n    y[i] = x[i] > 0 ? x[i] : 0;\n  return 0;\n}\n"
NETWORK = """func.func @main(%x: tensor<4xf32> {uma.name = "x"}) -> (tensor<4xf32> {uma.name = "y"}) attributes {uma.network = "NAME"} {
  %y = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc("NAME")
  return %y : tensor<4xf32>
}
"""
write("net.mlir", NETWORK.replace("NAME", "net"))
wrong = 0
for odd in ODD:
    # No build file names a header.
    for model, header, line in ((f"{odd}.c", "npu.h", 3), ("npu.c", f"{odd}.h", 2))[: 1 if odd == "a b" else 2]:
        write("npu.h", HEADER)
        write("npu.c", CODE)
        write(model, CODE)
        write(header, HEADER)
        describe(model, header)
        # In all commands, a description is checked by the same code.
        for command in (("check", "npu.uma"), ("compile", "net.mlir", "-a", "./npu.uma", "-o", "out"))[: 2 if "touch" in odd else 1]:
            # A folder with an odd name may hold a model: only the file's name is in the package.
            if odd.startswith("sub/") and line == 3:
                model = "sub/-x.c"
            done = subprocess.run(["uma", *command], capture_output=True, text=True)
            is_right = done.returncode == 2 and f"npu.uma:{line}:" in done.stderr and "error: the name of the " in done.stderr
            if not is_right or os.path.exists("out") or RAN.exists() or done.stderr.count("error:") != 1:
                print(f"{command} {ascii(odd)}: status {done.returncode}, {done.stderr}")
                wrong += 1
# CHECK: odd names: 0 wrong
print(f"odd names: {wrong} wrong")

# Plain names in a folder with an odd name build as C, as C++ and as both.
folder = "a $(touch ran) 'b' #%&"
write(f"{folder}/-1+2,@.gerät.v1.c", '#include "in/npü 1.h"\n' + CODE)
write(f"{folder}/in/npü 1.h", HEADER)
write("two.cc", '#include "two.hpp"\nextern "C" int npu_two(void) { return 0; }\n')
write("two.hpp", "")
shutil.move(f"{folder}/-1+2,@.gerät.v1.c", f"{folder}/1+2,@.gerät.v1.c")
describe(f"{folder}/1+2,@.gerät.v1.c", "in/npü 1.h")
text = pathlib.Path("npu.uma").read_text().replace("  pattern", '  model "two.cc"\n  pattern')
pathlib.Path("npu.uma").write_text(text)
names = {"plain": "net", "odd": "$(shell touch ran) ${touch} `touch ran`; #[[ %&'\\\\"}
for kind, name in names.items():
    write("net.mlir", NETWORK.replace("NAME", name))
    package = f"out {kind} $(touch ran)'&#"
    run("uma", "compile", "net.mlir", "-a", "./npu.uma", "-o", package)
    files = json.loads(pathlib.Path(package, "metadata.json").read_text())["files"]
    if missing := [file for file in files if not pathlib.Path(package, file).exists()]:
        print(f"metadata: {missing}")
    first = run("make", "-s", "-C", package, "run")
    built = run("make", "-s", "-C", package, "AS_CXX=1", "BUILD=cxx", "run")
    # CMake's own rules cannot have such folders.
    shutil.copytree(package, kind)
    run("cmake", "-S", kind, "-B", f"{kind}/cmake")
    run("cmake", "--build", f"{kind}/cmake")
    [program] = pathlib.Path(kind, "cmake").glob("*_example")
    equal = first == built == run(str(program.resolve())) and "equal" in run("uma", "run", package, "--compare")
    print(f"{kind}: {equal}, ran: {RAN.exists()}")
# CHECK: plain: True, ran: False
# CHECK: odd: True, ran: False

# TVM's Model Library Format has them in other folders, also as an archive.
run("uma", "compile", "net.mlir", "-a", "./npu.uma", "--format=mlf", "-o", "mlf.tar")
tarfile.open("mlf.tar").extractall("mlf")
print(f"mlf: {run('make', '-s', '-C', 'mlf', 'run') == first}, ran: {RAN.exists()}")
# CHECK: mlf: True, ran: False
