// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean dist-plan`: the counts of published cases, and what it refuses.

mod common;

use common::{Folder, WIDE, ocean};
use serde_json::Value as Json;

fn plan(words: &str, more: &[&str]) -> Json {
    let mut arguments = vec!["dist-plan", "--generate", words, "--json"];
    arguments.extend_from_slice(more);
    ocean(&arguments).json()
}

fn mean(report: &Json, way: &str) -> f64 {
    let ways = report["worlds"][0]["ways"].as_array().expect("ways");
    let way = ways.iter().find(|found| found["name"] == way).unwrap_or_else(|| panic!("no {way} in {ways:?}"));
    way["entries"]["between_nodes"]["mean"].as_f64().expect("a number")
}

fn close(found: f64, want: f64, share: f64) {
    assert!((found / want - 1.0).abs() < share, "{found} is not {want}");
}

/// 131,072 rows of 8 on 256 GPUs. By rows a rank asks for a row if one of its columns' entries, Poisson of mean 8, is its
/// own; a column of nodes has use for a column of A if one of 8 entries lies in it.
#[test]
fn evenly_spread_entries_move_what_was_counted_elsewhere() {
    let report = plan("er 131072 --degree 8", &["--gpus", "256", "--by-rounds"]);
    let z = 131_072.0 * 8.0;
    let poisson = |parts: f64| 1.0 - (-8.0 / parts).exp();
    close(mean(&report, "1d"), z * poisson(256.0) * (1.0 - 1.0 / 64.0), 0.01);
    close(mean(&report, "summa"), 27.0 * z / 256.0, 0.005);
    close(mean(&report, "trident, unfiltered"), 14.0 * z / 256.0, 0.005);
    let exact = 1.0 - (7f64 / 8.0).powi(8);
    close(mean(&report, "trident"), 7.0 * z / 256.0 * (poisson(8.0) + exact), 0.005);
    let world = &report["worlds"][0];
    close(world["summa_over_trident"].as_f64().expect("a ratio"), 27.0 / 14.0, 0.005);
    close(world["summa_over_trident_by_formula"].as_f64().expect("a ratio"), 27.0 / 14.0, 1e-12);
}

/// A grid in its order hardly travels by rows, and much once it is permuted.
#[test]
fn order_counts() {
    let ordered = plan("poisson2d 128", &["--gpus", "64"]);
    let permuted = plan("poisson2d 128", &["--gpus", "64", "--permute", "3"]);
    assert!(mean(&ordered, "1d") < 0.1 * mean(&ordered, "trident, unfiltered"));
    assert!(mean(&permuted, "1d") > 5.0 * mean(&ordered, "1d"));
    // Only the blocks on the diagonal hold anything, until the order is random; the diagonal's own entries stay there.
    let imbalance = |report: &Json| {
        let entries = &report["worlds"][0]["ways"][3]["entries"]["owned"];
        entries["max"].as_f64().expect("a number") / entries["mean"].as_f64().expect("a number")
    };
    assert!(imbalance(&ordered) > 3.0 && imbalance(&permuted) < 2.0);
}

#[test]
fn the_table_names_every_way() {
    let run = ocean(&["dist-plan", "--generate", "rmat 8", "--gpus", "4,16,400"]);
    let text = run.text();
    for name in ["4 GPUs, 4 a node", "400 GPUs", "1d per node", "summa", "trident, unfiltered", "trident 2x2 inside"] {
        assert!(text.contains(name), "{name} in {text}");
    }
    assert!(text.contains("1.94 by the formula"), "{text}");
}

#[test]
fn refusals_name_what_is_wrong() {
    let folder = Folder::new("dist_plan");
    let wide = folder.file("wide.mtx", WIDE);
    for (arguments, want) in [
        (vec!["dist-plan"], "dist-plan needs one of --matrix FILE and --generate WORDS"),
        (vec!["dist-plan", "--matrix", wide.as_str()], "2 x 3, and A * A needs a square matrix"),
        (vec!["dist-plan", "--generate", "rmat 5", "--gpus", "6"], "perNode is 4, which does not divide 6 ranks"),
        (vec!["dist-plan", "--generate", "nonsense 5"], "--generate nonsense 5: unrecognized subcommand 'nonsense'"),
    ] {
        let run = ocean(&arguments);
        assert!(run.error().contains(want), "{}", run.stderr);
    }
}
