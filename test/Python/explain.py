"""uma.explain gives what `uma explain --json` prints."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %source/examples/digits/digits.onnx | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import json
import subprocess
import sys

import uma

rows = uma.explain(sys.argv[1], accelerators=["vanilla"])
printed = json.loads(subprocess.run(["uma", "explain", sys.argv[1], "-a", "vanilla", "--json"], capture_output=True, check=True).stdout)
# CHECK: True True True
print(list(rows) == printed["layers"], rows.totals == printed["totals"], rows.summary == printed["summary"])
# CHECK-NEXT: conv4 strides is [2, 2], the pattern wants [1, 1]
for row in rows:
    if row["operator"] == "conv2d" and row["target"] == "cpu":
        print(row["name"], row["reasons"][0]["constraint"])
