// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analysis kernels, on a GPU or emulated, against the host backend and against plain loops: equal answers for
//! matrices, and equal words for what is no matrix.
#![cfg(feature = "cuda")]

mod support;

use ocean::backend::{Backend, RowProducts, Survey};
use ocean::csr::{Csr, IndexType};
use ocean::cuda::{Cuda, devices};
use ocean::error::Error;
use ocean::host::Host;
use ocean::memory::{Address, Allocation, Span};
use ocean::spgemm::{Inspection, RowArrays, Totals};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use support::place::cuda;
use support::{FORMS, Form};

#[test]
fn without_a_device_the_backend_says_so() {
    match (devices(), Cuda::new()) {
        (Ok(0), Err(error)) => assert!(matches!(error, Error::NoDevice { .. }), "{error}"),
        (found, Ok(cuda)) => assert!(found.unwrap() > 0 && cuda.available_bytes().unwrap() > 0),
        (found, Err(error)) => panic!("{found:?} devices, and yet: {error}"),
    }
}

/// A pattern that counts from 0, whatever it is stored as.
#[derive(Clone, Debug)]
struct Pattern {
    cols: i64,
    offsets: Vec<i64>,
    columns: Vec<i64>,
}

impl Pattern {
    /// Rows of these lengths, whose columns ascend from places that scatter over `cols`.
    fn of_lengths(lengths: &[usize], cols: i64) -> Self {
        let mut pattern = Self { cols, offsets: vec![0], columns: Vec::new() };
        for (row, &length) in lengths.iter().enumerate() {
            let room = cols - length as i64;
            assert!(room >= 0, "a row of {length} distinct columns in {cols}");
            let first = (row as i64 * 7_919) % (room + 1);
            pattern.columns.extend((0..length as i64).map(|i| first + i));
            pattern.offsets.push(pattern.columns.len() as i64);
        }
        pattern
    }

    fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    fn row(&self, row: usize) -> &[i64] {
        &self.columns[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    fn stored(&self, form: Form) -> Stored {
        let base = i64::from(form.base);
        Stored {
            rows: self.rows() as i64,
            cols: self.cols,
            nnz: self.columns.len() as i64,
            form,
            narrow: self.offsets.iter().map(|offset| (offset + base) as i32).collect(),
            wide: self.offsets.iter().map(|offset| offset + base).collect(),
            columns: self.columns.iter().map(|column| (column + base) as i32).collect(),
        }
    }
}

/// A pattern as a caller has it, right or wrong.
#[derive(Clone, Debug)]
struct Stored {
    rows: i64,
    cols: i64,
    nnz: i64,
    form: Form,
    narrow: Vec<i32>,
    wide: Vec<i64>,
    columns: Vec<i32>,
}

impl Stored {
    fn described(&self, offsets: Address, columns: Address) -> Csr {
        Csr {
            rows: self.rows,
            cols: self.cols,
            nnz: self.nnz,
            offsets,
            // What has no entries may have no array.
            columns: if self.columns.is_empty() { Address::NULL } else { columns },
            values: Address::NULL,
            offset_type: self.form.offset_type,
            column_type: IndexType::I32,
            base: self.form.base,
            data_type: 1,
        }
    }

    fn on_host(&self) -> Csr {
        let offsets = match self.form.offset_type {
            IndexType::I32 => self.narrow.as_ptr().into(),
            IndexType::I64 => self.wide.as_ptr().into(),
        };
        self.described(offsets, self.columns.as_ptr().into())
    }

    /// The same on the device, as long as the allocations live.
    fn on_device(&self, cuda: &Cuda) -> (Csr, [Allocation; 2]) {
        let offsets = match self.form.offset_type {
            IndexType::I32 => cuda.upload(&self.narrow, "offsets"),
            IndexType::I64 => cuda.upload(&self.wide, "offsets"),
        };
        let arrays = [offsets.unwrap(), cuda.upload(&self.columns, "columns").unwrap()];
        (self.described(arrays[0].address(), arrays[1].address()), arrays)
    }

    /// Both backends' opinion of this, which must be one.
    fn inspected(&self, cuda: &Cuda) -> Result<Inspection, Error> {
        let (on_device, _arrays) = self.on_device(cuda);
        let opinion = cuda.inspect(&on_device, "matA");
        assert_eq!(opinion, Host.inspect(&self.on_host(), "matA"), "CUDA's, then the host's, of {self:?}");
        opinion
    }
}

type Rows = (Totals, Vec<i64>, Vec<i32>);

fn rows_on_device(cuda: &Cuda, a: &Stored, b: &Stored) -> Rows {
    let ((a, _a), (b, _b)) = (a.on_device(cuda), b.on_device(cuda));
    let rows = a.rows as usize;
    let (mut products, mut spans, mut order) = (vec![-7; rows], vec![-7; rows], vec![-7; rows]);
    let room = cuda.upload(&vec![0xf9u8; RowArrays::carve(Address::NULL, rows).1], "the rows").unwrap();
    let arrays = RowArrays::carve(room.address(), rows).0;
    let RowProducts { totals, listed } = cuda.row_products(&a, &b, &arrays).unwrap();
    // SAFETY: all arrays have one value for each row.
    unsafe {
        cuda.download(arrays.sizes.address, &mut products).unwrap();
        cuda.download(arrays.spans.address, &mut spans).unwrap();
        cuda.download(arrays.order.address, &mut order).unwrap();
    }
    assert_eq!(listed.unwrap().iter().sum::<usize>(), rows, "rows listed");
    order.sort_unstable();
    assert!(order.into_iter().eq(0..rows as i32), "each row is listed once");
    (totals, products, spans)
}

fn rows_on_host(a: &Stored, b: &Stored) -> Rows {
    let rows = a.rows as usize;
    let mut room = vec![0u64; RowArrays::carve(Address::NULL, rows).1.div_ceil(8)];
    let arrays = RowArrays::carve(room.as_mut_ptr().into(), rows).0;
    let totals = Host.row_products(&a.on_host(), &b.on_host(), &arrays).unwrap().totals;
    // SAFETY: both arrays have one value for each row.
    let (products, spans) = unsafe { (arrays.sizes.slice_mut()[..rows].to_vec(), arrays.spans.slice_mut().to_vec()) };
    (totals, products, spans)
}

/// By two loops.
fn rows_counted(a: &Pattern, b: &Pattern) -> Rows {
    let (mut totals, mut products, mut spans) = (Totals::default(), Vec::new(), Vec::new());
    for row in 0..a.rows() {
        let columns = || a.row(row).iter().flat_map(|&k| b.row(k as usize));
        products.push(columns().count() as i64);
        spans.push(columns().max().map_or(0, |last| (last - columns().min().unwrap() + 1) as i32));
        totals.longest_row = totals.longest_row.max(a.row(row).len() as i64);
    }
    totals.products = products.iter().sum();
    totals.most_products = products.iter().copied().max().unwrap_or(0);
    totals.counted = totals.products;
    totals.widest = spans.iter().copied().max().unwrap_or(0).into();
    totals.empty_rows = products.iter().filter(|&&products| products == 0).count() as i64;
    (totals, products, spans)
}

fn surveyed(cuda: &Cuda, a: &Stored, b: &Stored, may_be_short: bool) -> Result<Survey, Error> {
    let ((a, _a), (b, _b)) = (a.on_device(cuda), b.on_device(cuda));
    let rows = a.rows as usize;
    let room = cuda.upload(&vec![0xf9u8; RowArrays::carve(Address::NULL, rows).1], "the rows").unwrap();
    cuda.survey(&a, &b, &RowArrays::carve(room.address(), rows).0, may_be_short)
}

/// The first look at a product says what its steps say one by one; of the steps ahead at most the right one is taken.
fn check_survey(cuda: &Cuda, a: &Stored, b: &Stored) {
    if a.rows == 0 || b.rows == 0 || b.cols == 0 {
        return; // nobody looks at what is empty by its declared sizes
    }
    let ((a, _a), (b, _b)) = (a.on_device(cuda), b.on_device(cuda));
    let rows = a.rows as usize;
    let rooms =
        [0, 1].map(|_| cuda.upload(&vec![0xf9u8; RowArrays::carve(Address::NULL, rows).1], "the rows").unwrap());
    let [ahead, alone] = rooms.each_ref().map(|room| RowArrays::carve(room.address(), rows).0);
    let values = |span: Span<i64>| {
        let mut values = vec![0; span.len];
        // SAFETY: the span is the device's, with as many values.
        unsafe { cuda.download(span.address, &mut values).unwrap() };
        values
    };
    for may_be_short in [true, false] {
        let survey = cuda.survey(&a, &b, &ahead, may_be_short).unwrap();
        let [of_a, of_b] = survey.inspections;
        assert_eq!(of_a, cuda.inspect(&a, "matA").unwrap());
        assert_eq!(of_b, cuda.inspect(&b, "matB").unwrap());
        let short = may_be_short && of_b.ascending() && cuda.are_short(of_a.longest_row, of_b.longest_row);
        if let Some(found) = survey.short_rows {
            assert!(short);
            assert_eq!(found, cuda.count_short(&a, &b, alone.sizes).unwrap());
            assert_eq!(values(ahead.sizes), values(alone.sizes));
        }
        if let Some(found) = survey.products {
            assert!(!short);
            assert_eq!(found.totals, cuda.row_products(&a, &b, &alone).unwrap().totals);
            assert_eq!(values(ahead.sizes)[..rows], values(alone.sizes)[..rows]);
        }
        assert!(may_be_short || survey.products.is_some());
    }
}

/// Everything that must be equal of one product.
fn check(cuda: &Cuda, a: &Pattern, b: &Pattern, forms: (Form, Form)) {
    let (stored_a, stored_b) = (a.stored(forms.0), b.stored(forms.1));
    check_survey(cuda, &stored_a, &stored_b);
    assert_eq!(stored_a.inspected(cuda).unwrap().nnz, a.columns.len() as i64);
    let ascends = |row: usize| b.row(row).is_sorted_by(|left, right| left < right);
    let unordered = (0..b.rows()).find(|&row| !ascends(row)).map(|row| row as i64);
    let longest_row = (0..b.rows()).map(|row| b.row(row).len()).max().unwrap_or(0) as i64;
    let like_the_last = |moved: i64| {
        let ends = |row: &[i64]| Some((row.len(), *row.first()?, *row.last()?));
        let like = |row: usize| {
            ends(b.row(row)) == ends(b.row(row - 1)).map(|(n, one, other)| (n, one + moved, other + moved))
        };
        (1..b.rows()).filter(|&row| !b.row(row).is_empty() && like(row)).count() as i64
    };
    let facts = Inspection {
        nnz: b.columns.len() as i64,
        longest_row,
        first_unordered: unordered,
        repeats: like_the_last(0),
        shifts: like_the_last(1),
    };
    assert_eq!(stored_b.inspected(cuda).unwrap(), facts);

    let (totals, products, spans) = rows_counted(a, b);
    for (name, answer) in
        [("CUDA", rows_on_device(cuda, &stored_a, &stored_b)), ("host", rows_on_host(&stored_a, &stored_b))]
    {
        // The host's spans are wider, and B's rows have none unless they ascend.
        let widest = if name == "host" || unordered.is_some() { answer.0.widest } else { totals.widest };
        assert_eq!(answer.0, Totals { widest, ..totals }, "{name}");
        assert!(answer.1 == products, "{name}: {:?}\nwant {products:?}", answer.1);
        if unordered.is_none() {
            // The host takes all of C's columns for the span of any row where that costs its accumulators nothing.
            let covers =
                |(found, span): (&i32, &i32)| found == span || (name == "host" && *span > 0 && *found >= *span);
            assert!(answer.2.iter().zip(&spans).all(covers), "{name}: {:?}\nwant {spans:?}", answer.2);
        }
    }
}

/// Any pattern of this shape: rows of any length, sorted or not, with repeats.
fn any_pattern(rows: usize, cols: usize) -> impl Strategy<Value = Pattern> {
    let longest = if cols == 0 { 0 } else { 40 };
    let row =
        (prop::collection::vec(0..cols.max(1) as i64, 0..=longest), any::<bool>()).prop_map(|(mut row, sorted)| {
            if sorted {
                row.sort();
                row.dedup();
            }
            row
        });
    prop::collection::vec(row, rows).prop_map(move |rows| {
        let mut pattern = Pattern { cols: cols as i64, offsets: vec![0], columns: Vec::new() };
        for row in rows {
            pattern.columns.extend(row);
            pattern.offsets.push(pattern.columns.len() as i64);
        }
        pattern
    })
}

#[test]
fn random_products_have_the_counts_of_two_loops() {
    let Some(cuda) = cuda("random_products_have_the_counts_of_two_loops") else { return };
    let products = (0usize..70, 0usize..70, 0usize..70).prop_flat_map(|(rows, inner, cols)| {
        (any_pattern(rows, inner), any_pattern(inner, cols), (0..FORMS.len(), 0..FORMS.len()))
    });
    let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    let checked = TestRunner::new(config).run(&products, |(a, b, forms)| {
        check(&cuda, &a, &b, (FORMS[forms.0], FORMS[forms.1]));
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn empty_shapes_have_no_products() {
    let Some(cuda) = cuda("empty_shapes_have_no_products") else { return };
    for (rows, inner, cols) in [(0, 0, 0), (0, 5, 3), (5, 0, 3), (5, 3, 0), (3, 3, 3)] {
        let (a, b) = (Pattern::of_lengths(&vec![0; rows], inner), Pattern::of_lengths(&vec![0; inner as usize], cols));
        for form in FORMS {
            check(&cuda, &a, &b, (form, form));
        }
    }
    // Entries on one side only.
    check(&cuda, &Pattern::of_lengths(&[2, 1], 4), &Pattern::of_lengths(&[0; 4], 9), (FORMS[0], FORMS[3]));
    check(&cuda, &Pattern::of_lengths(&[0, 0], 4), &Pattern::of_lengths(&[3; 4], 9), (FORMS[1], FORMS[2]));
}

/// A lane takes 8 entries and a warp 256, so rows begin and end on, before and after such edges.
#[test]
fn rows_may_end_anywhere_in_the_tiles_of_a_warp() {
    let Some(cuda) = cuda("rows_may_end_anywhere_in_the_tiles_of_a_warp") else { return };
    let b = Pattern::of_lengths(&(0..3_000).map(|row| row % 5).collect::<Vec<_>>(), 10_000);
    for edge in [1, 8, 16, 256, 512, 2_048] {
        for lengths in [[edge - 1, 1, edge, edge + 1], [edge, 0, 0, edge], [edge + 1, edge - 1, 1, 1], [0, edge, 1, 0]]
        {
            let lengths: Vec<usize> = lengths.iter().copied().cycle().take(21).collect();
            check(&cuda, &Pattern::of_lengths(&lengths, 3_000), &b, (FORMS[0], FORMS[3]));
        }
    }
}

#[test]
fn one_dense_row_among_empty_and_short_rows() {
    let Some(cuda) = cuda("one_dense_row_among_empty_and_short_rows") else { return };
    let inner = 20_000;
    let b = Pattern::of_lengths(&(0..inner).map(|row| row % 3).collect::<Vec<_>>(), 50_000);
    for (before, after) in [(0, 0), (1_000, 0), (0, 1_000), (5_000, 3_000)] {
        let mut lengths = vec![0; before];
        lengths.extend([3, inner, 2]);
        lengths.extend(vec![0; after]);
        lengths.push(1);
        check(&cuda, &Pattern::of_lengths(&lengths, inner as i64), &b, (FORMS[1], FORMS[0]));
    }
}

/// More rows, and more entries, than all threads of a launch: each takes several.
#[test]
fn large_matrices_go_round_the_grid() {
    let Some(cuda) = cuda("large_matrices_go_round_the_grid") else { return };
    let rows = 300_000;
    let a = Pattern::of_lengths(
        &(0..rows).map(|row| (row % 4 == 1) as usize + (row % 50 == 7) as usize * 9).collect::<Vec<_>>(),
        1_000,
    );
    check(&cuda, &a, &Pattern::of_lengths(&vec![300; 1_000], 5_000), (FORMS[2], FORMS[1]));
}

#[test]
fn totals_pass_what_32_bits_count() {
    let Some(cuda) = cuda("totals_pass_what_32_bits_count") else { return };
    // 50,000 times the same row of B: repeats in a row of A are as good as other entries.
    let a = Pattern { cols: 1, offsets: vec![0, 50_000], columns: vec![0; 50_000] };
    let b = Pattern::of_lengths(&[60_000], 60_000);
    let (totals, products, spans) = rows_on_device(&cuda, &a.stored(FORMS[0]), &b.stored(FORMS[0]));
    assert_eq!((totals.products, products, spans), (3_000_000_000, vec![3_000_000_000], vec![60_000]));
}

/// Arrays end where the offsets say, whatever the descriptor declares beyond.
#[test]
fn declared_entries_past_the_last_row_are_not_read() {
    let Some(cuda) = cuda("declared_entries_past_the_last_row_are_not_read") else { return };
    let (a, b) = (Pattern::of_lengths(&[2, 0, 300, 1], 400), Pattern::of_lengths(&[1; 400], 400));
    let more = |pattern: &Pattern| Stored { nnz: pattern.columns.len() as i64 + 100_000, ..pattern.stored(FORMS[1]) };
    assert_eq!(more(&a).inspected(&cuda).unwrap(), Inspection { nnz: 303, longest_row: 300, ..Inspection::default() });
    assert_eq!(rows_on_device(&cuda, &more(&a), &more(&b)), rows_counted(&a, &b));
    let none = Pattern::of_lengths(&[0; 400], 400);
    assert_eq!(rows_on_device(&cuda, &more(&a), &more(&none)), rows_counted(&a, &none));
}

#[test]
fn the_first_row_out_of_order_is_named() {
    let Some(cuda) = cuda("the_first_row_out_of_order_is_named") else { return };
    let ordered = Pattern::of_lengths(&(0..3_000).map(|row| row % 4).collect::<Vec<_>>(), 100);
    for row in [3, 7, 1_999, 2_999] {
        let longest_row = (0..ordered.rows()).map(|row| ordered.row(row).len()).max().unwrap() as i64;
        for repeat in [false, true] {
            let mut pattern = ordered.clone();
            // Disorder in a later row must not hide it.
            for row in [row, 2_999] {
                let last = pattern.offsets[row + 1] as usize - 1;
                pattern.columns[last] = pattern.columns[last - 1] - i64::from(!repeat);
            }
            let facts = Inspection {
                nnz: ordered.columns.len() as i64,
                longest_row,
                first_unordered: Some(row as i64),
                repeats: 0,
                shifts: 0,
            };
            assert_eq!(pattern.stored(FORMS[3]).inspected(&cuda).unwrap(), facts);
        }
    }
}

#[test]
fn what_is_no_matrix_is_refused_in_the_same_words() {
    let Some(cuda) = cuda("what_is_no_matrix_is_refused_in_the_same_words") else { return };
    let pattern = Pattern::of_lengths(&(0..1_000).map(|row| row % 5).collect::<Vec<_>>(), 100);
    type Fault = fn(&mut Pattern);
    let faults: [(Fault, i64, &str); 9] = [
        (|m| m.offsets.iter_mut().for_each(|o| *o += 1), 0, "offsets start at 1, but the index base is 0"),
        (|m| m.offsets[1_000] = -1, 1_000, "offsets end after -1 entries, but nnz is 2000"),
        (|m| m.offsets[0] = 1, 0, "offsets start at 1, but the index base is 0"),
        (|m| m.offsets[500] = 3, 499, "offsets go from 996 to 3 in 2000 entries"),
        (|m| m.offsets[500] = 4_000, 499, "offsets go from 996 to 4000 in 2000 entries"),
        (|m| m.offsets[500] = -9, 499, "offsets go from 996 to -9 in 2000 entries"),
        (|m| m.columns[1_000] = 100, 501, "entry 0 has column 100, of 100 columns from 0"),
        (|m| m.columns[1_009] = -1, 504, "entry 3 has column -1, of 100 columns from 0"),
        (
            |m| {
                (m.columns[1_009], m.columns[1_500]) = (i64::from(i32::MAX), -1);
                m.offsets[600] = 0;
            },
            504,
            "entry 3 has column 2147483647 or above, of 100 columns from 0",
        ),
    ];
    for (fault, row, problem) in faults {
        let mut wrong = pattern.clone();
        fault(&mut wrong);
        for offset_type in [IndexType::I32, IndexType::I64] {
            let error = wrong.stored(Form { base: 0, offset_type }).inspected(&cuda).unwrap_err();
            assert_eq!(error, Error::BadMatrix { matrix: "matA", row, problem: problem.into() });
            // Steps ahead keep off such a matrix.
            let wrong = wrong.stored(Form { base: 0, offset_type });
            let (left, right) = (Pattern::of_lengths(&[3; 50], 1_000), Pattern::of_lengths(&[40; 100], 100));
            for may_be_short in [true, false] {
                let refused = surveyed(&cuda, &wrong, &right.stored(FORMS[0]), may_be_short).unwrap_err();
                assert_eq!(refused, error);
                let refused = surveyed(&cuda, &left.stored(FORMS[3]), &wrong, may_be_short).unwrap_err();
                assert_eq!(refused, Error::BadMatrix { matrix: "matB", row, problem: problem.into() });
            }
        }
        // From 1, the words have other numbers; they still are the same from both.
        if !problem.contains("2147483647") {
            wrong.stored(FORMS[1]).inspected(&cuda).unwrap_err();
        }
    }
}

#[test]
fn a_matrix_without_rows_still_starts_at_its_base() {
    let Some(cuda) = cuda("a_matrix_without_rows_still_starts_at_its_base") else { return };
    for form in FORMS {
        let base = i64::from(form.base);
        let empty = Stored { nnz: 5, ..Pattern::of_lengths(&[], 3).stored(form) };
        assert_eq!(empty.inspected(&cuda).unwrap(), Inspection::default());
        let shifted = Stored { narrow: vec![form.base + 2], wide: vec![base + 2], ..empty };
        let problem = format!("offsets start at {}, but the index base is {base}", base + 2);
        // The host reads as many columns as the offsets say.
        let shifted = Stored { columns: vec![form.base; 2], ..shifted };
        assert_eq!(shifted.inspected(&cuda).unwrap_err(), Error::BadMatrix { matrix: "matA", row: 0, problem });
    }
}

#[test]
fn wide_columns_are_refused_by_name() {
    let Some(cuda) = cuda("wide_columns_are_refused_by_name") else { return };
    let stored = Pattern::of_lengths(&[1], 1).stored(FORMS[0]);
    let (matrix, _arrays) = stored.on_device(&cuda);
    let error = cuda.inspect(&Csr { column_type: IndexType::I64, ..matrix }, "matA").unwrap_err();
    assert!(error.to_string().contains("64-bit columns"), "{error}");
}

#[test]
fn backends_on_several_threads_do_not_disturb_each_other() {
    let Some(cuda) = cuda("backends_on_several_threads_do_not_disturb_each_other") else { return };
    let b = Pattern::of_lengths(&(0..500).map(|row| row % 6).collect::<Vec<_>>(), 700);
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (cuda, b) = (cuda.on_stream(std::ptr::null_mut()), &b);
            scope.spawn(move || {
                let a = Pattern::of_lengths(&(0..200).map(|row| (row * 3 + seed) % 11).collect::<Vec<_>>(), 500);
                for form in FORMS {
                    check(&cuda, &a, b, (form, form));
                }
            });
        }
    });
}
