# SPDX-License-Identifier: MIT OR Apache-2.0
"""compare.py ALONE.json INTERPOSED.json: what the interposer changed, case by case.

Ends with 1 if a case fails or is not right with the interposer that was right without it, or has another number of
entries.
"""

import json
import sys


def verdict(alone, interposed):
    """In a word, and whether that is fine."""
    if "error" in interposed:
        return ("error in both", True) if "error" in alone else ("FAILS", False)
    if "error" in alone:
        return "works now", interposed.get("correct", True)
    if alone.get("correct") is False:
        return ("repaired" if interposed.get("correct") else "wrong in both"), True
    if interposed.get("correct") is False:
        return "WRONG", False
    if alone["nnz"] != interposed["nnz"]:
        return "OTHER ENTRIES", False
    if alone["digest"] == interposed["digest"]:
        return "same bits", True
    return "right, in other bits", True


def numbers(case):
    if "error" in case:
        return "-"
    return f"{case['milliseconds']:.2f} ms, {case['peak_bytes'] / 2**20:.1f} MiB"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    reports = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            reports.append(json.load(file))
    alone, interposed = ({case["name"]: case for case in report["cases"]} for report in reports)
    print(f"{reports[0]['library']} on {reports[0]['device']}")
    bad = len(alone.keys() ^ interposed.keys())
    for name in alone.keys() & interposed.keys():
        bad += not verdict(alone[name], interposed[name])[1]
    print(f"{'case':42}  {'verdict':20}  {'alone':26}  interposed")
    for name, case in alone.items():
        if name not in interposed:
            print(f"{name:42}  MISSING")
            continue
        word, _ = verdict(case, interposed[name])
        print(f"{name:42}  {word:20}  {numbers(case):26}  {numbers(interposed[name])}")
        for error in {case.get("error"), interposed[name].get("error")} - {None}:
            print(f"    {error}")
    print(f"{len(alone)} cases, {bad} bad")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
