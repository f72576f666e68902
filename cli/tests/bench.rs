// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean bench` as far as it goes without a GPU, and a small run where there is one.

mod common;

use common::{A, Folder, Run, ocean, ocean_with};
use serde_json::Value as Json;

/// No device is visible to the run, whether or not there is a driver.
fn without_gpu(arguments: &[&str]) -> Run {
    ocean_with(arguments, &[("CUDA_VISIBLE_DEVICES", "")])
}

#[test]
fn without_a_gpu_it_says_so() {
    for arguments in [&["bench", "--suite"][..], &["bench", "--matrix", "tiny_er_1k", "--tools", "ocean"]] {
        let run = without_gpu(arguments);
        let error = run.error();
        assert!(error.contains("GPU"), "{error}");
    }
}

#[test]
fn what_cannot_be_timed_is_refused_before_the_gpu_is_looked_for() {
    assert!(without_gpu(&["bench", "--matrix", "nonesuch"]).error().starts_with("error: "));
    if !cfg!(feature = "cuda") {
        return;
    }
    assert!(without_gpu(&["bench"]).error().contains("--suite"));
    assert!(without_gpu(&["bench", "--matrix", "nonesuch"]).error().contains("no matrix nonesuch"));
    assert!(without_gpu(&["bench", "nowhere.mtx"]).error().contains("nowhere.mtx: no such file or folder"));
    let forms = without_gpu(&["bench", "--suite", "--tools", "cusparse_alg2", "--forms", "repeat"]);
    assert!(forms.error().contains("none of the --tools"), "{}", forms.stderr);
}

#[test]
fn usage() {
    for wrong in [["--tools", "mkl"], ["--forms", "twice"], ["--runs", "0"], ["--seconds", "soon"], ["--type", "f16"]] {
        let run = without_gpu(&["bench", "--suite", wrong[0], wrong[1]]);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{wrong:?}");
        assert!(run.stderr.contains(wrong[0]), "{wrong:?}: {}", run.stderr);
    }
}

/// Where there is a device: every cell of a small file is there, and has a time or says why not.
#[test]
fn a_small_run() {
    let folder = Folder::new("bench");
    let (a, json, svg) = (folder.file("a.mtx", A), folder.path("cells.json"), folder.path("cells.svg"));
    let run = ocean(&["bench", &a, "--tools", "ocean", "--runs", "2", "--json", &json, "--svg", &svg]);
    if run.code == 2 && run.stderr.contains("GPU") {
        println!("skipped: {}", run.stderr.trim());
        return;
    }
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: Json = serde_json::from_str(&std::fs::read_to_string(&json).expect("a file")).expect("JSON");
    let cells = report["cells"].as_array().expect("a list");
    assert_eq!(cells.len(), 3);
    for cell in cells {
        assert_eq!((&cell["matrix"], &cell["tool"], &cell["products"]), (&"a".into(), &"ocean".into(), &20.into()));
        assert!(cell["status"] != "ok" || cell["median_ms"].as_f64().is_some_and(|time| time > 0.0), "{cell}");
        assert_ne!(cell["status"], "wrong", "{}", run.stderr);
    }
    assert!(std::fs::read_to_string(&svg).expect("a file").contains("<svg"));
}
