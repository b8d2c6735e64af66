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

    def start(self, pattern, *words, environment=None):
        """Returns a process, and the group of the pattern that its messages match first."""
        process = subprocess.Popen(words, env={**os.environ, **(environment or {})}, cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.processes.append(process)
        for line in process.stderr:
            if match := re.search(pattern, line):
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return process, match[1]
        sys.exit(f"no '{pattern}'")

    def start_scheduler(self):
        return self.start(r"Scheduler at: +(\S+)", "dask-scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard")

    def start_worker(self, scheduler, *options, threads=1, environment=None):
        return self.start(r"Start worker at: +(\S+)", "dask-worker", scheduler, "--no-nanny", "--no-dashboard", f"--nthreads={threads}",
                          "--local-directory", str(self.folder), *options, environment=environment)

    def kill(self):
        for process in self.processes:
            process.kill()
