"""`uma format -i` on a symbolic link rewrites the file behind it, and keeps the link and the file's permissions."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %dialects/vanilla/vanilla.uma %t

import os
import pathlib
import stat
import subprocess
import sys

formatted = pathlib.Path(sys.argv[1]).read_bytes()
os.chdir(sys.argv[2])
os.makedirs("far/100%")
os.symlink("100%/file.uma", "far/link.uma")
os.symlink("far/link.uma", "link.uma")
file = pathlib.Path("far/100%/file.uma")
for mode in (0o644, 0o600, 0o755, 0o444):
    file.unlink(missing_ok=True)
    file.write_bytes(formatted.replace(b"  ", b"    "))
    file.chmod(mode)
    subprocess.run(["uma", "format", "-i", "link.uma"], check=True)
    found = (os.readlink("link.uma"), os.readlink("far/link.uma"), stat.S_IMODE(file.stat().st_mode))
    if found != ("far/link.uma", "100%/file.uma", mode) or file.read_bytes() != formatted:
        sys.exit(f"mode {mode:o}: {found}, {file.read_bytes()}")
    if os.listdir("far/100%") != ["file.uma"]:
        sys.exit(f"left {os.listdir('far/100%')}")

os.symlink("nowhere.uma", "dangling.uma")
os.symlink("loop.uma", "loop.uma")
for name, reason in (("dangling.uma", "No such file or directory"), ("loop.uma", "Too many levels of symbolic links")):
    result = subprocess.run(["uma", "format", "-i", name], capture_output=True, text=True)
    expected = f"uma: error: cannot open input file '{name}': {reason}\n"
    if (result.returncode, result.stderr) != (2, expected) or not os.path.islink(name):
        sys.exit(f"{name}: status {result.returncode}, {result.stderr!r}, expected {expected!r}")
