"""uma explore on workers of Dask: the same bytes as on one core, also if workers are killed; other builds are refused, and what is not there
is one message.

An evaluation first does what the file `evaluate.py` of the folder says, on this machine and on workers: it ends its process, or
says that it runs and waits for its turn. So processes are killed amid a point, however long a point takes."""
# REQUIRES: full, dask, python
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
from distributed import Client

inputs, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
os.chdir(folder)
MODELS = [str(inputs / "convolution.mlir"), str(inputs / "product.mlir")]
SWEEP = {"input_kib": list(range(2, 17, 2)), "weight_kib": [2, 4, 8]}
FILES = ("explore.json", "points.csv", "index.html")
cluster = Cluster(folder)
(folder / "hooks").mkdir()
(folder / "hooks/sitecustomize.py").write_text('''
import os, pathlib, sys, time
folder = pathlib.Path(__file__).parents[1]

def wait():
    (folder / "turns" / f"running{os.getpid()}").touch()
    while not (folder / "turns/all").exists():
        for turn in (folder / "turns").glob("turn*"):
            try:
                turn.unlink()
                return
            except OSError:
                pass  # another process took it
        time.sleep(0.02)

def evaluate_hooked(place, values):
    if values["input_kib"] == 4 and (folder / "crash").exists():
        os.kill(os.getpid(), 9)
    wait()
    return evaluate(place, values)

if any(name in " ".join(sys.orig_argv) for name in ("uma._explore.worker", "dask_worker", "dask-worker", "spawn_main")):
    from uma._explore import evaluate as module
    evaluate = module.evaluate
    module.evaluate = evaluate_hooked
''')
os.environ["PYTHONPATH"] = f"{os.environ['PYTHONPATH']}:{folder}/hooks"
turns = folder / "turns"


def give_turns(count=None):
    """Lets so many evaluations go on, or all; otherwise they wait."""
    shutil.rmtree(turns, ignore_errors=True)
    turns.mkdir()
    for number in range(count or 0):
        (turns / f"turn{number}").touch()
    if count is None:
        (turns / "all").touch()


give_turns()


def start(output, *options, count=0):
    """Starts an exploration that waits after so many points, and returns when these are done and another one runs."""
    give_turns(count)
    process = subprocess.Popen(command(output, *options), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    wait_for(process, lambda: len(get_points(output)) == count and get_running())
    return process


def wait_for(process, condition):
    while not condition():
        if process.poll() is not None:
            sys.exit(f"ended with {process.returncode}: {process.communicate()[1]}")
        time.sleep(0.05)


def get_running(known=()):
    """Returns the processes in an evaluation that were not known before."""
    found = [int(path.name.removeprefix("running")) for path in turns.glob("running*")]
    return [pid for pid in found if pid not in known and os.path.exists(f"/proc/{pid}")]


def command(output, *options):
    sweep = [f"--sweep={name}={','.join(map(str, values))}" for name, values in SWEEP.items()]
    return ["uma", "explore", *MODELS, "-a", "strawberry", *sweep, "-o", output, *options]


def is_same(output):
    return [(folder / "one" / name).read_bytes() == (folder / output / name).read_bytes() for name in FILES]


def get_points(output):
    path = folder / output / "points.jsonl"
    lines = path.read_text().split("\n")[1:-1] if path.exists() else []
    return sorted(json.loads(line)["id"] for line in lines)


def start_worker(**options):
    return cluster.start_worker(scheduler, **options)


def stop(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def stop_worker(process, address):
    """Returns when the scheduler knows that the worker is lost."""
    stop(process)
    with Client(scheduler, set_as_default=False) as client:
        while address in client.sync(client.scheduler.identity)["workers"]:
            time.sleep(0.05)


def run(*options, output="refused"):
    result = subprocess.run(command(output, *options), capture_output=True, text=True)
    message = result.stderr.strip().replace("\n", " / ")
    print(result.returncode, message, *(["left"] if os.path.exists("refused") else []), flush=True)


subprocess.run(command("one", "--workers=1"), check=True, stdout=subprocess.DEVNULL)
# CHECK: [True, True, True] 24
subprocess.run(command("two", "--workers=2"), check=True, stdout=subprocess.DEVNULL)
print(is_same("two"), len(get_points("two")), flush=True)

# A worker is killed three times amid its point; more would be too many for one point.
SWEEP = {"input_kib": [2, 4, 6], "weight_kib": [4, 8]}
shutil.rmtree("one")
subprocess.run(command("one", "--workers=1", "--simulate"), check=True, stdout=subprocess.DEVNULL)
process, killed = start("killed", "--workers=2", "--simulate"), []
for count in range(1, 4):
    wait_for(process, lambda: get_running(killed))
    killed.append(get_running(killed)[0])
    os.kill(killed[-1], signal.SIGKILL)
    (turns / f"turn{count}").touch()
    wait_for(process, lambda: len(get_points("killed")) == count)
(turns / "all").touch()
# CHECK-NEXT: 3 0 [True, True, True] [0, 1, 2, 3, 4, 5]
print(len(killed), process.wait(), is_same("killed"), get_points("killed"), flush=True)

# The process that supervises workers is killed, and started again; but not for ever.
def kill_children(process):
    children = [child for thread in os.listdir(f"/proc/{process.pid}/task")
                for child in pathlib.Path(f"/proc/{process.pid}/task/{thread}/children").read_text().split()]
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    return len(children)


process = start("orphaned", "--workers=2", "--simulate", count=1)
number = kill_children(process)
(turns / "all").touch()
# CHECK-NEXT: 1 0 [True, True, True]
print(number, process.wait(), is_same("orphaned"), flush=True)
process = start("lost", "--workers=2", "--simulate", count=1)
while process.poll() is None:
    with contextlib.suppress(OSError):
        kill_children(process)
    time.sleep(0.05)
# CHECK-NEXT: 2 uma: error: the workers of Dask on this machine were lost 4 times without a finished point; the points that are done are kept: go on with --resume
print(process.returncode, process.communicate()[1].strip(), flush=True)
shutil.rmtree("lost")

# Ctrl-C ends it amid its points, and it goes on.
process = start("interrupted", "--workers=2", "--simulate", count=1)
process.send_signal(signal.SIGINT)
# CHECK-NEXT: uma: interrupted; repeat the command with --resume to go on with what interrupted has
print(process.communicate()[1].strip())
# CHECK-NEXT: -2 1
print(process.returncode, len(get_points("interrupted")), flush=True)
give_turns()
subprocess.run(command("interrupted", "--workers=2", "--simulate", "--resume"), check=True, stdout=subprocess.DEVNULL)
# CHECK-NEXT: [True, True, True] [0, 1, 2, 3, 4, 5]
print(is_same("interrupted"), get_points("interrupted"), flush=True)

# Addresses at which nothing answers.
# CHECK-NEXT: 2 uma: error: no scheduler answers at tcp://127.0.0.1:9: Connection refused
run("--scheduler=tcp://127.0.0.1:9")
# CHECK-NEXT: 2 uma: error: the scheduler is 'nowhere', expected an address such as tcp://host:8786
run("--scheduler=nowhere")
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
    stop_worker(other, address)

# One of these that comes later gets no points, and the others go on.
process = start("late", f"--scheduler={scheduler}", "--simulate")
other, address = start_worker(environment={"PYTHONPATH": str(folder / "other")})
# CHECK-NEXT: uma: warning: worker tcp://127.0.0.1:{{[0-9]+}} has uma 0.2.0 0123456789abcdef, this exploration uses uma {{.*}}; it gets no points
print(process.stderr.readline().strip())
(turns / "all").touch()
print(process.communicate()[1], end="")
stop(other)
# CHECK-NEXT: 0 [0, 1, 2, 3, 4, 5]
print(process.returncode, get_points("late"))

# A point on which the process ends fails, on this machine and on workers; the others go on.
(folder / "crash").touch()
for output in ("--workers=1", "--workers=2"):
    subprocess.run(command(f"crash{output}", output), check=True, stdout=subprocess.DEVNULL)
    # CHECK-NEXT: 2 convolution: the compiler ended by signal 9, 2 times
    # CHECK-NEXT: 2 convolution: workers ended while they evaluated the point
    failed = [point["reason"] for point in json.loads((folder / f"crash{output}/explore.json").read_text())["points"]
              if point["attributes"]["input_kib"] == 4]
    print(len(failed), *sorted(set(failed)))

(folder / "crash").unlink()

# A client of the caller is used, and stays open.
with Client(scheduler, set_as_default=False) as client:
    points = uma.explore(MODELS, "strawberry", SWEEP, scheduler=client)
    # CHECK-NEXT: True running
    print(list(points) == json.loads((folder / "one/explore.json").read_text())["points"], client.status)
# The scheduler is lost.
process = start("lost", f"--scheduler={scheduler}", "--simulate")
stop(scheduler_process)
# CHECK-NEXT: uma: error: the scheduler is lost; the points that are done are kept: go on with --resume
print(process.communicate()[1].strip())
# CHECK-NEXT: 2
print(process.returncode)
stop(worker)
