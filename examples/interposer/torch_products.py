# SPDX-License-Identifier: MIT OR Apache-2.0
"""Products of sparse matrices in PyTorch, as any program has them: nothing here knows of ocean.

    python3 torch_products.py --json alone.json
    LD_PRELOAD=libocean_cusparse.so OCEAN_STATS=1 python3 torch_products.py --json interposed.json
    python3 compare.py alone.json interposed.json

Values are small integers, so that every sum is exact in every type and results can be asked to be equal.
"""

import argparse
import hashlib
import json
import statistics
import time

import torch

DEVICE = "cuda"
TYPES = [torch.float32, torch.float64, torch.complex64, torch.complex128, torch.float16, torch.bfloat16]


def random_csr(rows, cols, per_row, dtype, seed):
    """Each row has one entry in each of `per_row` stripes of columns: sorted, and without repeats."""
    generator = torch.Generator(device=DEVICE).manual_seed(seed)
    stripe = cols // per_row
    within = torch.randint(stripe, (rows, per_row), generator=generator, device=DEVICE)
    columns = (within + stripe * torch.arange(per_row, device=DEVICE)).flatten()
    offsets = torch.arange(rows + 1, device=DEVICE) * per_row
    return torch.sparse_csr_tensor(offsets, columns, small_values(columns.numel(), dtype, seed + 1), (rows, cols))


def small_values(count, dtype, seed):
    """1, 2 or 3 with either sign, so that some sums cancel; both parts of complex values have them."""
    generator = torch.Generator(device=DEVICE).manual_seed(seed)

    def part():
        sign = 2 * torch.randint(2, (count,), generator=generator, device=DEVICE) - 1
        return (sign * torch.randint(1, 4, (count,), generator=generator, device=DEVICE)).double()

    return (torch.complex(part(), part()) if dtype.is_complex else part()).to(dtype)


def parts(matrix):
    """Row, column and value of each entry."""
    if matrix.layout == torch.sparse_csr:
        offsets, columns = matrix.crow_indices().long(), matrix.col_indices().long()
        rows = torch.repeat_interleave(torch.arange(matrix.shape[0], device=DEVICE), offsets.diff())
        return rows, columns, matrix.values()
    matrix = matrix.coalesce()
    rows, columns = matrix.indices()
    return rows, columns, matrix.values()


def as_coo(matrix):
    rows, columns, values = parts(matrix)
    return torch.sparse_coo_tensor(torch.stack((rows, columns)), values, matrix.shape, is_coalesced=True)


def dense(matrix):
    rows, columns, values = parts(matrix)
    wide = torch.complex128 if values.is_complex() else torch.float64
    result = torch.zeros(matrix.shape, dtype=wide, device=DEVICE)
    return result.index_put((rows, columns), values.to(wide), accumulate=True)


def digest(matrix):
    hashed = hashlib.sha256()
    for part in parts(matrix):
        own = part.clone()  # of a sparse tensor's values there is no other view
        raw = torch.view_as_real(own) if own.is_complex() else own
        hashed.update(raw.contiguous().view(torch.uint8).cpu().numpy().tobytes())
    return hashed.hexdigest()[:16]


def measured(name, product, expected=None, repeats=5):
    """What came of one case; a case that PyTorch does not have is no failure of ours."""
    try:
        result = product()
    except (RuntimeError, TypeError) as error:
        return told({"name": name, "error": str(error).splitlines()[0]})
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        product()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    case = {
        "name": name,
        "nnz": parts(result)[2].numel(),
        "milliseconds": round(statistics.median(times), 3),
        "peak_bytes": torch.cuda.max_memory_allocated() - before,
        "digest": digest(result),
    }
    if expected is not None:
        case["correct"] = bool((dense(result) == expected).all())
    return told(case)


def told(case):
    print(json.dumps(case), flush=True)
    return case


def small_cases():
    for dtype in TYPES:
        kind = str(dtype).removeprefix("torch.")
        a, b = random_csr(600, 500, 10, dtype, 1), random_csr(500, 700, 10, dtype, 3)
        expected = dense(a) @ dense(b)
        a_coo, b_coo = as_coo(a), as_coo(b)
        yield measured(f"mm coo {kind}", lambda: torch.sparse.mm(a_coo, b_coo), expected)
        yield measured(f"mm csr {kind}", lambda: torch.sparse.mm(a, b), expected)
        # PyTorch adds by position, as cuSPARSE does: C has the product's pattern.
        try:
            pattern = torch.sparse.mm(a, b)
        except (RuntimeError, TypeError):
            continue
        values = 2 * small_values(pattern.values().numel(), dtype, 5)
        c = torch.sparse_csr_tensor(pattern.crow_indices(), pattern.col_indices(), values, pattern.shape)
        sum_expected = 2 * expected + 0.5 * dense(c)
        yield measured(f"addmm csr {kind}", lambda: torch.addmm(c, a, b, beta=0.5, alpha=2), sum_expected)


def large_cases():
    for dtype in [torch.float32, torch.float64]:
        kind = str(dtype).removeprefix("torch.")
        a = random_csr(200_000, 200_000, 16, dtype, 7)
        yield measured(f"mm csr {kind}, 200,000 rows of 16", lambda: torch.sparse.mm(a, a))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="keep the results here")
    options = parser.parse_args()
    cases = [*small_cases(), *large_cases()]
    report = {
        "library": f"torch {torch.__version__}",
        "device": torch.cuda.get_device_name(),
        "cases": cases,
    }
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    wrong = [case["name"] for case in cases if case.get("correct") is False]
    print(f"{len(cases)} cases, {len(wrong)} wrong {wrong if wrong else ''}")


if __name__ == "__main__":
    main()
