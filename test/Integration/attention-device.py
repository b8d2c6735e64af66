"""A device that takes attention as one call, with memory for the scores: an encoder as exporters write it, products, softmax and
all, becomes calls of it without a word about passes.
"""
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %S/../.. | FileCheck %s
# REQUIRES: gcc

import pathlib
import re
import subprocess
import sys

FOLDER, ROOT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True
import models  # noqa: E402, needs the path


def uma(*arguments) -> str:
    done = subprocess.run(["uma", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"uma {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


(FOLDER / "at.h").write_text("""#ifndef AT_H
#define AT_H
/* Attention of b heads; scores has room for l * s. */
int at_attention(const float *q, const float *k, const float *v, float *scores, float *y, int b, int l, int s, int d, int e,
                 double scale);
#endif
""")
(FOLDER / "at.c").write_text("""#include "at.h"
#include <math.h>
int at_attention(const float *q, const float *k, const float *v, float *scores, float *y, int b, int l, int s, int d, int e,
                 double scale) {
  for (int h = 0; h < b; ++h, q += l * d, k += s * d, v += s * e, y += l * e)
    for (int i = 0; i < l; ++i) {
      float *row = scores + i * s, most = -INFINITY, sum = 0;
      for (int j = 0; j < s; ++j) {
        row[j] = 0;
        for (int c = 0; c < d; ++c)
          row[j] += q[i * d + c] * k[j * d + c];
        row[j] *= (float)scale;
        most = row[j] > most ? row[j] : most;
      }
      for (int j = 0; j < s; ++j)
        sum += row[j] = expf(row[j] - most);
      for (int c = 0; c < e; ++c) {
        y[i * e + c] = 0;
        for (int j = 0; j < s; ++j)
          y[i * e + c] += row[j] / sum * v[j * e + c];
      }
    }
  return 0;
}
""")
(FOLDER / "at.uma").write_text("""accelerator at {
  include "at.h"
  model "at.c"

  pattern attention(q: f32[...b, l, d], k: f32[...b, s, d], v: f32[...b, s, e]) {
    y = attention(q, k, v, scale=f)
    scratch scores: f32[l * s]
    call at_attention(q, k, v, scores, y, b, l, s, d, e, f)
  }
}
""")
for line in uma("test", FOLDER / "at.uma").splitlines():
    if line.startswith("attention"):
        print("tested:", *line.split())
# CHECK: tested: attention [[COUNT:[1-9][0-9]+]] [[COUNT]] 0
model = FOLDER / "bert.onnx"
models.bert(layers=2, tokens=16, hidden=64, heads=4, inner=128).save(model)
table = uma("explain", model, "-a", FOLDER / "at.uma")
print("on the device:", len(re.findall(r"^\S+ +attention +at ", table, re.MULTILINE)))
# CHECK: on the device: 2
uma("compile", model, "-a", FOLDER / "at.uma", "-o", FOLDER / "bert_c")
print(uma("run", FOLDER / "bert_c", "--compare"))
# CHECK: equal to the reference interpreter
# CHECK: at: 2 calls in each run
