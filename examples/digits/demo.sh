#!/bin/sh
# The demo: one small network, compiled twice, classifies real handwritten digits.
# Run by `make demo`; needs a built tree in $BUILD.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
uma=$BUILD/bin/uma
out=$BUILD/demo
here=examples/digits
mkdir -p "$out"

classify() { # NAME DEVICE-FLAGS, then options of uma compile
  name=$1
  device=$2
  shift 2
  rm -rf "$out/$name"
  "$uma" compile $here/digits.onnx "$@" -o "$out/$name" >/dev/null
  # What a firmware project does: compile the package's files with its own program.
  cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -I"$out/$name" $here/evaluate.c \
    "$out/$name"/digits.c "$out/$name"/digits_weights.c $device -lm -o "$out/$name-evaluate"
  "$out/$name-evaluate" $here/test_images.bin $here/test_labels.bin
}

echo "Handwritten digits, classified by C that uma wrote from $here/digits.onnx"
echo
printf '  %-28s' "on Vanilla and the CPU:"
classify vanilla "-Idialects/vanilla/runtime dialects/vanilla/runtime/vanilla.c" -a vanilla
printf '  %-28s' "on the CPU alone:"
classify cpu ""
echo
echo "Which layer runs where:"
echo
UMA_ACCELERATOR_PATH=dialects "$uma" explain $here/digits.onnx -a vanilla | sed 's/^/  /'
echo
echo "The C of both is in $out/vanilla and $out/cpu; look at digits.c."
