// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that one input has made, and what the caller has promised about it.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering::SeqCst;

use ocean::csr::OwnedCsr;
use ocean::ffi::oceanStatus_t::{self, OCEAN_STATUS_SUCCESS};
use ocean::ffi::*;

use super::super::input::Input;
use super::super::support::{Handle, Operand, Product};
use super::judge;
use super::matrix::{Kind, Matrix, choice, number};
use super::memory::{Block, Purse, give, take};

/// One version of a matrix's arrays.
type Seen = (usize, u64);

/// A SpGEMM descriptor.
struct Descriptor {
    raw: oceanSpGEMMDescr_t,
    /// What its steps are mostly called with.
    usual: Option<Args>,
    /// A and B of its last estimation: until the next one their patterns must not change.
    seen: Option<[Seen; 2]>,
    /// C as its copy left it.
    filled: Option<Seen>,
}

/// The arguments that all steps share.
#[derive(Clone, Copy)]
pub struct Args {
    pub handle: oceanHandle_t,
    pub ops: [MaybeUninit<oceanOperation_t>; 2],
    pub alpha: *const c_void,
    pub beta: *const c_void,
    pub a: oceanConstSpMatDescr_t,
    pub b: oceanConstSpMatDescr_t,
    pub c: oceanSpMatDescr_t,
    pub kind: oceanDataType_t,
    pub alg: MaybeUninit<oceanSpGEMMAlg_t>,
    pub descr: oceanSpGEMMDescr_t,
    /// Which descriptor and matrices these are.
    product: usize,
    matrices: [usize; 3],
}

impl Args {
    /// C may be A or B only where nothing is written to it.
    pub fn c_is_apart(&self) -> bool {
        let [a, b, c] = self.matrices;
        a != c && b != c
    }
}

pub struct World {
    kind: Kind,
    handle: oceanHandle_t,
    matrices: Vec<Matrix>,
    descriptors: Vec<Descriptor>,
    buffers: Vec<Block>,
    scalars: Block,
    purse: Box<Purse>,
}

impl World {
    pub fn new(input: &mut Input<'_>) -> Self {
        let kind = Kind::new(input);
        let mut world = Self {
            kind,
            handle: null_mut(),
            matrices: vec![],
            descriptors: vec![],
            buffers: vec![],
            scalars: Block::of(&[0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0].repeat(2)),
            purse: Box::new(Purse::new()),
        };
        world.open(2);
        if input.flag() {
            let user = world.purse(input);
            assert!(judge(oceanSetAllocator(world.handle, Some(give), Some(take), user)));
        }
        for _ in 0..3 {
            world.add_matrix(input);
        }
        for _ in 0..2 {
            let mut raw = null_mut();
            // SAFETY: the address of a local.
            assert!(judge(unsafe { oceanSpGEMM_createDescr(&mut raw) }));
            world.descriptors.push(Descriptor { raw, usual: None, seen: None, filled: None });
        }
        world
    }

    fn open(&mut self, backend: i32) -> bool {
        let mut raw = null_mut();
        // SAFETY: the address of a local.
        let done = judge(unsafe { oceanCreateWithBackend(&mut raw, number(backend)) });
        if done {
            judge(oceanDestroy(self.handle));
            self.handle = raw;
        }
        done
    }

    /// A backend of choice: the host, one that is not built in, or none at all. A built-in CUDA would find arrays of the
    /// host's, or no driver.
    pub fn new_handle(&mut self, input: &mut Input<'_>) -> bool {
        let cuda = if cfg!(feature = "cuda") { 7 } else { 1 };
        self.open(input.of(&[2, 2, cuda, -1, 3]))
    }

    pub fn any_handle(&self, input: &mut Input<'_>) -> oceanHandle_t {
        if input.rarely(32) { self.wrong(input).cast() } else { self.handle }
    }

    pub fn any_matrix(&mut self, input: &mut Input<'_>) -> oceanSpMatDescr_t {
        let at = input.below(self.matrices.len());
        self.matrices[at].refresh(false);
        if input.rarely(32) { self.wrong(input).cast() } else { self.matrices[at].descr }
    }

    pub fn any_descriptor(&self, input: &mut Input<'_>) -> oceanSpGEMMDescr_t {
        let at = input.below(self.descriptors.len());
        if input.rarely(32) { self.wrong(input).cast() } else { self.descriptors[at].raw }
    }

    /// A pointer that is NULL, or leads to something else.
    fn wrong(&self, input: &mut Input<'_>) -> *mut c_void {
        let other = self.scalars.pointer();
        input.of(&[null_mut(), other, other.wrapping_byte_add(1)])
    }

    pub fn add_matrix(&mut self, input: &mut Input<'_>) {
        if self.matrices.len() < 8 {
            self.matrices.push(Matrix::new(input, &self.kind));
        }
    }

    /// Ends something, which every later call must notice.
    pub fn destroy(&mut self, input: &mut Input<'_>) {
        match input.below(4) {
            0 => {
                let at = input.below(self.matrices.len());
                let raw = self.matrices[at].descr;
                judge(oceanDestroySpMat(raw));
                assert_eq!(judge(oceanDestroySpMat(raw)), raw.is_null(), "a dead descriptor is noticed");
                self.matrices[at].descr = null_mut();
                self.matrices[at].forget();
            }
            1 => {
                let at = input.below(self.descriptors.len());
                let raw = self.descriptors[at].raw;
                judge(oceanSpGEMM_destroyDescr(raw));
                assert_eq!(judge(oceanSpGEMM_destroyDescr(raw)), raw.is_null(), "a dead descriptor is noticed");
                let mut raw = null_mut();
                // SAFETY: the address of a local.
                assert!(judge(unsafe { oceanSpGEMM_createDescr(&mut raw) }));
                self.descriptors[at] = Descriptor { raw, usual: None, seen: None, filled: None };
            }
            2 => {
                judge(oceanDestroy(self.handle));
                assert!(!judge(oceanSetStream(self.handle, null_mut())) || self.handle.is_null());
                self.handle = null_mut();
                self.open(2);
            }
            _ => {
                let wrong = self.wrong(input);
                let null = wrong.is_null();
                assert_eq!(judge(oceanDestroySpMat(wrong.cast())), null);
                assert_eq!(judge(oceanSpGEMM_destroyDescr(wrong.cast())), null);
                assert_eq!(judge(oceanDestroy(wrong.cast())), null);
            }
        }
    }

    /// Gives a matrix new arrays, or arrays to which a library must say no.
    pub fn arrays(&mut self, input: &mut Input<'_>) {
        let odd = self.scalars.pointer().wrapping_byte_add(1);
        let at = input.below(self.matrices.len());
        let matrix = &mut self.matrices[at];
        match input.below(8) {
            0 => {
                let values = if input.flag() { matrix.values() } else { null_mut() };
                judge(oceanSpMatSetValues(matrix.descr, values));
            }
            1 => assert!(!judge(oceanCsrSetPointers(matrix.descr, odd, null_mut(), null_mut()))),
            2 => {
                if judge(oceanCsrSetPointers(matrix.descr, null_mut(), null_mut(), null_mut())) {
                    matrix.forget();
                }
            }
            _ => matrix.refresh(true),
        }
    }

    pub fn buffer(&mut self, bytes: usize) -> *mut c_void {
        self.buffers.push(Block::new(bytes));
        self.buffers[self.buffers.len() - 1].pointer()
    }

    /// The purse, full or with few coins left.
    pub fn purse(&mut self, input: &mut Input<'_>) -> *mut c_void {
        let left = if input.rarely(4) { input.below(24) as i64 } else { i64::MAX };
        self.purse.left.store(left, SeqCst);
        self.purse.user()
    }

    /// Arguments for a step of a product: mostly those of its last step. `None` if the step would break a promise: only
    /// its first may bring another A and B.
    pub fn args(&mut self, input: &mut Input<'_>, first: bool) -> Option<Args> {
        let product = input.below(self.descriptors.len());
        let usual = self.descriptors[product].usual.filter(|_| !(first && input.rarely(3)));
        let mut args = usual.unwrap_or_else(|| self.fresh_args(input, product));
        for at in args.matrices {
            self.matrices[at].refresh(false);
        }
        // What was destroyed since then is gone.
        let [a, b, c] = args.matrices.map(|at| self.matrices[at].descr);
        (args.a, args.b, args.c) = (a, b, c);
        (args.handle, args.descr) = (self.handle, self.descriptors[product].raw);
        self.descriptors[product].usual = Some(args);
        let seen = self.seen(&args);
        if !first && self.descriptors[product].seen.is_some_and(|then| then != seen) {
            return None;
        }
        if input.rarely(24) {
            let wrong = self.wrong(input);
            match input.below(7) {
                0 => args.handle = wrong.cast(),
                1 => args.a = wrong.cast(),
                2 => args.b = wrong.cast(),
                3 => args.c = wrong.cast(),
                4 => args.descr = wrong.cast(),
                5 => args.alpha = null(),
                _ => args.beta = null(),
            }
        }
        Some(args)
    }

    fn fresh_args(&self, input: &mut Input<'_>, product: usize) -> Args {
        let matrices = [(); 3].map(|()| input.below(self.matrices.len()));
        let scalar = self.scalars.pointer().cast_const();
        let kind = if input.rarely(16) { input.below(40) as i32 - 3 } else { self.kind.data_type };
        Args {
            handle: null_mut(),
            ops: [(); 2].map(|()| choice(input, &[0, 0, 1, 2])),
            alpha: scalar,
            beta: scalar.wrapping_byte_add(16),
            a: null(),
            b: null(),
            c: null_mut(),
            kind,
            alg: choice(input, &[0, 1, 2, 3, 4, 5]),
            descr: null_mut(),
            product,
            matrices,
        }
    }

    fn seen(&self, args: &Args) -> [Seen; 2] {
        let [a, b, _] = args.matrices;
        [a, b].map(|at| (at, self.matrices[at].version))
    }

    /// Runs a call, and fails if it wrote where it must not.
    pub fn watched(&self, args: &Args, call: impl FnOnce() -> oceanStatus_t) -> bool {
        let [a, b, c] = args.matrices.map(|at| &self.matrices[at]);
        let inputs = |world: &Args| {
            let [at_a, at_b, at_c] = world.matrices;
            [(at_a, a), (at_b, b)].map(|(at, matrix)| (at != at_c).then(|| matrix.bytes()))
        };
        let before = (inputs(args), c.bytes(), size(c.descr));
        let done = judge(call());
        assert!(before.0 == inputs(args), "A or B was written");
        if !done {
            assert!(before.1 == c.bytes(), "C was written by a call that failed");
            assert_eq!(before.2, size(c.descr), "C's size was set by a call that failed");
        }
        done
    }

    /// A first step has looked at A and B.
    pub fn saw(&mut self, args: &Args) {
        let seen = self.seen(args);
        let descriptor = &mut self.descriptors[args.product];
        (descriptor.seen, descriptor.filled) = (Some(seen), None);
    }

    /// A step has written to C.
    pub fn filled(&mut self, args: &Args) {
        let c = args.matrices[2];
        self.matrices[c].version += 1;
        self.descriptors[args.product].filled = Some((c, self.matrices[c].version));
    }

    pub fn is_filled(&self, args: &Args) -> bool {
        let c = args.matrices[2];
        self.descriptors[args.product].filled == Some((c, self.matrices[c].version))
    }

    /// C has arrays of the library.
    pub fn took_over(&mut self, args: &Args) {
        self.matrices[args.matrices[2]].forget();
    }

    /// What the library allocated keeps to the rules.
    pub fn check_output(&self, args: &Args) {
        let left = self.purse.left.swap(i64::MAX, SeqCst);
        assert!(judge(oceanSpMatCheck(args.handle, args.c, number(0))), "C breaks the rules of CSR");
        self.purse.left.store(left, SeqCst);
    }

    /// Ends everything in the order of its making; the handle must still work, and nothing be left.
    pub fn end(self) {
        assert!(judge(oceanSetAllocator(self.handle, None, None, null_mut())));
        assert!(judge(oceanSetPointerMode(self.handle, number(0))));
        self.still_multiplies();
        assert!(judge(oceanDestroy(self.handle)));
        for matrix in &self.matrices {
            assert!(judge(oceanDestroySpMat(matrix.descr)));
        }
        for descriptor in &self.descriptors {
            assert!(judge(oceanSpGEMM_destroyDescr(descriptor.raw)));
        }
        assert_eq!(self.purse.held.load(SeqCst), 0, "bytes are left of what the allocator gave");
    }

    /// 3 by 5 is 15, whatever happened before.
    fn still_multiplies(&self) {
        let csr = |value: f64| OwnedCsr::new(1, 1, vec![0, 1], vec![0], vec![value]).expect("fine");
        let (three, five) = (csr(3.0), csr(5.0));
        let (three, five) = (Operand::new(&three, 0), Operand::new(&five, 1));
        let handle = Handle::of(self.handle);
        let product = Product::new(&handle, &three, &five, 0, &[]).staged();
        assert_eq!(product.values, [15.0]);
        std::mem::forget(handle); // it is not its own
    }
}

fn size(descr: oceanConstSpMatDescr_t) -> Option<[i64; 3]> {
    let (mut rows, mut cols, mut nnz) = (0, 0, 0);
    // SAFETY: addresses of locals.
    let status = unsafe { oceanSpMatGetSize(descr, &mut rows, &mut cols, &mut nnz) };
    (status == OCEAN_STATUS_SUCCESS).then_some([rows, cols, nnz])
}
