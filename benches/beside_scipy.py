#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times the host backend beside scipy, on the real matrices of a folder, and writes a table and JSON.

Each product is A * A, or A * A^T where A is not square. ocean: the whole staged protocol (workEstimation, compute,
copy), by the command `ocean`, with one thread and with two; its rows come out sorted. scipy: `A @ B` on CSR, one
thread, whose rows do not; sorting them is timed apart. The two take turns, several times, and the best of each counts:
what is left is the least disturbed.

    python3 -m venv target/bench-venv && target/bench-venv/bin/pip install -r benches/requirements.txt
    cargo build --release -p ocean-cli --no-default-features
    target/bench-venv/bin/python benches/beside_scipy.py --data FOLDER
"""

import argparse
import csv
import json
import math
import os
import pathlib
import platform
import subprocess
import time
import warnings

import scipy
import scipy.io
import scipy.sparse

ROUNDS = 3


def best(action):
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        result = action()
        seconds.append(time.perf_counter() - begin)
    return min(seconds), result


def time_scipy(path):
    a = scipy.sparse.csr_matrix(scipy.io.mmread(path)).astype(float)
    b = a if a.shape[0] == a.shape[1] else a.T.tocsr()
    product, c = best(lambda: a @ b)
    begin = time.perf_counter()
    c.sort_indices()
    return product, time.perf_counter() - begin


def time_ocean(command, path, threads):
    arguments = [command, "multiply", path, "--json", "--repeat", str(ROUNDS)]
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    done = subprocess.run(arguments, env=environment, capture_output=True, check=True)
    report = json.loads(done.stdout)
    steps = {step["step"]: step["best_seconds"] for step in report["steps"]}
    return steps["all steps"], report


def measure(command, path, entry):
    """One matrix: scipy, one thread, two threads, in turns."""
    cell = {"matrix": entry["name"], "products": int(entry["products"]), "nnz_c": int(entry["nnzC"])}
    seconds = {"scipy": [], "scipy_sort": [], "ocean_1": [], "ocean_2": []}
    for _ in range(2):
        product, sort = time_scipy(path)
        seconds["scipy"].append(product)
        seconds["scipy_sort"].append(sort)
        for threads in (1, 2):
            took, report = time_ocean(command, path, threads)
            seconds[f"ocean_{threads}"].append(took)
    assert report["c"]["nnz"] == cell["nnz_c"], report
    cell["workflow"] = report["workflow"]
    cell.update({f"{tool}_seconds": min(times) for tool, times in seconds.items()})
    return cell


def table(cells):
    lines = [
        "| matrix | products | workflow | scipy, ms | its sort, ms | ocean 1 thread, ms | 2 threads, ms | scipy / ocean 1 | scipy / ocean 2 |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for c in cells:
        ms = [1e3 * c[f"{tool}_seconds"] for tool in ("scipy", "scipy_sort", "ocean_1", "ocean_2")]
        numbers = " | ".join(f"{x:.2f}" for x in [*ms, ms[0] / ms[2], ms[0] / ms[3]])
        lines.append(f"| {c['matrix']} | {c['products']} | {c['workflow']} | {numbers} |")
    return "\n".join(lines)


def summary(cells):
    def mean(threads, with_sort):
        def ratio(c):
            other = c["scipy_seconds"] + (c["scipy_sort_seconds"] if with_sort else 0)
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
    parser.add_argument("--data", required=True, type=pathlib.Path, help="folder with MANIFEST.tsv and matrices")
    parser.add_argument("--ocean", default="target/release/ocean", help="the command")
    parser.add_argument("--most", type=int, default=130_000_000, help="leave out products with more scalar products")
    parser.add_argument("--json", type=pathlib.Path, default=pathlib.Path("benches/results/host-scipy.json"))
    options = parser.parse_args()
    warnings.filterwarnings("ignore")

    with open(options.data / "MANIFEST.tsv", newline="") as file:
        entries = [e for e in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if e["field"] != "complex"]
    cells = []
    for entry in entries:
        if int(entry["products"]) <= options.most:
            cells.append(measure(options.ocean, str(options.data / f"{entry['name']}.mtx.gz"), entry))
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
