"""Performance targets of the emitted C; `bench/run.py --check` lists those that are missed."""

import math
import pathlib
import re
import statistics

TINY = ["ad_autoencoder_float", "ic_resnet8_float", "kws_dscnn_float", "vww_mobilenetv1_025_float"]
TINY_INT8 = ["ad_autoencoder_int8_qdq", "ic_resnet8_int8_qdq", "kws_dscnn_int8_qdq", "vww_mobilenetv1_025_int8_qdq"]
RATIOS = {**dict.fromkeys(TINY, 1.05), "mobilenet-v1": 1.1, "mobilenet-v2": 1.15, "bert": 1.1}
# With --kernels=winograd.
WINOGRAD_RATIOS = {"resnet-18": 1.15, "resnet-50": 1.15}
OTHER_RATIO = 1.0
TINY_MEAN = 1.4
ERROR = 1e-4
# Quantized networks: with instructions for words of bytes, and outputs a few steps apart.
INT8_MEAN = 2.5
AMX_MEAN = 3.5
# Time in f32 / time of products in bf16 by AMX.
AMX_BF16_RATIOS = {"resnet-50": 4, "bert": 4}
INT8_ERROR = 0.05
# Minimum share of the peak per model and kind of layer, with the widest vectors and with narrower ones.
PEAKS = {("resnet-50", "dense convolutions"): (0.9, 0.8), ("mobilenet-v1", "depthwise convolutions"): (0.7, None),
         ("mobilenet-v2", "depthwise convolutions"): (0.7, None)}
# Time of one thread / of two: of networks that take so many milliseconds on one thread, and of all. Small ones run on one thread in both cases.
TWO_THREADS = (5, 1.7)
TWO_THREADS_SMALL = 0.97
COMPILE = ("resnet-50", 4, 3)  # seconds; memory / size of the model
CC_SECONDS = 60
SOURCE_BYTES = 2 << 20


def get_mean(report: dict, names: list[str] | None = None, variant: str = "ours") -> float | None:
    ratios = [result["variants"][variant]["ratio"] for result in report["models"]
              if "ort_ms" in result and variant in result["variants"] and (names is None or result["model"] in names)]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def is_quantized(model: str) -> bool:
    return model in TINY_INT8 or model.endswith("-int8")


def get_error_limit(model: str, variant: str = "") -> float:
    """Returns the largest difference of an element, relative to the largest one."""
    return INT8_ERROR if is_quantized(model) or "bf16" in variant else ERROR


def has_vnni() -> bool:
    path = pathlib.Path("/proc/cpuinfo")
    return path.exists() and bool(re.search(r"\bavx(512)?_vnni\b", path.read_text()))


def has_amx() -> bool:
    path = pathlib.Path("/proc/cpuinfo")
    return path.exists() and "amx_int8" in path.read_text()


def is_optimised(uma: str) -> bool:
    """Returns whether the compiler is an optimised build; otherwise its times are meaningless."""
    cache = pathlib.Path(uma).resolve().parent.parent / "CMakeCache.txt"
    if not cache.exists():
        return True
    values = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M))
    kind = values.get("CMAKE_BUILD_TYPE", "")
    return "Rel" in kind and bool(re.search("-O[23]", values.get(f"CMAKE_CXX_FLAGS_{kind.upper()}", "")))


def get_missed(report: dict, uma: str) -> list[str]:
    missed = []

    def want(what: str, value: float | None, least: float, unit: str = "") -> None:
        if value is not None and value < least:
            missed.append(f"{what}: {value:.3g}{unit}, expected {least:g}{unit} or more")

    def limit(what: str, value: float, most: float, unit: str) -> None:
        if value > most:
            missed.append(f"{what}: {value:.3g}{unit}, expected {most:g}{unit} or less")

    optimised = is_optimised(uma)
    for result in report["models"]:
        model, ours = result["model"], result["variants"]["ours"]
        if model not in ("identity", "tiny"):
            ratios = {**RATIOS, **WINOGRAD_RATIOS} if "ours" in report["winograd"] else RATIOS
            want(f"{model}: ONNX Runtime's time / ours", ours.get("ratio"), ratios.get(model, OTHER_RATIO))
        for name, variant in result["variants"].items():
            if name in report["winograd"] and name != "ours" and model in WINOGRAD_RATIOS:
                want(f"{model}, {name}: ONNX Runtime's time / ours", variant.get("ratio"), WINOGRAD_RATIOS[model])
        for name, variant in result["variants"].items():
            error = get_error_limit(model, name)
            if variant["error"] is not None and not variant["error"] <= error:
                missed.append(f"{model}, {name}: error {variant['error']:.2g}, expected {error:g} or less")
            for (where, kind), (share, narrow) in PEAKS.items():
                least = share if name == "ours" else narrow if name in report["narrow"] else None
                entry = variant.get("sums", {}).get(kind)
                if where == model and least and entry and entry["of_peak"]:
                    want(f"{model}, {name}: peak in {kind}", 100 * entry["of_peak"], 100 * least, " %")
        tiles = result["variants"].get("amx-bf16")
        if tiles and model in AMX_BF16_RATIOS:
            want(f"{model}: time in f32 / in bf16 with AMX", ours["ms"] / tiles["ms"], AMX_BF16_RATIOS[model])
        one = result["variants"].get("one-thread")
        if one and report["threads"] == 2:
            least = TWO_THREADS[1] if one["ms"] > TWO_THREADS[0] else TWO_THREADS_SMALL
            want(f"{model}: two threads", one["ms"] / ours["ms"], least, " times one")
        if model == COMPILE[0]:
            if optimised:
                limit(f"{model}: uma compile", ours["compile_seconds"], COMPILE[1], " s")
            limit(f"{model}: memory of uma compile", ours["compile_memory"] / result["file_bytes"], COMPILE[2], " x the model")
        limit(f"{model}: the C compiler", ours["cc_seconds"], CC_SECONDS, " s")
        limit(f"{model}: largest file", ours["largest_source"] / 1e6, SOURCE_BYTES / 1e6, " MB")
    if all(any(result["model"] == name for result in report["models"]) for name in TINY):
        want("MLPerf Tiny: geometric mean", get_mean(report, TINY), TINY_MEAN)
    if has_vnni() and all(any(result["model"] == name for result in report["models"]) for name in TINY_INT8):
        names = [result["model"] for result in report["models"] if is_quantized(result["model"])]
        want("quantized networks: geometric mean", get_mean(report, names), INT8_MEAN)
        want("quantized networks with AMX: geometric mean", get_mean(report, names, "amx"), AMX_MEAN)
    return missed
