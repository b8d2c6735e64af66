"""The scheduler and the workers of a Dask cluster on this machine, for tests."""

import atexit
import os
import re
import subprocess
import sys
import threading


class Cluster:
    """Starts processes of Dask in a folder."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        atexit.register(self.kill)

    def start(self, pattern, *words, until=None, environment=None):
        """Returns a process, and the group of the pattern that its messages match first, once a message matches `until`, if given."""
        process = subprocess.Popen(words, env={**os.environ, **(environment or {})}, cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.processes.append(process)
        found = None
        for line in process.stderr:
            found = found or re.search(pattern, line)
            if found and (until is None or re.search(until, line)):
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return process, found[1]
        sys.exit(f"no '{until if found else pattern}'")

    def start_scheduler(self):
        return self.start(r"Scheduler at: +(\S+)", "dask-scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard")

    def start_worker(self, scheduler, *options, threads=1, environment=None):
        return self.start(r"Start worker at: +(\S+)", "dask-worker", scheduler, "--no-nanny", "--no-dashboard", f"--nthreads={threads}",
                          "--local-directory", str(self.folder), *options, until="Registered to:", environment=environment)

    def kill(self):
        for process in self.processes:
            process.kill()
