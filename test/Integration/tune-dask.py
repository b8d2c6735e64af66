"""`uma tune --scheduler` on a cluster of Dask: the workers with the processor asked for measure, one program at a time on each; a
worker that is lost, silent or slow is dropped."""
# REQUIRES: full, gcc, dask, python
# RUN: rm -rf %t && mkdir %t && env PYTHONPATH=%build/python:%source/test/Python/Inputs %python -W ignore -B %s %source/examples/digits/digits.onnx %t | FileCheck %s --match-full-lines

import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import time

from dask_cluster import Cluster

model, folder = sys.argv[1], pathlib.Path(sys.argv[2])
# A processor whose C the compiler of this machine makes without flags.
CPU = {"x86_64": "x86-64-v2", "aarch64": "cortex-a72"}[platform.machine()]
cluster = Cluster(folder)
# A program runs the command HOLD of its worker first: it says that it runs, and waits until it may go on.
(folder / "hold.h").write_text('''/* No header, whose declarations depend on macros that the C defines later. */
extern char *getenv(const char *name);
extern int system(const char *command);
__attribute__((constructor)) static void wait_for_test(void) {
  const char *command = getenv("HOLD");
  while (command && system(command) != 0) {
  }
}
''')


def start_worker(resources, threads=1):
    number = len(names) - 1
    hold = f"touch {folder}/running{number}; while [ -e {folder}/hold{number} ]; do sleep 0.05; done"
    return cluster.start_worker(scheduler, threads=threads,
                                environment={"DASK_DISTRIBUTED__WORKER__RESOURCES": repr(resources), "HOLD": hold})


def run(*options, rounds=2, lose=None):
    """Tunes and prints the messages. Returns the database. `lose` is the number of a worker, and what happens to it while it measures."""
    path = folder / "tuning.json"
    command = ["uma", "tune", model, "-o", str(path), "--candidates=2", f"--rounds={rounds}", f"--cflags=-O3 -include {folder}/hold.h", *options]
    if lose:
        number, how = lose
        (folder / f"running{number}").unlink(missing_ok=True)
        (folder / f"hold{number}").touch()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if lose:
        while not (folder / f"running{number}").exists() and process.poll() is None:
            time.sleep(0.05)
        how()
    text = process.communicate()[1].strip()
    if lose:
        (folder / f"hold{number}").unlink()
    for name, address in names.items():
        text = text.replace(address, name)
    print(text or "done", f"({process.returncode})", flush=True)
    database = json.loads(path.read_text()) if path.exists() else None
    path.unlink(missing_ok=True)
    return database


names = {}
# CHECK: uma: error: --scheduler=tcp://127.0.0.1:1: no scheduler answers: Connection refused (4)
run("--scheduler=tcp://127.0.0.1:1", f"--cpu={CPU}")
try:
    process, scheduler = cluster.start_scheduler()
    names["SCHEDULER"] = scheduler
    on = [f"--scheduler={scheduler}", f"--cpu={CPU}"]
    # CHECK-NEXT: uma: error: --scheduler=SCHEDULER: none of its 0 workers has the resource 'cpu={{.*}}' (4)
    run(*on)
    workers = []
    for number, resources in enumerate([{f"cpu={CPU}": 1}, {f"cpu={CPU}": 1}, {"cpu=other": 1}, {}]):
        worker, names[f"WORKER{number}"] = start_worker(resources)
        workers.append(worker)

    # Two of the four workers measure, by turns here and there; the database is one of the processor asked for.
    # CHECK-NEXT: done (0)
    # CHECK-NEXT: 5 layers, 4 lanes
    database = run(*on)
    print(len(database["layers"]), "layers,", database["lanes"], "lanes")
    assert database["processor"] == CPU, database

    # The same from Python.
    import uma

    # CHECK-NEXT: True True
    text = uma.tune(model, folder / "python.json", candidates=2, rounds=1, cflags="-O3", scheduler=scheduler, cpu=CPU)
    print("the analytic choice loses" in text, (folder / "python.json").exists())
    # CHECK-NEXT: --scheduler and --run-with both say where programs run; give one of them
    try:
        uma.tune(model, folder / "python.json", scheduler=scheduler, run_with=["true"], cpu=CPU)
    except uma.Error as error:
        print(error)

    # Wrong uses.
    # CHECK-NEXT: uma: error: --scheduler needs --cpu=NAME: workers with the resource 'cpu=NAME' measure (2)
    run(on[0])
    # CHECK-NEXT: uma: error: --cpu=native is this machine, not the one of --scheduler; name its processor (2)
    run(on[0], "--cpu=native")
    # CHECK-NEXT: uma: error: --scheduler=SCHEDULER: none of its 4 workers has the resource 'cpu=rv64gc' (4)
    run(on[0], "--cpu=rv64gc")
    # CHECK-NEXT: uma: error: --scheduler=host: expected the address of a scheduler, such as tcp://host:8786: missing port number in address 'host' (4)
    run("--scheduler=host", on[1])
    # CHECK-NEXT: uma: error: --scheduler and --run-with both say where programs run; give one of them (2)
    run(*on, "--run-with=true")

    # A worker that stops without a word, and one that is killed.
    # CHECK-NEXT: uma: warning: 'WORKER0' fails: the worker is silent for 15 s; it is dropped, 1 board is left (0)
    assert len(run(*on, lose=(0, lambda: workers[0].send_signal(signal.SIGSTOP)))["layers"]) == 5
    workers[0].kill()
    workers[0].wait()
    workers[0], names["WORKER4"] = start_worker({f"cpu={CPU}": 1})
    # CHECK-NEXT: uma: warning: 'WORKER4' fails: the worker is lost; it is dropped, 1 board is left (0)
    assert len(run(*on, lose=(4, workers[0].kill))["layers"]) == 5

    # Workers that would run something beside a measurement.
    worker, names["WORKER5"] = start_worker({f"cpu={CPU}": 1}, threads=2)
    # CHECK-NEXT: uma: error: --scheduler=SCHEDULER: worker WORKER5 has 2 threads, so that other work may run beside a measurement; start it with --nthreads 1 (4)
    run(*on)
    worker.kill()
    worker, names["WORKER6"] = start_worker({f"cpu={CPU}": 3})
    # CHECK-NEXT: uma: error: --scheduler=SCHEDULER: worker WORKER6 has 3 of the resource 'cpu={{.*}}', so that two programs may run there at the same time; give it 1 (4)
    run(*on)

    # Without Dask.
    # CHECK-NEXT: uma: error: --scheduler=SCHEDULER: Dask is not installed; on Debian, 'apt-get install python3-distributed' (4)
    (folder / "distributed").mkdir()
    (folder / "distributed" / "__init__.py").write_text("raise ImportError\n")
    os.environ["PYTHONPATH"] = str(folder)
    run(*on)
finally:
    cluster.kill()
