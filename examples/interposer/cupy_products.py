# SPDX-License-Identifier: MIT OR Apache-2.0
"""Products of sparse matrices in CuPy, as any program has them: nothing here knows of ocean.

    python3 cupy_products.py --json alone.json
    LD_PRELOAD=libocean_cusparse.so OCEAN_STATS=1 python3 cupy_products.py --json interposed.json
    python3 compare.py alone.json interposed.json

Values are small integers, so that every sum is exact in every type and results can be asked to be equal. The last case
has more than 2^31 products: cuSPARSE refuses it, and CuPy's way around that leaves an empty result (CuPy's issue 10033).
"""

import argparse
import hashlib
import json
import statistics
import time

import cupy
from cupyx.scipy import sparse

TYPES = ["float32", "float64", "complex64", "complex128"]


class Peak(cupy.cuda.MemoryHook):
    """How much memory was in use at most."""

    name = "Peak"

    def __init__(self):
        self.bytes = 0

    def malloc_postprocess(self, **_):
        self.bytes = max(self.bytes, cupy.get_default_memory_pool().used_bytes())


def random_csr(rows, cols, per_row, dtype, seed):
    """Each row has one entry in each of `per_row` stripes of columns: sorted, and without repeats."""
    random = cupy.random.RandomState(seed)
    stripe = cols // per_row
    columns = random.randint(0, stripe, (rows, per_row)) + stripe * cupy.arange(per_row)
    offsets = cupy.arange(rows + 1) * per_row

    def part():
        return random.choice(cupy.asarray([-3, -2, -1, 1, 2, 3]), rows * per_row)

    values = part() + 1j * part() if dtype.startswith("complex") else part()
    arrays = (values.astype(dtype), columns.ravel().astype("int32"), offsets.astype("int32"))
    return sparse.csr_matrix(arrays, shape=(rows, cols))


def digest(matrix):
    hashed = hashlib.sha256()
    for part in (matrix.indptr, matrix.indices, matrix.data):
        hashed.update(cupy.asnumpy(part).tobytes())
    return hashed.hexdigest()[:16]


def measured(name, a, b, is_right, repeats=5):
    """What came of one case."""
    try:
        result = a @ b
    except (RuntimeError, cupy.cuda.memory.OutOfMemoryError) as error:
        return told({"name": name, "error": str(error).splitlines()[0]})
    before = cupy.get_default_memory_pool().used_bytes()
    times = []
    with Peak() as peak:
        for _ in range(repeats):
            cupy.cuda.Device().synchronize()
            start = time.perf_counter()
            a @ b
            cupy.cuda.Device().synchronize()
            times.append(1e3 * (time.perf_counter() - start))
    case = {
        "name": name,
        "nnz": int(result.nnz),
        "milliseconds": round(statistics.median(times), 3),
        "peak_bytes": peak.bytes - before,
        "digest": digest(result),
        "correct": bool(is_right(result)),
    }
    return told(case)


def told(case):
    print(json.dumps(case), flush=True)
    return case


def small_cases():
    for dtype in TYPES:
        a, b = random_csr(600, 500, 10, dtype, 1), random_csr(500, 700, 10, dtype, 2)
        expected = a.toarray() @ b.toarray()

        def is_right(c, expected=expected):
            return (c.toarray() == expected).all()

        yield measured(f"A @ B {dtype}", a, b, is_right)


def large_cases():
    for dtype in ["float32", "float64"]:
        a = random_csr(200_000, 200_000, 16, dtype, 7)
        ones = cupy.ones(200_000, dtype="float64")
        expected = a.astype("float64") @ (a.astype("float64") @ ones)

        def is_right(c, expected=expected):
            return (c.astype("float64") @ ones == expected).all()

        yield measured(f"A @ A {dtype}, 200,000 rows of 16", a, a, is_right)


def issue_10033():
    """Row i of X has ones in the columns 7 i + 20 t mod 5000, t < 250: X^T X has 3.125e9 products and 1,250,000 entries
    of 2500 each."""
    rows, cols, per_row = 50_000, 5_000, 250
    columns = (7 * cupy.arange(rows)[:, None] + 20 * cupy.arange(per_row)[None, :]) % cols
    columns.sort(axis=1)
    offsets = cupy.arange(rows + 1) * per_row
    values = cupy.ones(rows * per_row, dtype="float32")
    x = sparse.csr_matrix((values, columns.ravel().astype("int32"), offsets.astype("int32")), shape=(rows, cols))

    def is_right(c):
        return c.nnz == 1_250_000 and (c.data == 2500).all()

    return measured("X.T @ X float32, 3,125,000,000 products", x.T.tocsr(), x, is_right, repeats=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="keep the results here")
    options = parser.parse_args()
    cases = [*small_cases(), *large_cases(), issue_10033()]
    report = {
        "library": f"cupy {cupy.__version__}",
        "device": cupy.cuda.runtime.getDeviceProperties(0)["name"].decode(),
        "cases": cases,
    }
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    wrong = [case["name"] for case in cases if case.get("correct") is False]
    print(f"{len(cases)} cases, {len(wrong)} wrong {wrong if wrong else ''}")


if __name__ == "__main__":
    main()
