#!/bin/bash
# Installs the packages of `make deb` in a fresh Debian 12, uses them as a new user would, and removes them.
#   utils/try-debs.sh [BUILD]
# Prints the result of each step and exits with 1 after one that fails. Needs root, debootstrap and a Debian mirror;
# therefore not a part of `make test-full`. The new system is in a temporary folder, which is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
[ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null || {
  echo "$0: needs root and debootstrap" >&2
  exit 2
}
ls "$build"/packages/{uma,uma-dev,python3-uma}_*.deb >/dev/null || {
  echo "$0: no packages in $build/packages; 'make deb' writes them" >&2
  exit 2
}
system=$(mktemp -d --suffix=.try-debs)
log=$system.log
clean() {
  umount "$system/proc" 2>/dev/null || true
  rm -f "$system.before" "$system.after"
  # Nothing of this machine may be mounted below a folder that is removed.
  grep -q " $system/" /proc/mounts || rm -rf "$system"
}
trap clean EXIT

inside() {
  chroot "$system" /usr/bin/env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    bash -ec "cd /srv && $1"
}

# step NAME COMMAND [TEXT]: runs a command in the new system; its output has to contain TEXT.
step() {
  local begin output status=0
  begin=$(date +%s.%N)
  output=$(inside "$2" 2>&1) || status=$?
  printf '== %s\n%s\n' "$2" "$output" >>"$log"
  if [ $status != 0 ] || { [ "${3:-}" ] && ! grep -qF -- "$3" <<<"$output"; }; then
    printf 'FAILED  %s: status %s\n  %s\n%s\n' "$1" "$status" "$2" "$output" >&2
    exit 1
  fi
  printf '%6.1f s  %-34s %s\n' "$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')" "$1" \
    "$({ grep -F -- "${3:-}" || true; } <<<"$output" | tail -n 1 | cut -c 1-150)"
}

# The files of the new system, without what apt itself keeps.
files() {
  (cd "$system" && find . -xdev \( -path ./proc -o -path ./srv -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
    -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./packages \) -prune -o -print | LC_ALL=C sort)
}

begin=$(date +%s)
debootstrap --variant=minbase bookworm "$system" http://deb.debian.org/debian >"$log" 2>&1 || {
  tail -n 5 "$log" >&2
  exit 1
}
cp /etc/resolv.conf "$system/etc/"
cp /etc/apt/apt.conf.d/* "$system/etc/apt/apt.conf.d/"
# LLVM 22 is in the security archive.
cp /etc/apt/sources.list.d/debian.sources "$system/etc/apt/sources.list.d/"
: >"$system/etc/apt/sources.list"
mount -t proc proc "$system/proc"
mkdir "$system/packages"
cp "$build"/packages/*.deb "$system/packages/"
inside "apt-get update -qq" >>"$log" 2>&1
echo "Debian 12 (minbase) in $(($(date +%s) - begin)) s"
inside "dpkg-query -W -f '\${Package}\n' | sort >packages"
files >"$system.before"

step "install three packages" "apt-get install -y -qq /packages/*.deb" "Setting up python3-uma"
inside "dpkg-query -W -f '  \${Package} \${Version}: \${Installed-Size} kB\n' uma uma-dev python3-uma"

cp examples/digits/digits.onnx "$system/srv/"
cp -r examples/plugin-template "$system/srv/plugin"
step "1 compile" "uma compile digits.onnx -a vanilla -o digits_c" ""
step "2 run" "uma run digits_c --compare" "equal to the reference interpreter"
step "3 explain" "uma explain digits.onnx -a vanilla" "vanilla: 3 of 18 operators"

cat >"$system/srv/npu9.h" <<'HEADER'
#ifndef NPU9_H
#define NPU9_H
/* y = x * w + bias, with x of m x k, w of n x k (transposed) and y of m x n elements. */
int npu9_dense(const float *x, const float *w, const float *bias, float *y, int m, int n, int k);
/* y[i] = max(x[i], 0) */
int npu9_relu(const float *x, float *y, int n);
#endif
HEADER
step "1 draft from an unknown header" "uma new npu9 --from-header npu9.h" "npu9: wrote npu9.uma"
step "2 check" "cd npu9 && uma check npu9.uma" "no errors"
step "3 test" "cd npu9 && uma test npu9.uma" ""
step "4 run on it" "cd npu9 && uma run network.mlir -a ./npu9.uma --compare" "equal to the reference interpreter"

step "Python" "python3 -c 'import numpy, uma
net = uma.compile(\"digits.onnx\", accelerators=[\"vanilla\"])
print(net.run({\"image\": numpy.zeros((1, 1, 8, 8), numpy.float32)})[\"probabilities\"].shape)'" "(1, 10)"
step "manual pages" "ls /usr/share/man/man1/uma*.1.gz | wc -l" "11"
step "completion" "set +e; source /usr/share/bash-completion/completions/uma; COMP_WORDS=(uma compile --cpu = cortex-m4)
COMP_CWORD=4; _uma uma; echo \${COMPREPLY[@]}" "cortex-m4"

# Programs with the library in C, and projects in C++, need packages that uma-dev recommends.
step "pkg-config" "cat >version.c <<'C'
#include <stdio.h>
#include <uma-c/uma.h>
int main(void) { umaOptions *options = umaOptionsCreate(); umaOptionsDestroy(options); puts(\"linked\"); return 0; }
C
cc -std=c99 version.c \$(pkg-config --cflags --libs uma-c) -o version && ./version" "linked"
step "find_package(UMA), a plugin" "cmake -S plugin -B plugin/build -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-22 &&
cmake --build plugin/build && uma check plugin/build/mydev.so" "no errors"

step "purge" "apt-get purge -y -qq uma uma-dev python3-uma" "Removing uma ("
step "no traces in dpkg" "dpkg-query -W uma uma-dev python3-uma 2>&1 | grep -c 'no packages found'" "3"
# The files of the packages that came with them are not of interest.
step "purge what came with them" "dpkg-query -W -f '\${Package}\n' | sort | comm -13 /srv/packages - |
xargs apt-get purge -y -qq" "Removing libllvm22"
files >"$system.after"
left=$(comm -13 "$system.before" "$system.after")
if grep -iE '/(lib)?uma|python3-uma' <<<"$left"; then
  echo "FAILED  files of uma are left" >&2
  exit 1
fi
echo "Left of uma: nothing. Left of other packages: $(grep -c . <<<"$left") files and folders"
if [ "$left" ]; then
  head -n 10 <<<"$left" | sed 's/^/  /'
fi
rm -f "$log"
