"""The remarks of uma-accel-merge-composite say what `uma explain` says, operator by operator."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %source/examples/digits/digits.onnx vanilla %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import json
import re
import subprocess
import sys

model, accelerator, folder = sys.argv[1:]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


layers = json.loads(run("uma", "explain", model, "-a", accelerator, "--json").stdout)["layers"]
explained = []
for layer in layers:
    for reason in layer["reasons"]:
        text = reason["constraint"]
        if reason["operation"]:
            text = f"{reason['operation']}: {text}"
        explained.append(f"{layer['operator']} on '{reason['accelerator']}': {text}")

run("uma-translate", "--import-onnx", "--mlir-print-debuginfo", model, "-o", f"{folder}/graph.mlir")
pipeline = ("builtin.module(uma-graph-default,uma-accel-load{accelerators=%s},uma-accel-merge-composite{report=true})"
            % accelerator)
printed = run("uma-opt", f"{folder}/graph.mlir", f"--pass-pipeline={pipeline}", "-o", "/dev/null").stderr
remarks = re.findall(r"remark: loc\(.*?\): (\w+)(?: '.*?')? does not run (.*)", printed)
remarks = [" ".join(parts) for parts in remarks]
for line in set(explained) ^ set(remarks):
    print("only one says:", line)
print(f"{len(remarks)} remarks, {'as' if remarks == explained else 'not as'} explained")

# CHECK: 15 remarks, as explained
