// SPDX-License-Identifier: MIT OR Apache-2.0
//! The generated matrices that `ocean bench --suite` times: each is defined by its parameters here and is the same on
//! every machine, so that published numbers can be compared.

mod links;
mod pattern;
mod windows;

use crate::failure::Result;
use crate::generate::graphs;
use crate::generate::stencil::{Neighbours, poisson};
pub use pattern::Pattern;

/// One product to time: A * B, or A * A where there is no B.
pub struct Case {
    pub a: Pattern,
    pub b: Option<Pattern>,
}

impl Case {
    pub fn b(&self) -> &Pattern {
        self.b.as_ref().unwrap_or(&self.a)
    }

    pub fn products(&self) -> u64 {
        self.a.products(self.b())
    }
}

/// A matrix of the suite.
pub struct Entry {
    pub name: &'static str,
    /// Scalar products, so that a limit can pass it by without making it.
    pub products: u64,
    make: fn() -> Result<Case>,
}

impl Entry {
    pub fn make(&self) -> Result<Case> {
        (self.make)()
    }
}

/// By name.
pub fn find(name: &str) -> Option<&'static Entry> {
    SUITE.iter().find(|entry| entry.name == name)
}

fn square(csr: Result<ocean_market::Csr<f64>>) -> Result<Case> {
    Ok(Case { a: Pattern::of(csr?)?, b: None })
}

fn by_transpose(csr: Result<ocean_market::Csr<f64>>) -> Result<Case> {
    let a = Pattern::of(csr?)?;
    let b = a.transpose();
    Ok(Case { a, b: Some(b) })
}

/// The two products of a Galerkin step R A P on a grid of `side`^3 points: R = P^T, P trilinear, A with 27 points.
fn restricted(side: u64, times_p: bool) -> Result<Case> {
    let p = Pattern::of(windows::trilinear(side)?)?;
    let (r, a) = (p.transpose(), Pattern::of(poisson(side, 3, Neighbours::Corners)?)?);
    Ok(if times_p { Case { a: r.times(&a)?, b: Some(p) } } else { Case { a: r, b: Some(a) } })
}

const fn entry(name: &'static str, products: u64, make: fn() -> Result<Case>) -> Entry {
    Entry { name, products, make }
}

/// The smallest first, then by kind.
#[rustfmt::skip] // a table reads by column
pub const SUITE: [Entry; 24] = [
    entry("tiny_er_1k",        24_954,        || square(graphs::erdos_renyi(1_000, 1_000, 5, 1))),
    entry("tiny_p2d_10k",      246_408,       || square(poisson(100, 2, Neighbours::Faces))),
    entry("tiny_er_10k_16",    2_555_864,     || square(graphs::erdos_renyi(10_000, 10_000, 16, 3))),
    entry("p2d_300",           2_239_208,     || square(poisson(300, 2, Neighbours::Faces))),
    entry("p3d27_30",          17_576_000,    || square(poisson(30, 3, Neighbours::Corners))),
    entry("er_1m_4",           15_999_956,    || square(graphs::erdos_renyi(1_000_000, 1_000_000, 4, 31))),
    entry("p2d_2000",          99_928_008,    || square(poisson(2_000, 2, Neighbours::Faces))),
    entry("p3d7_128",          101_485_568,   || square(poisson(128, 3, Neighbours::Faces))),
    entry("road_5m",           35_426_072,    || square(graphs::road(2_236, 0.62, 51))),
    entry("web_1m",            30_270_469,    || square(links::web(1_000_000, 4_700, 61))),
    entry("rect_AAt_200k",     41_877_126,    || by_transpose(links::banded_and_uniform(200_000, 100_000, 10, 81))),
    entry("amg_RA_96",         77_854_483,    || restricted(96, false)),
    entry("amg_RAxP_96",       36_264_691,    || restricted(96, true)),
    entry("er_200k_32",        204_765_073,   || square(graphs::erdos_renyi(200_000, 200_000, 32, 32))),
    entry("rmat16_16",         401_030_038,   || square(graphs::rmat(16, 16, 21))),
    entry("rmat18_8",          866_661_753,   || square(graphs::rmat(18, 8, 22))),
    entry("er_20k_200",        792_062_844,   || square(graphs::erdos_renyi(20_000, 20_000, 200, 33))),
    entry("fem51_200k",        570_260_520,   || square(links::elements(66_666, 3, 20, 40, 11))),
    entry("fem110_200k",       2_630_224_008, || square(links::elements(33_333, 6, 22, 40, 12))),
    entry("p3d27_100",         704_969_000,   || square(poisson(100, 3, Neighbours::Corners))),
    entry("clique48perm_200k", 460_759_040,   || square(windows::overlapping(200_000, 32, Some(42)))),
    entry("clique96_100k",     921_272_320,   || square(windows::overlapping(100_000, 64, None))),
    entry("clique_ER32_1m",    1_088_986_240, || square(windows::overlapping(1_000_000, 22, None))),
    entry("dense_rc_1m",       37_999_818,    || square(graphs::dense_row(1_000_000, 4, 71))),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// As tables write counts: thousands to one digit, millions to two.
    fn rounded(count: f64) -> String {
        if count < 1e6 { format!("{:.1}k", count / 1e3) } else { format!("{:.2}M", count / 1e6) }
    }

    /// Entries of A, products, and entries of C as published for another implementation of the same definitions.
    #[test]
    fn matrices_are_the_published_ones() {
        for (name, nnz, products, nnz_c) in [
            ("tiny_er_1k", "5.0k", "25.0k", "24.7k"),
            ("tiny_p2d_10k", "49.6k", "246.4k", "128.0k"),
            ("tiny_er_10k_16", "159.9k", "2.56M", "2.53M"),
            ("p2d_300", "448.8k", "2.24M", "1.16M"),
            ("p3d27_30", "681.5k", "17.58M", "2.99M"),
            ("web_1m", "3.57M", "30.27M", "29.68M"),
            ("rect_AAt_200k", "1.99M", "41.88M", "39.90M"),
            ("amg_RAxP_96", "13.31M", "36.26M", "2.86M"),
        ] {
            let entry = find(name).unwrap_or_else(|| panic!("{name} is in the suite"));
            let case = entry.make().expect("enough memory");
            let c = case.a.times(case.b()).expect("32-bit offsets");
            let found = [case.a.nnz() as f64, case.products() as f64, c.nnz() as f64].map(rounded);
            assert_eq!(found.each_ref().map(String::as_str), [nnz, products, nnz_c], "{name}");
            assert_eq!(case.products(), entry.products, "{name}");
        }
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = SUITE.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), SUITE.len());
    }

    /// All of them: too long for every day.
    #[test]
    #[ignore = "makes every matrix of the suite: ten seconds and some gigabytes"]
    fn products_are_those_of_the_table() {
        for entry in &SUITE {
            assert_eq!(entry.make().expect("enough memory").products(), entry.products, "{}", entry.name);
        }
    }
}
