// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean mcl`: graphs whose clusters are plain, and the clusters of the program `mcl`, where that is installed.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

use common::{Folder, ocean};

const TRIANGLES: &str = "a b\nb c\nc a\nc d\nd e\ne f\nf d\nalone alone\n";

#[test]
fn two_triangles_and_a_node_alone() {
    let folder = Folder::new("mcl_triangles");
    let graph = folder.file("g.abc", TRIANGLES);
    assert_eq!(ocean(&["mcl", &graph]).text(), "a\tb\tc\nd\te\tf\nalone\n");
    for ranks in ["2", "3", "9"] {
        assert_eq!(ocean(&["mcl", &graph, "--ranks", ranks]).text(), "a\tb\tc\nd\te\tf\nalone\n", "{ranks} ranks");
    }
    let out = folder.path("clusters");
    let text = ocean(&["mcl", &graph, "-o", &out]).text().to_owned();
    assert!(text.contains("7 nodes, 7 edges") && text.contains("3 clusters, the largest of 3"), "{text}");
    assert_eq!(std::fs::read_to_string(out).expect("written"), "a\tb\tc\nd\te\tf\nalone\n");
    let report = ocean(&["mcl", &graph, "-I", "2", "--json"]).json();
    assert_eq!((report["clusters"].as_u64(), report["converged"].as_bool()), (Some(3), Some(true)));
    let last = report["iterations"].as_array().expect("steps").last().expect("one").clone();
    assert!(last["chaos"].as_f64().expect("a number") < 1e-3, "{last}");
}

#[test]
fn matrix_market_names_nodes_by_number() {
    let folder = Folder::new("mcl_market");
    let head = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    let graph = folder.file("g.mtx", &format!("{head}5 5 4\n2 1\n3 1\n3 2\n5 4\n"));
    assert_eq!(ocean(&["mcl", &graph]).text(), "1\t2\t3\n4\t5\n");
    let empty = folder.file("empty.abc", "");
    assert_eq!(ocean(&["mcl", &empty]).text(), "");
}

#[test]
fn refusals_name_what_is_wrong() {
    let folder = Folder::new("mcl_bad");
    let bad = folder.file("bad.abc", "a b x\n");
    assert!(ocean(&["mcl", &bad]).error().ends_with("line 1: weight x is not a number"));
    let missing = folder.path("missing.abc");
    assert!(ocean(&["mcl", &missing]).error().contains("missing.abc"));
    let graph = folder.file("g.abc", TRIANGLES);
    assert!(ocean(&["mcl", &graph, "-I", "1"]).stderr.contains("above 1"));
}

/// SplitMix64, for graphs that are the same everywhere.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }
}

/// `groups` groups of `size` nodes; edges inside with one chance, between with another; weights without ties.
fn planted(groups: usize, size: usize, inside: f64, between: f64, seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::new();
    for one in 0..groups * size {
        for other in 0..one {
            let chance = if one / size == other / size { inside } else { between };
            if random.unit() < chance {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "n{one} n{other} {:.6}", 0.2 + random.unit());
            }
        }
    }
    text
}

/// Every new node is tied to three old ones, the more likely the more ties they have.
fn preferential(nodes: usize, seed: u64) -> String {
    let mut random = Random(seed);
    let (mut ends, mut text) = (vec![0, 1, 2], String::new());
    for node in 3..nodes {
        let chosen: BTreeSet<usize> = (0..3).map(|_| ends[random.below(ends.len())]).collect();
        for other in chosen {
            let _ = writeln!(text, "n{node} n{other} {:.6}", 0.2 + random.unit());
            ends.extend([node, other]);
        }
    }
    text
}

fn clusters(text: &str) -> BTreeSet<BTreeSet<&str>> {
    text.lines().map(|line| line.split('\t').collect()).collect()
}

#[test]
fn the_clusters_of_mcl() {
    if Command::new("mcl").arg("--version").output().is_err() {
        // Past libtest's capture, so that it is counted.
        let line = b"skipped: the_clusters_of_mcl: no mcl here: apt-get install mcl\n";
        return std::io::stderr().write_all(line).expect("stderr");
    }
    let folder = Folder::new("mcl_judge");
    let graphs = [
        ("triangles", TRIANGLES.to_owned()),
        ("planted", planted(6, 20, 0.5, 0.03, 1)),
        ("loosely planted", planted(8, 15, 0.4, 0.06, 2)),
        ("many small", planted(40, 6, 0.8, 0.005, 3)),
        ("preferential", preferential(200, 4)),
        ("large", planted(10, 50, 0.3, 0.01, 5)),
    ];
    for (name, text) in graphs {
        let graph = folder.file("judge.abc", &text);
        for inflation in ["1.4", "2", "3", "4", "6"] {
            let theirs = folder.path("theirs");
            let run = Command::new("mcl").args([&graph, "--abc", "-I", inflation, "-o", &theirs]).output();
            assert!(run.expect("mcl starts").status.success());
            let theirs = std::fs::read_to_string(theirs).expect("mcl wrote it");
            let run = ocean(&["mcl", &graph, "-I", inflation]);
            let ours = run.text();
            let difference = clusters(ours).symmetric_difference(&clusters(&theirs)).count();
            assert_eq!(difference, 0, "{name}, inflation {inflation}:\n{ours}\n{theirs}");
            let lengths = |text: &str| text.lines().map(|line| line.split('\t').count()).collect::<Vec<_>>();
            assert_eq!(lengths(ours), lengths(&theirs), "{name}, inflation {inflation}: the largest comes first");
        }
    }
}
