// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean multiply` on matrices small enough to do by hand.

mod common;

use common::{A, A_TIMES_B, B, Folder, WIDE, ocean};

#[test]
fn the_product_and_its_facts_are_right() {
    let folder = Folder::new("facts");
    let (a, b, c) = (folder.file("a.mtx", A), folder.file("b.mtx", B), folder.path("c.mtx"));
    let report = ocean(&["multiply", &a, &b, "-o", &c, "--json"]).json();

    assert_eq!(std::fs::read_to_string(&c).expect("written"), A_TIMES_B);
    assert_eq!((&report["a"]["nnz"], &report["b"]["nnz"]), (&9.into(), &8.into()));
    assert_eq!(report["a"]["source"], a.as_str());
    assert_eq!(report["c"]["source"], c.as_str());
    assert_eq!((&report["c"]["rows"], &report["c"]["cols"]), (&4.into(), &4.into()));
    assert_eq!((&report["c"]["nnz"], &report["products"]), (&12.into(), &17.into()));
    assert_eq!(report["compression"].as_f64(), Some(17.0 / 12.0));
    assert_eq!(report["checksums"]["pattern"], 76);
    assert_eq!(report["checksums"]["sum"].as_f64(), Some(398.0));
    // 11 36 14 2 times 1 14 27 40; 12 16 times 21 47; 35 92 42 10 times 15 28 41 54; 96 32 times 35 61.
    let weighted = 973.0 + 1004.0 + 5363.0 + 5312.0;
    assert_eq!(report["checksums"]["weighted_sum"].as_f64(), Some(weighted));
    assert_eq!((&report["type"], &report["backend"]), (&"f64".into(), &"host".into()));
}

#[test]
fn the_text_says_the_same() {
    let folder = Folder::new("text");
    let (a, b) = (folder.file("a.mtx", A), folder.file("b.mtx", B));
    let run = ocean(&["multiply", &a, &b]);
    for line in [
        &format!("A             4 x 4, 9 entries, {a}"),
        &format!("B             4 x 4, 8 entries, {b}"),
        "C             4 x 4, 12 entries, A * B",
        "products      17",
        "compression   1.4167",
        "checksums     pattern 76",
    ] {
        assert!(run.text().lines().any(|found| found == line), "no line `{line}` in\n{}", run.stdout);
    }
    for step in ["read", "work estimation", "compute", "copy", "all steps"] {
        assert!(run.text().lines().any(|found| found.starts_with(step)), "no time for {step} in\n{}", run.stdout);
    }
}

#[test]
fn without_b_a_square_matrix_is_squared_and_another_meets_its_transpose() {
    let folder = Folder::new("alone");
    let (a, wide, c) = (folder.file("a.mtx", A), folder.file("wide.mtx", WIDE), folder.path("c.mtx"));

    let square = ocean(&["multiply", &a, "--json"]).json();
    assert_eq!((&square["b"]["source"], &square["products"]), (&"same as A".into(), &20.into()));

    let report = ocean(&["multiply", &wide, "-o", &c, "--json"]).json();
    assert_eq!(report["b"]["source"], "transpose of A");
    let expected = "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 5\n1 2 -6\n2 1 -6\n2 2 9\n";
    assert_eq!(std::fs::read_to_string(&c).expect("written"), expected);

    // A * A^T of a square matrix has to be asked for; by hand: the norms of A's rows are on the diagonal.
    let report = ocean(&["multiply", &a, "--transpose-b", "-o", &c, "--json"]).json();
    assert_eq!(report["b"]["source"], "transpose of A");
    let text = std::fs::read_to_string(&c).expect("written");
    for entry in ["\n1 1 14\n", "\n2 2 16\n", "\n3 3 110\n", "\n4 4 145\n", "\n1 3 38\n", "\n3 1 38\n"] {
        assert!(text.contains(entry), "no {entry:?} in {text}");
    }
    let given = ocean(&["multiply", &wide, &wide, "--transpose-b", "--json"]).json();
    assert_eq!(given["b"]["source"], format!("transpose of {wide}"));
    assert_eq!(given["checksums"]["sum"].as_f64(), Some(26.0));
}

#[test]
fn every_type_workflow_and_algorithm_gives_the_same_product() {
    let folder = Folder::new("ways");
    let (a, b) = (folder.file("a.mtx", A), folder.file("b.mtx", B));
    for (value_type, option, value) in [
        ("f32", "--workflow", "auto"),
        ("f32", "--workflow", "upper-bound"),
        ("f64", "--workflow", "upper-bound"),
        ("f64", "--workflow", "estimate"),
        ("f64", "--workflow", "exact"),
        ("f64", "--algorithm", "default"),
        ("f64", "--algorithm", "alg1"),
        ("f32", "--algorithm", "alg2"),
        ("f64", "--algorithm", "alg3"),
    ] {
        let c = folder.path("c.mtx.gz");
        let run = ocean(&["multiply", &a, &b, "--type", value_type, option, value, "-o", &c, "--json"]);
        let report = run.json();
        assert_eq!(report["type"], value_type);
        let market = ocean_market::read(&c).expect("written");
        let expected = ocean_market::read_bytes(A_TIMES_B.as_bytes(), "expected").expect("sound");
        assert_eq!(market.matrix, expected.matrix, "{value_type} {option} {value}");
        if option == "--workflow" && value != "auto" {
            assert_eq!(report["workflow"], value.replace('-', "_"));
        }
        let steps: Vec<&str> =
            report["steps"].as_array().expect("steps").iter().filter_map(|s| s["step"].as_str()).collect();
        assert_eq!(steps.contains(&"estimate memory"), ["alg2", "alg3"].contains(&value), "{steps:?}");
    }
}

#[test]
fn repeats_are_summed_up_by_best_and_median() {
    let folder = Folder::new("repeat");
    let a = folder.file("a.mtx", A);
    let report = ocean(&["multiply", &a, "--repeat", "5", "--json"]).json();
    for step in report["steps"].as_array().expect("steps") {
        let (best, median) =
            (step["best_seconds"].as_f64().expect("best"), step["median_seconds"].as_f64().expect("median"));
        assert!(0.0 < best && best <= median, "{step}");
    }
}

#[test]
fn empty_products_are_products() {
    let folder = Folder::new("empty");
    let none = folder.file("none.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 0\n");
    let report = ocean(&["multiply", &none, "--json"]).json();
    assert_eq!((&report["c"]["nnz"], &report["products"]), (&0.into(), &0.into()));
    assert!(report["compression"].is_null());
    let no_rows = folder.file("no_rows.mtx", "%%MatrixMarket matrix coordinate real general\n0 3 0\n");
    assert!(ocean(&["multiply", &no_rows]).text().contains("compression   none, C is empty"));
}

#[test]
fn logs_go_to_stderr_and_results_to_stdout() {
    let folder = Folder::new("streams");
    let a = folder.file("a.mtx", A);
    let plain = ocean(&["multiply", &a, "--json"]).json();
    let run = ocean(&["-v", "multiply", &a, "--json"]);
    assert_eq!(run.code, 0);
    assert!(!run.stderr.is_empty(), "-v logs nothing");
    let logged: serde_json::Value = serde_json::from_str(&run.stdout).expect("stdout holds the JSON alone");
    assert_eq!(logged["checksums"], plain["checksums"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let folder = Folder::new("pipe");
    let a = folder.file("a.mtx", A);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ocean"))
        .args(["multiply", &a])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
