#!/bin/sh
# Fuzzes an importer.
#
#   utils/fuzz-importer.sh [FUZZER] [SECONDS] [libFuzzer's options...]
#
# FUZZER is built with -DUMA_BUILD_FUZZERS=ON by clang (default: build-fuzz/bin/UMAImportONNXFuzzer). UMAImportONNXFuzzer starts from
# the models of Debian's libonnx-testdata, UMAImportTFLiteFuzzer from those that the importer's tests write.
# An input that crashes, hangs (10 s), leaks or takes more than 2 GiB is written to the current folder as crash-*,
# timeout-*, leak-* or oom-*; FUZZER FILE reproduces it. Exits with 77 if the models are not installed, or if the tools that write them are not.
set -eu
root=$(dirname "$0")/..
fuzzer=${1:-$root/build-fuzz/bin/UMAImportONNXFuzzer}
seconds=${2:-600}
[ $# -lt 1 ] || shift
[ $# -lt 1 ] || shift
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
case $fuzzer in
*TFLite*)
  command -v flatc >/dev/null && /usr/bin/python3 -c 'import numpy' 2>/dev/null || {
    echo "flatc or python3-numpy is not installed" >&2
    exit 77
  }
  # The scripts end where uma does not run, after the model is written.
  for script in "$root"/test/Import/TFLite/*.py "$root"/test/Integration/tflite-*.py; do
    folder=$corpus/$(basename "$script" .py)
    PATH=$root/build/bin:$PATH PYTHONPATH=$root/test/Import/TFLite/Inputs:$root/test/Integration/Inputs \
      /usr/bin/python3 -B "$script" "$folder" >"$corpus/log" 2>&1 || true
    for model in "$folder"/*.tflite; do
      [ ! -f "$model" ] || mv "$model" "$corpus/$(basename "$script" .py)-$(basename "$model")"
    done
    rm -rf "$folder" "$corpus/log"
  done
  ;;
*)
  models=$(dpkg -L libonnx-testdata 2>/dev/null | grep '/data/node/[^/]*/model.onnx$') || {
    echo "the package libonnx-testdata is not installed" >&2
    exit 77
  }
  for model in $models; do
    cp "$model" "$corpus/$(basename "$(dirname "$model")")"
  done
  ;;
esac
# libFuzzer's own exit code for a crash is 77, which would read as a skip.
"$fuzzer" -error_exitcode=1 -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 "$@" "$corpus"
