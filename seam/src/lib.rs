// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares `src/cuda/kernels.rs` with `cuda/ocean_kernels.h`. Nobody else would notice a difference before a launch
//! reads the wrong bytes.

#[path = "../../src/cuda/kernels.rs"]
pub mod kernels;

#[cfg(test)]
#[allow(clippy::all, clippy::undocumented_unsafe_blocks)] // nobody wrote this
mod comparison {
    use crate::kernels::*;

    include!(concat!(env!("OUT_DIR"), "/comparison.rs"));

    /// Panics at the end if anything differed, and says what on the way. Returns how much was compared.
    pub fn run() -> usize {
        main();
        NTESTS.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    const HEADER: &str = include_str!("../../cuda/ocean_kernels.h");
    const RUST: &str = include_str!("../../src/cuda/kernels.rs");

    #[test]
    fn structs_and_constants_are_those_of_the_header() {
        let compared = super::comparison::run();
        let fields = RUST.lines().filter(|line| line.starts_with("    pub ") && !line.contains(" fn ")).count();
        assert!(compared > fields, "only {compared} comparisons of {fields} fields");
    }

    /// `int32_t ocean_x(const OceanX* params, OceanStream stream);` for every launcher.
    fn in_header() -> Vec<String> {
        let mut launchers: Vec<String> =
            HEADER.lines().filter(|line| line.contains("OceanStream stream);")).map(String::from).collect();
        launchers.sort();
        launchers
    }

    /// What Rust declares, as C would say it.
    fn in_rust() -> Vec<String> {
        let declared = RUST.lines().filter_map(|line| {
            let (name, arguments) = line.trim().strip_prefix("pub fn ")?.split_once('(')?;
            let params = arguments.strip_prefix("params: *const ")?.strip_suffix(", stream: OceanStream) -> i32;")?;
            Some(format!("int32_t {name}(const {params}* params, OceanStream stream);"))
        });
        let mut launchers: Vec<String> = declared.collect();
        launchers.sort();
        launchers
    }

    #[test]
    fn launchers_take_what_the_header_says() {
        assert!(!in_header().is_empty());
        assert_eq!(in_rust(), in_header());
    }

    #[test]
    fn a_launcher_begins_with_the_name_of_its_struct() {
        for launcher in in_header() {
            let name = launcher.split([' ', '(']).nth(1).unwrap();
            let camel = |word: &str| word[..1].to_uppercase() + &word[1..];
            // ocean_accumulate_hash takes OceanAccumulateHash, or OceanAccumulate, which it shares with others.
            let words: Vec<String> = name.split('_').map(camel).collect();
            let takes = |count| launcher.contains(&format!("(const {}*", words[..count].concat()));
            assert!((2..=words.len()).any(takes), "{launcher} should take {} or what it begins with", words.concat());
        }
    }
}
