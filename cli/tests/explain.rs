// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean explain`: the plan, its reasons, and the bytes.

mod common;

use common::{A, B, Folder, ocean};

#[test]
fn the_plan_comes_with_reasons_and_bytes() {
    let folder = Folder::new("plan");
    let (a, b) = (folder.file("a.mtx", A), folder.file("b.mtx", B));
    let report = ocean(&["explain", &a, &b, "--json"]).json();
    assert_eq!(report["plan"]["products"], 17);
    assert!(["upper_bound", "estimate", "exact"].contains(&report["plan"]["workflow"].as_str().expect("a workflow")));
    assert!(!report["plan"]["reasons"].as_array().expect("reasons").is_empty());
    assert_eq!(report["bytes"]["a"], 5 * 4 + 9 * (4 + 8));
    assert_eq!(report["bytes"]["b"], 5 * 4 + 8 * (4 + 8));
    for buffer in ["buffer1", "buffer2"] {
        assert!(report["bytes"][buffer].as_u64().expect("a size") > 0, "{buffer}");
    }
    assert!(report["bytes"]["buffer3"].is_null(), "the default algorithm has no memory estimate");
    let report = ocean(&["explain", &a, &b, "--algorithm", "alg3", "--json"]).json();
    assert!(report["bytes"]["buffer3"].as_u64().expect("a size") > 0);
}

#[test]
fn the_text_tells_workflow_and_reason() {
    let folder = Folder::new("words");
    let a = folder.file("a.mtx", A);
    for forced in ["upper-bound", "estimate", "exact"] {
        let run = ocean(&["explain", &a, "--workflow", forced, "--type", "f32"]);
        let text = run.text();
        assert!(text.contains(&forced.replace('-', "_")), "{text}");
        assert!(text.contains("because"), "{text}");
        for line in ["bytes of A's arrays", "buffer 1, work estimation", "buffer 2, compute"] {
            assert!(text.lines().any(|found| found.starts_with(line)), "no {line} in {text}");
        }
        let bytes = ocean(&["explain", &a, "--type", "f32", "--json"]).json();
        assert_eq!(bytes["bytes"]["a"], 5 * 4 + 9 * (4 + 4));
    }
}

#[test]
fn the_steps_are_timed_where_that_is_asked_for() {
    let folder = Folder::new("profile");
    let a = folder.file("a.mtx", A);
    let report = ocean(&["explain", &a, "--profile", "--algorithm", "alg3", "--json"]).json();
    let calls = report["profile"]["calls"].as_array().expect("calls");
    let named = |name: &str| calls.iter().find(|call| call["call"] == name).unwrap_or_else(|| panic!("no {name}"));
    assert!(named("oceanSpGEMM_workEstimation")["ms"].as_f64().expect("a time") > 0.0);
    assert_eq!(named("oceanSpGEMM_copy")["steps"][0]["step"], "compact");
    let text = ocean(&["explain", &a, "--profile"]).text().to_owned();
    assert!(text.contains("oceanSpGEMM_compute ") && text.contains("  accumulate_all "), "{text}");
    assert!(ocean(&["explain", &a, "--json"]).json()["profile"].is_null());
}

#[test]
fn pictures_are_drawn_where_they_are_asked_for() {
    let folder = Folder::new("pictures");
    let (a, pictures) = (folder.file("a.mtx", A), folder.path("pictures"));
    let report = ocean(&["explain", &a, "--plot", &pictures, "--json"]).json();
    let plots: Vec<&str> =
        report["plots"].as_array().expect("a list").iter().filter_map(|plot| plot.as_str()).collect();
    let names = ["spy.svg", "estimates.svg", "stages.svg"];
    assert_eq!(plots, names.map(|name| format!("{pictures}/{name}")));
    for (plot, part) in plots.iter().zip(["4 x 4, 9 entries", "entries of the row", "work estimation"]) {
        assert!(std::fs::read_to_string(plot).expect("a picture").contains(part), "no {part} in {plot}");
    }
    let text = ocean(&["explain", &a, "--plot", &pictures]);
    assert!(text.text().contains(&format!("drawn         {pictures}/spy.svg")), "{}", text.stdout);
    // A file in the place of the folder.
    assert!(ocean(&["explain", &a, "--plot", &a]).error().starts_with(&format!("error: {a}")));
    assert_eq!(ocean(&["explain", &a, "--json"]).json()["plots"], serde_json::json!([]));
}
