"""The page of `uma compile --report` in a browser: on a desktop and a phone, light and dark, without errors; what belongs to a
layer is marked in the table, the graph and the plan; sorting, search, zoom and the keyboard work."""
# REQUIRES: chromium
# RUN: rm -rf %t && mkdir %t && %python -B %source/bench/models.py densenet %t/densenet.onnx
# RUN: uma compile %t/densenet.onnx -a vanilla -o %t/densenet --report %t/densenet.html
# RUN: split-file %S/compile-report.test %t/nets && cd %t/nets && uma compile chain.mlir -o %t/chain --report %t/chain.html
# RUN: cd %t/nets && uma compile hostile.mlir -o %t/hostile --report %t/hostile.html && uma compile empty.mlir -o %t/empty --report %t/empty.html
# RUN: env PYTHONPATH=%source/utils %python -B %source/utils/open-report.py %t/densenet.html %t/chain.html %t/hostile.html %t/empty.html --runs 1
# RUN: env PYTHONPATH=%source/utils %python -B %s %t

import pathlib
import sys

import chromium

folder = pathlib.Path(sys.argv[1])

TIP = "document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText"
DATA = "JSON.parse(document.getElementById('data').textContent)"

with chromium.Chromium(1280, 900) as page:
    page.open(folder / "densenet.html")
    assert page.run("document.querySelectorAll('.node').length") == page.run(f"{DATA}.operators.length") > 200
    assert page.run("document.querySelectorAll('#plan .tensor').length") == page.run(f"{DATA}.tensors.length") > 30

    # A row marks its tensors, a tensor and an operator say what they are.
    page.move(*page.center(".layers tbody tr", 5))
    page.expect("document.querySelectorAll('#plan .tensor.on').length", page.run(f"{DATA}.steps[5].tensors.length"))
    page.expect("[...document.querySelectorAll('.node.on')].length", page.run(f"{DATA}.steps[5].operators.length"))
    page.move(*page.center("#plan .tensor", 1))
    page.expect("document.querySelectorAll('#plan .tensor')[1].classList.contains('on')", True)
    text = page.run(TIP)
    assert page.run(f"{DATA}.tensors[1].name") in text and "offset" in text and "live from layer" in text, text
    page.move(*page.center(".node", 3))
    text = page.run(TIP)
    assert page.run(f"{DATA}.operators[3].name") in text and "runs on" in text and "f32[" in text, text
    page.press("Escape", 27)
    page.expect(TIP, "")

    # The largest number first, then the smallest, then the order of the run.
    numbers = "[...document.querySelectorAll('.layers tbody tr')].map((row) => Number(row.cells[4].dataset.value))"
    head = "[...document.querySelectorAll('.layers thead th')]"
    for order, name in ((True, "descending"), (False, "ascending")):
        page.click(*page.center(".layers thead th button", 4))
        found = page.run(numbers)
        assert found == sorted(found, reverse=order) and found[0] != found[-1], name
        page.expect(f"{head}[4].getAttribute('aria-sort')", name)
    page.click(*page.center(".layers thead th button", 0))
    page.expect("[...document.querySelectorAll('.layers tbody tr')].every((row, i) => Number(row.dataset.step) === i)", True)

    # Search and zoom.
    page.run("""(() => { const find = document.querySelector('input[type=search]');
      find.value = 'gemm'; find.dispatchEvent(new Event('input')); })()""")
    page.expect("document.querySelector('[role=status]').textContent", "1 of 2")
    before = page.run("document.querySelector('#graph .frame svg').getBoundingClientRect().height")
    page.click(*page.center("#graph button", 0))
    assert page.run("document.querySelector('#graph .frame svg').getBoundingClientRect().height") < before
    page.click(*page.center("#plan button", 1))
    assert page.run("document.querySelector('#plan .frame').scrollWidth > document.querySelector('#plan .frame').clientWidth")

    # One stop of the Tab key for the tensors, arrow keys among them.
    page.expect("document.querySelectorAll('#plan .tensor[tabindex=\"0\"]').length", 1)
    page.run("document.querySelector('#plan .tensor').focus()")
    page.press("ArrowRight", 39)
    page.expect("[...document.querySelectorAll('#plan .tensor')].indexOf(document.activeElement)", 1)
    assert page.run(f"{DATA}.tensors[1].name") in page.run(TIP), page.run(TIP)
    page.run("scrollBy(0, 50)")
    page.run("new Promise((done) => setTimeout(done, 100))")
    assert page.run(f"{DATA}.tensors[1].name") in page.run(TIP), page.run(TIP)
    page.run("document.querySelector('.node').focus()")
    page.press("ArrowDown", 40)
    page.expect(f"{DATA}.edges.some((edge) => edge.from === 0 && edge.to === [...document.querySelectorAll('.node')].indexOf(document.activeElement))", True)
    assert not page.errors, page.errors

with chromium.Chromium(390, 844) as page:
    # Rows are cards, which have no column heads to sort by.
    page.open(folder / "chain.html")
    page.expect("getComputedStyle(document.querySelector('.layers thead')).display", "none")
    page.run("(() => { const by = document.querySelector('#layers select'); by.value = 4; by.dispatchEvent(new Event('change')); })()")
    page.expect("document.querySelector('.layers tbody tr').dataset.step", "1")
    page.expect("document.querySelectorAll('#plan .overlap').length", 1)
    assert not page.errors, page.errors

with chromium.Chromium() as page:
    page.open(folder / "hostile.html")
    page.expect("document.scripts.length", 3)
    page.expect("document.querySelector('.node text').textContent", "</script><b>x</b>")
    page.expect("document.querySelector('[onclick]')", None)
    assert not page.errors, page.errors
