"""Wrong uses of uma explore: one message each, status 2, and no results."""
# REQUIRES: python
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python %python -B %s %S/Inputs/explore %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import json
import os
import pathlib
import shutil
import subprocess
import sys

import uma

inputs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)
shutil.copy(inputs / "convolution.mlir", "net.mlir")
DEVICE = ("-a", "strawberry", "--sweep=input_kib=2,4")


def run(*options, device=DEVICE, output="out", models=("net.mlir",), environment=None):
    command = ["uma", "explore", *models, *device, *(["-o", output] if output else []), "--workers=1", *options]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, timeout=600)
    message = result.stderr.strip().replace("\n", " / ").removeprefix("uma: error: ")
    print(message + ("" if result.returncode == 2 and not result.stdout else f" (status {result.returncode})"), flush=True)
    if os.path.exists("out"):
        sys.exit("it wrote results")


# CHECK: uma explore: expected -a ACCELERATOR
run(device=())
# CHECK-NEXT: uma explore: expected --sweep NAME=VALUES
run(device=DEVICE[:2])
# CHECK-NEXT: uma explore: expected -o FOLDER
run(output="")
# CHECK-NEXT: missing.onnx: no such file
run(models=["missing.onnx"])
# CHECK-NEXT: two models are named 'net'; rename a file
run(models=["net.mlir", "./net.mlir"])
# CHECK-NEXT: unknown accelerator 'strawbery'; did you mean 'strawberry'?
run(device=("-a", "strawbery", "--sweep=input_kib=2"))
# CHECK-NEXT: 'vanilla' is a second accelerator; explore one, with settings NAME=VALUE after it
run(device=("-a", "strawberry,vanilla", "--sweep=input_kib=2"))
# CHECK-NEXT: accelerator 'strawberry' has no attribute 'input_kb'; did you mean 'input_kib'?
run("--sweep=input_kb=2,4")
# CHECK-NEXT: accelerator 'strawberry' has no attribute 'threads'; it has array, dma_bytes, input_kib, sum_kib, weight_kib
run("--sweep=threads=2,4")
# CHECK-NEXT: accelerator 'vanilla' has no attribute 'size'; it has none
run(device=("-a", "vanilla", "--sweep=size=1"))
# CHECK-NEXT: attribute 'sum_kib' of accelerator 'strawberry' cannot be 'large', expected an integer
run("--sweep=sum_kib=4,large")
# CHECK-NEXT: --sweep=sum_kib: expected NAME=V1,V2,…, NAME=FIRST:LAST:STEP or NAME=FIRST:LAST:*FACTOR
run("--sweep=sum_kib")
# CHECK-NEXT: --sweep=sum_kib=4,,8: a value is empty
run("--sweep=sum_kib=4,,8")
# CHECK-NEXT: --sweep=sum_kib=8:4: the range ends at 4, before 8
run("--sweep=sum_kib=8:4")
# CHECK-NEXT: --sweep=sum_kib=4:8:0: the step is 0, expected 1 or more
run("--sweep=sum_kib=4:8:0")
# CHECK-NEXT: --sweep=sum_kib=4:64:*1: a range with a factor starts at 1 or more, and its factor is 2 or more
run("--sweep=sum_kib=4:64:*1")
# CHECK-NEXT: --sweep=sum_kib=1:1000000000: the range has more than 10000 values
run("--sweep=sum_kib=1:1000000000")
# CHECK-NEXT: --sweep=sum_kib=a:b: 'a:b' is no range; expected integers, FIRST:LAST:STEP or FIRST:LAST:*FACTOR
run("--sweep=sum_kib=a:b")
# CHECK-NEXT: attribute 'sum_kib' is swept over 8 twice
run("--sweep=sum_kib=4:8:4,8")
# CHECK-NEXT: --sweep=input_kib=8: 'input_kib' is swept twice; write all its values in one list
run("--sweep=input_kib=8")
# CHECK-NEXT: the space has {{[0-9]+}} points, at most 2^53 are allowed
run(device=("-a", "strawberry", *(f"--sweep={name}=1:10000" for name in ("input_kib", "weight_kib", "sum_kib", "dma_bytes"))))
# CHECK-NEXT: constraint 'input_kb < 4' names 'input_kb', which is no attribute and no metric; did you mean 'input_kib'?
run("--constraint=input_kb < 4")
# CHECK-NEXT: constraint 'input_kib <' is no expression
run("--constraint=input_kib <")
# CHECK-NEXT: constraint 'input_kib < 4 && sum_kib < 8' is no expression; write 'and', 'or' and 'not'
run("--constraint=input_kib < 4 && sum_kib < 8")
# CHECK-NEXT: constraint '9**9**9 > input_kib' is too large a number
run("--constraint=9**9**9 > input_kib")
# CHECK-NEXT: constraint 'input_kib / (sum_kib - 64) > 1' divides by zero
run("--constraint=input_kib / (sum_kib - 64) > 1")
# CHECK-NEXT: constraint 'input_kib == "2"' mixes texts and numbers
run('--constraint=input_kib == "2"')
# CHECK-NEXT: objective '__import__("os").system("touch x")' holds '__import__("os").system("touch x")'; expected numbers, names, + - * / // % **, comparisons, and, or, not, min(…) and max(…)
run('--objective=__import__("os").system("touch x")')
# CHECK-NEXT: objective '[input_kib for x in 2]' holds '[input_kib for x in 2]'; expected numbers, {{.*}}
run("--objective=[input_kib for x in 2]")
# CHECK-NEXT: objective 'cycle' names 'cycle', which is no attribute and no metric; did you mean 'cycles'?
run("--objective=macs,cycle")
# CHECK-NEXT: objective 'cycles' is given twice
run("--objective=cycles", "--objective=cycles")
# CHECK-NEXT: objective 'dma_bytes' names 'dma_bytes', which is an attribute and a metric; write attribute.dma_bytes or metric.dma_bytes
run("--objective=cycles,dma_bytes", "--sweep=dma_bytes=4,8")
# CHECK-NEXT: search is 'grit', expected grid, random or front; did you mean 'grid'?
run("--search=grit")
# CHECK-NEXT: points is the number of points of search=random or search=front; a grid has all
run("--points=5")
# CHECK-NEXT: points is 0, expected a number from 1
run("--points=0", "--search=random")
# CHECK-NEXT: --points=many: expected a number
run("--points=many", "--search=random")
# CHECK-NEXT: workers are processes on this machine; with a scheduler, its workers compute
run("--scheduler=tcp://127.0.0.1:9")
# CHECK-NEXT: out has nothing to resume: no such folder
run("--resume")
# CHECK-NEXT: net.mlir/below: Not a directory
run(output="net.mlir/below")

# Folders with results.
subprocess.run(["uma", "explore", "net.mlir", *DEVICE, "-o", "done", "--workers=1"], check=True, stdout=subprocess.DEVNULL)
log = pathlib.Path("done/points.jsonl")
lines = log.read_text().splitlines(keepends=True)
# CHECK-NEXT: done has results of an exploration; go on with --resume, or name another folder
run(output="done")
# CHECK-NEXT: done cannot be resumed with other values to sweep; repeat the command that began it, or name another folder
run("--resume", output="done", device=("-a", "strawberry", "--sweep=input_kib=2,8"))
# CHECK-NEXT: done cannot be resumed with another description or other options; repeat the command that began it, or name another folder
run("--resume", output="done", device=("-a", "strawberry,sum_kib=32", "--sweep=input_kib=2,4"))
# CHECK-NEXT: done cannot be resumed with other models; repeat the command that began it, or name another folder
run("--resume", output="done", models=[inputs / "product.mlir"])
# CHECK-NEXT: done/points.jsonl:2: the line is damaged; remove it, or name another folder
log.write_text(lines[0] + "{}\n" + lines[2])
run("--resume", output="done")
# Any change of a line is damage: values, types, members, and JSON that is nested too deep.
point = json.loads(lines[1])
model = point["results"]["models"][0]
damaged = [{**point, "id": "0"}, {**point, "id": 10**9}, {**point, "results": []}, {**point, "results": {"models": [{"status": "done"}]}},
           {**point, "results": {**point["results"], "memory_bytes": "2"}}, {**point, "crc32": None},
           {**point, "results": {**point["results"], "models": [{**model, "cycles": model["cycles"] + 1}]}}, [], None]
# CHECK-COUNT-10: done/points.jsonl:2: the line is damaged; remove it, or name another folder
for text in [*map(json.dumps, damaged), "[" * 100000]:
    log.write_text(lines[0] + text + "\n" + lines[2])
    run("--resume", output="done")
# CHECK-COUNT-2: done/points.jsonl:1: the line is damaged; remove it, or name another folder
log.write_text("{\n")
run("--resume", output="done")
log.write_text("[" * 100000 + "\n")
run("--resume", output="done")
# CHECK-NEXT: done/points.jsonl: no log of this version of uma explore; name another folder
log.write_text(json.dumps({**json.loads(lines[0]), "version": 7}) + "\n")
run("--resume", output="done")
# CHECK-NEXT: done cannot be resumed with another version of uma: it has '0.0 old', this is '{{.*}}'; repeat the command that began it, or name another folder
log.write_text(json.dumps({**json.loads(lines[0]), "uma": "0.0 old"}) + "\n")
run("--resume", output="done")
# CHECK-NEXT: done has results of an exploration, but no points.jsonl to go on with; name another folder
log.unlink()
run("--resume", output="done")
# A pipe that nobody writes to.
# CHECK-NEXT: done/points.jsonl: is no file
os.mkfifo(log)
run("--resume", output="done")
# A Python that cannot load the module.
# CHECK-NEXT: uma explore: {{.*}} cannot load the Python module 'uma': no NumPy here
pathlib.Path("site").mkdir()
pathlib.Path("site/numpy.py").write_text("raise ImportError('no NumPy here')\n")
run(environment={"PYTHONPATH": f"{folder}/site"})

# From Python: the same messages, and those of types.
for wrong in (lambda: uma.explore("net.mlir", "strawberry", {"input_kib": 4}), lambda: uma.explore("net.mlir", "strawberry", {}),
              lambda: uma.explore([], "strawberry", {"input_kib": [4]}), lambda: uma.explore("net.mlir", "strawberry", {"input_kib": []}),
              lambda: uma.explore("net.mlir", "strawberry", {"input_kib": [4]}, constraints="input_kib < 4"),
              lambda: uma.explore("net.mlir", "strawberry", {"input_kib": [4]}, polcy="cost"),
              lambda: uma.explore("net.mlir", "strawberry", {"input_kib": [4]}, resume=True),
              lambda: uma.explore("net.mlir", "strawberry", {"input_kib": [4]}, workers=0),
              lambda: uma.explore("net.mlir", "strawberry", {"input_kib": [4]}, seed=-1)):
    try:
        wrong()
        print("no exception")
    except (uma.Error, TypeError) as error:
        print(f"{type(error).__name__}: {error}")
# CHECK-NEXT: Error: the values of 'input_kib' are 4, expected a list such as [32, 64]
# CHECK-NEXT: Error: nothing is swept; give values of an attribute, e.g. --sweep NAME=32,64; 'strawberry' has array, dma_bytes, input_kib, sum_kib, weight_kib
# CHECK-NEXT: Error: no model is given
# CHECK-NEXT: Error: attribute 'input_kib' has no values to try
# CHECK-NEXT: TypeError: constraints and objectives are lists of texts
# CHECK-NEXT: TypeError: unknown option 'polcy'; did you mean 'policy'?
# CHECK-NEXT: Error: to resume, name the folder of the exploration as output
# CHECK-NEXT: Error: workers is 0, expected a number of processes from 1
# CHECK-NEXT: Error: seed is -1, expected a number from 0
