# Models in MLIR from strangers: whatever becomes C text, names a file or runs passes is refused in one message, by every command, before
# anything is written or executed. --trust-model takes stages that uma-opt wrote.
#
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t %source

import os
import pathlib
import subprocess
import sys

folder, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
work = folder / "work"
work.mkdir()
(folder / "secret.c").write_text("int secret;\n")
os.chdir(work)

NET = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "net"} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
RELU = """  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "evil"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
"""
SCRIPT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %0 = transform.apply_registered_pass "snapshot-op-locations" with options = {"filename" = "stolen"} to %root
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""


def accelerate(statement: str) -> str:
    return "uma.accel.accelerator @evil {\n  " + statement + "\n" + RELU + "}\n" + NET


def annotate(attribute: str) -> str:
    """The network with a discardable attribute on its operator."""
    return NET.replace("relu %x :", "relu %x {" + attribute + "} :")


def mark(attribute: str) -> str:
    """The network with a discardable attribute on its function."""
    return NET.replace('"net"', '"net", ' + attribute)


# The part that the error names, and the model. The part is None if MLIR's parser refuses the text, because its dialect is not registered.
MODELS = {
    "include": ("'uma.accel.accelerator'", accelerate('uma.accel.include "/etc/passwd"')),
    "prologue": ("'uma.accel.accelerator'", accelerate('uma.accel.prologue "system(\\"touch stolen\\");"')),
    "epilogue": ("'uma.accel.accelerator'", accelerate('uma.accel.epilogue "system(\\"touch stolen\\");"')),
    "replace": ("'uma.accel.accelerator'", accelerate('uma.accel.replace "evil" "system(\\"touch stolen\\")"')),
    "source": ("'uma.accel.accelerator'", accelerate('uma.accel.model "../secret.c"')),
    "link": ("'uma.accel.accelerator'", accelerate('uma.accel.link "evil"')),
    "pipeline": ("'uma.accel.accelerator'", accelerate('uma.accel.pipeline "PRE_PARTITIONING" "canonicalize"')),
    "script": ("'uma.accel.accelerator'", accelerate('uma.accel.script "PRE_PARTITIONING" "script.mlir" {}')),
    "nested": ("'uma.accel.accelerator'", "module {\n" + accelerate('uma.accel.prologue "evil();"') + "}\n" + NET),
    "last": ("'uma.accel.accelerator'", NET + 'uma.accel.accelerator @evil {\n  uma.accel.prologue "evil();"\n' + RELU + "}\n"),
    "transform": ("'transform.named_sequence'", NET + SCRIPT),
    "verbatim": (None, 'emitc.verbatim "int stolen = 1;"\n' + NET),
    "emitc-include": (None, 'emitc.include <"/etc/passwd">\n' + NET),
    "opaque-call": (None, NET.replace("  %0", '  emitc.call_opaque "system"() : () -> ()\n  %0')),
    "opaque-type": (None, mark('other = !emitc.opaque<"int stolen; int">')),
    "opaque-attribute": (None, annotate('other = #emitc.opaque<"evil()">')),
    "tir": ("'uma.tir.func'", 'uma.tir.func @evil(%a: memref<4xf32>) {\n  uma.tir.call_extern "system"(%a) : memref<4xf32>\n'
            "  uma.tir.return\n}\n" + NET),
    "memory": ("'memref.alloc'", NET.replace("  %0", "  %m = memref.alloc() : memref<4xf32>\n  %0")),
    "declaration": ("the declaration of the function 'system'", "func.func private @system(tensor<4xf32>) -> tensor<4xf32>\n"
                    + NET.replace("uma.graph.relu %x", "func.call @system(%x)")),
    "target": ("the attribute 'uma.target'", mark('uma.target = #uma.target<"vanilla">')),
    "function-prologue": ("the attribute 'uma.prologue'", mark('uma.prologue = ["evil();"]')),
    "code": ("the attribute 'uma.code'", annotate('uma.code = "evil()"')),
    "body": ("the attribute 'uma.body'", annotate('uma.body = "evil();"')),
    "cleanup": ("the attribute 'uma.cleanup'", mark('uma.cleanup = ["evil();"]')),
    "await": ("the attribute 'uma.await'", mark('uma.await = "evil();"')),
    "argument": ("the attribute 'uma.alignment'", NET.replace("tensor<4xf32>)", "tensor<4xf32> {uma.alignment = 1 : i64})", 1)),
    "result": ("the attribute 'uma.code'", NET.replace("-> tensor<4xf32> attr", '-> (tensor<4xf32> {uma.code = "evil()"}) attr')),
    "module": ("the attribute 'uma.references'", "module attributes {uma.references = []} {\n" + NET + "}\n"),
    "unknown-attribute": ("the attribute 'uma.of_tomorrow'", annotate("uma.of_tomorrow")),
    "composite": ("'uma.graph.composite'", NET.replace("uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>",
        "uma.graph.composite @evil::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {\n"
        "    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>\n    uma.graph.yield %1 : tensor<4xf32>\n  }")),
    "inline-assembly": (None, NET.replace("  %0", '  llvm.inline_asm "nop", "" : () -> ()\n  %0')),
}
problems = []


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def check(what: str, done: subprocess.CompletedProcess, holds: str | None) -> None:
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    if done.returncode != 2 or len(errors) != 1 or (holds and f"the model holds " not in errors[0]) or holds and holds not in errors[0]:
        problems.append(f"{what}: exit status {done.returncode}, expected 2 and one error about {holds}:\n{done.stdout}{done.stderr}")


before = sorted(path for path in folder.rglob("*"))
for name, (holds, text) in MODELS.items():
    path = work / f"{name}.mlir"
    path.write_text(text)
    # `uma run` would compile and execute it.
    check(name, run("uma", "run", path.name), holds)

# The same module as bytecode, and by the other commands.
done = run("uma-opt", "prologue.mlir", "--emit-bytecode", "-o", "prologue.mlirbc")
assert done.returncode == 0, done.stderr
holds = MODELS["prologue"][0]
check("bytecode", run("uma", "run", "prologue.mlirbc"), holds)
check("compile", run("uma", "compile", "prologue.mlir", "-o", "package"), holds)
check("explain", run("uma", "explain", "prologue.mlir"), holds)
check("explain --kernels", run("uma", "explain", "--kernels", "prologue.mlir"), holds)
check("explain --mapping", run("uma", "explain", "--mapping", "prologue.mlir"), holds)
check("tune", run("uma", "tune", "prologue.mlir", "-o", "tuning.json"), holds)
os.mkdir("samples")
check("quantize", run("uma", "quantize", "prologue.mlir", "--calibration", "samples", "-o", "int8.mlir"), holds)

made = {path.relative_to(folder).as_posix() for path in folder.rglob("*")} - {path.relative_to(folder).as_posix() for path in before}
expected = {f"work/{name}.mlir" for name in MODELS} | {"work/prologue.mlirbc", "work/samples"}
if made != expected:
    problems.append(f"files appeared: {sorted(made - expected)}")

# Graphs with plans of the CPU are accepted: a plan is data.
(work / "plan.mlir").write_text(NET)
done = run("uma-opt", "plan.mlir", "--uma-cpu-plan", "-o", "planned.mlir")
assert done.returncode == 0 and "uma.kernel" in (work / "planned.mlir").read_text(), done.stderr
done = run("uma", "explain", "planned.mlir")
if done.returncode != 0:
    problems.append(f"a planned graph is refused:\n{done.stderr}")

# A stage with a description compiles if it is trusted.
vanilla = source / "dialects" / "vanilla" / "vanilla.uma"
done = run("uma-opt", "plan.mlir", f"--uma-accel-load=accelerators={vanilla}", "-o", "loaded.mlir")
assert done.returncode == 0, done.stderr
check("stage", run("uma", "compile", "loaded.mlir", "-o", "package"), "'uma.accel.accelerator'")
done = run("uma", "compile", "loaded.mlir", "--trust-model", "-o", "package")
if done.returncode != 0 or not (work / "package" / "net.c").exists():
    problems.append(f"--trust-model: exit status {done.returncode}:\n{done.stderr}")

sys.exit("\n".join(problems) or 0)
