"""Packages of npm for tests, installed into a folder once. The repository contains none of their files, and their install scripts do
not run. A test is skipped, with the status 77, if npm or node are not available."""

import fcntl
import pathlib
import shutil
import subprocess
import sys


def skip(reason: str) -> None:
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(77)


def run_npm(folder: pathlib.Path, *arguments: str) -> None:
    npm = shutil.which("npm")
    if not npm or not shutil.which("node"):
        skip("node and npm are not installed")
    try:
        done = subprocess.run([npm, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        skip("npm did not answer within 300 s")
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        skip(f"npm {arguments[0]} failed: {errors[0] if errors else done.returncode}")


def install_package(folder: pathlib.Path, package: str) -> None:
    """Installs a package with its version, such as "onnxruntime-node@1.30.0". Tests that run at the same time wait for each other."""
    folder.mkdir(parents=True, exist_ok=True)
    if not shutil.which("node"):
        skip("node and npm are not installed")
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "node_modules" / package.rpartition("@")[0]).is_dir():
            if not (folder / "package.json").exists():
                (folder / "package.json").write_text('{"private": true}\n')
            run_npm(folder, "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", package)
