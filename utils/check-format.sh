#!/bin/sh
# Checks that C and C++ files are formatted with clang-format; --fix formats them.
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files -co --exclude-standard '*.cpp' '*.h' '*.c')
if [ "${1:-}" = --fix ]; then
  clang-format-22 -i $files
else
  clang-format-22 --dry-run -Werror $files || {
    echo "Not formatted; 'make format' does it." >&2
    exit 1
  }
fi
