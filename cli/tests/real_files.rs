// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checksums that the command prints for the smaller files of `OCEAN_TEST_DATA` are those of its manifest.

mod common;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use common::ocean;

/// Products with more than this are left to the library's own tests.
const MOST_PRODUCTS: u64 = 2_000_000;

#[test]
fn checksums_are_those_of_the_manifest() {
    // Straight to stderr: the test harness hides what passing tests print.
    let mut stderr = std::io::stderr();
    let Some(folder) = std::env::var_os("OCEAN_TEST_DATA") else {
        writeln!(stderr, "skipped: real_files: OCEAN_TEST_DATA (a folder with MANIFEST.tsv) is not set")
            .expect("stderr");
        return;
    };
    let folder = Path::new(&folder);
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the manifest");
    let mut lines = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let names = lines.next().expect("a header line");

    let mut checked = 0;
    for fields in lines {
        let facts: HashMap<&str, &str> = names.iter().copied().zip(fields).collect();
        let number = |fact: &str| facts[fact].parse::<f64>().expect("a number");
        if facts["field"] == "complex" || number("products") > MOST_PRODUCTS as f64 {
            continue;
        }
        let path = folder.join(format!("{}.mtx.gz", facts["name"]));
        let report = ocean(&["multiply", &path.display().to_string(), "--json"]).json();
        let name = facts["name"];
        for (found, fact) in [
            (&report["a"]["nnz"], "nnz"),
            (&report["products"], "products"),
            (&report["c"]["nnz"], "nnzC"),
            (&report["checksums"]["pattern"], "pat_check"),
        ] {
            assert_eq!(found.to_string(), facts[fact], "{fact} of {name}");
        }
        for (found, fact) in [("sum", "sum_abs_C"), ("weighted_sum", "wsum_abs_C")] {
            let found = report["checksums"][found].as_f64().expect("a number");
            let difference = (found - number(fact)).abs();
            assert!(difference <= 1e-9 * number(fact), "{fact} of {name}: {found} is not {}", facts[fact]);
        }
        checked += 1;
    }
    writeln!(stderr, "{checked} products agree with the manifest").expect("stderr");
    assert!(checked > 0, "the manifest lists no real matrix of at most {MOST_PRODUCTS} products");
}
