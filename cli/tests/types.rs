// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every type of values that the library multiplies, and complex files in and out.

mod common;

use common::{A, A_TIMES_B, B, Folder, ocean};

/// [1+2i 0; -i 3] and its square: (1+2i)^2 = -3+4i; -i (1+2i) + 3 (-i) = 2-4i; 9.
const COMPLEX: &str = "%%MatrixMarket matrix coordinate complex general\n2 2 3\n1 1 1 2\n2 1 0 -1\n2 2 3 0\n";
const SQUARE: &str = "%%MatrixMarket matrix coordinate complex general\n2 2 3\n1 1 -3 4\n2 1 2 -4\n2 2 9 0\n";

#[test]
fn every_type_multiplies_real_files() {
    let folder = Folder::new("real_types");
    let (a, b, c) = (folder.file("a.mtx", A), folder.file("b.mtx", B), folder.path("c.mtx"));
    let expected = ocean_market::read_bytes(A_TIMES_B.as_bytes(), "expected").expect("sound").matrix;
    for value_type in ["f16", "bf16", "f32", "f64", "c16", "cbf16", "c32", "c64"] {
        let report = ocean(&["multiply", &a, &b, "--type", value_type, "-o", &c, "--json"]).json();
        assert_eq!(report["type"], value_type);
        assert_eq!(report["checksums"]["sum"].as_f64(), Some(398.0), "{value_type}");
        let found = ocean_market::read(&c).expect("written").matrix;
        match (&found, &expected) {
            (ocean_market::Matrix::Complex(found), ocean_market::Matrix::Real(expected)) => {
                assert!(value_type.starts_with('c'));
                assert_eq!(found.columns, expected.columns);
                let real: Vec<(f64, f64)> = expected.values.iter().map(|&value| (value, 0.0)).collect();
                assert_eq!(found.values, real, "{value_type}");
            }
            _ => assert_eq!(found, expected, "{value_type}"),
        }
        assert!(ocean(&["check", &a, &b, "--type", value_type]).text().contains("serial reference"), "{value_type}");
        assert_eq!(ocean(&["explain", &a, &b, "--type", value_type, "--json"]).json()["plan"]["products"], 17);
    }
}

#[test]
fn complex_files_need_a_complex_type() {
    let folder = Folder::new("complex");
    let (a, c) = (folder.file("a.mtx", COMPLEX), folder.path("c.mtx"));
    for value_type in ["c16", "cbf16", "c32", "c64"] {
        ocean(&["multiply", &a, "--type", value_type, "-o", &c]).text();
        assert_eq!(std::fs::read_to_string(&c).expect("written"), SQUARE, "{value_type}");
        ocean(&["check", &a, "--type", value_type, "--limit", "0"]).text();
    }
    // The transpose does not conjugate: row 1 of A times its own entries is (1+2i)^2.
    ocean(&["multiply", &a, "--transpose-b", "--type", "c64", "-o", &c]).text();
    assert!(std::fs::read_to_string(&c).expect("written").contains("\n1 1 -3 4\n"));
    let refused = ocean(&["multiply", &a]);
    assert_eq!(refused.error(), format!("error: {a}: complex values; f64 is real: --type c64, or another complex one"));
    assert!(ocean(&["mcl", &a]).error().contains("complex values"));
}

#[test]
fn sixteen_bits_have_their_own_range() {
    let folder = Folder::new("range");
    let large = folder.file("large.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e6\n");
    let refused = ocean(&["multiply", &large, "--type", "f16"]);
    assert_eq!(refused.error(), format!("error: {large}: entry (1, 1) = 1e6 is beyond the range of f16"));
    let report = ocean(&["multiply", &large, "--type", "bf16", "--json"]).json();
    // 1e6 is 999424 as a bfloat16; its square, rounded once.
    let sum = report["checksums"]["sum"].as_f64().expect("a number");
    assert!((sum / 999_424f64.powi(2) - 1.0).abs() < 1.0 / 256.0, "{sum}");
    let odd = folder.file("odd.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 0 1e39\n");
    let refused = ocean(&["multiply", &odd, "--type", "c32"]);
    assert_eq!(refused.error(), format!("error: {odd}: entry (1, 1) = (0e0, 1e39) is beyond the range of c32"));
}
