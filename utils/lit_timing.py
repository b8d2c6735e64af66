"""Writes down what each lit test costs, for test/lit.cfg.py."""

import os
import resource
import time

import lit.formats


class TimedShTest(lit.formats.ShTest):
    """A ShTest that appends the processor seconds, the seconds and the name of each test to a file."""

    def __init__(self, path: str):
        super().__init__(execute_external=False)
        self.path = path

    def execute(self, test, litConfig):
        # Each test runs in a process of lit that runs no other test meanwhile.
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        result = super().execute(test, litConfig)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{seconds:.2f} {time.monotonic() - start:.2f} {'/'.join(test.path_in_suite)}\n")
        return result
