"""Tests the arithmetic of the bench on numbers chosen by hand."""

import unittest

import figures
import report

OUTPUT = "\n".join([
    "limit\tfma\t200",
    "limit\tcopy_L3\t100",
    "time\tsoftmax_1024\twick\t1.5\t300\t290\t9",
    "time\tsoftmax_1024\tcomposite\t1.5\t330\t310\t9",
    "time\tsoftmax_1024\tEigen\t1.2\t450\t440\t9",
    "time\tsoftmax_1024\tONNX Runtime\t1.6\t360\t350\t9",
    "wrong\tsoftmax_1024\toneDNN\t1e+07",
])
SLOWER = OUTPUT.replace("limit\tfma\t200", "limit\tfma\t190").replace("wick\t1.5\t300\t290",
                                                                      "wick\t2.5\t500\t280")

SOFTMAX = {"name": "softmax_1024", "inputs": [{"shape": [1024, 1024]}],
           "outputs": [{"shape": [1024, 1024]}], "flops": 0, "io_bytes": 8 << 20}
# 2^31 operations on 12 MiB.
PRODUCT = {"name": "matmul_1024", "inputs": [{"shape": [1024, 1024]}] * 2,
           "outputs": [{"shape": [1024, 1024]}], "flops": 1 << 31, "io_bytes": 12 << 20}
SUM = {"name": "reduce_sum_ax0", "inputs": [{"shape": [4096, 1024]}],
       "outputs": [{"shape": [1024]}], "flops": 4 << 20, "io_bytes": 16 << 20}
LIMITS = {"fma": 200.0} | {f"{kind}_{level}": rate for level, rate in
                          (("L1", 400.0), ("L2", 200.0), ("L3", 100.0), ("16M", 50.0),
                           ("DRAM", 20.0))
                          for kind in ("read", "copy", "add")}


class Parsing(unittest.TestCase):

    def test_takes_the_median_of_runs_the_least_of_samples_and_the_best_limit(self):
        found = figures.parse([OUTPUT, SLOWER, SLOWER])
        self.assertEqual(found.runs, 3)
        self.assertEqual(found.limits["fma"], 200)
        wick = found.timings["softmax_1024"]["wick"]
        self.assertEqual((wick.median, wick.least, wick.error), (500, 280, 2.5))

    def test_names_who_was_wrong_once(self):
        self.assertEqual(figures.parse([OUTPUT, OUTPUT]).complaints,
                         ["oneDNN, softmax_1024: wrong, 1e+07"])


class Ratios(unittest.TestCase):

    def setUp(self):
        self.contestants = figures.parse([OUTPUT]).timings["softmax_1024"]

    def test_best_peer_is_neither_wick_nor_its_composite(self):
        self.assertEqual(figures.best_peer(self.contestants), "ONNX Runtime")
        self.assertIsNone(figures.best_peer({"wick": self.contestants["wick"]}))

    def test_copies_are_no_peers(self):
        copied = {"wick": figures.Timing(20, 20, 0), "Eigen": figures.Timing(30, 30, 0),
                  "copy: memcpy": figures.Timing(19, 18, 0),
                  "copy: stores": figures.Timing(17, 17, 0)}
        self.assertEqual(figures.best_peer(copied), "Eigen")
        self.assertEqual(figures.fastest_copy(copied), "copy: stores")
        self.assertIsNone(figures.fastest_copy(self.contestants))

    def test_ratio_is_above_one_where_wick_is_faster(self):
        self.assertAlmostEqual(figures.ratio(self.contestants, "ONNX Runtime"), 1.2)
        self.assertIsNone(figures.ratio(self.contestants, "OpenBLAS"))

    def test_reachable_compares_with_the_same_peer(self):
        # Elsewhere ONNX Runtime took 365 µs and 350 were reachable; here it takes 360 and wick 300.
        self.assertAlmostEqual(figures.reachable("softmax_1024", self.contestants, False),
                               (360 / 300) / (365 / 350))

    def test_reachable_of_products_is_given_as_a_rate(self):
        # Elsewhere oneDNN did 153 GFLOP/s and 140 were reachable: 0.915 of the peer's speed.
        contestants = {"wick": figures.Timing(100, 100, 0), "oneDNN": figures.Timing(80, 80, 0)}
        self.assertAlmostEqual(figures.reachable("matmul_1024", contestants, True),
                               (80 / 100) / (140 / 153))

    def test_geometric_mean(self):
        self.assertAlmostEqual(figures.geometric_mean([1, 2, 4]), 2)


class Limits(unittest.TestCase):

    def test_elementwise_work_moves_bytes_at_the_rate_of_its_level(self):
        # 8 MiB at 100 GB/s: 83.9 µs.
        name, least = figures.limit_of(SOFTMAX, LIMITS)
        self.assertEqual(name, "copy_L3")
        self.assertAlmostEqual(least, 83.88608)

    def test_products_multiply_and_add(self):
        # 2^31 operations at 200 GFLOP/s: 10737 µs.
        name, least = figures.limit_of(PRODUCT, LIMITS)
        self.assertEqual(name, "fma")
        self.assertAlmostEqual(least, 10737.41824)

    def test_reductions_read(self):
        self.assertEqual(figures.limit_of(SUM, LIMITS)[0], "read_16M")

    def test_a_footprint_of_exactly_the_cache_is_in_it(self):
        small = dict(SOFTMAX, io_bytes=48 << 10)
        self.assertEqual(figures.limit_of(small, LIMITS)[0], "copy_L1")
        large = dict(SOFTMAX, io_bytes=(48 << 20) + 4)
        self.assertEqual(figures.limit_of(large, LIMITS)[0], "copy_DRAM")


class Verdicts(unittest.TestCase):

    def verdict(self, outputs, word, arenas=None):
        found = figures.verdicts(figures.parse(outputs), {"softmax_1024": SOFTMAX}, arenas or {})
        (verdict,) = [one for one in found if word in one.claim]
        return verdict

    def test_a_miss_is_named_with_its_figure(self):
        verdict = self.verdict([SLOWER], "0.97 of its best peer")
        self.assertIs(verdict.good, False)
        self.assertIn("softmax_1024 0.72", verdict.found)
        self.assertIs(self.verdict([OUTPUT], "0.97 of its best peer").good, True)

    def test_a_mean_below_the_bound_is_missed(self):
        self.assertIs(self.verdict([OUTPUT], "geometric mean").good, False)

    def test_what_was_not_run_is_neither_reached_nor_missed(self):
        self.assertIsNone(self.verdict([OUTPUT], "encoder").good)

    def test_chains_are_held_against_the_fastest_copy(self):
        copied = OUTPUT + "\ntime\tsoftmax_1024\tcopy: memcpy\t0\t280\t270\t9"
        verdict = self.verdict([copied], "chains")
        self.assertIs(verdict.good, False)  # 280 / 300
        self.assertIn("softmax_1024 0.93", verdict.found)
        self.assertIsNone(self.verdict([OUTPUT], "chains").good)

    def test_memory_may_not_exceed_what_is_alive(self):
        self.assertIs(self.verdict([OUTPUT], "memory", {"mlp_b32": 98304}).good, True)
        self.assertIs(self.verdict([OUTPUT], "memory", {"mlp_b32": 98305}).good, False)


class Documents(unittest.TestCase):

    def test_only_what_is_between_the_marks_changes(self):
        text = f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n"
        new = f"{report.BEGIN}\nnew\n{report.END}"
        self.assertEqual(report.put(new, text), f"before\n{new}\nafter\n")
        with self.assertRaises(ValueError):
            report.put(new, "a document without a place")

    def test_numbers_have_three_digits(self):
        self.assertEqual([report.number(x) for x in (0.1234, 12.34, 456.7, 12345.6)],
                         ["0.123", "12.3", "457", "12,346"])


if __name__ == "__main__":
    unittest.main()
