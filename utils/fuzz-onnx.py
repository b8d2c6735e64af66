#!/usr/bin/python3
"""Compares the emitted C with ONNX Runtime on random ONNX models.

    utils/fuzz-onnx.py [--uma build/bin/uma] [--folder build/real-models] [--seed 1] [--count 60] [--only Conv,Resize] [--jobs 2]
                       [--keep DIR] [--coverage | --self-check]

A model is one operator or a chain of up to six, of all operators, attributes and operator sets that the importer has rules for,
on random shapes, types and data (utils/fuzzing/onnx_models). Seed N gives the same model on every machine. Each is compiled, built
with `cc -O1` and run by `uma run --compare`, and its outputs are compared with those of onnxruntime-node. A model that ONNX Runtime
refuses is generated again. Results are:

    equal            within the tolerances of fuzzing/onnx_models/verdict.py
    ill-conditioned  each element that differs is one that ONNX Runtime computes from inputs that differ in their last bits, or moves by
                     at most four times as far as ONNX Runtime's does then, and by at most 1 % of the largest element. Integers and
                     bools have to be equal if no float is rounded before them.
    optimized        ONNX Runtime has the numbers of the C without its optimizer, within the same tolerances as for `equal`
    on purpose       differs for a reason in fuzzing/onnx_models/reasons.py
    not supported    refused by uma with a reason (exit code 3)
    WRONG            other numbers
    BAD INPUT        refused as invalid (2), though ONNX Runtime runs it
    COMPARE          `--compare` reports a difference, though the numbers are ONNX Runtime's
    FAILED, CRASH, HANG

The model of a failure is reduced to the first node that differs, and stays in DIR/seedN with its inputs, both results and the
interpreter's verdict. --self-check makes a deliberate mistake (utils/fuzzing/onnx_models/mistakes.py) in --count models of each
of 25 operators, and checks that no verdict accepts ONNX Runtime's results for them. --coverage only checks that each operator,
each operator set that changed one, and each attribute that a rule reads are generated.

Exits with 1 if there is a failure, or no generator for an operator, and with 77 if npm, node or onnxruntime-node are not
available.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from fuzzing.onnx_models import mistakes, random_model, reasons, verdict  # noqa: E402
from fuzzing.onnx_models.registry import GENERATORS, NEWEST, REMOVED, find_versions  # noqa: E402
from fuzzing.onnx_models.runtime import Refused, Runtime  # noqa: E402
from npm_packages import install_package  # noqa: E402

RUNTIME = "onnxruntime-node@1.30.0"
ATTEMPTS = 8
KINDS = {2: "BAD INPUT", 3: "not supported", 4: "FAILED"}
FINE = {"equal", "ill-conditioned", "optimized", "on purpose", "not supported", "no oracle"}


class Case:
    """A model, ONNX Runtime's outputs and what became of it in uma."""

    def __init__(self, part: verdict.Part, opset: int):
        self.part, self.opset = part, opset
        self.node = part.nodes[-1]
        self.is_single = sum(node.op_type != "Constant" for node in part.nodes) <= 1
        self.operator = f"{self.node.domain}.{self.node.op_type}" if self.node.domain else self.node.op_type
        self.attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in self.node.attribute}
        self.inputs = part.inputs
        self.expected, self.found = {}, {}
        self.kind, self.said, self.output = "equal", "", ""

    def operand(self, index: int) -> "np.ndarray | None":
        """Returns the elements of an operand; None if it is omitted."""
        name = self.node.input[index] if index < len(self.node.input) else ""
        if name in self.inputs:
            return self.inputs[name]
        tensors = [tensor for tensor in self.part.proto.graph.initializer if tensor.name == name]
        tensors += [node.attribute[0].t for node in self.part.nodes if node.op_type == "Constant" and name in node.output]
        return numpy_helper.to_array(tensors[0]) if tensors else None

    @property
    def data(self) -> np.ndarray:
        return self.operand(0)


def run_uma(options, case: Case, folder: pathlib.Path, seed: int) -> None:
    """Sets the outputs of a case that ONNX Runtime has run, and compares them."""
    command = [options.uma, "run", str(folder / "model.onnx"), "--compare", "--seeds", "1", "--output-dir", str(folder / "found")]
    for name, array in case.inputs.items():
        np.save(folder / f"{name}.npy", array)
        command += ["--input", f"{name}={folder}/{name}.npy"]
    # A fused multiply-add as ONNX Runtime has it, or the C for any processor.
    native = seed % 3 != 0 or "Q" in "".join(node.op_type for node in case.part.nodes)
    environment = os.environ | {"CFLAGS": f"-O1{' -march=native' * native}"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=options.timeout, env=environment)
    except subprocess.TimeoutExpired:
        case.kind = "HANG"
        return
    case.output = done.stdout + done.stderr
    lines = [line for line in case.output.splitlines() if "error:" in line or "DIFFERENT" in line] or case.output.splitlines()[-1:] or [""]
    case.said = lines[0].replace(f"{folder}/", "")
    if done.returncode > 1 or done.returncode < 0:
        case.kind = KINDS.get(done.returncode, "CRASH")
        return
    case.found = {name: np.load(folder / "found" / f"{name}.npy") for name in case.expected}
    for name, expected in case.expected.items():
        if difference := verdict.find_difference(expected, case.found[name]):
            case.kind = "WRONG"
            interpreter = "differs from the interpreter, too" if done.returncode else "equals the interpreter's"
            case.said = f"'{name}' {difference}; {interpreter}"
            return
    if done.returncode:
        case.kind = "COMPARE"


def is_ill_conditioned(case: Case, runtime: Runtime, folder: pathlib.Path) -> bool:
    """Returns whether the difference is that of inputs that move by their last bits."""
    try:
        moved = [runtime.run(folder / "model.onnx", verdict.perturbed(case.inputs, seed)) for seed in range(len(verdict.MOVES))]
    except Refused:
        return False
    for name, expected in case.expected.items():
        # No integer flips that is computed from the same numbers on both sides.
        is_exact = expected.dtype.kind != "f" and (case.is_single or name in case.part.exact)
        others = [] if is_exact else [results[name] for results in moved]
        if not verdict.is_near(expected, case.found[name], others):
            return False
    return True


def is_optimized(case: Case, runtime: Runtime, folder: pathlib.Path) -> bool:
    """Returns whether ONNX Runtime has the results of uma if it optimizes nothing."""
    try:
        plain = runtime.run(folder / "model.onnx", case.inputs, "disabled")
    except Refused:
        return False
    return not any(verdict.find_difference(plain[name], case.found[name]) for name in case.found)


def judge(case: Case, runtime: Runtime, folder: pathlib.Path) -> None:
    """Accepts wrong numbers that have a reason."""
    if case.kind == "WRONG" and is_optimized(case, runtime, folder):
        case.kind = "optimized"
    if case.kind == "WRONG" and is_ill_conditioned(case, runtime, folder):
        case.kind = "ill-conditioned"


def check(options, part: verdict.Part, opset: int, runtime: Runtime, folder: pathlib.Path, seed: int) -> Case:
    """Runs a model with both. Raises Refused if ONNX Runtime refuses it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    onnx.save(part.proto, folder / "model.onnx")
    case = Case(part, opset)
    case.expected = runtime.run(folder / "model.onnx", case.inputs)
    if any(array.size == 0 for array in case.expected.values()):
        raise Refused("an output without elements")
    run_uma(options, case, folder, seed)
    judge(case, runtime, folder)
    if reason := next((reason for operator, condition, reason in reasons.DIFFERENCES
                       if case.kind not in FINE and operator == case.operator and case.is_single and condition(case)), None):
        case.kind, case.said = "on purpose", f"{case.operator}: {reason}"
    return case


def reduce(options, model, whole: Case, runtime: Runtime, folder: pathlib.Path, seed: int) -> Case:
    """Returns the case of the first node that fails, alone or with those before it."""
    values = {tensor.name: tensor.data for tensor in model.inputs}
    shown = whole
    constants = {node.output[0]: node for node in model.nodes if node.op_type == "Constant"}
    known = {tensor.name for tensor in model.results}
    for node in model.nodes:
        results = [name for name in node.output if name in known]
        if not results:
            continue
        try:
            before = verdict.Part(verdict.nodes_before(model, results), results, values, model)
            scratch = folder.with_name(folder.name + "-before")
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir()
            onnx.save(before.proto, scratch / "model.onnx")
            outputs = runtime.run(scratch / "model.onnx", before.inputs)
            alone = verdict.Part([constants[name] for name in dict.fromkeys(node.input) if name in constants] + [node], results, values, model)
            case = check(options, alone, model.opset, runtime, scratch, seed)
            if case.kind == "on purpose":
                return case
            if case.kind == whole.kind:
                shutil.rmtree(folder)
                scratch.rename(folder)
                return case
            values |= outputs
        except Refused:
            pass
        finally:
            shutil.rmtree(folder.with_name(folder.name + "-before"), ignore_errors=True)
    return shown


def run(options, seed: int, oldest, runtimes: queue.Queue, folder: pathlib.Path):
    """Returns the name of the operator, its operator set, and the case, or what ONNX Runtime refused."""
    runtime, refusals, opset = runtimes.get(), [], 0
    place = folder / f"seed{seed}"
    try:
        for attempt in range(ATTEMPTS):
            model, name = random_model(seed, oldest, options.only, attempt)
            opset = model.opset
            part = make_part(model)
            try:
                case = check(options, part, opset, runtime, place, seed)
            except Refused as refusal:
                refusals.append((f"{name} {opset}", str(refusal)))
                continue
            if case.kind not in FINE:
                case = reduce(options, model, case, runtime, place, seed)
            if case.kind not in FINE:
                np.savez(place / "expected.npz", **case.expected)
                (place / "uma.txt").write_text(case.output)
            else:
                shutil.rmtree(place)
            return name, opset, case, refusals
        shutil.rmtree(place, ignore_errors=True)
        return name, opset, None, refusals
    finally:
        runtimes.put(runtime)


def read_operators(uma: str) -> dict[str, int]:
    """Returns the first operator set of each operator that the importer has a rule for."""
    listed = subprocess.run([uma, "list", "--operators"], capture_output=True, text=True, check=True).stdout
    return {name: int(opset) for name, opset in re.findall(r"^([\w.]+) +(\d+)-\d+", listed.partition("TensorFlow")[0], re.M)}


def read_attributes() -> set[str]:
    """Returns the attributes that the importer's rules read."""
    names = set()
    for path in (HERE.parent / "lib/Import/ONNX").glob("*.cpp"):
        text = path.read_text()
        names.update(re.findall(r'(?:node\.get\w*Attr|getFloats|readListAttr)\((?:node, )?"(\w+)"', text))
        for listed in re.findall(r"(?:ignoreAttrs|readDims)\(\{?((?:\"\w*\"[,\s]*)+)", text):
            names.update(re.findall(r'"(\w+)"', listed))
    return names


def check_coverage(oldest: dict[str, int], count: int = 8000) -> bool:
    """Prints operators, operator sets and attributes that no model has. Returns whether there are none."""
    gaps = [f"operator {name} has no generator" for name in oldest if name not in GENERATORS and name not in reasons.NOT_GENERATED]
    seen, attributes = collections.defaultdict(set), set()
    for seed in range(count):
        model, _ = random_model(seed, oldest)
        for node in model.nodes:
            seen[node.op_type].add(max((version for version in find_versions(node.op_type) if version <= model.opset), default=1))
        attributes.update(name for _, name in model.used_attributes)
    for name, since in oldest.items():
        if "." not in name and name not in reasons.NOT_GENERATED:
            missing = [version for version in find_versions(name) if since <= version <= REMOVED.get(name, NEWEST) and version not in seen[name]]
            gaps += [f"{name} of operator set {version} is not generated" for version in missing]
    gaps += [f"attribute '{name}' is not generated" for name in sorted(read_attributes() - attributes - set(reasons.ATTRIBUTES_NOT_GENERATED))]
    print("\n".join(gaps) or f"{len(oldest)} operators and {len(attributes)} attributes are generated")
    return not gaps


def run_mistake(part: verdict.Part, opset: int, operator: str, runtime: Runtime, folder: pathlib.Path) -> "Case | None":
    """Returns the verdict on a model whose results are those of a mistake in an operator; None if the results do not differ."""
    wrong = mistakes.with_mistake(part.proto, operator)
    if not wrong:
        return None
    case = Case(part, opset)
    try:
        for proto, results in (part.proto, case.expected), (wrong, case.found):
            onnx.save(proto, folder / "model.onnx")
            results.update(runtime.run(folder / "model.onnx", case.inputs))
    except Refused:
        return None
    if not any(verdict.find_difference(expected, case.found[name]) for name, expected in case.expected.items()):
        return None
    onnx.save(part.proto, folder / "model.onnx")
    case.kind = "WRONG"
    judge(case, runtime, folder)
    return case


def check_verdicts(options, oldest: dict[str, int]) -> bool:
    """Returns whether the results of all mistakes are found, in `options.count` models for each operator."""
    runtime, is_fine = Runtime(options.folder / "node_modules" / RUNTIME.rpartition("@")[0], options.timeout), True
    with tempfile.TemporaryDirectory() as folder:
        for operator in mistakes.MISTAKES:
            counts = collections.Counter()
            for seed in range(options.seed, options.seed + 60 * options.count):
                if counts.total() == options.count:
                    break
                model, _ = random_model(seed, oldest, [operator])
                case = run_mistake(make_part(model), model.opset, operator, runtime, pathlib.Path(folder))
                if case:
                    counts[case.kind] += 1
                if case and case.kind != "WRONG":
                    print(f"seed {seed}: a mistake in {operator} is accepted as {case.kind}: {' '.join(node.op_type for node in case.part.nodes)}")
            if counts["WRONG"] < options.count:
                print(f"{operator}: {counts['WRONG']} of {options.count} mistakes are found")
                is_fine = False
    runtime.close()
    print(f"{len(mistakes.MISTAKES)} operators with {options.count} mistakes each")
    return is_fine


def make_part(model) -> verdict.Part:
    """Returns the whole model, with the results that no node reads."""
    read = {used for node in model.nodes for used in verdict.all_inputs(node)}
    results = [tensor.name for tensor in model.results if tensor.name not in read]
    return verdict.Part(model.nodes, results, {tensor.name: tensor.data for tensor in model.inputs}, model)


def generalize(message: str) -> str:
    message = re.sub(r"^.*?error: ", "", message)
    return re.sub(r"'[xycn]\d+'|\bn\d+\b", "'…'", re.sub(r"\d+(x\d+)+|-?\d+(\.\d+)?", "#", message))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default="build/real-models", help="for the package (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first model (default: %(default)s)")
    parser.add_argument("--count", type=int, default=60, help="how many models (default: %(default)s)")
    parser.add_argument("--only", default="", help="operators to be tested, by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="models at the same time")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one model (default: %(default)s)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder of the failures (default: a temporary folder)")
    parser.add_argument("--coverage", action="store_true", help="only check what is generated")
    parser.add_argument("--self-check", action="store_true", help="only check that deliberate mistakes are found")
    options = parser.parse_args()
    options.only = [name for name in options.only.split(",") if name]
    oldest = read_operators(options.uma)
    if unknown := [name for name in options.only if name not in oldest]:
        parser.error(f"no rule for {', '.join(unknown)}")
    if options.coverage:
        return 0 if check_coverage(oldest) else 1
    install_package(options.folder, RUNTIME)
    if options.self_check:
        return 0 if check_verdicts(options, oldest) else 1

    counts, reasons_found, refused, tested = collections.Counter(), collections.Counter(), collections.Counter(), set()
    folder = (options.keep or pathlib.Path(tempfile.mkdtemp(prefix="fuzz-onnx-"))).resolve()
    runtimes = queue.Queue()
    for _ in range(options.jobs):
        runtimes.put(Runtime(options.folder / "node_modules" / RUNTIME.rpartition("@")[0], options.timeout))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for seed, (name, opset, case, refusals) in zip(seeds, pool.map(lambda seed: run(options, seed, oldest, runtimes, folder), seeds)):
            kind = case.kind if case else "no oracle"
            counts[kind] += 1
            tested.add(name)
            refused.update(f"{operator}: {message}" for operator, message in refusals)
            if kind not in FINE:
                print(f"{kind} at seed {seed}: {' '.join(node.op_type for node in case.part.nodes)}, opset {opset}: {case.said}\n"
                      f"  in {folder}/seed{seed}; repeat with utils/fuzz-onnx.py --uma {options.uma} --seed {seed} --count 1"
                      f"{' --only ' * bool(options.only)}{','.join(options.only)}", flush=True)
            elif kind in ("on purpose", "not supported"):
                reasons_found[f"{kind}: {generalize(case.said) if kind == 'not supported' else case.said}"] += 1
    while not runtimes.empty():
        runtimes.get().close()
    for title, counter in (("", reasons_found), ("ONNX Runtime refuses ", refused if options.only or options.keep else {})):
        for text, count in sorted(counter.items(), key=lambda item: (-item[1], item[0])):
            print(f"{count:5} {title}{text}")
    print(f"seeds {seeds[0]} to {seeds[-1]}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
          + f"; {len(tested)} operators, {refused.total()} models generated again, which ONNX Runtime refuses")
    failed = any(kind not in FINE for kind in counts)
    if not failed and not options.keep:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
