"""Options of compilers that change floating-point arithmetic are errors or change no number, and processors that are not
little-endian get their weights in the right order, or an error; so do those with addresses of 16 bits."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t && %python -B %s %t %gcc %clang | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import os
import pathlib
import struct
import subprocess
import sys

os.chdir(sys.argv[1])
SIZE = 257
OPERATORS = ["exp", "log", "sin", "tanh", "round", "sigmoid"]
body = "".join(f"  %{name} = uma.graph.{name} %x : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>\n" for name in OPERATORS)
results = ", ".join(f'tensor<{SIZE}xf32> {{uma.name = "{name}"}}' for name in OPERATORS)
types = ", ".join([f"tensor<{SIZE}xf32>"] * len(OPERATORS))
values = ", ".join(f"%{name}" for name in OPERATORS)
pathlib.Path("math.mlir").write_text(f"""func.func @main(%x: tensor<{SIZE}xf32> {{uma.name = "x"}}) -> ({results}) attributes {{uma.network = "math"}} {{
{body}  return {values} : {types}
}}
""")
numbers = [0.0, -0.0, 0.5, 1.5, 2.5, float("inf"), float("-inf"), float("nan"), 1e-40, 8388609.0, 3e38]
numbers += [(i - 120) * 0.37 for i in range(SIZE - len(numbers))]
pathlib.Path("x.bin").write_bytes(struct.pack(f"<{SIZE}f", *numbers))


def compile_model(model: str, package: str, *options: str) -> pathlib.Path:
    subprocess.run(["uma", "compile", model, "-o", package, *options], check=True, stdout=subprocess.DEVNULL)
    return pathlib.Path(package)


def build(package: pathlib.Path, compiler: str, *flags: str) -> tuple[str, bytes]:
    """Returns the messages of the compiler, and all outputs. Programs are linked without the flags: some have gcc link code that
    flushes subnormal numbers."""
    objects = []
    for source in sorted(package.glob("*.c")):
        objects.append(f"{source.stem}.o")
        command = [compiler, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", f"-I{package}", "-c", source, "-o", objects[-1]]
        done = subprocess.run(command + (list(flags) if source.stem != "main" else []), capture_output=True, text=True)
        if done.returncode:
            return done.stderr, b""
    subprocess.run([compiler, *objects, "-lm", "-o", "exe"], check=True)
    return "", subprocess.run(["./exe", *(["--input", "x=x.bin"] if package.name == "math" else [])], capture_output=True, check=True).stdout


UNSAFE = ["-fno-signed-zeros", "-freciprocal-math", "-fassociative-math -fno-signed-zeros -fno-trapping-math", "-funsafe-math-optimizations"]
CLANG = ["-fapprox-func", "-fno-honor-nans", "-fno-honor-infinities"]
package = compile_model("math.mlir", "math")
for compiler in sys.argv[2:4]:
    for lanes in ("-DUMA_LANES=4", "-DUMA_LANES=1"):
        problem, expected = build(package, compiler, lanes)
        if problem or not expected:
            print(problem)
        single = [] if lanes.endswith("1") else ["-ffast-math -fno-fast-math", *UNSAFE[:-1], *(CLANG if compiler == sys.argv[3] else [])]
        for flags in single + UNSAFE[-1:]:
            problem, found = build(package, compiler, lanes, *flags.split())
            if problem or found != expected:
                differ = [(a, b) for a, b in zip(expected.split(), found.split()) if a != b]
                print(f"{compiler} {lanes} {flags}: {problem or differ}")
    for flags in ("-ffast-math", "-ffinite-math-only", "-O3 -ffast-math"):
        problem, _ = build(package, compiler, *flags.split())
        if "-fno-fast-math after them suffices" not in problem:
            print(f"{compiler} {flags}: {problem or 'no error'}")
print("options of floats: done")
# CHECK: options of floats: done

# Integers may be compiled with any of them.
pathlib.Path("integers.mlir").write_text("""func.func @main(%x: tensor<4xi32> {uma.name = "x"}) -> (tensor<4xi32> {uma.name = "y"}) attributes {uma.network = "integers"} {
  %y = uma.graph.relu %x : (tensor<4xi32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
""")
print("integers:", build(compile_model("integers.mlir", "integers"), sys.argv[2], "-ffast-math"))
# CHECK: integers: ('', b'y: 0 0 0 0\n')

# Another byte order, as the macros of a compiler tell it: arrays, which are right for any, or an error.
BIG = ["-U__BYTE_ORDER__", "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"]
for size, forms in ((80, ("incbin", "array", "image")), (520, ("auto", "array"))):
    pathlib.Path("dense.mlir").write_text(f"""func.func @main(%x: tensor<1x{size}xf32> {{uma.name = "x"}}) -> (tensor<1x{size}xf32> {{uma.name = "y"}}) attributes {{uma.network = "dense"}} {{
  %w = uma.graph.constant dense<{[[(7 * i + 3 * j) % 11 / 8 for j in range(size)] for i in range(size)]}> : tensor<{size}x{size}xf32>
  %y = uma.graph.dense %x, %w : (tensor<1x{size}xf32>, tensor<{size}x{size}xf32>) -> tensor<1x{size}xf32>
  return %y : tensor<1x{size}xf32>
}}
""")
    expected = None
    for form in forms:
        package = compile_model("dense.mlir", f"dense-{form}-{size}", f"--weights={form}")
        expected = expected or build(package, sys.argv[2])[1]
        problem, found = build(package, sys.argv[2], *BIG)
        errors = [line.split("#error")[1].strip() for line in problem.splitlines() if ": error: " in line and "#error" in line]
        print(f"{form} of {size}: {found == expected} {' '.join(dict.fromkeys(errors))}".rstrip())
# CHECK: incbin of 80: True
# CHECK: array of 80: True
# CHECK: image of 80: False "the image of the weights is for little-endian processors; compile the model with --weights=array"
# CHECK: auto of 520: False "these weights are too large for C arrays by default; compile the model with --weights=array"
# CHECK: array of 520: True

# Addresses of 16 bits, as a header tells them.
pathlib.Path("small").mkdir()
pathlib.Path("small/stdint.h").write_text("#include_next <stdint.h>\n#undef UINTPTR_MAX\n#define UINTPTR_MAX 0xffff\n")
for compiler in sys.argv[2:4]:
    problem, _ = build(package, compiler, "-isystem", "small")
    print("16 bits:", *{line.split(": error: ")[1].removeprefix("#error ") for line in problem.splitlines() if ": error: " in line and "this C" in line})
# CHECK-COUNT-2: 16 bits: "this C needs int and addresses of 32 bits or more"

# Weights of 8 MiB and more as arrays take long: the compiler says so where it was asked for that.
pathlib.Path("large.mlir").write_text("""func.func @main(%x: tensor<1x2048xf32> {uma.name = "x"}) -> (tensor<1x1024xf32> {uma.name = "y"}) attributes {uma.network = "large"} {
  %w = uma.graph.constant dense<0.5> : tensor<1024x2048xf32>
  %y = uma.graph.dense %x, %w : (tensor<1x2048xf32>, tensor<1024x2048xf32>) -> tensor<1x1024xf32>
  return %y : tensor<1x1024xf32>
}
""")
for form in ("array", "auto"):
    done = subprocess.run(["uma", "compile", "large.mlir", "-o", "large", f"--weights={form}"], capture_output=True, text=True)
    print(f"{form} of 8 MiB:", done.returncode, done.stderr.strip())
# CHECK: array of 8 MiB: 0 large.mlir: remark: C arrays of 8 MiB of weights take a C compiler minutes and gigabytes; --weights=auto has them in a file
# CHECK: auto of 8 MiB: 0 
