// SPDX-License-Identifier: MIT OR Apache-2.0
//! The steps of a product on the CUDA backend, on a GPU or emulated, against the host backend: equal numbers, one step
//! at a time. (The analysis has `analysis_backends.rs`.)
#![cfg(feature = "cuda")]

mod support;

use std::fmt::Debug;

use ocean::backend::{Backend, Known, Sampled, Scalars, Slots, SortedRows};
use ocean::csr::Csr;
use ocean::cuda::Cuda;
use ocean::host::Host;
use ocean::memory::{Address, Allocation, Span};
use ocean::scalar::{Complex, Scalar, Stored, ValueType, bf16, f16};
use ocean::spgemm::hyperloglog::{REGISTER_CHOICES, hash};
use ocean::spgemm::{Accumulator, Allowed, BinCounts, Most, home, rows_to_sample};
use ocean::tuning::kernel::ESTIMATE_TILE;
use ocean::tuning::{CUDA_BINS, SKETCHED_ROW, cuda_bins};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use support::place::cuda;
use support::twins::{Matrix, Twin, bits};
use support::{FORMS, Form, for_types};

/// Matrices that are awkward in one way each; all have at most as many columns as the next has rows when squared.
fn table() -> Vec<(&'static str, Matrix)> {
    let square = |lengths: &[usize]| Matrix::of_lengths(lengths, lengths.len().max(1) as i64);
    let mut dense_row = vec![2; 700];
    dense_row[300] = 5_000;
    vec![
        ("nothing", Matrix::of_lengths(&[], 0)),
        ("one by one, empty", square(&[0])),
        ("one by one", square(&[1])),
        ("empty rows", square(&[0; 600])),
        ("one row of many entries", square(&dense_row)),
        ("ends with empty rows", square(&[&[3; 90][..], &[0; 400]].concat())),
        ("begins with empty rows", square(&[&[0; 400][..], &[3; 90]].concat())),
        ("a few entries a row", square(&(0..900).map(|row| row % 6).collect::<Vec<_>>())),
        ("rows as long as tiles", square(&[255, 1, 256, 257, 0, 31, 32, 33, 1_023, 1_024, 1_025, 7, 8, 9])),
        ("one column", Matrix::of_lengths(&[3, 0, 70, 1], 1)),
    ]
}

/// Any matrix of this shape: rows of any length, unsorted and with repeats.
fn any_matrix(rows: usize, cols: usize) -> impl Strategy<Value = Matrix> {
    let longest = if cols == 0 { 0 } else { 40 };
    prop::collection::vec(prop::collection::vec(0..cols.max(1) as i32, 0..=longest), rows)
        .prop_map(move |rows| Matrix::of_rows(cols as i64, rows))
}

fn for_any<T: Debug>(cases: u32, strategy: impl Strategy<Value = T>, check: impl Fn(T)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&strategy, |value| {
        check(value);
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn lengths_become_offsets_and_a_total() {
    let Some(cuda) = cuda("lengths_become_offsets_and_a_total") else { return };
    let check = |lengths: &[i64]| {
        let mut sizes = Twin::new(&cuda, &[lengths, &[i64::MAX]].concat()); // what is past the last row may be anything
        let (host, device) = sizes.spans();
        let total = Host.scan(host).unwrap();
        assert_eq!(total, lengths.iter().sum::<i64>());
        assert_eq!(cuda.scan(device).unwrap(), total);
        sizes.check(&cuda, sizes.host.len(), "offsets");
    };
    check(&[]);
    check(&[0]);
    check(&[i64::from(i32::MAX); 5]);
    check(&(0..100_000).map(|i| i % 7).collect::<Vec<_>>());
    for_any(40, prop::collection::vec(0i64..1 << 40, 0..5_000), |lengths| check(&lengths));
}

#[test]
fn sizes_are_capped_but_for_the_one_past_the_last_row() {
    let Some(cuda) = cuda("sizes_are_capped_but_for_the_one_past_the_last_row") else { return };
    for rows in [0, 1, 33, 70_000] {
        let mut sizes = Twin::new(&cuda, &(0..=rows).map(|i| i * 3).collect::<Vec<i64>>());
        let (host, device) = sizes.spans();
        Host.cap(host, 50).unwrap();
        cuda.cap(device, 50).unwrap();
        assert_eq!(*sizes.host.last().unwrap(), rows * 3);
        sizes.check(&cuda, sizes.host.len(), "sizes");
    }
}

/// Rows of these entries of A, sizes and spans, each in its home and in order.
fn check_bins(cuda: &Cuda, rows: &[Most]) {
    let mut offsets = vec![0];
    for row in rows {
        offsets.push(offsets.last().unwrap() + row.size);
    }
    let a = Matrix::of_lengths(&rows.iter().map(|row| row.entries as usize).collect::<Vec<_>>(), 20_000);
    let mut a = a.pattern(cuda, FORMS[0]);
    let spans = rows.iter().map(|row| row.span as i32).collect::<Vec<_>>();
    let (mut offsets, mut spans, mut order) =
        (Twin::new(cuda, &offsets), Twin::new(cuda, &spans), Twin::new(cuda, &vec![-1; rows.len()]));
    let room = rows.iter().map(|row| row.size).sum::<i64>();
    let bins = cuda_bins(rows.len() as i64);
    for (allowed, products) in [
        (Allowed::Auto, None),
        (Allowed::Hash, None),
        (Allowed::Dense, Some(room)),
        (Allowed::Auto, Some(room)),
        (Allowed::Auto, Some(2 * room)),
    ] {
        // Rows without repeats, if they are all counted.
        let seen =
            if allowed == Allowed::Auto && products == Some(room) && room > 0 { Allowed::Distinct } else { allowed };
        let (offsets, spans, listed) = (offsets.spans(), spans.spans(), order.spans());
        let most = |of: fn(&Most) -> i64| rows.iter().map(of).max().unwrap_or(0);
        let every = Most { entries: most(|row| row.entries), size: most(|row| row.size), span: most(|row| row.span) };
        let mut homes: Vec<usize> = rows.iter().map(|&row| home(&bins, row, seen)).collect();
        let of_every = home(&bins, every, allowed);
        if CUDA_BINS[of_every].accumulator == Accumulator::Merge {
            homes.fill(of_every); // rows that merge takes in any case stay together
        }
        let mut want = BinCounts::default();
        homes.iter().for_each(|&home| want[home] += 1);
        let known = Known { every, products, ..Known::NOTHING };
        let found = cuda.bin(&a.csrs().1, &known, offsets.1, spans.1, allowed, listed.1).unwrap();
        assert_eq!(found, want, "{allowed:?}, {products:?} products");
        let mut listed: Vec<usize> = (0..rows.len()).collect();
        listed.sort_by_key(|&row| homes[row]);
        order.host = listed.into_iter().map(|row| row as i32).collect();
        order.check(cuda, rows.len(), "order");
    }
}

#[test]
fn rows_lie_in_the_first_bin_that_holds_them() {
    let Some(cuda) = cuda("rows_lie_in_the_first_bin_that_holds_them") else { return };
    check_bins(&cuda, &[]);
    let mut rows = Vec::new();
    for bin in &CUDA_BINS {
        let edges = |most: i64, end: i64| [0, most.min(end) - 1, most.min(end), (most.min(end - 1)) + 1];
        for size in edges(bin.most.size, 1 << 40) {
            for span in edges(bin.most.span, i64::from(i32::MAX)) {
                rows.extend(edges(bin.most.entries, 20_000).map(|entries| Most { entries, size, span }));
            }
        }
    }
    // A's long rows take room, so few of them at a time.
    for rows in rows.chunks(40) {
        check_bins(&cuda, rows);
        check_bins(&cuda, &rows[..1]); // all other bins are empty
    }
    let any_row = (0i64..12, 0u32..42, any::<i64>(), 0..=i32::MAX);
    let any_row = any_row.prop_map(|(entries, bits, size, span)| {
        let span = i64::from(span >> (bits % 32));
        Most { entries, size: size & ((1 << bits) - 1), span }
    });
    for_any(30, prop::collection::vec(any_row, 0..6_000), |rows| check_bins(&cuda, &rows));
}

#[test]
fn bytes_are_copied() {
    let Some(cuda) = cuda("bytes_are_copied") else { return };
    let (from, mut to) = (Twin::new(&cuda, &(0..1_000).collect::<Vec<i64>>()), Twin::new(&cuda, &vec![0i64; 1_000]));
    cuda.copy(from.device.address(), to.device.address(), 999 * 8).unwrap();
    to.host[..999].copy_from_slice(&from.host[..999]);
    to.check(&cuda, 1_000, "copy");
}

#[test]
fn offsets_have_the_width_and_base_of_c() {
    let Some(cuda) = cuda("offsets_have_the_width_and_base_of_c") else { return };
    for (name, matrix) in table() {
        for form in FORMS {
            for (given, before) in [(true, 0), (false, 0), (true, 1_000), (false, 5)] {
                let mut c = matrix.pattern(&cuda, form);
                let mut offsets = Twin::new(&cuda, &matrix.offsets);
                let (csrs, spans) = (c.csrs(), offsets.spans());
                Host.write_offsets(given.then_some(spans.0), before, &csrs.0).unwrap();
                cuda.write_offsets(given.then_some(spans.1), before, &csrs.1).unwrap();
                c.narrow.check(&cuda, matrix.rows() + 1, name);
                c.wide.check(&cuda, matrix.rows() + 1, name);
            }
        }
    }
}

/// Rows of C as long as those of `matrix`, in slots with gaps; some in a second piece.
fn check_compact<V: Stored>(cuda: &Cuda, matrix: &Matrix, form: Form, (alpha, beta): (V, Option<V>), on_device: bool) {
    let value = |i: usize, seed: u32| {
        let tenths = V::TYPE == ValueType::F32;
        let part = |i: usize| f64::from(hash(i as u32 ^ seed) % 2_001) / if tenths { 10.0 } else { 7.0 } - 100.0;
        [part(i), part(i + 7)]
    };
    let (mut starts, mut next) = (Vec::new(), [0i64; 2]);
    let length = |row: usize| matrix.offsets[row + 1] - matrix.offsets[row];
    let second = |row: usize| row % 5 == 3 && length(row) > 0; // only rows that outgrew their slots lie there
    for row in 0..matrix.rows() {
        let piece = usize::from(second(row));
        starts.push(next[piece]);
        next[piece] += length(row) + if piece == 0 { row as i64 % 4 } else { 0 };
    }
    let first_piece = next[0];
    (0..matrix.rows()).filter(|&row| second(row)).for_each(|row| starts[row] += first_piece);
    starts.push(-1);
    let columns = |n: i64, seed| (0..n as usize).map(|i| (hash(i as u32 ^ seed) >> 2) as i32).collect::<Vec<_>>();
    fn values<T: Stored>(n: i64, value: impl Fn(usize) -> [f64; 2]) -> Vec<T> {
        (0..n as usize).map(value).map(|[real, imaginary]| T::nearest(real, imaginary)).collect()
    }
    let mut slots = [0, 1].map(|piece| {
        let (n, seed) = (next[piece], piece as u32 + 11);
        (Twin::new(cuda, &columns(n, seed)), Twin::new(cuda, &values::<V::Computed>(n, |i| value(i, seed))))
    });
    // beta 0 hides whatever stood in C, and alpha 0 what stands in the slots.
    let (zero, nan) = (V::nearest(0.0, 0.0), V::nearest(f64::NAN, 0.0));
    if alpha == zero && !slots[0].1.host.is_empty() {
        slots[0].1.host.fill(nan.widened());
        slots[0].1 = Twin::new(cuda, &slots[0].1.host);
    }
    let mut old = values::<V>(matrix.columns.len() as i64, |i| value(i, 5));
    if beta.is_none_or(|beta| beta == zero) {
        old.fill(nan);
    }
    let mut c = matrix.stored(cuda, form, &old);
    let (mut starts, mut offsets) = (Twin::new(cuda, &starts), Twin::new(cuda, &matrix.offsets));
    let mut scalars = Twin::new(cuda, &[alpha, beta.unwrap_or(zero)]);

    let [first, more] = &mut slots;
    let (first, first_values) = (first.0.spans(), first.1.addresses());
    let (more, more_values) = (more.0.spans(), more.1.addresses());
    let pieces = (
        Slots { columns: first.0, values: first_values.0, more: Some((more.0, more_values.0)) },
        Slots { columns: first.1, values: first_values.1, more: Some((more.1, more_values.1)) },
    );
    let (csrs, starts, offsets, places) = (c.csrs(), starts.spans(), offsets.spans(), scalars.addresses());
    let at = |place: Address| Scalars {
        alpha: place,
        beta: beta.map_or(Address::NULL, |_| Address(place.0 + size_of::<V>())),
        on_device,
        kind: V::TYPE,
    };
    Host.compact(starts.0, &pieces.0, offsets.0, &csrs.0, &at(places.0)).unwrap();
    let place = if on_device { places.1 } else { places.0 };
    cuda.compact(starts.1, &pieces.1, offsets.1, &csrs.1, &at(place)).unwrap();
    c.columns.check(cuda, matrix.columns.len(), "columns of C");
    let found = bits(&c.values.on_device(cuda));
    assert!(found == bits(&c.values.host), "values of C, alpha {alpha:?}, beta {beta:?}, of {:?}", matrix.offsets);
    assert!(found.iter().all(|&bits| bits != nan.bits()), "something hidden shows");
}

#[test]
fn real_numbers_become_complex_ones() {
    let Some(cuda) = cuda("real_numbers_become_complex_ones") else { return };
    fn check<V: Stored, W: Scalar>(cuda: &Cuda, values: &[V]) {
        let mut values = Twin::new(cuda, values);
        let mut wide = Twin::new(cuda, &vec![W::ONE; values.host.len()]);
        let (from, to) = (values.addresses(), wide.addresses());
        Host.widen([V::TYPE, W::TYPE], values.host.len(), from.0, to.0).unwrap();
        cuda.widen([V::TYPE, W::TYPE], values.host.len(), from.1, to.1).unwrap();
        assert!(bits(&wide.on_device(cuda)) == bits(&wide.host), "{:?}", V::TYPE);
        let same =
            |(value, wide): (&V, &W)| wide.parts().map(f64::to_bits) == [value.parts()[0], 0.0].map(f64::to_bits);
        assert!(values.host.iter().zip(&wide.host).all(same), "{:?}", V::TYPE);
    }
    let some = [0.0, -0.0, 1.5, -3.25, f64::INFINITY, f64::MIN_POSITIVE];
    check::<f64, Complex<f64>>(&cuda, &some);
    check::<f32, Complex<f32>>(&cuda, &some.map(|x| x as f32));
    check::<f16, Complex<f32>>(&cuda, &some.map(f16::from_f64));
    check::<bf16, Complex<f32>>(&cuda, &some.map(bf16::from_f64));
}

/// Every number of 16 bits.
#[test]
fn sixteen_bits_widen_to_the_same_numbers() {
    let Some(cuda) = cuda("sixteen_bits_widen_to_the_same_numbers") else { return };
    fn check<V: Stored>(cuda: &Cuda, values: &[V]) {
        let mut values = Twin::new(cuda, values);
        let mut wide = Twin::new(cuda, &vec![V::Computed::ZERO; values.host.len()]);
        let (from, to) = (values.addresses(), wide.addresses());
        let kinds = [V::TYPE, V::TYPE.computed_in()];
        Host.widen(kinds, values.host.len(), from.0, to.0).unwrap();
        cuda.widen(kinds, values.host.len(), from.1, to.1).unwrap();
        assert!(bits(&wide.on_device(cuda)) == bits(&wide.host), "{:?}", V::TYPE);
        let exact = values.host.iter().zip(&wide.host).all(|(value, wide)| V::rounded(*wide).bits() == value.bits());
        assert!(exact, "{:?} back and forth", V::TYPE);
    }
    let every = || 0..=u16::MAX;
    check(&cuda, &every().map(f16::from_bits).collect::<Vec<_>>());
    check(&cuda, &every().map(bf16::from_bits).collect::<Vec<_>>());
    check(&cuda, &every().map(|i| Complex { re: f16::from_bits(i), im: f16::from_bits(!i) }).collect::<Vec<_>>());
    check(&cuda, &every().map(|i| Complex { re: bf16::from_bits(i), im: bf16::from_bits(!i) }).collect::<Vec<_>>());
}

/// Between any two neighbours, beside the middle and on it; too small and too large.
#[test]
fn thirty_two_bits_round_to_the_same_sixteen() {
    let Some(cuda) = cuda("thirty_two_bits_round_to_the_same_sixteen") else { return };
    fn check<V: Stored<Computed = f32>>(cuda: &Cuda) {
        let values: Vec<f32> = (0..1u32 << 16)
            .flat_map(|high| [0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0xf000].map(|low| high << 16 | low))
            .map(f32::from_bits)
            .collect();
        let count = values.len();
        let mut slots = (Twin::new(cuda, &vec![0; count]), Twin::new(cuda, &values));
        let matrix = Matrix::of_rows(1, (0..count).map(|_| [0]));
        let mut c = matrix.stored(cuda, FORMS[2], &vec![V::nearest(0.0, 0.0); count]);
        let mut offsets = Twin::new(cuda, &matrix.offsets);
        let (columns, places) = (slots.0.spans(), slots.1.addresses());
        let (csrs, offsets) = (c.csrs(), offsets.spans());
        let one = Scalars::one(V::TYPE);
        let on = |columns, values| Slots { columns, values, more: None };
        Host.compact(offsets.0, &on(columns.0, places.0), offsets.0, &csrs.0, &one).unwrap();
        cuda.compact(offsets.1, &on(columns.1, places.1), offsets.1, &csrs.1, &one).unwrap();
        let (found, wanted) = (bits(&c.values.on_device(cuda)), bits(&c.values.host));
        let differs = (0..count).find(|&i| found[i] != wanted[i]);
        assert_eq!(differs.map(|i| (values[i], found[i], wanted[i])), None, "{:?}", V::TYPE);
    }
    check::<f16>(&cuda);
    check::<bf16>(&cuda);
}

#[test]
fn rows_move_out_of_their_slots_bit_for_bit() {
    let Some(cuda) = cuda("rows_move_out_of_their_slots_bit_for_bit") else { return };
    fn all<V: Stored>(cuda: &Cuda, matrix: &Matrix, form: Form) {
        let [zero, one, two, third] = [0.0, 1.0, 2.0, -1.0 / 3.0].map(|real| V::nearest(real, real * (real - 1.0)));
        for alpha in [zero, one, two, third] {
            for beta in [None, Some(zero), Some(one), Some(two), Some(third)] {
                for on_device in [false, true] {
                    check_compact(cuda, matrix, form, (alpha, beta), on_device);
                }
            }
        }
    }
    for (i, (_, matrix)) in table().into_iter().enumerate() {
        for_types!([f32, f64, f16, bf16, Complex<f32>, Complex<f64>, Complex<f16>, Complex<bf16>], V => {
            all::<V>(&cuda, &matrix, FORMS[(i + V::TYPE as usize) % 4]);
        });
    }
    let any = ((0usize..60, 1usize..60).prop_flat_map(|(rows, cols)| any_matrix(rows, cols)), 0usize..4);
    for_any(20, any, |(matrix, form)| check_compact(&cuda, &matrix, FORMS[form], (1.7f64, Some(-0.3)), false));
}

fn check_sorted<V: Scalar>(cuda: &Cuda, matrix: &Matrix, form: Form) {
    let nnz = matrix.columns.len();
    let part = |i: usize| f64::from(hash(i as u32)) / 3e7 - 70.0;
    let values: Vec<V> = (0..nnz).map(|i| V::nearest(part(i), part(i + 3))).collect();
    let mut b = matrix.stored(cuda, form, &values);
    let mut offsets = Twin::new(cuda, &vec![-1; matrix.rows() + 1]);
    let (mut columns, mut runs) = (Twin::new(cuda, &vec![-1; nnz]), Twin::new(cuda, &vec![-1; nnz + 1]));
    let (mut sources, mut merged) = (Twin::new(cuda, &vec![-1; nnz]), Twin::new(cuda, &values));
    let spans = (offsets.spans(), columns.spans(), runs.spans(), sources.spans());
    let host = SortedRows { offsets: spans.0.0, columns: spans.1.0, runs: spans.2.0, sources: spans.3.0 };
    let device = SortedRows { offsets: spans.0.1, columns: spans.1.1, runs: spans.2.1, sources: spans.3.1 };
    let csrs = b.csrs();
    let entries = Host.sort_rows(&[csrs.0], &host).unwrap();
    assert_eq!(cuda.sort_rows(&[csrs.1], &device).unwrap(), entries, "merged entries");
    offsets.check(cuda, matrix.rows() + 1, "offsets");
    columns.check(cuda, entries as usize, "columns");
    runs.check(cuda, entries as usize + 1, "runs");
    sources.check(cuda, nnz, "sources");

    let places = merged.addresses();
    Host.sort_values(V::TYPE, csrs.0.values, &host, places.0).unwrap();
    cuda.sort_values(V::TYPE, csrs.1.values, &device, places.1).unwrap();
    let (found, wanted) = (bits(&merged.on_device(cuda)), bits(&merged.host));
    assert_eq!(found[..entries as usize], wanted[..entries as usize], "merged values");
}

#[test]
fn unsorted_rows_are_sorted_and_repeats_summed_as_stored() {
    let Some(cuda) = cuda("unsorted_rows_are_sorted_and_repeats_summed_as_stored") else { return };
    for (_, matrix) in table() {
        for form in FORMS {
            for_types!([f32, f64, Complex<f32>, Complex<f64>], V => check_sorted::<V>(&cuda, &matrix, form));
        }
    }
    // Columns as large as they can be.
    let wide = Matrix::of_rows(i64::from(i32::MAX), [vec![i32::MAX - 1, 0, i32::MAX - 1], vec![], vec![1 << 30, 5]]);
    check_sorted::<f64>(&cuda, &wide, FORMS[1]);
    let any = ((0usize..60, 0usize..60).prop_flat_map(|(rows, cols)| any_matrix(rows, cols)), 0usize..4);
    for_any(60, any, |(matrix, form)| check_sorted::<f64>(&cuda, &matrix, FORMS[form]));
}

/// Entries that the descriptor declares beyond those that there are.
#[test]
fn only_entries_within_the_offsets_are_sorted() {
    let Some(cuda) = cuda("only_entries_within_the_offsets_are_sorted") else { return };
    let matrix = Matrix::of_lengths(&[4, 0, 9], 5);
    let mut b = matrix.pattern(&cuda, FORMS[1]);
    let (mut wide, mut narrow) = (Twin::new(&cuda, &[-1i64; 500]), Twin::new(&cuda, &[-1i32; 100]));
    let (wide, narrow) = (wide.spans(), narrow.spans());
    let sorted = |wide: Span<i64>, columns| {
        let (offsets, runs) = (wide.part(0..4), wide.part(100..201));
        SortedRows { offsets, columns, runs, sources: wide.part(300..400) }
    };
    let (host, device) = b.csrs();
    let entries = Host.sort_rows(&[Csr { nnz: 100, ..host }], &sorted(wide.0, narrow.0)).unwrap();
    assert_eq!(cuda.sort_rows(&[Csr { nnz: 100, ..device }], &sorted(wide.1, narrow.1)).unwrap(), entries);
}

fn fingerprints(cuda: &Cuda, csr: &Csr) -> Allocation {
    let rows = cuda.upload(&vec![0u64; csr.rows as usize], "fingerprints").unwrap();
    cuda.fingerprint(csr, Span::new(rows.address(), csr.rows as usize)).unwrap();
    rows
}

/// What `changed` does to a matrix shows first in row `row`.
fn check_change(cuda: &Cuda, matrix: &Matrix, form: Form, changed: &Matrix, row: Option<usize>) {
    let (mut then, mut now) = (matrix.pattern(cuda, form), changed.pattern(cuda, form));
    let nnz = matrix.columns.len() as i64;
    let rows = matrix.rows();
    let (then, now) = (fingerprints(cuda, &then.csrs().1), fingerprints(cuda, &Csr { nnz, ..now.csrs().1 }));
    let span = |allocation: &Allocation| Span::<u64>::new(allocation.address(), rows);
    assert_eq!(cuda.first_difference(span(&then), span(&now)).unwrap(), row);
}

#[test]
fn fingerprints_tell_the_first_row_that_changed() {
    let Some(cuda) = cuda("fingerprints_tell_the_first_row_that_changed") else { return };
    for (_, matrix) in table() {
        for form in FORMS {
            check_change(&cuda, &matrix, form, &matrix, None);
        }
        let entries = [0, matrix.columns.len() / 2, matrix.columns.len().saturating_sub(1)];
        for (entry, form) in entries.into_iter().zip(FORMS).filter(|_| !matrix.columns.is_empty()) {
            let row = matrix.offsets.partition_point(|&offset| offset <= entry as i64) - 1;
            let mut changed = matrix.clone();
            changed.columns[entry] ^= 1 << 20;
            check_change(&cuda, &matrix, form, &changed, Some(row));
            // Two columns of one row change places.
            let mut changed = matrix.clone();
            let other = matrix.offsets[row] as usize;
            changed.columns.swap(entry, other);
            let same = changed.columns == matrix.columns;
            check_change(&cuda, &matrix, form, &changed, (!same).then_some(row));
        }
    }
}

#[test]
fn equal_rows_have_equal_fingerprints_wherever_they_lie() {
    let Some(cuda) = cuda("equal_rows_have_equal_fingerprints_wherever_they_lie") else { return };
    let rows = [vec![3, 1, 3], vec![], vec![3, 1, 3], (0..300).collect(), vec![1, 3, 3], vec![], (0..300).collect()];
    let mut matrix = Matrix::of_rows(300, rows).pattern(&cuda, FORMS[1]);
    let (host, device) = matrix.csrs();
    let found = fingerprints(&cuda, &device);
    let mut numbers = vec![0u64; 7];
    // SAFETY: a number for each row.
    unsafe { cuda.download(found.address(), &mut numbers).unwrap() };
    let mut on_host = vec![0u64; 7];
    Host.fingerprint(&host, Span::new(on_host.as_mut_ptr().into(), 7)).unwrap();
    for one in 0..7 {
        for other in 0..7 {
            assert_eq!(numbers[one] == numbers[other], on_host[one] == on_host[other], "rows {one} and {other}");
        }
    }
}

/// Offsets that became nonsense are a change like any other, and lead to no read outside the arrays.
#[test]
fn broken_offsets_are_a_change_of_their_row() {
    let Some(cuda) = cuda("broken_offsets_are_a_change_of_their_row") else { return };
    let matrix = Matrix::of_lengths(&(0..900).map(|row| row % 6).collect::<Vec<_>>(), 900);
    for (place, offset, row) in [
        (0, 1, 0),
        (0, -5, 0),
        (1, -5, 0),
        (400, 1 << 30, 399),
        (400, -1 << 30, 399),
        (400, 3, 399),
        (900, 0, 899),
        (900, 1 << 30, 899),
    ] {
        let mut changed = matrix.clone();
        changed.offsets[place] = offset;
        for form in FORMS {
            check_change(&cuda, &matrix, form, &changed, Some(row));
        }
    }
}

#[test]
fn the_first_of_several_differences_is_found() {
    let Some(cuda) = cuda("the_first_of_several_differences_is_found") else { return };
    let numbers: Vec<u64> = (0..300_000).collect();
    let mut one = Twin::new(&cuda, &numbers);
    for places in [vec![], vec![0], vec![299_999], vec![5, 290_000], vec![270_000, 280_000]] {
        let mut other = numbers.clone();
        places.iter().for_each(|&place| other[place] += 7);
        let mut other = Twin::new(&cuda, &other);
        let (one, other) = (one.spans(), other.spans());
        assert_eq!(Host.first_difference(one.0, other.0).unwrap(), places.first().copied());
        assert_eq!(cuda.first_difference(one.1, other.1).unwrap(), places.first().copied());
    }
}

fn check_estimates(cuda: &Cuda, a: &Matrix, b: &Matrix, forms: (Form, Form), registers: usize) {
    let (mut a_stored, mut b_stored) = (a.pattern(cuda, forms.0), b.pattern(cuda, forms.1));
    let (a_csrs, b_csrs) = (a_stored.csrs(), b_stored.csrs());
    let mut sketches = Twin::new(cuda, &vec![0xEEu8; (b.columns.len() / SKETCHED_ROW + 1) * registers]);
    let places = sketches.spans();
    Host.sketch(&b_csrs.0, registers, places.0).unwrap();
    cuda.sketch(&b_csrs.1, registers, places.1).unwrap();
    let found = sketches.on_device(cuda);
    for row in (0..b.rows()).filter(|&row| b.offsets[row + 1] - b.offsets[row] >= SKETCHED_ROW as i64) {
        let first = b.offsets[row] as usize / SKETCHED_ROW * registers;
        let sketch = first..first + registers;
        assert_eq!(found[sketch.clone()], sketches.host[sketch], "sketch of row {row} of {:?}", b.offsets);
    }

    let products = a.products(b);
    let mut sizes = Twin::new(cuda, &[&products[..], &[-9]].concat());
    for coefficient in [1.5, 0.77] {
        sizes.host[..a.rows()].copy_from_slice(&products);
        sizes = Twin::new(cuda, &sizes.host);
        let spans = sizes.spans();
        Host.estimate(&a_csrs.0, &b_csrs.0, places.0, registers, coefficient, spans.0).unwrap();
        cuda.estimate(&a_csrs.1, &b_csrs.1, places.1, registers, coefficient, spans.1).unwrap();
        sizes.check(cuda, a.rows() + 1, "estimated sizes");
    }

    let rows = rows_to_sample(a.rows(), a.rows().min(200));
    let sampled = |most_products| Sampled { rows: &rows, most_products, registers };
    let sample = Host.sample(&a_csrs.0, &b_csrs.0, &sampled(0)).unwrap();
    for most_products in [0, i64::MAX] {
        assert_eq!(cuda.sample(&a_csrs.1, &b_csrs.1, &sampled(most_products)).unwrap(), sample);
    }
}

/// Rows counted in tables for so many times fewer columns than products: exactly, also where the tables are too small.
#[test]
fn tables_count_rows_whatever_they_are_trusted_with() {
    let Some(cuda) = cuda("tables_count_rows_whatever_they_are_trusted_with") else { return };
    let long = [3, 90, 400, 0, 60, 1, 5_000, 820, 1_640, 12, 200];
    let lengths = [&long[..], &[5; 5_989]].concat();
    let mut squares = table();
    squares.push(("rows for every table", Matrix::of_lengths(&lengths, 6_000)));
    // Those without repeats, which nothing counts before they are merged.
    squares.retain(|(_, matrix)| matrix.rows() as i64 == matrix.cols && matrix.longest() <= matrix.cols);
    for (i, (name, matrix)) in squares.into_iter().enumerate() {
        let products = matrix.products(&matrix);
        let mut stored = (matrix.pattern(&cuda, FORMS[i % 4]), matrix.pattern(&cuda, FORMS[(i + 1) % 4]));
        let (a, b) = (stored.0.csrs(), stored.1.csrs());
        for compression in [1.0, 2.5, 1e6] {
            let mut sizes = Twin::new(&cuda, &[&products[..], &[-9]].concat());
            let mut spans = Twin::new(&cuda, &vec![0i32; matrix.rows()]);
            let (sizes_of, spans_of) = (sizes.spans(), spans.spans());
            let known = Known { tables: true, ..Known::NOTHING };
            Host.count(&a.0, &b.0, &known, compression, spans_of.0, sizes_of.0).unwrap();
            cuda.count(&a.1, &b.1, &known, compression, spans_of.1, sizes_of.1).unwrap();
            sizes.check(&cuda, matrix.rows(), &format!("{name}, lengths at {compression}"));
        }
    }
}

#[test]
fn estimates_are_the_hosts_to_the_last_bit() {
    let Some(cuda) = cuda("estimates_are_the_hosts_to_the_last_bit") else { return };
    for (i, (_, matrix)) in table().into_iter().enumerate() {
        if matrix.rows() as i64 != matrix.cols {
            continue;
        }
        let form = (FORMS[i % 4], FORMS[(i + 1) % 4]);
        for registers in REGISTER_CHOICES {
            check_estimates(&cuda, &matrix, &matrix, form, registers);
        }
    }
}

#[test]
fn estimates_of_any_product_are_the_hosts() {
    let Some(cuda) = cuda("estimates_of_any_product_are_the_hosts") else { return };
    let products = (1usize..90, 1usize..90, 1usize..5_000).prop_flat_map(|(rows, inner, cols)| {
        (any_matrix(rows, inner), any_matrix(inner, cols), (0..FORMS.len(), 0..FORMS.len()), 0usize..4)
    });
    for_any(40, products, |(a, b, forms, registers)| {
        check_estimates(&cuda, &a, &b, (FORMS[forms.0], FORMS[forms.1]), REGISTER_CHOICES[registers]);
    });
}

/// Rows of A longer than what one warp merges, between short ones.
#[test]
fn long_rows_are_merged_in_parts() {
    let Some(cuda) = cuda("long_rows_are_merged_in_parts") else { return };
    let tile = ESTIMATE_TILE as usize;
    let b = Matrix::of_lengths(&(0..2_000).map(|row| row % 23).collect::<Vec<_>>(), 1 << 20);
    let a = Matrix::of_lengths(&[3, tile, tile + 1, 0, 9, 4 * tile + 7, 1, tile + 1, 3 * tile], 2_000);
    assert!(a.longest() > 4 * ESTIMATE_TILE);
    for registers in REGISTER_CHOICES {
        check_estimates(&cuda, &a, &b, (FORMS[1], FORMS[2]), registers);
    }
}

/// A hash of zeros gives the highest rank there is, which the estimate has a correction for.
#[test]
fn full_registers_are_corrected_as_on_the_host() {
    let Some(cuda) = cuda("full_registers_are_corrected_as_on_the_host") else { return };
    for registers in REGISTER_CHOICES {
        let columns: Vec<i32> = (0..registers as u32).filter_map(|h| i32::try_from(column_of(h)).ok()).collect();
        let columns: Vec<i32> = columns.into_iter().filter(|&column| column < i32::MAX).collect();
        assert!(!columns.is_empty() && columns.iter().all(|&column| hash(column as u32) < registers as u32));
        let some: Vec<i32> = (0..40).chain([columns[0]]).collect();
        let b = Matrix::of_rows(i64::from(i32::MAX), [columns.clone(), some, (0..50).collect(), columns]);
        let a = Matrix::of_rows(4, [vec![0, 1, 2], vec![1], vec![0, 3, 0, 3], vec![2, 1, 1], vec![0]]);
        check_estimates(&cuda, &a, &b, (FORMS[0], FORMS[3]), registers);
    }
}

/// The column with this hash.
fn column_of(hash: u32) -> u32 {
    // Each step of the hash backwards: a multiplication by the inverse, and a shift until nothing is left of it.
    let inverse = |odd: u32| (0..5).fold(odd, |x, _| x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x))));
    let unshift = |h: u32, by: u32| (0..32 / by).fold(h, |x, _| h ^ x >> by);
    let h = unshift(hash, 16).wrapping_mul(inverse(0x846c_a68b));
    let h = unshift(h, 15).wrapping_mul(inverse(0x7feb_352d));
    unshift(h, 16).wrapping_sub(0x9e37_79b9)
}

#[test]
fn steps_on_several_threads_do_not_disturb_each_other() {
    let Some(cuda) = cuda("steps_on_several_threads_do_not_disturb_each_other") else { return };
    std::thread::scope(|scope| {
        for (seed, form) in FORMS.into_iter().enumerate() {
            let cuda = cuda.on_stream(std::ptr::null_mut());
            scope.spawn(move || {
                let matrix = Matrix::of_lengths(&(0..200).map(|row| (row * 3 + seed) % 21).collect::<Vec<_>>(), 200);
                check_sorted::<f64>(&cuda, &matrix, form);
                check_compact(&cuda, &matrix, form, (2.0f32, Some(0.5)), false);
                check_estimates(&cuda, &matrix, &matrix, (FORMS[0], form), 32);
            });
        }
    });
}
