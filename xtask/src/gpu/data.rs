// SPDX-License-Identifier: MIT OR Apache-2.0

//! Chooses the matrices that travel.

use std::fs;
use std::path::Path;

use super::failed;

/// Copies as many matrices as fit in `budget` bytes, smallest files first, with a manifest of just these. Says how many.
pub fn copy(source: &Path, to: &Path, budget: u64) -> Result<String, String> {
    let manifest = source.join("MANIFEST.tsv");
    let text = fs::read_to_string(&manifest).map_err(failed(&manifest))?;
    let size = |name: &str| fs::metadata(source.join(file_name(name))).map_or(u64::MAX, |file| file.len());
    let kept = choose(&text, budget.saturating_sub(text.len() as u64), size);

    fs::create_dir_all(to).map_err(failed(to))?;
    for name in names(&kept) {
        fs::copy(source.join(file_name(name)), to.join(file_name(name))).map_err(failed(source))?;
    }
    fs::write(to.join("MANIFEST.tsv"), &kept).map_err(failed(to))?;
    // Tests leave out the pairs whose matrices are not there.
    fs::copy(source.join("PAIRS.tsv"), to.join("PAIRS.tsv")).map_err(failed(source))?;
    Ok(format!("{} of {} matrices packed, smallest files first", names(&kept).count(), names(&text).count()))
}

fn file_name(matrix: &str) -> String {
    format!("{matrix}.mtx.gz")
}

/// The first column below the header.
fn names(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.lines().skip(1).filter_map(|line| line.split('\t').next())
}

/// The manifest's header and the lines of those matrices that fit.
fn choose(manifest: &str, budget: u64, size: impl Fn(&str) -> u64) -> String {
    let mut sizes: Vec<(u64, &str)> = names(manifest).map(|name| (size(name), name)).collect();
    sizes.sort_unstable();
    let mut used = 0u64;
    let fits = sizes.into_iter().take_while(|(bytes, _)| {
        used = used.saturating_add(*bytes);
        used <= budget
    });
    let fits: Vec<&str> = fits.map(|(_, name)| name).collect();
    let mut lines = manifest.lines();
    let header = lines.next();
    let kept = lines.filter(|line| line.split('\t').next().is_some_and(|name| fits.contains(&name)));
    header.into_iter().chain(kept).flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_files_that_fit_are_chosen_in_the_manifests_order() {
        let manifest = "name\trows\nbig\t9\nmiddle\t5\nsmall\t1\nmissing\t1\n";
        let size = |name: &str| match name {
            "big" => 100,
            "middle" => 20,
            "small" => 10,
            _ => u64::MAX,
        };
        assert_eq!(choose(manifest, 30, size), "name\trows\nmiddle\t5\nsmall\t1\n");
        assert_eq!(choose(manifest, 1000, size), "name\trows\nbig\t9\nmiddle\t5\nsmall\t1\n");
        assert_eq!(choose(manifest, 5, size), "name\trows\n");
    }
}
