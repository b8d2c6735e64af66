"""`uma explain --kernels` shows the convolutions that `uma compile` writes with the same options, their stripes and those that
devices leave to the CPU."""
# REQUIRES: full, mlperf-tiny
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %models/mlperf_tiny %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# CHECK: 32 of 32 compilations have the layers that were explained

import json
import os
import re
import subprocess
import sys

models = sys.argv[1]
os.chdir(sys.argv[2])
MODELS = {"vww_mobilenetv1_025_int8_qdq": "32K", "kws_dscnn_int8_qdq": "10K", "ic_resnet8_float": "209K", "streaming_wakeword_int8_qdq": "8K"}
OPTIONS = [[], ["--cpu=cortex-m4"], ["--arena=ARENA"], ["--arena=ARENA", "--cpu=cortex-m4"], ["--memory=near=4K", "--memory=far=1M"], ["--threads=openmp"],
           ["-a", "cmsis_nn", "--cpu=cortex-m4"], ["-a", "chocolate"]]


def run(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(["uma", *command], capture_output=True, text=True)


count = 0
for model, arena in MODELS.items():
    for options in OPTIONS:
        path, options = f"{models}/{model}.onnx", [option.replace("ARENA", arena) for option in options]
        explained, compiled = run("explain", path, "--kernels", "--json", *options), run("compile", path, "-o", "package", *options)
        if explained.returncode or compiled.returncode:
            print(model, options, explained.stderr, compiled.stderr)
            continue
        rows = json.loads(explained.stdout)["layers"]
        with open("package/metadata.json", encoding="utf-8") as file:
            metadata = json.load(file)
        calls = [call["function"] for call in metadata["calls"] if "_conv2d" in call["function"]]
        names = {re.sub(r"\W", "_", row["name"]) for row in rows}
        unknown = [call for call in calls if not any(call.startswith(name) for name in names)]
        products = [row["name"] for row in rows if "conv2d" in row["operators"]]
        if unknown or len(products) != len(calls):
            print(model, options, unknown, len(products), len(calls))
        else:
            count += 1
print(f"{count} of {len(MODELS) * len(OPTIONS)} compilations have the layers that were explained")
