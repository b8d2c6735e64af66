#!/bin/sh
# Checks that C and C++ files are formatted with clang-format; --fix formats them.
set -eu
cd "$(dirname "$0")/.."
# Only version 22; other versions format differently.
for format in clang-format-22 clang-format; do
  "$format" --version 2>/dev/null | grep -q 'version 22\.' && break
  format=
done
[ "$format" ] || {
  echo "check-format: no clang-format 22 in the PATH; utils/install-dependencies.sh test installs it" >&2
  exit 2
}
files=$(git ls-files -co --exclude-standard '*.cpp' '*.h' '*.c')
if [ "${1:-}" = --fix ]; then
  "$format" -i $files
else
  "$format" --dry-run -Werror $files || {
    echo "Not formatted; 'make format' does it." >&2
    exit 1
  }
fi
