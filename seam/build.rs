// SPDX-License-Identifier: MIT OR Apache-2.0
//! Has ctest write a comparison of the launchers' structs and constants: names, order, offsets, sizes, signs, values.

fn main() {
    println!("cargo::rerun-if-changed=../cuda/ocean_kernels.h");
    println!("cargo::rerun-if-changed=../src/cuda/kernels.rs");
    let mut test = ctest::TestGenerator::new();
    test.header("ocean_kernels.h").include("../cuda").edition(2024);
    test.rename_struct_ty(|name| Some(name.into())); // all are typedefs in C
    test.skip_fn(|_| true); // addresses alone are compared, and there are none; src/lib.rs compares signatures
    ctest::generate_test(&mut test, "../src/cuda/kernels.rs", "comparison.rs").expect("ctest reads the seam");
}
