"""uma explore on workers of Dask: the same bytes as on one core, also if workers are killed; other builds are refused, and what is not there
is one message."""
# REQUIRES: dask, python
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python:%S/Inputs %python -W ignore -B %s %S/Inputs/explore %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import uma
from dask_cluster import Cluster

inputs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)
MODELS = [str(inputs / "convolution.mlir"), str(inputs / "product.mlir")]
SWEEP = {"input_kib": list(range(2, 17, 2)), "weight_kib": [2, 4, 8]}
FILES = ("explore.json", "points.csv", "index.html")
cluster = Cluster(folder)


def command(output, *options):
    sweep = [f"--sweep={name}={','.join(map(str, values))}" for name, values in SWEEP.items()]
    return ["uma", "explore", *MODELS, "-a", "strawberry", *sweep, "-o", output, *options]


def is_same(output):
    return [(folder / "one" / name).read_bytes() == (folder / output / name).read_bytes() for name in FILES]


def get_points(output):
    lines = (folder / output / "points.jsonl").read_text().splitlines()[1:]
    return sorted(json.loads(line)["id"] for line in lines)


def start_worker(**options):
    return cluster.start_worker(scheduler, **options)


def stop(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def find_workers(pid):
    """The processes below a process that compute, of Dask's nannies."""
    found = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        for child in pathlib.Path(f"/proc/{pid}/task/{thread}/children").read_text().split():
            try:
                if b"spawn_main" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
                found += find_workers(child)
            except OSError:
                pass
    return found


def run(*options, output="refused"):
    start_time = time.monotonic()
    result = subprocess.run(command(output, *options), capture_output=True, text=True)
    message = result.stderr.strip().replace("\n", " / ")
    print(result.returncode, message, *(["slow"] if time.monotonic() - start_time > limit else []),
          *(["left"] if os.path.exists("refused") else []), flush=True)


subprocess.run(command("one", "--workers=1"), check=True, stdout=subprocess.DEVNULL)
# CHECK: [True, True, True] 24
subprocess.run(command("two", "--workers=2"), check=True, stdout=subprocess.DEVNULL)
print(is_same("two"), len(get_points("two")), flush=True)

# A worker is killed five times amid its points. Simulations take long enough.
SWEEP = {"input_kib": [2, 4, 6], "weight_kib": [4, 8]}
shutil.rmtree("one")
subprocess.run(command("one", "--workers=1", "--simulate"), check=True, stdout=subprocess.DEVNULL)
process = subprocess.Popen(command("killed", "--workers=2", "--simulate"), stdout=subprocess.DEVNULL)
kills = 0
while process.poll() is None:
    time.sleep(0.3)
    workers = find_workers(process.pid)
    if workers and kills < 5 and os.path.exists("killed/points.jsonl"):
        os.kill(workers[kills % len(workers)], signal.SIGKILL)
        kills += 1
# CHECK-NEXT: 5 0 [True, True, True] [0, 1, 2, 3, 4, 5]
print(kills, process.returncode, is_same("killed"), get_points("killed"), flush=True)

# The process that supervises workers is killed, and started again; but not for ever.
def kill_children(process):
    children = [child for thread in os.listdir(f"/proc/{process.pid}/task")
                for child in pathlib.Path(f"/proc/{process.pid}/task/{thread}/children").read_text().split()]
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    return len(children)


process = subprocess.Popen(command("orphaned", "--workers=2", "--simulate"), stdout=subprocess.DEVNULL)
while not os.path.exists("orphaned/points.jsonl") or not get_points("orphaned"):
    time.sleep(0.1)
# CHECK-NEXT: 1 0 [True, True, True]
print(kill_children(process), process.wait(), is_same("orphaned"), flush=True)
process = subprocess.Popen(command("lost", "--workers=2", "--simulate"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while not os.path.exists("lost/points.jsonl") or not get_points("lost"):
    time.sleep(0.1)
while process.poll() is None:
    with contextlib.suppress(OSError):
        kill_children(process)
    time.sleep(0.1)
# CHECK-NEXT: 2 uma: error: the workers of Dask on this machine were lost 4 times without a finished point; the points that are done are kept: go on with --resume
print(process.returncode, process.communicate()[1].strip(), flush=True)
shutil.rmtree("lost")

# Ctrl-C ends it soon, and it goes on.
process = subprocess.Popen(command("interrupted", "--workers=2", "--simulate"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while not os.path.exists("interrupted/points.jsonl") or not get_points("interrupted"):
    time.sleep(0.1)
process.send_signal(signal.SIGINT)
begin = time.monotonic()
message = process.communicate()[1].strip()
# CHECK-NEXT: uma: interrupted; repeat the command with --resume to go on with what interrupted has
print(message)
# CHECK-NEXT: -2 True True
print(process.returncode, time.monotonic() - begin < 5, len(get_points("interrupted")) < 6, flush=True)
subprocess.run(command("interrupted", "--workers=2", "--simulate", "--resume"), check=True, stdout=subprocess.DEVNULL)
# CHECK-NEXT: [True, True, True] [0, 1, 2, 3, 4, 5]
print(is_same("interrupted"), get_points("interrupted"), flush=True)

# Addresses at which nothing answers. The limit has room for slow machines; it takes 3 s here.
limit = 10
# CHECK-NEXT: 2 uma: error: no scheduler answers at tcp://127.0.0.1:9: Timed out {{.*}}
run("--scheduler=tcp://127.0.0.1:9")
# CHECK-NEXT: 2 uma: error: the scheduler is 'nowhere', expected an address such as tcp://host:8786
run("--scheduler=nowhere")
limit = 60
scheduler_process, scheduler = cluster.start_scheduler()
# CHECK-NEXT: 2 uma: error: the scheduler tcp://127.0.0.1:{{[0-9]+}} has no workers after 10 s; start some with 'dask-worker tcp://127.0.0.1:{{[0-9]+}}'
run(f"--scheduler={scheduler}")

# A cluster, with workers of another version.
SWEEP = {"input_kib": [2, 4, 6], "weight_kib": [2, 8]}
shutil.rmtree("one")
subprocess.run(command("one", "--workers=1"), check=True, stdout=subprocess.DEVNULL)
worker, _ = start_worker()
# CHECK-NEXT: 0
run(f"--scheduler={scheduler}", output="cluster")
# CHECK-NEXT: [True, True, True] [0, 1, 2, 3, 4, 5]
print(is_same("cluster"), get_points("cluster"))
for name, text in (("old", "__version__ = '0.0.9'\n"), ("other", None), ("none", "raise ImportError('no NumPy')\n")):
    (folder / name / "uma").mkdir(parents=True)
    if text is None:
        (folder / name / "uma/_explore").mkdir()
        (folder / name / "uma/_explore/__init__.py").touch()
        (folder / name / "uma/_explore/study.py").write_text("def get_build():\n    return '0.2.0 0123456789abcdef'\n")
    (folder / name / "uma/__init__.py").write_text(text or "")
    other, address = start_worker(environment={"PYTHONPATH": str(folder / name)})
    # CHECK-NEXT: 2 uma: error: worker [[W:tcp://127.0.0.1:[0-9]+]] has uma 0.0.9 without uma explore, this exploration uses uma {{.*}}; install the same on both
    # CHECK-NEXT: 2 uma: error: worker tcp://127.0.0.1:{{[0-9]+}} has uma 0.2.0 0123456789abcdef, this exploration uses uma {{.*}}; install the same on both
    # CHECK-NEXT: 2 uma: error: worker tcp://127.0.0.1:{{[0-9]+}} has no module uma (no NumPy), this exploration uses uma {{.*}}; install the same on both
    run(f"--scheduler={scheduler}")
    stop(other)
    time.sleep(1)

# One of these that comes later gets no points, and the others go on.
process = subprocess.Popen(command("late", f"--scheduler={scheduler}", "--simulate"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while not os.path.exists("late/points.jsonl"):
    time.sleep(0.1)
other, address = start_worker(environment={"PYTHONPATH": str(folder / "other")})
# CHECK-NEXT: uma: warning: worker tcp://127.0.0.1:{{[0-9]+}} has uma 0.2.0 0123456789abcdef, this exploration uses uma {{.*}}; it gets no points
print(process.communicate()[1].strip())
stop(other)
# CHECK-NEXT: 0 [0, 1, 2, 3, 4, 5]
print(process.returncode, get_points("late"))

# A point on which the process ends fails, on this machine and on workers; the others go on.
(folder / "crash").mkdir()
(folder / "crash/sitecustomize.py").write_text('''
import os, sys
if "uma._explore.worker" in sys.orig_argv or "distributed.cli.dask_worker" in sys.orig_argv or "spawn_main" in " ".join(sys.orig_argv):
    from uma._explore import evaluate as module
    evaluate = module.evaluate
    module.evaluate = lambda place, values: os.kill(os.getpid(), 9) if values["input_kib"] == 4 else evaluate(place, values)
''')
os.environ["PYTHONPATH"] = f"{os.environ['PYTHONPATH']}:{folder}/crash"
for output in ("--workers=1", "--workers=2"):
    subprocess.run(command(f"crash{output}", output), check=True, stdout=subprocess.DEVNULL)
    # CHECK-NEXT: 2 convolution: the compiler ended by signal 9, 2 times
    # CHECK-NEXT: 2 convolution: workers ended while they evaluated the point
    failed = [point["reason"] for point in json.loads((folder / f"crash{output}/explore.json").read_text())["points"]
              if point["attributes"]["input_kib"] == 4]
    print(len(failed), *sorted(set(failed)))

# A client of the caller is used, and stays open.
from distributed import Client  # noqa: E402

with Client(scheduler, set_as_default=False) as client:
    points = uma.explore(MODELS, "strawberry", SWEEP, scheduler=client)
    # CHECK-NEXT: True running
    print(list(points) == json.loads((folder / "one/explore.json").read_text())["points"], client.status)
# The scheduler is lost.
process = subprocess.Popen(command("lost", f"--scheduler={scheduler}", "--simulate"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
while not os.path.exists("lost/points.jsonl"):
    time.sleep(0.1)
stop(scheduler_process)
# CHECK-NEXT: uma: error: the scheduler is lost; the points that are done are kept: go on with --resume
print(process.communicate()[1].strip())
# CHECK-NEXT: 2
print(process.returncode)
stop(worker)
