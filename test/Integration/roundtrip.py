"""What MLIR's printer prints of every lit input, its parser reads back as the same: as pretty text, in the generic form
and as bytecode. Inputs whose errors are expected are left out, one by one where a file is split."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t && %python -B %s %source/test %t | FileCheck %s

# An input that is not read back is found: the second is not even read once.
# RUN: mkdir -p %t/broken/Some && cp %source/test/Graph/IR/ops.mlir %t/broken/Some/good.mlir
# RUN: sed 's/uma.graph.relu/uma.graph.rely/' %source/test/Graph/IR/ops.mlir > %t/broken/Some/bad.mlir
# RUN: not %python -B %s %t/broken %t | FileCheck %s --check-prefix=BROKEN

# CHECK-NOT: FAILED
# CHECK: {{^([3-9][0-9]|[1-9][0-9][0-9])}} files, {{[1-9][0-9]+}} inputs read back
# CHECK-NOT: FAILED

# BROKEN: FAILED Some/bad.mlir
# BROKEN: error: custom op 'uma.graph.rely' is unknown
# BROKEN: 2 files,

import pathlib
import re
import subprocess
import sys

# In two parts, since lit takes this file's lines too.
RUN = "RUN" + ":"
root, scratch = map(pathlib.Path, sys.argv[1:])
files = inputs = 0
failed = False
for path in sorted(root.glob("**/*.mlir")):
    if path.relative_to(root).parts[:2] == ("Plugin", "Inputs"):
        continue  # operations of plugins
    text = path.read_text()
    run_lines = "\n".join(re.findall(RUN + ".*", text))
    # Errors that a command's status tells have no place in the text, and split-file's parts may be no MLIR.
    # Text that is no valid IR before a pass has run cannot be read back.
    if re.search(RUN + " (not|split-file) |&& split-file |disable-verifier", run_lines):
        continue
    parts = re.split(r"^// -----.*\n", text, flags=re.M) if "split-input-file" in run_lines else [text]
    parts = [part for part in parts if "expected-error" not in part]
    if not parts:
        continue
    files += 1
    inputs += len(parts)
    module = scratch / "input.mlir"
    module.write_text("// -----\n".join(parts))
    command = ["uma-opt", str(module), "--verify-roundtrip", "--split-input-file", "-o", "/dev/null"]
    if "allow-unregistered-dialect" in run_lines:
        command.append("--allow-unregistered-dialect")
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        failed = True
        print(f"FAILED {path.relative_to(root)}\n{result.stderr}")
print(f"{files} files, {inputs} inputs read back")
sys.exit(failed)
