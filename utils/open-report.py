#!/usr/bin/python3
"""Opens pages of `uma compile --report` or `uma explore` in headless Chromium, and prints how long that takes.

    utils/open-report.py PAGE.html ... [--runs N] [--pictures FOLDER]

Prints the median of N runs, each in a new browser, in the terms of Chromium: until the page is parsed and its scripts have run
(`domComplete`), and until it is painted. Errors of scripts, requests to elsewhere and a page wider than the screen are failures.
Pictures are of a desktop and a phone, light and dark.
"""

import argparse
import pathlib
import statistics
import sys

import chromium

SCREENS = {"desktop": (1280, 900), "phone": (390, 844)}
TIMES = """(() => {
  const [navigation] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [navigation.domComplete, paint ? paint.startTime : navigation.domComplete];
})()"""


def check(page: chromium.Chromium, path: pathlib.Path) -> list[float]:
    page.open(path)
    elsewhere = [url for url in page.requests if url != path.resolve().as_uri()]
    wide = page.run("document.documentElement.scrollWidth - innerWidth")
    if page.errors or elsewhere or wide > 0:
        sys.exit(f"{path}: errors {page.errors}, requests {elsewhere}, {wide} pixels too wide")
    return page.run(TIMES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    if not chromium.find():
        sys.exit("no Chromium: apt-get install chromium")
    for path in options.pages:
        times = []
        for _ in range(options.runs):
            with chromium.Chromium(*SCREENS["desktop"]) as page:
                times.append(check(page, path))
        complete, painted = (statistics.median(values) for values in zip(*times))
        print(f"{path.name}: {path.stat().st_size} bytes, complete after {complete:.0f} ms, painted after {painted:.0f} ms")
        with chromium.Chromium() as page:
            for screen, size in SCREENS.items():
                for dark in (False, True):
                    page.set_screen(*size, dark)
                    check(page, path)
                    if options.pictures:
                        options.pictures.mkdir(exist_ok=True)
                        page.picture(options.pictures / f"{path.stem}-{screen}-{'dark' if dark else 'light'}.png", whole=False)


if __name__ == "__main__":
    main()
