#!/bin/sh
# Fuzzes the ONNX importer, starting from the models of Debian's libonnx-testdata.
#
#   utils/fuzz-importer.sh [FUZZER] [SECONDS] [libFuzzer's options...]
#
# FUZZER is built with -DUMA_BUILD_FUZZERS=ON by clang (default: build-fuzz/bin/UMAImportONNXFuzzer).
# An input that crashes, hangs (10 s), leaks or takes more than 2 GiB is written to the current folder as crash-*,
# timeout-*, leak-* or oom-*; FUZZER FILE reproduces it. Exits with 77 if the models are not installed.
set -eu
root=$(dirname "$0")/..
fuzzer=${1:-$root/build-fuzz/bin/UMAImportONNXFuzzer}
seconds=${2:-600}
[ $# -lt 1 ] || shift
[ $# -lt 1 ] || shift
models=$(dpkg -L libonnx-testdata 2>/dev/null | grep '/data/node/[^/]*/model.onnx$') || {
  echo "the package libonnx-testdata is not installed" >&2
  exit 77
}
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
for model in $models; do
  cp "$model" "$corpus/$(basename "$(dirname "$model")")"
done
"$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 "$@" "$corpus"
