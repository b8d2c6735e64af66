#!/bin/sh
# Checks that docs/generated tells what the TableGen definitions say; --fix writes it anew.
#   utils/check-docs.sh [--fix] BUILD
# Needs a configured build folder, for the mlir-tblgen of the MLIR that it uses. utils/docs.awk
# makes readable pages of what mlir-tblgen prints.
set -eu
fix=
if [ "${1:-}" = --fix ]; then
  fix=1
  shift
fi
[ $# = 1 ] && [ -f "$1/CMakeCache.txt" ] || {
  echo "usage: $0 [--fix] BUILD, BUILD being a configured build folder" >&2
  exit 2
}
mlir=$(sed -n 's,^MLIR_DIR:PATH=\(.*\)/lib/cmake/mlir/*$,\1,p' "$1/CMakeCache.txt")
cd "$(dirname "$0")/.."
pages=docs/generated
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT

tblgen() {
  "$mlir/bin/mlir-tblgen" -I "$mlir/include" -I include "$@"
}

# operations PAGE TD
operations() {
  tblgen -gen-dialect-doc -dialect=uma "$2" >"$new/raw"
  awk -v kind=operations -v source="$2" -f utils/docs.awk "$new/raw" >"$new/$1.md"
}

operations graph-ops include/uma/Graph/IR/GraphOps.td
operations tir-ops include/uma/TIR/IR/TIROps.td
operations accel-ops include/uma/Accel/IR/AccelOps.td

# The pipelines first, for they tell the order of the passes. What mlir-tblgen leaves out goes before its
# text: a file's title, and what each of its passes runs on.
for td in include/uma/Pipelines/Passes.td \
  $(find include/uma -name Passes.td ! -path '*/Pipelines/*' | LC_ALL=C sort); do
  sed -n '1s,^//===- Passes.td - \(.*\) -\*- tablegen.*,@title \1,p' "$td"
  sed -n 's/^def .*: Pass<"\(.*\)", "\(.*\)">.*/@anchor \1 \2/p' "$td"
  tblgen -gen-pass-doc "$td"
done >"$new/raw"
awk -v kind=passes -v source='include/uma/**/Passes.td' -f utils/docs.awk "$new/raw" >"$new/passes.md"
rm "$new/raw"

if [ "$fix" ]; then
  mkdir -p $pages
  rm -f $pages/*.md
  cp "$new"/*.md $pages/
  exit
fi
status=0
for page in $( (ls "$new"; ls $pages 2>/dev/null) | sort -u); do
  if ! diff -uN "$pages/$page" "$new/$page" >"$new.diff"; then
    echo "$pages/$page does not say what the definitions say; 'make docs' writes it anew:" >&2
    sed -n 3,12p "$new.diff" >&2
    status=1
  fi
  rm -f "$new.diff"
done
exit $status
