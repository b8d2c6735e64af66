"""A line on the terminal while points are evaluated."""

from __future__ import annotations

import sys
import time


class Progress:
    """Shows how many points are done, the best value so far and the time that is left; nothing if standard error is no terminal."""

    def __init__(self, total: int, objective: str, workers: int):
        self.total, self.objective, self.workers = total, objective, workers
        self.done = self.computed = 0
        self.best = None
        self.start = self.shown = time.monotonic()
        self.is_shown = sys.stderr.isatty()

    def skip(self, points: int) -> None:
        """Counts points of an earlier run."""
        self.done += points

    def add(self, objectives: dict | None) -> None:
        self.done += 1
        self.computed += 1
        if objectives:
            value = objectives[self.objective]
            self.best = value if self.best is None else min(self.best, value)
        now = time.monotonic()
        if self.is_shown and now - self.shown > 0.2:
            self.shown = now
            sys.stderr.write(f"\r\x1b[K{self.get_text(now - self.start)}")
            sys.stderr.flush()

    def get_text(self, seconds: float) -> str:
        text = f"{self.done} of {self.total} points"
        if self.best is not None:
            text += f", least {self.objective}: {self.best:,}".replace(",", " ").replace("points ", "points, ", 1)
        # The first points of each worker say little.
        if self.computed >= max(4, 3 * self.workers):
            text += f", about {_show(seconds * (self.total - self.done) / self.computed)} left"
        return text

    def close(self) -> None:
        if self.is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _show(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
