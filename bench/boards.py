#!/usr/bin/env python3
"""Runs the models of MLPerf Tiny on boards in QEMU and prints a table.

  bench/boards.py --uma build/bin/uma --models ../shared/models/mlperf_tiny [--boards mps2-an386,...] [--float]

For each model and board: whether the outputs equal those of the reference interpreter, the instructions of a run and for
each multiply-accumulate, and the bytes of flash, RAM and stack that the network needs: without what `uma` adds to run it.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

INT8 = ["ad01_int8.tflite", "kws_ref_model.tflite", "str_ww_ref_model.tflite", "vww_96_int8.tflite", "pretrainedResnet_quant.tflite",
        "ad_autoencoder_int8_qdq.onnx", "kws_dscnn_int8_qdq.onnx", "streaming_wakeword_int8_qdq.onnx",
        "vww_mobilenetv1_025_int8_qdq.onnx", "ic_resnet8_int8_qdq.onnx"]
FLOAT = ["ad01_fp32.tflite", "vww_96_float.tflite", "pretrainedResnet.tflite", "ad_autoencoder_float.onnx", "kws_dscnn_float.onnx",
         "vww_mobilenetv1_025_float.onnx", "ic_resnet8_float.onnx"]
BOARDS = ["mps2-an385-m0plus", "mps2-an386", "mps2-an500", "mps3-an547", "riscv32-virt"]
# Boards whose core has the DSP extension.
DSP = {"mps2-an386", "mps2-an500", "mps3-an547"}


def measure(uma: str, model: pathlib.Path, board: str, flags: list[str]) -> str:
    row = f"| {model.name} | {board} | "
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        command = [uma, "run", str(model), f"--board={board}", "--compare", "--seeds=1", "--timeout=600", f"--json={path}", *flags]
        if board in DSP:
            command += ["-a", "arm_dsp", "--cpu=cortex-m4"]
        result = subprocess.run(command, capture_output=True, text=True)
        if not path.exists():
            return row + (result.stderr.strip().splitlines() or ["failed"])[-1] + " | | | | | |"
        report = json.loads(path.read_text())
    equal = "equal" if result.returncode == 0 else "DIFFERENT"
    error = max(float(found) for found in re.findall(r"max error ([\d.e+-]+)", result.stdout))
    count, stack = report["instructions"], report["stack"]
    return row + (f"{equal}, {error:g} | {count:,} | {count / max(report['macs'], 1):.2f} | {report['flash']['network']:,} | "
                  f"{report['ram']['network']:,} | {stack['bytes']:,}{' (not bounded)' if stack['doubts'] else ''} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--uma", default="build/bin/uma")
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("../shared/models/mlperf_tiny"))
    parser.add_argument("--boards", default=",".join(BOARDS))
    parser.add_argument("--float", action="store_true", help="the float models instead of those with 8 bits")
    parser.add_argument("--only", default="", help="part of the name of the models")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("flags", nargs="*", help="more options of uma run, after --")
    arguments = parser.parse_args()
    if not arguments.models.is_dir():
        print(f"{arguments.models}: no such folder", file=sys.stderr)
        return 2
    print("| model | board | outputs, max error | instructions | per MAC | flash | RAM | stack |\n|---|---|---|---|---|---|---|---|", flush=True)
    work = [(arguments.models / name, board) for name in (FLOAT if arguments.float else INT8) if arguments.only in name
            for board in arguments.boards.split(",")]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for row in pool.map(lambda pair: measure(arguments.uma, *pair, arguments.flags), work):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
