// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is refused: one line on stderr with the numbers, nothing on stdout, exit status 2.

mod common;

use common::{A, Folder, WIDE, exists, ocean};

const COMPLEX: &str = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n";

#[test]
fn files_that_cannot_be_multiplied() {
    let folder = Folder::new("files");
    let a = folder.file("a.mtx", A);
    let wide = folder.file("wide.mtx", WIDE);
    let bad = folder.file("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n9 1 1\n");
    let complex = folder.file("complex.mtx", COMPLEX);
    let large = folder.file("large.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 1e300\n");
    let missing = folder.path("missing.mtx");
    for command in ["multiply", "explain", "check"] {
        assert!(ocean(&[command, &missing]).error().starts_with(&format!("error: {missing}: ")));
        assert_eq!(ocean(&[command, &bad]).error(), format!("error: {bad}:4: the row index 9 is not in 1 to 2"));
        assert!(ocean(&[command, &a, &complex]).error().starts_with(&format!("error: {complex}: complex values")));
        let beyond = ocean(&[command, &large, "--type", "f32"]);
        assert_eq!(beyond.error(), format!("error: {large}: entry (1, 2) = 1e300 is beyond the range of f32"));
        let shapes = ocean(&[command, &a, &wide]);
        assert!(shapes.error().contains("4 columns but matB has 2 rows"), "{}", shapes.stderr);
    }
}

#[test]
fn files_that_cannot_be_written() {
    let folder = Folder::new("unwritable");
    let a = folder.file("a.mtx", A);
    let nowhere = folder.path("no/such/folder/c.mtx");
    assert!(ocean(&["multiply", &a, "-o", &nowhere]).error().starts_with(&format!("error: {nowhere}: ")));
    assert!(ocean(&["generate", "diagonal", "3", "-o", &nowhere]).error().starts_with(&format!("error: {nowhere}: ")));
}

#[test]
fn usage() {
    for arguments in [
        &["multiply"][..],
        &["multiply", "a.mtx", "--workflow", "fast"],
        &["multiply", "a.mtx", "--algorithm", "alg4"],
        &["multiply", "a.mtx", "--type", "f8"],
        &["multiply", "a.mtx", "--repeat", "0"],
        &["multiply", "a.mtx", "--colour"],
        &["check", "a.mtx", "--limit", "-1"],
        &["generate", "poisson2d", "10", "--points", "7", "-o", "p.mtx"],
        &["generate", "rmat", "31", "-o", "r.mtx"],
        &["generate", "er", "10", "-o", "e.mtx"],
        &["divide", "a.mtx"],
        &[],
    ] {
        let run = ocean(arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
    assert!(ocean(&["multiply", "a.mtx", "--workflow", "fast"]).stderr.contains("upper-bound"), "no list of values");
}

#[test]
fn sizes_and_files_of_generated_matrices() {
    let folder = Folder::new("sizes");
    let path = folder.path("p.mtx");
    let large = ocean(&["generate", "poisson3d", "2000", "-o", &path]);
    assert!(large.error().contains("8000000000 x 8000000000"), "{}", large.stderr);
    assert!(!exists(&path));
    assert!(ocean(&["generate", "road", "5", "--keep", "1.5", "-o", &path]).error().contains("--keep 1.5"));
    assert_eq!(ocean(&["generate", "diagonal", "5"]).error(), "error: generate needs a file: -o FILE");
}
