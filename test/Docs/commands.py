"""Commands of pages that are no guides: each runs as it stands, in a folder with what the pages take for granted, and ends with 0. Those that
do not run here are in the table SKIPPED, with the reason."""
# REQUIRES: full, gcc, python
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %source %build %t | FileCheck %s --match-full-lines
# CHECK: every command ran or has a reason

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

source, build, folder = map(pathlib.Path, sys.argv[1:])
PAGES = ["README.md", "CONTRIBUTING.md", "docs/composition.md", "docs/getting-started.md", "docs/python.md", "docs/scheduling.md", "docs/testing.md",
         "docs/add-an-accelerator.md", "docs/instructions.md", "docs/memory.md", "docs/firmware.md", "docs/benchmarks.md", "examples/backend/README.md", "editors/vscode/README.md",
         *sorted(str(path.relative_to(source)) for path in source.glob("dialects/*/README.md"))]
#: Models that the pages name, and what stands for them here.
MODELS = {"model_int8_qdq.onnx": "int8.mlir", "digits_int8.mlir": "int8.mlir"}
#: Patterns of lines, with the reason why they do not run here.
SKIPPED = {
    "make*": "the commands of the whole project, which CI runs; or builds for a device that is not here",
    "sudo apt-get install *": "changes the system; utils/try-debs.sh does it in one of its own",
    "man uma-compile": "needs an installed package; test/Install checks the pages",
    "cmake --preset*": "builds the project again",
    "cmake --build --preset*": "builds the project again",
    "ctest --preset*": "runs all tests again",
    "cmake -S . -B build-fuzz*": "builds the project again, with instrumentation",
    "ninja -C build-fuzz*": "belongs to it",
    "utils/fuzz-importer.sh*": "belongs to it, and takes 600 s",
    "export *": "sets the environment, which this test has",
    "mkdir mydev && cd mydev": "changes the folder for the reader",
    "/usr/lib/llvm-22/bin/lit *": "runs a test of this suite within itself",
    "cc -DHAS_DOT4 *": "has an ellipsis: the reader's own compiler and flags",
    "uma compile resnet8.onnx *": "a network that the page does not have",
    "uma compile vww_96_int8.tflite *": "a network of MLPerf Tiny; test/Integration/mlperf-tiny* compile it where it is present",
    "bench/reference-kernels.py *": "needs clones of other projects",
    "bench/memory-plans.py *": "takes minutes, or needs the clone of another project",
    "bench/run.py my-model.onnx*": "measures for minutes; test/Integration/bench.test runs a short one",
    "bench/run.py --*": "measures networks that are downloaded",
    "bench/run.py layer.mlir*": "measures for minutes",
    "bench/onednn.py*": "measures for minutes",
    "bench/bounds.py": "measures for minutes; test/Integration/bench.test runs it on a small network",
    "bench/operators.py*": "measures for minutes; test/Integration/bench.test runs it without measuring",
    "bench/guards.py*": "runs for minutes; test/Integration has a short run",
    "utils/fuzz-graphs.py*--count 200*": "runs for minutes; test-long does it",
    "utils/fuzz-graphs.py*--stripe-rows 2*": "runs for minutes",
    "utils/fuzz-onnx.py*--count*": "downloads ONNX Runtime, and runs for minutes; test-real-models does it",
    "utils/mutate-description.py*": "runs for minutes; test-long does it",
    "utils/mutate-files.py --seed 1000*": "runs for minutes; test-long does it",
    "utils/mutate-files.py --only*": "runs for minutes",
    "utils/run-real-models.py --only*": "downloads models",
    "uma test amx --cflags=-march=*": "needs a processor with Intel's tiles",
    "uma test arm_dsp *": "needs an emulator and a compiler for Arm; test/Integration/arm-dsp* runs it where they are present",
    "uma compile model_int8.tflite -a cmsis_nn *": "a network of MLPerf Tiny and a clone of CMSIS-NN",
    "uma run out --board=*": "belongs to it",
    "uma compile model.onnx -a cudnn,cublas *": "needs CUDA to build, and the next line a GPU",
    "uma run model.onnx -a onednn --compare": "needs the library; test/Integration runs it where it is present",
    "uma run model.onnx -a openblas --compare": "needs the library; test/Integration runs it where it is present",
    "out/build/main_rtl": "belongs to it",
    "uma compile tcn_int8.onnx *": "a network that the page does not have; test/Integration/ultratrail* makes one",
    "build/bin/uma * -a build/lib/Sparse24.so*": "the example is built by test/Plugin only",
    "npm install": "downloads packages",
    "cp ../../LICENSE .": "belongs to it",
    "npx *": "downloads packages",
    "code --install-extension *": "needs VS Code",
    "uma run m4_c --board=*": "needs an emulator and a compiler for Arm; test/Driver runs boards where they are present",
}
#: Commands that end with another status than 0, as their pages say.
STATUS = {"CHOCOLATE_FAULT=*": 4}


def prepare():
    for name in ("bench", "dialects", "docs", "examples", "processors", "python", "test", "utils", "include", "lib"):
        (folder / name).symlink_to(source / name)
    (folder / "build").symlink_to(build)
    for name in ("model.onnx", "my-model.onnx"):
        shutil.copyfile(source / "examples/digits/digits.onnx", folder / name)
    (folder / "samples").mkdir()
    for number in range(3):
        np.save(folder / "samples" / f"{number}.npy", np.full((1, 1, 8, 8), number / 3, np.float32))
    (folder / "mydev.h").write_text("int mydev_relu(const float *x, float *y, int count);\n")
    (folder / "my.uma").write_text("accelerator my {\n}\n")
    example = re.search(r"```python\n(.*?)```", (source / "docs/python.md").read_text(), re.S)[1]
    (folder / "example.py").write_text(example)
    (folder / "net.mlir").write_text("""func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {uma.network = "net"} {
  %0 = tosa.tanh %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
""")


def commands(page):
    """The commands of the blocks that no test of a guide runs; a backslash continues a line."""
    for body in re.findall(r"^```sh\n(.*?)^```", (source / page).read_text(), re.S | re.M):
        for line in re.sub(r"\\\n\s*|(?<=[(,])\n\s*", " ", body).splitlines():
            line = re.sub(r"\s+#.*", "", line).strip()
            if line:
                yield line


prepare()
subprocess.run([build / "bin/uma-translate", "--import-onnx", folder / "model.onnx", "-o", folder / "digits.mlir"], check=True)
environment = dict(os.environ, PATH=f"{build}/bin:{os.environ['PATH']}:/usr/lib/llvm-22/bin", PYTHONDONTWRITEBYTECODE="1")
used, failed = set(), []
for page in PAGES:
    for command in commands(page):
        reason = next((pattern for pattern in SKIPPED if fnmatch.fnmatchcase(command, pattern)), None)
        if reason:
            used.add(reason)
            continue
        for name, other in MODELS.items():
            command = command.replace(name, other)
        run = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(f"{page}: {command}: {run.returncode}")
        if run.returncode != next((status for pattern, status in STATUS.items() if fnmatch.fnmatchcase(command, pattern)), 0):
            failed.append(command)
            print(run.stdout)
unused = set(SKIPPED) - used
for pattern in sorted(unused):
    print("no page has a command any more like", pattern)
if not failed and not unused:
    print("every command ran or has a reason")
