#!/bin/sh
# Checks that docs/generated and docs/supported-operators.md match the TableGen definitions, the compiler and the help of the commands;
# --fix regenerates them.
#   utils/check-docs.sh [--fix] BUILD
# BUILD provides `uma` and the path of mlir-tblgen. utils/docs.awk converts the output of mlir-tblgen to
# readable pages.
set -eu
fix=
if [ "${1:-}" = --fix ]; then
  fix=1
  shift
fi
[ $# = 1 ] && [ -f "$1/CMakeCache.txt" ] && [ -x "$1/bin/uma" ] || {
  echo "usage: $0 [--fix] BUILD, BUILD being a folder with a built uma" >&2
  exit 2
}
bin=$(cd "$1" && pwd)/bin
uma=$bin/uma
mlir=$(sed -n 's,^MLIR_DIR:PATH=\(.*\)/lib/cmake/mlir/*$,\1,p' "$1/CMakeCache.txt")
cd "$(dirname "$0")/.."
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
mkdir "$new/generated"

tblgen() {
  "$mlir/bin/mlir-tblgen" -I "$mlir/include" -I include "$@"
}

# operations PAGE TD [DIALECT]
operations() {
  tblgen -gen-dialect-doc -dialect="${3:-uma}" "$2" >"$new/raw"
  awk -v kind=operations -v source="$2" -f utils/docs.awk "$new/raw" >"$new/generated/$1.md"
}

operations graph-ops include/uma/Graph/IR/GraphOps.td
operations tir-ops include/uma/TIR/IR/TIROps.td
operations transform-ops include/uma/TIR/TransformOps/TIRTransformOps.td transform
operations accel-ops include/uma/Accel/IR/AccelOps.td
td=include/uma/CPU/IR/CPUAttributes.td
tblgen -gen-attrdef-doc -attrdefs-dialect=uma "$td" >"$new/raw"
awk -v kind=attributes -v title="Decisions about the C for the CPU: \`#uma.cpu.*\`" -v source="$td" \
  -f utils/docs.awk "$new/raw" >"$new/generated/cpu-attributes.md"

# Pipelines come first, because they define the order of the passes. The title of a file and the operation that
# each pass runs on, which mlir-tblgen omits, go before its text.
for td in include/uma/Pipelines/Passes.td \
  $(find include/uma -name Passes.td ! -path '*/Pipelines/*' | LC_ALL=C sort); do
  sed -n '1s,^//===- Passes.td - \(.*\) -\*- tablegen.*,@title \1,p' "$td"
  sed -n 's/^def .*: Pass<"\(.*\)", "\(.*\)">.*/@anchor \1 \2/p' "$td"
  tblgen -gen-pass-doc "$td"
done >"$new/raw"
awk -v kind=passes -v source='include/uma/**/Passes.td' -f utils/docs.awk "$new/raw" >"$new/generated/passes.md"
rm "$new/raw"

{
  cat <<'EOF'
# Supported operators

<!-- Written by 'make docs' from the rules in lib/Import: change those, not this. -->

What a model may hold, as `uma list --operators` tells it.

## ONNX

The operators of ONNX's default domain and the
versions of its operator set whose models are read. Shapes have to be static; `--shape` gives an input one.
An input named under *constants* has to be a constant of the model, computed from constants, or bound by
`--const`. The element types are `bool`, the integers of 8 to 64 bits, `float16`, `bfloat16`, `float` and
`double`, as far as ONNX allows them for the operator. `Cast`, `CastLike`, `QuantizeLinear`, `DequantizeLinear` and the
operators that move elements (`Concat`, `Flatten`, `Reshape`, `Slice`, `Split`, `Squeeze`, `Transpose`, `Unsqueeze`) also take
`float8e4m3fn`, `float8e4m3fnuz`, `float8e5m2` and `float8e5m2fnuz`, a `uint8_t` in C; `QuantizeLinear` and
`DequantizeLinear` also take integers of 2 and 4 bits, each in a byte of its own in C. A form that a rule does not take is
refused with the name of the node, the reason and the exit code 3; so is an operator that is not here, all of a model's in
one message.
Operators with `com.microsoft.` are ONNX Runtime's; except for products of matrices, their scales and zero points have to be constants.

EOF
  "$uma" list --operators | awk '
    $0 == "" { exit }
    NR == 1 { print "| operator | opsets | constants |\n|---|---|---|"; next }
    { name = $1; opsets = $2; $1 = $2 = ""; gsub(/^ +/, ""); gsub(/ /, "`, `")
      print "| " name " | " opsets " | " ($0 == "" ? "" : "`" $0 "`") " |" }'
  cat <<'EOF'

## TensorFlow Lite

The builtin operators of files of version 3, with their fused activations, and some custom ones, whose names are not in capitals. An input named under *constants* has to
be a constant of the model or computed from constants. Tensors of 8 and 16 bits that have scales and zero points are
quantized. By default, their layers round as ONNX Runtime's do. With `--rounding=tflite`,
`CONV_2D`, `DEPTHWISE_CONV_2D`, `TRANSPOSE_CONV`, `FULLY_CONNECTED`, `BATCH_MATMUL`, `RESIZE_BILINEAR`, `ADD`, `SUB`, `MUL`, `AVERAGE_POOL_2D`, `MEAN`, `SUM`, `REDUCE_PROD` (up to 64 elements), `SOFTMAX`, `LOGISTIC`, `TANH`,
`ABS`, `RELU`, `RELU6`, `RELU_N1_TO_1`, `LEAKY_RELU` and `QUANTIZE` on 8 and 16 bits, and `SQUARED_DIFFERENCE`, `PRELU`, `SVDF`, `HARD_SWISH`, `ELU` and `UNIDIRECTIONAL_SEQUENCE_LSTM` (up to 128 steps) on 8 bits follow the integer formulas of
TensorFlow Lite's reference kernels, and
operators that only move elements keep the integers (`CONCATENATION` on 16 bits also if the scales differ); all others are computed in floats and may differ from it by a step of the scale. Weights may also be `INT4`, `FLOAT16` or sparse. Those with scales for
blocks become floats.

Layers with a state (`LSTM`, `RNN`, `SVDF` and their sequences) get it as an input and return it as an output: the variable `state` of the file
is the input `state` and the output `state_next`. In the first run, pass the value that the package's header and `start` in `metadata.json` say: the integer that stands for 0 or, for a resource variable, what `CALL_ONCE` assigns. Pass the output of the run before in
all others; `uma run` fills a state that is not given with its value in the first run. Resource variables
(`VAR_HANDLE`, in streaming networks) are states, too, with their shared name, if an operator reads them before any assigns them. Branches of `IF` whose condition is
known are imported in place, of others both are computed; loops of `WHILE` whose number of steps is known are unrolled. Forms that a
rule does not take and operators that are not here are refused with the exit code 3.

EOF
  "$uma" list --operators | awk '
    $0 == "" { rows = 1; print "| operator | constants |\n|---|---|"; getline; next }
    !rows { next }
    { name = $1; $1 = ""; gsub(/^ +/, ""); gsub(/ /, "`, `")
      print "| `" name "` | " ($0 == "" ? "" : "`" $0 "`") " |" }'
} >"$new/supported-operators.md"

# help TITLE [VARIABLE=VALUE...]: a section about `TITLE --help`.
help() {
  title=$1
  shift
  # shellcheck disable=SC2086 # A title may be two words.
  PATH="$bin:$PATH" $title --help | awk -v title="$title" "$@" -f utils/cli.awk
}

{
  cat <<'EOT'
# Commands and options

<!-- Written by 'make docs' from `--help`: change the options, not this. -->

`uma` is the command for everyday work. `uma-opt` runs single passes, `uma-translate` imports models and prints C, `uma-memplan`
plans memory, `uma-lsp-server` serves editors.

| exit code of `uma` | meaning |
|---|---|
EOT
  "$uma" --help | awk '/^Exit codes:/ { on = 1; sub(/^Exit codes:/, "") } on { text = text " " $0 }
    END { gsub(/ +/, " ", text); sub(/\. *$/, "", text); gsub(/, ([0-9]) /, "\n&", text); n = split(text, parts, "\n")
      for (i = 1; i <= n; ++i) { sub(/^[ ,]*/, "", parts[i]); code = substr(parts[i], 1, 1); print "| " code " | " substr(parts[i], 3) " |" } }'
  echo
  for command in $("$uma" --help | sed -n 's/^  uma \([a-z]*\) .*  .*/\1/p'); do
    help "uma $command"
  done
  help uma-memplan
  echo "## uma-opt"
  echo
  echo "The \`mlir-opt\` of this project: all passes of MLIR, and [those of uma](passes.md), each by its name."
  echo
  help uma-translate -v only='^--(import-(onnx|tflite)|uma-|chocolate-|allow-unregistered-dialect)'
  echo "## uma-lsp-server"
  echo
  echo '```text'
  "$bin/uma-lsp-server" --help
  echo '```'
} | cat -s | sed '${/^$/d}' >"$new/generated/cli.md"
# Results of utils/run-onnx-node-tests.py, which checks this page itself.
[ ! -f docs/generated/onnx-node-tests.md ] || cp docs/generated/onnx-node-tests.md "$new/generated"

if [ "$fix" ]; then
  rm -rf docs/generated
  cp -r "$new"/* docs/
  exit
fi
status=0
for page in $( (cd "$new" && find . -name '*.md'; cd "$OLDPWD/docs" && find ./generated -name '*.md') | sort -u); do
  page=${page#./}
  if ! diff -uN "docs/$page" "$new/$page" >"$new.diff"; then
    echo "docs/$page does not say what the definitions say; 'make docs' writes it anew:" >&2
    sed -n 3,12p "$new.diff" >&2
    status=1
  fi
  rm -f "$new.diff"
done
exit $status
