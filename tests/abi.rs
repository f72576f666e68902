// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the library exports is what the list says that it promises: see docs/abi.md.

use std::process::Command;
use std::{env, fs};

mod interface;

use interface::{has, root, skip};

#[test]
fn exported_functions_are_those_listed() {
    if !has("nm") {
        return skip("exported_functions_are_those_listed", "no nm: package binutils");
    }
    let library = env::current_exe().expect("a test knows its path").with_file_name("libocean.so");
    let listing = Command::new("nm").args(["-D", "--defined-only"]).arg(&library).output().expect("nm starts");
    assert!(listing.status.success(), "{}", String::from_utf8_lossy(&listing.stderr));
    let listing = String::from_utf8_lossy(&listing.stdout).into_owned();
    let mut exported: Vec<&str> = listing.lines().filter_map(|line| line.split_whitespace().nth(2)).collect();
    exported.sort_unstable();

    let file = root().join("tests/abi/symbols.txt");
    if env::var_os("OCEAN_BLESS").is_some() {
        fs::write(&file, exported.join("\n") + "\n").expect("the list can be written");
    }
    let list = fs::read_to_string(&file).expect("the list");
    let listed: Vec<&str> = list.lines().collect();
    let gone: Vec<_> = listed.iter().filter(|name| !exported.contains(name)).collect();
    assert!(gone.is_empty(), "programs that were linked before need these: {gone:?}");
    let new: Vec<_> = exported.iter().filter(|name| !listed.contains(name)).collect();
    assert!(new.is_empty(), "new, and a promise from now on: add them to tests/abi/symbols.txt: {new:?}");
    assert!(listed.is_sorted(), "the list is sorted");
}
