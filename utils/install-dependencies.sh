#!/bin/sh
# Installs the missing Debian packages to build or test the project or its Python module, to pack it, or to write its documentation as a web site.
#   utils/install-dependencies.sh build|test|python|deb|site
# docs/dependencies.md describes why each is needed.
set -eu

build="ca-certificates ccache clang-22 cmake flatbuffers-compiler gcc git libc6-dev libclang-22-dev libflatbuffers-dev
       libmlir-22-dev libonnx-dev libprotobuf-dev libzstd-dev llvm-22-dev llvm-22-tools make mlir-22-tools ninja-build
       protobuf-compiler zlib1g-dev"
test="clang-format-22 clang-tidy-22 g++ gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-arm-none-eabi gcc-riscv64-linux-gnu
      gcc-riscv64-unknown-elf libnewlib-arm-none-eabi picolibc-riscv64-unknown-elf qemu-system-arm qemu-system-misc
      libc6-dev-arm64-cross libc6-dev-armhf-cross libc6-dev-riscv64-cross libclang-rt-22-dev libdnnl-dev libgtest-dev libonnx-testdata libopenblas-dev
      bsdextrautils groff-base mandoc pkg-config pybind11-dev python3 python3-deap python3-dev python3-distributed python3-numpy
      python3-onnx qemu-user verilator"
python="pybind11-dev python3 python3-dev python3-numpy"
deb="dpkg-dev file $python"

site="git mkdocs mkdocs-material python3"

case "${1:-build}" in
build) packages=$build ;;
test) packages="$build $test $site" ;;
python) packages="$build $python" ;;
deb) packages="$build $deb" ;;
site) packages=$site ;;
*) echo "usage: $0 build|test|python|deb|site" >&2; exit 2 ;;
esac

missing=
for package in $packages; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0

command -v apt-get >/dev/null || {
  echo "These Debian packages are missing, and there is no apt-get to install them:$missing" >&2
  echo "Install MLIR 22 and the libraries in docs/dependencies.md, then use 'cmake --preset release'." >&2
  exit 1
}
root=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "Not root, and no sudo. As root, run: apt-get install$missing" >&2
    exit 1
  }
  root=sudo
fi

# Waits up to ten minutes for another process that has the lock of the lists, for which apt-get itself does not wait.
update() {
  for _ in $(seq 60); do
    messages=$($root apt-get update -qq 2>&1) && return
    case $messages in
    *"Could not get lock"*) sleep 10 ;;
    *) break ;;
    esac
  done
  echo "$messages" >&2
  return 1
}

echo "Installing, which takes some minutes:$missing"
update
# LLVM 22 is in the security archive of Debian 12, which minimal systems do not list. The mirror that the
# system already uses has it next to the main archive.
if ! apt-cache show libmlir-22-dev >/dev/null 2>&1; then
  . /etc/os-release
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | sed -n 's,/debian/*$,/debian,p' | head -n 1)
  [ -n "$mirror" ] || {
    echo "No Debian mirror in the package sources; MLIR 22 is in Debian's security archive." >&2
    exit 1
  }
  echo "deb $mirror-security $VERSION_CODENAME-security main" |
    $root tee /etc/apt/sources.list.d/debian-security-uma.list >/dev/null
  update
fi
DEBIAN_FRONTEND=noninteractive $root apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends $missing >/dev/null
