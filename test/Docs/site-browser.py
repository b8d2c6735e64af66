"""The site of the documentation in a browser, from the disk: on a desktop and a phone, light and dark, without errors; no page is wider
than the screen, text has a contrast of 4.5 or more, and the search finds pages."""
# RUN: rm -rf %t && mkdir %t && %python -B %source/utils/build-site.py %t
# RUN: env PYTHONPATH=%source/utils %python -B %s %t/site | FileCheck %s
# REQUIRES: mkdocs, chromium
# CHECK: {{[1-9][0-9]+}} pages

import pathlib
import sys
import time

import chromium

site = pathlib.Path(sys.argv[1])
# Pages made from sources are alike.
pages = [path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] != "files" and path.name != "404.html"]
pages += [path for path in (site / "files").rglob("*.uma.html")][:1] + [path for path in (site / "files").rglob("folder.html")][:1]

# The texts with a lower contrast than WCAG 2.1 asks for: 4.5, or 3 for large text.
CONTRAST = """(() => {
  const parse = (color) => { const n = color.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n.slice(0, 3), 1]; };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const low = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    if (["SCRIPT", "STYLE", "TITLE"].includes(element.tagName) || element.closest("svg")) continue;
    const style = getComputedStyle(element);
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    const back = layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
    const [a, b] = [light(over(parse(style.color), back)), light(back)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    if (contrast < (large ? 3 : 4.5)) low.set(style.color + " on " + back, contrast.toFixed(2) + " " + walker.currentNode.data.trim().slice(0, 40));
  }
  return [...low].map((pair) => pair.join(": "));
})()"""

problems = []
with chromium.Chromium(1280, 900) as page:
    for path in pages:
        page.open(path)
        page.run("document.head.insertAdjacentHTML('beforeend', '<style>* { transition: none !important; }</style>')")
        # One load for all: the scheme is an attribute, and a phone another size of the screen.
        for width, height in ((1280, 900), (390, 844)):
            page.set_screen(width, height)
            wide = page.run("document.documentElement.scrollWidth - innerWidth")
            if wide > 0:
                problems.append(f"{path.relative_to(site)}: {wide} pixels wider than {width}")
        page.set_screen(1280, 900)
        for scheme in ("default", "slate"):
            page.run(f"document.body.setAttribute('data-md-color-scheme', {scheme!r})")
            problems += [f"{path.relative_to(site)}, {scheme}: contrast {text}" for text in page.run(CONTRAST)]
    elsewhere = [url for url in page.requests if not url.startswith(("file:", "data:", "about:"))]
    if page.errors or elsewhere:
        problems.append(f"errors {page.errors}, requests {elsewhere}")
if problems:
    sys.exit("\n".join(problems[:40]))


def find(page: chromium.Chromium, words: str) -> list[str]:
    """Types words into the search, and returns the pages found."""
    page.run(f"""(() => {{ const field = document.querySelector('.md-search__input');
      field.focus(); field.value = {words!r}; field.dispatchEvent(new Event('input')); field.dispatchEvent(new Event('keyup')); }})()""")
    for _ in range(3000):
        links = page.run("[...document.querySelectorAll('.md-search-result__link')].map((link) => link.href)")
        if links:
            return links
        time.sleep(0.1)
    return []


for words, expected in (("pass the stride", "questions.html"), ("handle context", "recipes.html"), ("uma-graph-fold-constant", "generated/passes.html"),
                        ("uma.graph.conv2d", "generated/graph-ops.html"), ("debug-bounds", "generated/cli.html")):
    with chromium.Chromium() as page:
        page.open(site / "tutorial/vanilla.html")
        found = find(page, words)
        assert any(expected in link for link in found), (words, found)
        assert not page.errors, page.errors

for dark, other in ((False, "slate"), (True, "default")):
    with chromium.Chromium(390, 844, dark) as page:
        # The scheme is that of the system, and the button changes it.
        page.open(site / "index.html")
        scheme = "document.body.getAttribute('data-md-color-scheme')"
        assert page.run(scheme) == ("slate" if dark else "default")
        page.run("[...document.querySelectorAll('label[for^=__palette]')].find((label) => !label.hidden).click()")
        assert page.run(scheme) == other
print(f"{len(pages)} pages")
