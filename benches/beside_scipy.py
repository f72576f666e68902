#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times the host backend beside scipy, on the real matrices of a folder, and writes a table and JSON.

Each product is A * A, or A * A^T where A is not square, in f64. ocean: one call of oceanSpGEMM through the C ABI, which
allocates C and sorts its rows, with one thread and with two. scipy: `A @ B` on CSR, one thread, whose rows do not come out
sorted; sorting them is timed apart. Both work on the same arrays in one process and take turns; the best of several
rounds counts, which is the least disturbed one.

    python3 -m venv target/bench-venv && target/bench-venv/bin/pip install -r benches/requirements.txt
    cargo build --release -p ocean --no-default-features
    target/bench-venv/bin/python benches/beside_scipy.py --data FOLDER
"""

import argparse
import csv
import ctypes
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import time
import warnings

import numpy
import scipy
import scipy.io
import scipy.sparse

HOST, INDEX_32I, BASE_ZERO, R_64F, NON_TRANSPOSE, DEFAULT = 2, 2, 0, 1, 0, 0


class Ocean:
    """What this needs of the C ABI."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.oceanGetLastErrorString.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p()
        self.call("oceanCreateWithBackend", ctypes.byref(self.handle), HOST)

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise RuntimeError(f"{name}: {self.library.oceanGetLastErrorString().decode()}")

    def matrix(self, rows, cols, nnz, arrays):
        descr = ctypes.c_void_p()
        pointers = [ctypes.c_void_p(None if array is None else array.ctypes.data) for array in arrays]
        sizes = [ctypes.c_int64(size) for size in (rows, cols, nnz)]
        kinds = (INDEX_32I, INDEX_32I, BASE_ZERO, R_64F)
        self.call("oceanCreateCsr", ctypes.byref(descr), *sizes, *pointers, *kinds)
        return descr

    def describe(self, csr):
        return self.matrix(*csr.shape, csr.nnz, (csr.indptr, csr.indices, csr.data))

    def multiply(self, a, b, shape):
        """One product from nothing to a C that is given back; returns seconds and nnz(C)."""
        one, sizes = ctypes.c_double(1), [ctypes.c_int64() for _ in range(3)]
        begin = time.perf_counter()
        c = self.matrix(*shape, 0, (None, None, None))
        operations, scalars = (self.handle, NON_TRANSPOSE, NON_TRANSPOSE), (ctypes.byref(one), a, b, None, None)
        self.call("oceanSpGEMM", *operations, *scalars, c, R_64F, DEFAULT)
        seconds = time.perf_counter() - begin
        self.call("oceanSpMatGetSize", c, *map(ctypes.byref, sizes))
        self.call("oceanDestroySpMat", c)
        return seconds, sizes[2].value


def work(library, path):
    """In a process of its own, since the number of threads is the process's: one matrix, scipy and ocean in turns."""
    a = scipy.sparse.csr_matrix(scipy.io.mmread(path)).astype(float)
    b = a if a.shape[0] == a.shape[1] else a.T.tocsr()
    for csr in (a, b):
        csr.sort_indices()
        csr.indptr, csr.indices = csr.indptr.astype(numpy.int32), csr.indices.astype(numpy.int32)
    ocean = Ocean(library)
    left, right = ocean.describe(a), ocean.describe(b)
    seconds = {"scipy": [], "sort": [], "ocean": []}
    begin = time.perf_counter()
    while len(seconds["ocean"]) < 3 or (time.perf_counter() - begin < 2 and len(seconds["ocean"]) < 30):
        start = time.perf_counter()
        c = a @ b
        seconds["scipy"].append(time.perf_counter() - start)
        start = time.perf_counter()
        c.sort_indices()
        seconds["sort"].append(time.perf_counter() - start)
        del c
        took, nnz = ocean.multiply(left, right, (a.shape[0], b.shape[1]))
        seconds["ocean"].append(took)
    json.dump({"nnz_c": nnz, **{tool: min(times) for tool, times in seconds.items()}}, sys.stdout)


def measure(library, path, entry):
    cell = {"matrix": entry["name"], "products": int(entry["products"]), "nnz_c": int(entry["nnzC"])}
    for threads in (1, 2):
        environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
        arguments = [sys.executable, __file__, "--library", library, "--work", path]
        took = json.loads(subprocess.run(arguments, env=environment, capture_output=True, check=True).stdout)
        assert took["nnz_c"] == cell["nnz_c"], (took, cell)
        cell[f"ocean_{threads}_seconds"] = took["ocean"]
        for tool in ("scipy", "sort"):
            cell[f"{tool}_seconds"] = min(took[tool], cell.get(f"{tool}_seconds", math.inf))
    return cell


def table(cells):
    lines = [
        "| matrix | products | scipy, ms | its sort, ms | ocean 1 thread, ms | 2 threads, ms | scipy / ocean 1 | scipy / ocean 2 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for c in cells:
        ms = [1e3 * c[f"{tool}_seconds"] for tool in ("scipy", "sort", "ocean_1", "ocean_2")]
        numbers = " | ".join(f"{x:.2f}" for x in [*ms, ms[0] / ms[2], ms[0] / ms[3]])
        lines.append(f"| {c['matrix']} | {c['products']} | {numbers} |")
    return "\n".join(lines)


def summary(cells):
    def mean(threads, with_sort):
        def ratio(c):
            other = c["scipy_seconds"] + (c["sort_seconds"] if with_sort else 0)
            return math.log(other / c[f"ocean_{threads}_seconds"])

        return math.exp(sum(map(ratio, cells)) / len(cells))

    lines = []
    for threads in (1, 2):
        slower = [c["matrix"] for c in cells if c["scipy_seconds"] < c[f"ocean_{threads}_seconds"]]
        lines.append(
            f"- {threads} thread{'s' if threads > 1 else ''}: {mean(threads, False):.2f} times as fast as scipy's product (geometric "
            f"mean), {mean(threads, True):.2f} times as fast as product and sort; slower than the product alone on {len(slower)} of "
            f"{len(cells)}{': ' + ', '.join(slower) if slower else ''}."
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, help="folder with MANIFEST.tsv and matrices")
    parser.add_argument("--library", default="target/release/libocean.so", help="the library")
    parser.add_argument("--most", type=int, default=130_000_000, help="leave out products with more scalar products")
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("benches/results/host-scipy.json"))
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    library = str(pathlib.Path(options.library).resolve())
    if options.work:
        return work(library, options.work)
    if not options.data:
        parser.error("--data FOLDER is needed")

    with open(options.data / "MANIFEST.tsv", newline="") as file:
        entries = [e for e in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if e["field"] != "complex"]
    cells = []
    for entry in entries:
        if int(entry["products"]) <= options.most:
            cells.append(measure(library, str(options.data / f"{entry['name']}.mtx.gz"), entry))
            print(table(cells[-1:]).splitlines()[-1], flush=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    facts = {
        "commit": commit,
        "device": f"{platform.machine()}, {os.cpu_count()} cores",
        "scipy": scipy.__version__,
        "date": time.strftime("%Y-%m-%d"),
        "command": "benches/beside_scipy.py",
    }
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({**facts, "cells": cells}, indent=1) + "\n")
    print("\n" + table(cells) + "\n\n" + summary(cells))


if __name__ == "__main__":
    main()
