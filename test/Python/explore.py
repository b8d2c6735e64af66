"""uma explore: points have the numbers of `uma explain --mapping`, and the files have the same bytes however they came about."""
# REQUIRES: full, python
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python %python -B %s %S/Inputs/explore %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import csv
import json
import pathlib
import re
import subprocess
import sys

import uma
from uma._explore.log import seal, unseal

inputs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
MODELS = [str(inputs / "convolution.mlir"), str(inputs / "product.mlir")]
SWEEP = {"weight_kib": [2, 3, 8], "input_kib": [2, 4]}
FILES = ("explore.json", "points.csv", "index.html")


def explain(model, *settings):
    command = ["uma", "explain", model, "-a", ",".join(["strawberry", *settings]), "--mapping", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def command(output, *options, models=MODELS, check=True):
    sweep = [f"--sweep={name}={','.join(map(str, values))}" for name, values in SWEEP.items()]
    return subprocess.run(["uma", "explore", *models, "-a", "strawberry", *sweep, "-o", str(folder / output), "--workers=1", *options],
                          capture_output=True, text=True, check=check)


# Each number is the one that uma explain has.
points = uma.explore(MODELS, "strawberry", SWEEP, workers=1)
equal = True
for point in points:
    for model, entry in zip(MODELS, point["models"]):
        found = explain(model, *(f"{name}={value}" for name, value in point["attributes"].items()))
        placed = sum(layer["target"] == "strawberry" for layer in found["placement"])
        equal &= entry["offloaded"] == placed and entry["layers"] == len(found["placement"])
        if entry["status"] == "done":
            equal &= entry["cycles"] == sum(layer["cycles"] for layer in found["layers"]) == sum(entry["bound_cycles"].values())
            equal &= entry["dma_bytes"] == sum(layer["loaded_bytes"] for layer in found["layers"])
        else:
            equal &= entry["reason"] in f"layer 'conv' {found['placement'][0]['reason'].partition(': ')[2]}"
# CHECK: True [0, 1, 2, 3, 4, 5]
print(equal, [point["id"] for point in points])
# CHECK-NEXT: 2 convolution: layer 'conv' needs 2304 bytes of memory 'weights' (w 2304), which has 2048
print(len(points.failed), points.failed[0]["reason"])
# CHECK-NEXT: [70656, 72704, 75776, 77824] [70656, 72704, 75776, 77824]
print(sorted(point["memory_bytes"] for point in points if point["front"]),
      [sum(point["attributes"].values()) * 1024 + 65536 for point in points if point["status"] == "done"])
# The front is by the first objective.
# CHECK-NEXT: True [5, 4, 3, 2] True
print(points.front[0]["objectives"]["cycles"] < points.front[1]["objectives"]["cycles"], [point["id"] for point in points.front],
      "<table>" in points._repr_html_())

# The command writes the same.
printed = command("whole").stdout.splitlines()
# CHECK-NEXT: id weight_kib input_kib cycles memory_bytes
print(*printed[0].split())
# CHECK-NEXT: 6 points, 4 on the Pareto front, 2 failed: index.html
print(printed[-1].replace(str(folder / "whole") + "/", ""))
whole = {name: (folder / "whole" / name).read_bytes() for name in FILES}
# CHECK-NEXT: True 6 True
print(json.loads(whole["explore.json"])["points"] == list(points), len(list(csv.DictReader(open(folder / "whole/points.csv")))),
      list(points.rows()[0]) == next(csv.reader(open(folder / "whole/points.csv"))))

# Interrupted after any byte of the log, it goes on to the same bytes.
log = (folder / "whole/points.jsonl").read_bytes()
lines = log.splitlines(keepends=True)
first = len(lines[0])
equal = True
for end in (first, first + 1, first + len(lines[1]) - 1, first + len(lines[1]), len(log) - 5, len(log)):
    (folder / "part").mkdir(exist_ok=True)
    for name in FILES:
        (folder / "part" / name).unlink(missing_ok=True)
    (folder / "part/points.jsonl").write_bytes(log[:end])
    command("part", "--resume")
    equal &= all((folder / "part" / name).read_bytes() == whole[name] for name in FILES)
    equal &= (folder / "part/points.jsonl").read_bytes() == log
# A last line that is damaged, but whole.
(folder / "part/points.jsonl").write_bytes(b"".join(lines[:-1]) + b'{"id": 5,\n')
command("part", "--resume")
equal &= (folder / "part/points.jsonl").read_bytes() == log
# CHECK-NEXT: True
print(equal)

# Points that others have evaluated are read from the cache, in whatever order.
subprocess.run(["env", f"UMA_CACHE_DIR={folder}/cache", *command("cached", "--seed=0").args[:-2], "-o", str(folder / "cached2")],
               capture_output=True, check=True)
# CHECK-NEXT: 12 True
print(len(list((folder / "cache/points").iterdir())), (folder / "cached2/points.csv").read_bytes() == whole["points.csv"])
for path in (folder / "cache/points").iterdir():
    results = json.dumps(unseal(json.loads(path.read_text()))[1])
    results = re.sub(r'"commands": (?=\d)', '"commands": 1000', results)
    path.write_text(json.dumps(seal(0, json.loads(results))))
again = ["env", f"UMA_CACHE_DIR={folder}/cache", *command("none", "--seed=1").args[:-2], "-o", str(folder / "cached3")]
subprocess.run(again, capture_output=True, check=True)
# CHECK-NEXT: True
print("1000" in (folder / "cached3/points.csv").read_text())

# Layers that no memory holds may run on the CPU, which takes its time.
slow = uma.explore({"net": MODELS[0]}, ["strawberry", "sum_kib=2"], {"weight_kib": [2, 3]}, allow_cpu=True, workers=1,
                   objectives=["cycles", "attribute.weight_kib", "-offloaded / layers", "net.macs"])
# CHECK-NEXT: ['failed', 'done'] net: no layer runs on 'strawberry': layer 'conv': {{.*}} needs 2304 bytes {{.*}} -1 294912
print([point["status"] for point in slow], slow[0]["reason"], slow[1]["objectives"]["-offloaded / layers"], slow[1]["objectives"]["net.macs"])

# Points on the device's simulator.
# CHECK-NEXT: 2 runs simulated: 0 with other outputs than the CPU, 0 with other cycles than predicted
print(command("simulated", "--simulate", "--constraint=weight_kib == 3 and input_kib < 4").stdout.splitlines()[-1])
# CHECK-NEXT: [(2, True, True), (2, True, True)]
results = json.loads((folder / "simulated/explore.json").read_text())["points"]
print([(point["id"], model["simulated"]["equal"], model["simulated"]["cycles"] == model["cycles"])
       for point in results for model in point["models"]])
# Constraints on results leave the point with its reason.
# CHECK-NEXT: constraint 'cycles < 6500' does not hold: cycles = 6592
command("bounded", "--constraint=cycles < 6500")
print(json.loads((folder / "bounded/explore.json").read_text())["points"][4]["reason"])

# A device that computes other numbers, and one that does not build.
for name, text in (("wrong", "to[lane] = (int8_t)(r->y_zero + 1);\n      continue;"), ("broken", "#error broken")):
    device = folder / name
    subprocess.run(["cp", "-r", str(inputs.parents[3] / "dialects/strawberry"), str(device)],
                   check=True)
    source = device / "runtime/strawberry.c"
    source.write_text(source.read_text().replace("to[lane] = (int8_t)r->y_zero;", text))
    result = subprocess.run(["uma", "explore", MODELS[1], "-a", str(device / "strawberry.uma"), "--sweep=input_kib=4", "--simulate", "-o",
                             str(folder / f"{name}.out")], capture_output=True, text=True)
    # CHECK-NEXT: 1 1 runs simulated: 1 with other outputs than the CPU, 0 with other cycles than predicted
    # CHECK-NEXT: 0 point 0: product: uma run --trace: {{.*}}
    print(result.returncode, result.stdout.splitlines()[-1])
