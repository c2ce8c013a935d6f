#!/usr/bin/python3
"""What it costs to compile a file: seconds, memory, and the code that comes out.

    costs.py OBJECT COMMAND...

Runs a compiler that writes OBJECT, and prints {"seconds":, "peak":, "text":} as JSON: the peak is
the most bytes that any process of the command held, the text the bytes of the object's code.
A program of its own, and a small one, since a process starts out with its parent's peak.
"""

import json
import os
import re
import subprocess
import sys
import time


def compile_once(command):
    """Seconds and peak."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(process.returncode)
    return time.monotonic() - start, usage.ru_maxrss * 1024


def code_size(target):
    """Bytes in the sections of an object that hold code."""
    listing = subprocess.run(["size", "-A", target], capture_output=True, text=True,
                             check=True).stdout
    return sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", listing, re.MULTILINE))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    seconds, peak = compile_once(sys.argv[2:])
    print(json.dumps({"seconds": seconds, "peak": peak, "text": code_size(sys.argv[1])}))


if __name__ == "__main__":
    main()
