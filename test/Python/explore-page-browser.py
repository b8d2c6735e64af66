"""The page of `uma explore` in a browser: plot, sliders, tables of bounds, sorting and the keyboard choose points, and all parts
show the chosen one."""
# REQUIRES: python, chromium
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python:%S/Inputs:%source/utils %python -W ignore -B %s %t

import pathlib
import sys

import chromium
import explore_results
from uma._explore_page import write_page

folder = pathlib.Path(sys.argv[1])
for name, results in explore_results.make_all().items():
    (folder / f"{name}.html").write_text(write_page(results), encoding="utf-8")


def pick(page, select, value):
    page.run(f"(() => {{ const s = document.querySelectorAll('#{select[0]} select')[{select[1]}]; s.value = {value!r};"
             " s.dispatchEvent(new Event('change')); })()")


def slide(page, slider, value):
    page.run(f"(() => {{ const s = document.getElementById('slider{slider}'); s.value = {value};"
             " s.dispatchEvent(new Event('input')); })()")


TITLE = "document.querySelector('#point h2').textContent.replaceAll('\\u00a0', ' ')"
VALUES = "[...document.querySelectorAll('#point output')].map((o) => o.textContent).join(' ')"
NOTE = "document.querySelector('#point .note').textContent.replaceAll('\\u00a0', ' ')"
TIP = "document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText.replaceAll('\\u00a0', ' ')"
RING = """(() => {
  const ring = document.querySelector('#plot .frame .ring');
  return ring.style.display === 'none' ? null : ['cx', 'cy'].map((name) => Number(ring.getAttribute(name)));
})()"""
REASON = "document.querySelector('p.failure').textContent"
TITLES = "[...document.querySelectorAll('#plot .title')].map((t) => t.textContent).join('; ')"

with chromium.Chromium(1280, 900) as page:
    page.open(folder / "small.html")
    # The page starts at the least value of the first objective.
    page.expect(TITLE, "Point 10, on the Pareto front")
    page.expect(VALUES, "32 16")
    page.expect("document.querySelectorAll('#plot .dot-front').length - 1", 3)
    page.expect(TITLES, "\u2191 cycles (does not start at zero); input_kib + weight_kib (does not start at zero) \u2192")

    # A point under the pointer; a click chooses it, in all parts of the page.
    x, y = page.center("#plot .frame .dot-front")
    page.move(x, y)
    text = page.run(TIP)
    assert text.startswith("Point 2, on the Pareto front\n") and "input_kib 8, weight_kib 16" in text and "cycles: 321 250" in text, text
    page.click(x, y)
    page.expect(TITLE, "Point 2, on the Pareto front")
    page.expect(VALUES, "8 16")
    page.expect("document.querySelector('.front tr.on').dataset.point", "2")
    page.expect("document.querySelectorAll('#bounds td.on').length", 2)
    dot = page.run("['cx', 'cy'].map((name) => Number(document.querySelector('#plot .frame .dot-front').getAttribute(name)))")
    assert all(abs(a - b) < 0.1 for a, b in zip(page.run(RING), dot)), (page.run(RING), dot)

    # A slider goes to the point with its value; a failed one has a reason and no place in the plot.
    slide(page, 1, 1)
    page.expect(TITLE, "Point 1, failed")
    page.expect(REASON, "other net: layer 'conv1' needs 16384 bytes of memory 'weights', which has 8192")
    page.expect(RING, None)
    page.expect("document.querySelector('.reasons tr.on').cells[1].textContent", page.run(REASON))
    slide(page, 0, 2)
    page.expect(VALUES, "32 8")
    page.expect(NOTE, "")

    # The bars show what bounds each model: their parts add up to the cycles, the axis starts at zero.
    slide(page, 1, 2)
    page.expect("document.querySelectorAll('.model').length", 2)
    widths = page.run("[...document.querySelectorAll('.model > .parts')].map((bar) => bar.getBoundingClientRect().width)")
    assert abs(widths[0] / widths[1] - 73489 / 113489) < 0.01, widths
    page.expect("document.querySelector('.scale .first').textContent", "0 cycles")
    page.move(*page.center(".model > .parts"))
    text = page.run(TIP)
    assert "array: 40 000 (54 %)" in text and "dma: 33 333 (45 %)" in text and "latency: 156 (0.2 %)" in text, text
    assert "simulated: as predicted, results equal" in page.run("document.querySelector('.model').innerText")
    pick(page, ("point", 1), "share")
    widths = page.run("[...document.querySelectorAll('.model > .parts')].map((bar) => bar.getBoundingClientRect().width)")
    assert widths[0] == widths[1], widths

    # Cells of the tables of bounds: a failed one, and the keyboard.
    page.expect("document.querySelectorAll('#bounds figure').length", 2)
    page.expect("document.querySelectorAll('#bounds td').length", 24)
    page.expect("document.querySelectorAll('#bounds td.fails').length", 3 + 6)
    page.click(*page.center("#bounds td", 0))
    page.expect(TITLE, "Point 0, failed")
    page.press("ArrowDown", 40)
    page.press("ArrowDown", 40)
    page.press("ArrowRight", 39)
    page.press("Enter", 13)
    page.expect(TITLE, "Point 6, on the Pareto front")
    assert "16.6" not in page.run(TIP) and "array: 40 000" in page.run(TIP), page.run(TIP)
    page.press("Escape", 27)
    page.expect(TIP, "")

    # The keyboard in the plot: one stop, points from left to right, the front by the vertical arrows. A pointer that rests on what the page
    # moves would hide the description.
    page.move(1, 1)
    page.expect("document.querySelectorAll('#plot circle[tabindex=\"0\"]').length", 1)
    page.run("document.querySelector('#plot circle[tabindex=\"0\"]').focus()")
    page.press("Home", 36)
    page.press("ArrowDown", 40)
    page.press("Enter", 13)
    page.expect(TITLE, "Point 6, on the Pareto front")
    page.press("ArrowUp", 38)
    page.press("Enter", 13)
    page.expect(TITLE, "Point 2, on the Pareto front")
    assert page.run(TIP).startswith("Point 2"), page.run(TIP)

    # Axes: kinds that the values allow, the same place for a linear axis from zero.
    pick(page, ("plot", 1), "zero")
    page.expect(TITLES, "\u2191 cycles (does not start at zero); input_kib + weight_kib \u2192")
    pick(page, ("plot", 3), "log")
    page.expect(TITLES, "\u2191 cycles (logarithmic); input_kib + weight_kib \u2192")
    page.expect("document.querySelectorAll('#plot .frame .steps').length", 1)
    pick(page, ("plot", 0), "3")
    page.expect(TITLES, "\u2191 cycles (logarithmic); weight_kib (does not start at zero) \u2192")
    page.expect("document.querySelectorAll('#plot .frame .steps').length", 0)

    # The table: sorted by a head, a row chooses by pointer and keyboard; "Go to".
    page.click(*page.center(".front thead th button", 3))
    page.expect("[...document.querySelectorAll('.front tbody tr')].map((row) => row.dataset.point).join()", "10,6,2")
    page.click(*page.center(".front tbody tr", 1))
    page.expect(TITLE, "Point 6, on the Pareto front")
    page.press("ArrowDown", 40)
    page.press("Enter", 13)
    page.expect(TITLE, "Point 2, on the Pareto front")
    pick(page, ("point", 0), "0")
    page.expect(TITLE, "Point 10, on the Pareto front")
    pick(page, ("point", 0), "2")
    page.expect(TITLE, "Point 0, failed")
    page.expect("document.querySelector('.reasons tr.on').cells[0].textContent", "3")
    assert not page.errors, page.errors

    # Points that were not evaluated: the slider goes to the nearest one with its value, and tells what else changed.
    page.open(folder / "random.html")
    page.expect(VALUES, "32 16 64 even true")
    slide(page, 0, 0)
    values = page.run(VALUES).split()
    assert values[0] == "8" and "The nearest point that was evaluated has " in page.run(NOTE), (values, page.run(NOTE))
    # Layers on the CPU are a part of the bars; the simulator does not know them.
    assert "cpu" in page.run("document.querySelector('.bars .legend').innerText")
    assert "simulated: as predicted" in page.run("document.querySelector('.model').innerText")
    # Going back gives the same point.
    slide(page, 0, 2)
    page.expect(VALUES, "32 16 64 even true")
    page.expect(NOTE, "")

    # Tables for chosen attributes: those that are not shown follow the chosen point.
    page.open(folder / "four.html")
    note = "document.querySelector('#bounds .note').textContent.replaceAll('\\u00a0', ' ')"
    assert "dma_bytes 64." in page.run(note), page.run(note)
    slide(page, 2, 0)
    assert "dma_bytes 1." in page.run(note), page.run(note)
    cell = "document.querySelectorAll('#bounds td')[4].textContent.replaceAll('\\u00a0', ' ')"
    page.expect(cell, "440 k")
    pick(page, ("bounds", 2), "best")
    page.expect(cell, "46.6 k")
    pick(page, ("bounds", 0), "1")
    page.expect("[...document.querySelectorAll('#bounds select')].slice(0, 2).map((s) => s.value).join()", "1,0")
    page.expect("document.querySelectorAll('#bounds tbody tr').length", 6)
    # An attribute of the name of an objective.
    page.expect("[...document.querySelectorAll('#plot select')[0].options].map((o) => o.text).join()",
           "cycles,dma_bytes,input_kib + weight_kib,-macs,input_kib,weight_kib,dma_bytes (attribute)")
    pick(page, ("plot", 2), "3")
    assert not page.errors, page.errors

    # Nothing that holds the models, one point, one objective.
    page.open(folder / "failed.html")
    page.expect(TITLE, "Point 0, failed")
    page.expect("document.querySelector('#plot svg')", None)
    page.open(folder / "single.html")
    page.expect("document.getElementById('slider0').disabled", True)
    page.open(folder / "one.html")
    page.expect(TITLES, "\u2191 cycles (does not start at zero); input_kib \u2192")
    page.open(folder / "hostile.html")
    page.expect("document.scripts.length", 2)
    page.expect("[...document.querySelectorAll('.bars .legend li')].map((li) => li.textContent).join(' ')",
           "</script><b onclick='x'>\\u202E\\x1B[31m\"&amp; constructor other: not told")
    page.expect("document.querySelector('[onclick]')", None)
    page.expect("document.querySelector('figcaption').textContent", "</script><b onclick='x'>\\u202E\\x1B[31m\"&amp;")
    assert not page.errors, page.errors

with chromium.Chromium(390, 844) as page:
    # No label of the axes lies over another one, in any page; rows are cards, which a list sorts.
    for name in ("small", "large", "four", "random", "one", "hostile"):
        page.open(folder / f"{name}.html")
        overlaps = page.run("""(() => {
          const boxes = [...document.querySelectorAll('#plot .frame text, .ticks span, .scale span')].map((t) => [t, t.getBoundingClientRect()]);
          return boxes.filter(([t, a], i) => boxes.some(([u, b], j) => i < j && t.parentNode === u.parentNode &&
            a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)).map(([t]) => t.textContent);
        })()""")
        assert not overlaps, (name, overlaps)
        assert page.run("document.documentElement.scrollWidth <= innerWidth"), name
    page.open(folder / "small.html")
    page.expect("getComputedStyle(document.querySelector('.front thead')).display", "none")
    pick(page, ("table", 0), "3")
    page.expect("document.querySelector('.front tbody tr').dataset.point", "10")
    # A tap chooses a point.
    x, y = page.center("#plot .frame .dot-front", 1)
    page.click(x, y)
    page.expect(TITLE, "Point 6, on the Pareto front")
    assert not page.errors, page.errors
