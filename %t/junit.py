"""Prints what a JUnit file says; the counts must be those of the elements."""
import sys
import xml.etree.ElementTree as tree
for suite in tree.parse(sys.argv[1]).getroot().iter("testsuite"):
    cases = suite.findall("testcase")
    failures = suite.findall("testcase/failure")
    skipped = suite.findall("testcase/skipped")
    assert [suite.get(k) for k in ("tests", "failures", "skipped", "errors")] == [str(len(l)) for l in (cases, failures, skipped, [])]
    assert len({case.get("name") for case in cases}) == len(cases)
    print(f"{suite.get('name')}: {len(cases)} tests, {len(failures)} failures, {len(skipped)} skipped")
    for failure in failures:
        print("failure:", failure.get("message"))
