"""What it costs to compile a file: seconds, memory, and the code that comes out."""

import os
import re
import shutil
import subprocess
import sys
import time


def compile_once(command):
    """Seconds, and the most bytes that any process of the command held."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{output}")
    return seconds, usage.ru_maxrss * 1024


def code_size(target):
    """Bytes in the sections of an object that hold code."""
    listing = subprocess.run(["size", "-A", target], capture_output=True, text=True,
                             check=True).stdout
    return sum(int(size) for size in re.findall(r"^\.text\S*\s+(\d+)", listing, re.MULTILINE))


def of_compiling(compiler, flags, source, target):
    """None without the compiler."""
    if shutil.which(compiler) is None:
        return None
    seconds, peak = compile_once([compiler, *flags, "-c", source, "-o", target])
    return {"seconds": seconds, "peak": peak, "text": code_size(target)}
