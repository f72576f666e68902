// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often a product waits for the GPU, and how many kernels it launches. Counted by the emulation.
#![cfg(ocean_emu)]

mod support;

use ocean::csr::OwnedCsr;
use ocean::cuda::{launches, waits};
use support::matrices::{banded, random, skewed};
use support::{Handle, Operand, Options, Product};

/// Waits and launches while `work` runs.
fn counted(work: impl FnOnce()) -> (u64, u64) {
    let before = (waits(), launches());
    work();
    (waits() - before.0, launches() - before.1)
}

/// Waits of workEstimation, of compute and of the next compute, and launches of the first three steps, at most. What waits:
/// the look at A and B, with the products or the short rows; rows that are alike or the sample, where either matters; sizes
/// with their bins; then, where sizes were not counted, the lengths, and the bins by those.
struct Most {
    estimation: u64,
    compute: u64,
    repeat: u64,
    launches: u64,
}

type Case<'a> = (&'a str, (OwnedCsr<f64>, OwnedCsr<f64>), Options<'a>, Most);

#[test]
fn products_wait_and_launch_no_more_than_they_need() {
    let handle = Handle::all("products_wait_and_launch_no_more_than_they_need").pop().unwrap();
    assert!(handle.on_device());
    let square = |a: OwnedCsr<f64>| (a.clone(), a);
    let exact = |estimation, launches| Most { estimation, compute: 0, repeat: 0, launches };
    let other = |estimation, launches| Most { estimation, compute: 1, repeat: 1, launches };
    let cases: [Case<'_>; 6] = [
        ("short rows", square(banded(3_000, 2, 1)), &[], exact(1, 16)),
        ("two matrices", (random(500, 400, 20, 2), random(400, 600, 20, 3)), &[], exact(3, 26)),
        ("a sample", square(random(3_000, 3_000, 12, 4)), &[], exact(3, 27)),
        ("upper bound", square(random(3_000, 3_000, 5, 5)), &[("workflow", "upper_bound")], other(3, 28)),
        ("estimate", square(banded(3_000, 20, 6)), &[("workflow", "estimate")], other(3, 36)),
        ("skewed", square(skewed(12, 40_000, 7)), &[], exact(3, 30)),
    ];
    for (name, (a, b), options, most) in &cases {
        let same = a.columns == b.columns && a.offsets == b.offsets;
        let (a, other) = (Operand::new(a, 0), Operand::new(b, 0));
        let mut product = Product::new(&handle, &a, if same { &a } else { &other }, 0, options);
        let estimation = counted(|| product.work_estimation());
        let compute = counted(|| product.compute());
        product.give_arrays(0.0);
        let copy = counted(|| product.queue_copy(1.0));
        assert!(estimation.0 <= most.estimation, "{name}: workEstimation waits {} times", estimation.0);
        assert!(compute.0 <= most.compute, "{name}: compute waits {} times", compute.0);
        let repeats = [(); 2].map(|()| counted(|| product.compute()).0);
        assert!(repeats[0] <= most.repeat && repeats[1] == 0, "{name}: further computes wait {repeats:?} times");
        assert_eq!(copy.0, 0, "{name}: copy waits");
        let launches = estimation.1 + compute.1 + copy.1;
        assert!(launches <= most.launches, "{name}: {launches} launches");

        let mut reuse = Product::new(&handle, &a, if same { &a } else { &other }, 0, &[]);
        reuse.reuse_pattern();
        assert_eq!(counted(|| reuse.queue_reuse_compute(1.0)).0, 0, "{name}: reuse_compute waits");
    }
}
