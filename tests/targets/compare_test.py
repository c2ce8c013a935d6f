"""Proves that targets_test.py sees bits that differ, and values that stray."""

import contextlib
import io
import sys

import targets_test

SSE2, AVX2, AVX512 = targets_test.TARGETS[:3]
ONE, NEXT, FAR = "3f800000", "3f800001", "3f808000"  # 1, the next f32, 1 + 2^-8


def text(*words, names=("a", "b", "c")):
    return "".join(f"{name} {word}\n" for name, word in zip(names, words))


def of_table(word):
    return text(ONE, ONE, word, names=("a", "b", targets_test.OF_TABLES[0]))


# Results, and how many of the comparisons fail.
CASES = [
    ([(AVX2, "g++ -O1", text(ONE, ONE, ONE)), (AVX512, "g++ -Os", text(ONE, ONE, ONE))], 0),
    ([(AVX2, "g++ -O1", text(ONE, ONE, ONE)), (AVX512, "g++ -Os", text(ONE, NEXT, ONE))], 1),
    ([(SSE2, "g++ -O1", text(ONE, ONE, ONE)), (AVX2, "g++ -O1", text(ONE, NEXT, ONE))], 0),
    ([(SSE2, "g++ -O1", text(ONE, ONE, ONE)), (AVX2, "g++ -O1", text(ONE, ONE, FAR))], 1),
    ([(SSE2, "g++ -O1", text(ONE, ONE, ONE)), (SSE2, "g++ -O2", text(NEXT, ONE, ONE))], 1),
    ([(AVX2, "g++ -O1", of_table(ONE)), (AVX512, "g++ -Os", of_table(NEXT))], 0),
    ([(AVX512, "g++ -O1", of_table(ONE)), (AVX512, "g++ -Os", of_table(NEXT))], 1),
    ([(AVX2, "g++ -O1", of_table(ONE)), (AVX512, "g++ -Os", of_table(FAR))], 1),
]

# Two texts, and the lines that differ in them if those of "t" are left out.
DIFFERENCES = [
    ("a 1\n\nb 2\n", "a 1\n\nb 2\n", []),
    ("a 1\n\nb 2\n", "a 1\nt 3\nb 2\n", [("", "t 3")]),
    ("a 1\nt 3\nb 2\n", "a 1\nt 4\n\n", [("b 2", "")]),
    ("a 1\n", "a 1\n\n", [("nothing", "")]),
]


def main():
    failed = 0
    for number, (results, wanted) in enumerate(CASES):
        with contextlib.redirect_stdout(io.StringIO()):
            found = targets_test.compare(results)
        if found != wanted:
            failed += 1
            print(f"case {number}: wanted {wanted}, found {found}")
    for one, other, wanted in DIFFERENCES:
        found = targets_test.differences(one, other, ["t"])
        if found != wanted:
            failed += 1
            print(f"{one!r} and {other!r}: wanted {wanted}, found {found}")
    builds = list(targets_test.builds(everything=False))
    pairs = [{(target.name, family) for target, family, _ in builds},
             {(family, *flags) for _, family, flags in builds}]
    if [len(pair) for pair in pairs] != [5 * 2, 2 * 4]:
        failed += 1
        print(f"not every pair is built: {pairs}")
    return 1 if failed else 0


sys.exit(main())
