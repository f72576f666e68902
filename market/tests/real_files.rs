// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every file of `OCEAN_TEST_DATA` (a folder with `MANIFEST.tsv`) has the facts that the manifest states.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// The rows of a tab separated file with one header line, by column name.
fn table(path: &Path) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let names: Vec<String> = lines.next().expect("a header line").collect();
    lines.map(|fields| names.iter().cloned().zip(fields).collect()).collect()
}

#[test]
fn every_file_has_the_facts_of_its_manifest() {
    // Straight to stderr: the test harness hides what passing tests print.
    let mut stderr = std::io::stderr();
    let Some(folder) = std::env::var_os("OCEAN_TEST_DATA") else {
        writeln!(stderr, "skipped: real_files: OCEAN_TEST_DATA (a folder with MANIFEST.tsv) is not set")
            .expect("stderr");
        return;
    };
    let folder = Path::new(&folder);
    let files = table(&folder.join("MANIFEST.tsv"));
    assert!(!files.is_empty(), "the manifest lists no file");

    let (mut entries, begin) = (0, Instant::now());
    for facts in &files {
        let name = &facts["name"];
        let market =
            ocean_market::read(folder.join(format!("{name}.mtx.gz"))).unwrap_or_else(|error| panic!("{error}"));
        let matrix = &market.matrix;
        let longest = matrix.offsets().windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
        let found = [
            ("rows", matrix.rows().to_string()),
            ("cols", matrix.cols().to_string()),
            ("nnz", matrix.nnz().to_string()),
            ("max_row", longest.to_string()),
            ("empty_rows", matrix.empty_rows().to_string()),
            ("explicit_zeros", matrix.explicit_zeros().to_string()),
            ("field", market.header.field.to_string()),
            ("storage", market.header.storage.to_string()),
        ];
        for (fact, value) in found {
            assert_eq!(value, facts[fact], "{fact} of {name}");
        }
        for row in matrix.offsets().windows(2) {
            let columns = &matrix.columns()[row[0] as usize..row[1] as usize];
            assert!(columns.is_sorted_by(|a, b| a < b), "a row of {name} does not ascend");
        }
        entries += matrix.nnz();
    }
    let seconds = begin.elapsed().as_secs_f64();
    writeln!(stderr, "read {} files, {entries} entries, in {seconds:.1} s", files.len()).expect("stderr");
}
