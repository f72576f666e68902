// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products over real MPI ranks: this program starts itself again under mpirun, with the C files of `mpi/` and of
//! `c_tests/dist/` compiled by the mpicc beside it.

mod support;

use std::ffi::{CString, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use ocean::csr::OwnedCsr;
use ocean::dist::{Algorithm, Entries, Event, MpiComm, Options, Probe, Setup, Sums, World};
use ocean::error::{Error, Result};
use ocean::reference;
use support::matrices::{random, skewed};
use support::{assert_same, skipped};

/// A tool of the MPI that is there, OpenMPI's own name first.
fn tool(name: &str) -> Option<String> {
    let names = [format!("{name}.openmpi"), name.to_owned()];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success()))
}

/// What mpirun starts, and with what.
struct Job {
    folder: PathBuf,
    mpirun: String,
}

impl Job {
    /// Compiles the C files; none where there is no MPI.
    fn new(test: &str) -> Option<Self> {
        let (Some(mpicc), Some(mpirun)) = (tool("mpicc"), tool("mpirun")) else {
            skipped(test, "no mpicc and mpirun: apt-get install libopenmpi-dev openmpi-bin");
            return None;
        };
        let folder = std::env::temp_dir().join(format!("ocean_mpi_{}_{test}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (source, library) in [("mpi/ocean_mpi.c", "libocean_mpi.so"), ("c_tests/dist/start_mpi.c", "start_mpi.so")]
        {
            let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-fPIC", "-shared", "-o"];
            let run =
                Command::new(&mpicc).args(flags).arg(folder.join(library)).arg(root.join(source)).output().unwrap();
            assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        }
        Some(Self { folder, mpirun })
    }

    /// Runs one of the tests below on so many ranks.
    fn run(&self, ranks: usize, rank_test: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new("timeout");
        command.arg("100").arg(&self.mpirun).args(["-n", &ranks.to_string()]).args(arguments);
        command.arg(std::env::current_exe().unwrap()).args(["--exact", rank_test, "--ignored", "--nocapture"]);
        // More ranks than cores, as root in a container, over the one interface that reaches itself.
        let settings =
            ["rmaps_base_oversubscribe=1", "mpi_yield_when_idle=1", "btl_tcp_if_include=lo", "oob_tcp_if_include=lo"];
        for (name, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
            command.env(format!("OMPI_MCA_{name}"), value);
        }
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.env("RAYON_NUM_THREADS", "1").env("OCEAN_TEST_MPI", &self.folder).output().unwrap()
    }

    /// The same, and all ranks must have come to their end. Each leaves a file there: mpirun mixes their outputs within
    /// lines.
    fn pass(&self, ranks: usize, rank_test: &str, arguments: &[&str]) {
        let ends = self.folder.join("ends");
        std::fs::create_dir(&ends).unwrap();
        let output = self.run(ranks, rank_test, arguments);
        let ended = std::fs::read_dir(&ends).unwrap().count();
        std::fs::remove_dir_all(&ends).unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let success = output.status.success() && ended == ranks;
        assert!(success, "{ended} of {ranks} ranks came to the end of {rank_test} {arguments:?}: {text}");
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // A folder that stays behind is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn real_ranks_give_the_reference_bits() {
    let Some(job) = Job::new("real_ranks_give_the_reference_bits") else { return };
    for ranks in [1, 2, 3, 4, 8] {
        job.pass(ranks, "rank_multiplies", &[]);
    }
}

#[test]
fn tcp_serves_as_well_as_shared_memory() {
    let Some(job) = Job::new("tcp_serves_as_well_as_shared_memory") else { return };
    if !job.mpirun.ends_with("openmpi") {
        return skipped("tcp_serves_as_well_as_shared_memory", "only OpenMPI is told its transport");
    }
    job.pass(4, "rank_multiplies", &["--mca", "btl", "tcp,self"]);
}

#[test]
fn a_failing_rank_fails_all_and_the_next_call_works() {
    let Some(job) = Job::new("a_failing_rank_fails_all_and_the_next_call_works") else { return };
    job.pass(4, "rank_fails_once", &[]);
}

#[test]
fn parts_of_the_world_multiply_on_their_own() {
    let Some(job) = Job::new("parts_of_the_world_multiply_on_their_own") else { return };
    job.pass(6, "rank_multiplies_in_half_the_world", &[]);
}

#[test]
fn what_is_wrong_with_mpi_is_said() {
    let Some(job) = Job::new("what_is_wrong_with_mpi_is_said") else { return };
    job.pass(1, "rank_without_threads", &[]);
    let nowhere = Path::new("/nowhere/libocean_mpi.so");
    // SAFETY: no communicator is looked at before there is a shim.
    let message = unsafe { MpiComm::duplicate(nowhere, &[0; 8]) }.err().unwrap().to_string();
    assert!(message.starts_with("MPI shim /nowhere/libocean_mpi.so: "), "{message}");
    // SAFETY: MPI is not running here, which is found before the handle is looked at.
    let message =
        unsafe { MpiComm::duplicate(&job.folder.join("libocean_mpi.so"), &[0; 8]) }.err().unwrap().to_string();
    assert_eq!(message, "MPI is not running: call MPI_Init_thread first, and MPI_Finalize last");
}

/// What the C file beside the test offers.
struct Program {
    folder: PathBuf,
    library: *mut c_void,
}

impl Program {
    fn new() -> Self {
        let folder = PathBuf::from(std::env::var_os("OCEAN_TEST_MPI").expect("mpirun started this"));
        let path = CString::new(folder.join("start_mpi.so").into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: a NUL-terminated path of our own library. Global, as MPI is in a program that links it: OpenMPI's own
        // plugins look for it there.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        assert!(!library.is_null(), "{path:?}");
        Self { folder, library }
    }

    fn function(&self, name: &std::ffi::CStr) -> *mut c_void {
        // SAFETY: a live library and a NUL-terminated name.
        let function = unsafe { libc::dlsym(self.library, name.as_ptr()) };
        assert!(!function.is_null(), "{name:?}");
        function
    }

    fn start(&self, level: c_int, apart: bool) -> Vec<u8> {
        let mut comm = [0u8; 16];
        // SAFETY: the function has this type, and a communicator is no longer than 16 bytes.
        let bytes = unsafe {
            let start: unsafe extern "C" fn(c_int, c_int, *mut c_void) -> c_int =
                std::mem::transmute(self.function(c"start_mpi"));
            start(level, apart.into(), comm.as_mut_ptr().cast())
        };
        comm[..bytes as usize].to_vec()
    }

    fn shim(&self) -> PathBuf {
        self.folder.join("libocean_mpi.so")
    }

    fn comm(&self, bytes: &[u8]) -> MpiComm {
        // SAFETY: the bytes of a live communicator of the MPI that both C files are compiled with.
        unsafe { MpiComm::duplicate(&self.shim(), bytes) }.unwrap()
    }

    fn end(&self) {
        // SAFETY: the functions have these types.
        unsafe {
            let end: unsafe extern "C" fn() = std::mem::transmute(self.function(c"end_mpi"));
            end();
        }
        std::fs::write(self.folder.join("ends").join(std::process::id().to_string()), "").unwrap();
    }
}

// docs/distributed.md shows this.
// ANCHOR: world
/// All ranks of a communicator, given as the bytes of its MPI_Comm.
fn world(shim: &Path, comm: &[u8], setup: Setup) -> Result<World> {
    // SAFETY: the bytes of a live communicator of the MPI that the C file was compiled with.
    let comm = unsafe { MpiComm::duplicate(shim, comm)? };
    World::new(Box::new(comm), setup)
}
// ANCHOR_END: world

fn setup() -> Setup {
    Setup { timeout: Some(Duration::from_secs(30)), ..Setup::default() }
}

fn share(matrix: &OwnedCsr<f64>, rank: usize, ranks: usize) -> Entries<f64> {
    let mut all = Entries::from_rows(matrix.rows as u64, 0, matrix);
    let mine: Vec<usize> = (0..all.values.len()).filter(|at| at % ranks == rank).collect();
    all.row = mine.iter().map(|&at| all.row[at]).collect();
    all.col = mine.iter().map(|&at| all.col[at]).collect();
    all.values = mine.iter().map(|&at| all.values[at]).collect();
    all
}

/// This rank's rows of `want`.
fn assert_rows(world: &mut World, a: &OwnedCsr<f64>, options: &Options, want: &OwnedCsr<f64>) {
    let (rank, ranks) = (world.rank(), world.ranks());
    let c = world.multiply(&share(a, rank, ranks), None, options).unwrap().c;
    let rows = c.layout.block(rank).rows;
    let (first, last) = (want.offsets[rows.start as usize], want.offsets[rows.end as usize]);
    let part = OwnedCsr {
        rows: (rows.end - rows.start) as usize,
        cols: want.cols,
        offsets: want.offsets[rows.start as usize..=rows.end as usize].iter().map(|offset| offset - first).collect(),
        columns: want.columns[first as usize..last as usize].to_vec(),
        values: want.values[first as usize..last as usize].to_vec(),
    };
    assert_same(&c.block, &part, &format!("{options:?} on {ranks}, rank {rank}"));
}

const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::Auto, Algorithm::Trident, Algorithm::Summa, Algorithm::Row1d, Algorithm::Row1dPerNode];

#[test]
#[ignore = "mpirun runs it"]
fn rank_multiplies() {
    let program = Program::new();
    let bytes = program.start(1, false);
    let matrices = [skewed::<f64>(7, 900, 1), random(200, 200, 12, 2), random(3, 3, 1, 3)];
    // Short pieces, so that messages come in many.
    for (per_node, piece_bytes) in [(None, usize::MAX), (Some(1), 1_000)] {
        let mut comm = program.comm(&bytes);
        comm.set_piece_bytes(piece_bytes);
        let mut world = World::new(Box::new(comm), Setup { per_node, ..setup() }).unwrap();
        // All ranks of this machine share its memory.
        assert_eq!(world.per_node(), per_node.unwrap_or(world.ranks()));
        for a in &matrices {
            let want = reference::multiply(a, a);
            for algorithm in ALGORITHMS {
                assert_rows(&mut world, a, &Options { algorithm, ..Options::default() }, &want);
            }
        }
    }
    // SAFETY: the function has this type; the world is live.
    let comm = unsafe {
        let fortran: unsafe extern "C" fn() -> c_int = std::mem::transmute(program.function(c"world_in_fortran"));
        MpiComm::duplicate_fortran(&program.shim(), fortran())
    };
    let mut world = World::new(Box::new(comm.unwrap()), setup()).unwrap();
    assert_rows(&mut world, &matrices[1], &Options::default(), &reference::multiply(&matrices[1], &matrices[1]));
    // Dropped after MPI has ended: allowed.
    program.end();
    drop(world);
}

/// Fails rank 2's first product.
struct Once(AtomicBool);

impl Probe for Once {
    fn at(&self, rank: usize, event: &Event) -> Result<()> {
        if rank == 2 && matches!(event, Event::Multiplying { .. }) && self.0.swap(false, Relaxed) {
            return Err(Error::OutOfMemory { bytes: 777, purpose: "a test" });
        }
        Ok(())
    }
}

#[test]
#[ignore = "mpirun runs it"]
fn rank_fails_once() {
    let program = Program::new();
    let bytes = program.start(1, false);
    let probe = Arc::new(Once(AtomicBool::new(true)));
    let mut world = world(&program.shim(), &bytes, Setup { probe, per_node: Some(2), ..setup() }).unwrap();
    let a = random::<f64>(120, 120, 9, 11);
    let options = Options { algorithm: Algorithm::Trident, sums: Sums::ByRounds(1), ..Options::default() };
    let error = world.multiply(&share(&a, world.rank(), 4), None, &options).unwrap_err();
    assert_eq!(error.to_string(), "rank 2: out of memory: 777 bytes for a test");
    assert_rows(&mut world, &a, &Options { sums: Sums::InOrder, ..options }, &reference::multiply(&a, &a));
    drop(world);
    program.end();
}

/// Ranks of odd and of even number, each half in falling order, two worlds at once.
#[test]
#[ignore = "mpirun runs it"]
fn rank_multiplies_in_half_the_world() {
    let program = Program::new();
    let bytes = program.start(1, true);
    let mut worlds = [(); 2].map(|()| world(&program.shim(), &bytes, setup()).unwrap());
    let a = skewed::<f64>(6, 300, 21);
    let want = reference::multiply(&a, &a);
    for world in &mut worlds {
        assert_eq!(world.ranks(), 3);
        assert_rows(world, &a, &Options { algorithm: Algorithm::Trident, ..Options::default() }, &want);
    }
    drop(worlds);
    program.end();
}

#[test]
#[ignore = "mpirun runs it"]
fn rank_without_threads() {
    let program = Program::new();
    let bytes = program.start(0, false);
    // SAFETY: the bytes of a live communicator; refused before, in any case.
    let refused = unsafe { MpiComm::duplicate(&program.shim(), &bytes) }.err();
    // An MPI may give more than was asked for.
    if let Some(error) = refused {
        assert!(error.to_string().contains("ask MPI_Init_thread for MPI_THREAD_FUNNELED"), "{error}");
    }
    program.end();
}
