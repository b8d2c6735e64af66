"""For every network of MLPerf Tiny that can be imported and every accelerator in dialects: each operator that the CPU
keeps has a reason per accelerator, and the sums by reason account for all of them."""
# REQUIRES: mlperf-tiny
# RUN: %python -B %s %models/mlperf_tiny %dialects | FileCheck %s --implicit-check-not=:

import json
import pathlib
import subprocess
import sys

NETWORKS = ["ad_autoencoder_float", "ic_resnet8_float", "ic_resnet8_int8_qdq", "kws_dscnn_float", "vww_mobilenetv1_025_float"]
models, dialects = map(pathlib.Path, sys.argv[1:])
accelerators = sorted(path.stem for path in dialects.glob("*/*.uma"))
runs = kept = 0
for network in NETWORKS:
    for accelerator in accelerators:
        command = ["uma", "explain", str(models / f"{network}.onnx"), "-a", accelerator, "--json"]
        explanation = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        here = [layer for layer in explanation["layers"] if layer["target"] == "cpu"]
        for layer in here:
            (reason,) = layer["reasons"]
            assert reason["accelerator"] == accelerator, layer
            assert len(reason["constraint"]) > 8 and "unknown" not in reason["constraint"], layer
            assert reason["operation"] or reason["constraint"].startswith("no pattern for"), layer
        assert sum(row["operators"] for row in explanation["summary"]) == len(here), explanation["summary"]
        assert sum(row["macs"] for row in explanation["summary"]) == sum(layer["macs"] for layer in here)
        assert all("'n" not in row["reason"] for row in explanation["summary"]), explanation["summary"]
        runs += 1
        kept += len(here)
assert runs == len(NETWORKS) * len(accelerators) and kept > 100
print("every operator has a reason in", runs, "reports")
# CHECK: every operator has a reason in {{[0-9]+}} reports
