# Passes that descriptions may name: every registered pass and option is classified in Inputs/passes.txt, and what is classified as forbidden
# is refused, wherever it stands in a pipeline or a script.
#
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %S/Inputs/passes.txt %t

import pathlib
import re
import subprocess
import sys

listed, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def read_registered() -> dict[str, set[str]]:
    """Returns the names of the passes and pipelines of uma-opt with their options."""
    help_text = subprocess.run(["uma-opt", "--help"], capture_output=True, text=True, check=True).stdout
    text = help_text[help_text.index("    Passes:") :]
    passes: dict[str, set[str]] = {}
    for line in text.splitlines():
        if match := re.match(r"      --([\w-]+)", line):
            options = passes.setdefault(match[1], set())
        elif match := re.match(r"        --?([\w-]+)", line):
            options.add(match[1])
        elif passes and re.match(r"  --?\w", line):
            break
    return passes


def read_classified() -> tuple[dict[str, set[str]], list[tuple[str, str]]]:
    """Returns the listed passes with their options, and the forbidden pairs of pass and option, "" for the pass itself."""
    passes: dict[str, set[str]] = {}
    forbidden = []
    for line in listed.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, options = line.partition(":")
        if name.startswith("!"):
            forbidden.append((name[1:], ""))
        forbidden += [(name.lstrip("!"), option[1:]) for option in options.split() if option.startswith("!")]
        passes[name.lstrip("!")] = {option.lstrip("!") for option in options.split()}
    return passes, forbidden


registered = read_registered()
classified, forbidden = read_classified()
problems = []
for name in sorted(registered.keys() | classified.keys()):
    if registered.get(name) != classified.get(name):
        problems.append(f"{listed.name}: '{name}' has the options {sorted(registered.get(name, []))}, listed are {classified.get(name)}; "
                        "classify it: does it access files, load code, run programs or print? Then also in lib/Accel/IR/PassText.cpp")

# One accelerator per pipeline; MLIR reads the parts between the separators one by one.
parts = []
for name, option in forbidden:
    text = f"{name}{{{option}=x}}" if option else name
    for pipeline in (text, f"func.func({text})", f"inline{{default-pipeline={text}}}", f"inline{{op-pipelines=func.func({text})}}",
                     f"canonicalize,composite-fixed-point-pass{{pipeline='cse,{text}'}}"):
        parts.append((pipeline, f'uma.accel.accelerator @a {{\n  uma.accel.pipeline "PRE_PARTITIONING" "{pipeline}"\n}}\n'))
    options = f' with options = {{ "{option}" = "x" }}' if option else ""
    script = f"""uma.accel.accelerator @a {{
  uma.accel.script "PRE_PARTITIONING" {{
    builtin.module attributes {{transform.with_named_sequence}} {{
      transform.named_sequence @__transform_main(%root: !transform.any_op) {{
        %0 = transform.apply_registered_pass "{name}"{options} to %root : (!transform.any_op) -> !transform.any_op
        transform.yield
      }}
    }}
  }}
}}
"""
    parts.append((f"script: {text}", script))
allowed = [(name, f'uma.accel.accelerator @a {{\n  uma.accel.pipeline "PRE_PARTITIONING" "{name}"\n}}\n')
           for name in sorted(classified) if (name, "") not in forbidden]
separator = "// -----\n"
path = folder / "parts.mlir"
path.write_text(separator.join(text for _, text in parts + allowed))
done = subprocess.run(["uma-opt", "--split-input-file", str(path), "-o", str(folder / "out.mlir")], capture_output=True, text=True)
# Errors give the line in the file.
starts, line = [], 1
for _, text in parts + allowed:
    starts.append(line)
    line += text.count("\n") + 1
refused = {}
for at, message in re.findall(r"parts\.mlir.*?:(\d+):\d+: error: (.*)", done.stderr):
    refused[max(index for index, start in enumerate(starts) if start <= int(at))] = message
for index, (what, _) in enumerate(parts):
    if "of a description transform" not in refused.get(index, ""):
        problems.append(f"'{what}' is not refused: {refused.get(index)}")
for index, (what, _) in enumerate(allowed, len(parts)):
    if "of a description transform" in refused.get(index, ""):
        problems.append(f"'{what}' is refused: {refused[index]}")
if not forbidden or not allowed:
    problems.append("nothing is classified")
sys.exit("\n".join(problems) or 0)
