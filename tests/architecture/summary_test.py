"""Proves that the summary of tests/run.sh counts as passed only what has run and succeeded."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import summary  # pylint: disable=wrong-import-position

_RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="6" failures="2" disabled="1" skipped="1">
  <testcase name="good" status="run"/>
  <testcase name="also good" status="run"><system-out>failure</system-out></testcase>
  <testcase name="bad" status="fail"><failure message="Failed"/></testcase>
  <testcase name="not built" status="notrun"><skipped message="Unable to find"/></testcase>
  <testcase name="off" status="disabled"><skipped message="Disabled"/></testcase>
  <testcase name="torn" status="run"><failure message="Timeout"/></testcase>
</testsuite>
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "results.xml")
        path.write_text(_RESULTS, encoding="utf-8")
        found = summary.count(path)
    wanted = (2, ["bad (fail)", "not built (notrun)", "off (disabled)", "torn (run)"])
    if found != wanted:
        print(f"wanted {wanted}, counted {found}")
    return 0 if found == wanted else 1


if __name__ == "__main__":
    sys.exit(main())
