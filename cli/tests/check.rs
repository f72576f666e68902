// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean check` on products that are right. That wrong ones are found is shown beside the checks themselves.

mod common;

use common::{A, B, Folder, ocean};

#[test]
fn a_right_product_has_the_bits_of_the_reference() {
    let folder = Folder::new("exact");
    let (a, b) = (folder.file("a.mtx", A), folder.file("b.mtx", B));
    let report = ocean(&["check", &a, &b, "--json"]).json();
    assert_eq!((&report["ok"], &report["products"]), (&true.into(), &17.into()));
    assert_eq!(report["structure"]["ok"], true);
    assert_eq!(report["values"]["method"], "reference");
    let run = ocean(&["check", &a, &b]);
    assert!(run.text().contains("all 12 entries have the bits of the serial reference"), "{}", run.stdout);
    assert!(run.text().contains("4 rows ascend strictly"), "{}", run.stdout);
}

#[test]
fn beyond_the_limit_random_vectors_decide() {
    let folder = Folder::new("vectors");
    let p = folder.path("p.mtx");
    ocean(&["generate", "poisson3d", "8", "--points", "27", "-o", &p]).text();
    for value_type in ["f32", "f64"] {
        let report = ocean(&["check", &p, "--limit", "0", "--type", value_type, "--json"]).json();
        assert_eq!(report["ok"], true);
        assert_eq!(report["values"]["method"], "random vectors");
        assert_eq!(ocean(&["check", &p, "--type", value_type, "--json"]).json()["values"]["method"], "reference");
    }
    let products = ocean(&["check", &p, "--json"]).json()["products"].as_u64().expect("a number");
    let at = ocean(&["check", &p, "--limit", &products.to_string(), "--json"]).json();
    assert_eq!(at["values"]["method"], "reference", "the limit itself is within");
}

#[test]
fn every_workflow_is_right_on_unsorted_rows_with_duplicates() {
    let folder = Folder::new("duplicates");
    let twice = "%%MatrixMarket matrix coordinate real general\n3 3 6\n\
                 1 2 0.1\n1 1 0.7\n1 2 0.2\n2 3 1e-3\n3 3 1\n3 1 -1\n";
    let a = folder.file("twice.mtx", twice);
    for workflow in ["upper-bound", "estimate", "exact"] {
        for limit in ["0", "50000000"] {
            let report = ocean(&["check", &a, "--workflow", workflow, "--limit", limit, "--json"]).json();
            assert_eq!(report["ok"], true, "{workflow} {limit}");
        }
    }
}
