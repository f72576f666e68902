// SPDX-License-Identifier: MIT OR Apache-2.0

//! Programs that know cuSPARSE alone (`c_tests/interposer`, `c_tests/samples`), run on a stand-in for it with the interposer
//! before it. The programs check what comes out; here stands how they are started, and what is said on stderr.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// A program that is to find the stand-in, with nothing of ocean's in its environment.
fn program(name: &str) -> Run {
    static BUILT: Once = Once::new();
    BUILT.call_once(build);
    let mut command = Command::new(path(name));
    for (variable, _) in std::env::vars_os() {
        let text = variable.to_string_lossy();
        if text.starts_with("OCEAN_") || text.starts_with("LD_") {
            command.env_remove(&variable);
        }
    }
    Run { command, name: name.to_string() }.env("OCEAN_BACKEND", "host").libraries(&["real"])
}

/// The same with the interposer preloaded.
fn preloaded(name: &str) -> Run {
    program(name).env("LD_PRELOAD", path("ours/libocean_cusparse.so"))
}

/// A program or library, or a folder of them.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("interposition").join(name)
}

/// Builds all programs and libraries.
fn build() {
    if path("").exists() {
        fs::remove_dir_all(path("")).unwrap();
    }
    for name in ["ours", "alone", "stood", "real", "other", "samples"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    symlink(built("libocean_cusparse.so"), path("ours/libocean_cusparse.so")).unwrap();
    symlink(built("libocean.so"), path("ours/libocean.so.0")).unwrap();
    symlink(built("libocean_cusparse.so"), path("alone/libocean_cusparse.so")).unwrap();
    symlink(built("libocean_cusparse.so"), path("stood/libocean_cusparse.so")).unwrap();

    let version = format!("-Wl,--version-script={}", sources().join("interposer/stand_in.map").display());
    let soname = "-Wl,-soname,libcusparse.so.12";
    let library = ["-shared", "-fPIC"];
    compile("real/libcusparse.so.12", &["interposer/stand_in.c"], &[&library, &[&version, soname]]);
    symlink("libcusparse.so.12", path("real/libcusparse.so")).unwrap();
    let soname = "-Wl,-soname,libocean.so.0";
    compile("stood/libocean.so.0", &["interposer/stand_in_ocean.c"], &[&library, &[soname]]);
    compile("other/libother.so", &["interposer/stand_in.c"], &[&library, &[&version]]);

    let find = ["real", "ours", "other"].map(|name| format!("-L{}", path(name).display()));
    let find: Vec<&str> = find.iter().map(String::as_str).collect();
    compile("client", &["interposer/client.c"], &[&find, &["-lcusparse"]]);
    compile("plugin.so", &["interposer/client.c"], &[&library, &find, &["-lcusparse"]]);
    compile("plugin_host", &["interposer/plugin_host.c"], &[]);
    compile("unlinked", &["interposer/unlinked.c"], &[&find, &["-locean_cusparse"]]);
    compile("other/libfirst.so", &["interposer/which_library.c"], &[&library, &["-DLIBRARY=1"]]);
    compile("other/libsecond.so", &["interposer/which_library.c"], &[&library, &["-DLIBRARY=2"]]);
    compile("by_name", &["interposer/by_name.c"], &[&find, &["-Wl,--no-as-needed", "-lfirst", "-lsecond"]]);
    for sample in SAMPLES {
        let files = [&format!("samples/{sample}.c")[..], "device.c"];
        compile(&format!("samples/{sample}"), &files, &[&find, &["-lcusparse"]]);
        compile(&format!("samples/{sample}_relinked"), &files, &[&find, &["-locean_cusparse", "-lcusparse"]]);
    }
}

fn compile(result: &str, files: &[&str], options: &[&[&str]]) {
    let mut cc = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    cc.args(["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]).arg(path(result));
    cc.args(files.iter().map(|file| sources().join(file)));
    for folder in ["", "interposer"] {
        cc.arg("-I").arg(sources().join(folder));
    }
    let output = cc.args(options.concat()).arg("-ldl").output().expect("a C compiler");
    assert!(output.status.success(), "{result}: {}", String::from_utf8_lossy(&output.stderr));
}

/// One run of a program.
struct Run {
    command: Command,
    name: String,
}

impl Run {
    fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.name = format!("{} {}", self.name, argument.as_ref().display());
        self.command.arg(argument);
        self
    }

    /// Where the loader looks.
    fn libraries(self, folders: &[&str]) -> Self {
        let folders: Vec<String> = folders.iter().map(|name| path(name).display().to_string()).collect();
        self.env("LD_LIBRARY_PATH", folders.join(":"))
    }

    /// Runs it; it must end well. What it said on stderr.
    fn succeeds(mut self) -> String {
        let Output { status, stdout, stderr } = self.command.output().unwrap();
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        assert!(status.success(), "{}: {status}\n{stderr}", self.name);
        let stdout = String::from_utf8_lossy(&stdout);
        // Samples report on stdout; nobody else is to.
        assert!(stdout.is_empty() || stdout.ends_with("PASSED\n") && stdout.lines().count() == 1, "{stdout}");
        stderr
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../c_tests")
}

/// A library that cargo has built for these tests: it lies beside them.
fn built(name: &str) -> PathBuf {
    let file = std::env::current_exe().unwrap().with_file_name(name);
    assert!(file.is_file(), "{} is missing", file.display());
    file
}

const SAMPLES: [&str; 3] = ["spgemm", "spgemm_mem", "spgemm_reuse"];

#[test]
fn samples_pass_preloaded_and_relinked() {
    for sample in SAMPLES {
        let preloaded = preloaded(&format!("samples/{sample}")).env("OCEAN_STATS", "1").succeeds();
        let relinked = program(&format!("samples/{sample}_relinked")).libraries(&["ours", "real"]);
        for said in [preloaded, relinked.env("OCEAN_STATS", "1").succeeds()] {
            let served = if sample == "spgemm_reuse" { 2 } else { 1 };
            assert!(said.contains(&format!("products served: {served};")), "{said}");
            assert!(said.contains("products left to cuSPARSE: 0\n"), "{said}");
        }
    }
}

#[test]
fn ocean_serves_products() {
    for scenario in ["plain", "getters", "reuse", "chained", "empty", "alg2_without_estimate", "threads"] {
        let said = preloaded("client").arg(scenario).succeeds();
        assert_eq!(said, "", "{scenario}");
    }
    let said = preloaded("client").arg("plain").env("OCEAN_LOG", "info").succeeds();
    assert_eq!(said, "ocean: serves products\n");
}

#[test]
fn wrong_order_is_refused_and_said() {
    let said = preloaded("client").arg("order").succeeds();
    assert!(said.contains("ocean: cusparseSpGEMM_compute needs a workEstimation first\n"), "{said}");
    assert!(said.contains("ocean: cusparseSpGEMMreuse_copy: "), "{said}");
    let said = preloaded("client").arg("order").env("OCEAN_LOG", "off").succeeds();
    assert_eq!(said, "");
}

#[test]
fn the_real_library_reads_products_through_shadows() {
    for scenario in ["consumers", "shadows", "stale"] {
        let said = preloaded("client").arg(scenario).succeeds();
        assert_eq!(said, "", "{scenario}");
    }
}

#[test]
fn what_ocean_does_not_do_goes_to_the_real_library_and_is_said_once() {
    for (scenario, reason) in [
        ("left_for_type", "CUDA_R_8I"),
        ("left_reuse", "CUDA_R_8I"),
        ("left_for_format", "matA is not in CSR"),
        ("left_for_batch", "matB is a batch"),
        ("left_for_attribute", "matA has attributes"),
        ("left_with_product", "matA is a batch"),
        ("unasked_buffer", "the first buffer's size was never asked for"),
    ] {
        let quiet = preloaded("client").arg(scenario).succeeds();
        assert_eq!(quiet, "", "{scenario}");
        let said = preloaded("client").arg(scenario).env("OCEAN_LOG", "info").env("OCEAN_STATS", "1").succeeds();
        let lines: Vec<_> = said.lines().filter(|line| line.contains("cuSPARSE serves a product: ")).collect();
        assert!(lines.len() == 1 && lines[0].contains(reason), "{scenario}: {said}");
        assert!(said.contains("products left to cuSPARSE: 1\n") && said.contains("     1 x "), "{scenario}: {said}");
    }
}

#[test]
fn without_libocean_the_real_library_serves_all() {
    let run = || program("client").arg("without_ocean").env("LD_PRELOAD", path("alone/libocean_cusparse.so"));
    assert_eq!(run().succeeds(), "");
    let said = run().env("OCEAN_LOG", "info").succeeds();
    assert!(said.contains("cuSPARSE serves a product: libocean.so.0: "), "{said}");
}

#[test]
fn ocean_without_a_gpu_takes_no_device_address_for_one_of_the_host() {
    // Where ocean has a device, emulated or not, it would serve the product, and fail over the host's addresses.
    if Path::new("/dev/nvidiactl").exists() || std::env::var_os("OCEAN_EMU").is_some() {
        let name = "ocean_without_a_gpu_takes_no_device_address_for_one_of_the_host";
        let _ = writeln!(std::io::stderr(), "skipped: {name}: ocean has a device here");
        return;
    }
    let run = preloaded("client").arg("without_ocean").env("OCEAN_BACKEND", "").env("OCEAN_LOG", "info");
    let said = run.succeeds();
    assert!(said.contains("cuSPARSE serves a product: "), "{said}");
}

#[test]
fn oceans_handle_follows_cusparses() {
    let stood = || program("client").env("OCEAN_BACKEND", "").env("LD_PRELOAD", path("stood/libocean_cusparse.so"));
    let said = stood().arg("following").succeeds();
    assert_eq!(said, "ocean: cusparseSpGEMM_compute: the stand-in refuses\n");
    // Out of memory before anything was promised: cuSPARSE may have some.
    let said = stood().arg("without_ocean").env("STAND_IN_OCEAN_STATUS", "2").env("OCEAN_LOG", "info").succeeds();
    assert_eq!(said, "ocean: cuSPARSE serves a product: the stand-in refuses\n");
}

#[test]
fn ocean_disable_passes_everything_through() {
    let run = preloaded("client").arg("disabled").env("OCEAN_DISABLE", "1").env("OCEAN_STATS", "1");
    let said = run.succeeds();
    assert!(said.contains("products served: 0;") && said.contains("left to cuSPARSE: 0\n"), "{said}");
}

#[test]
fn the_real_library_is_found_in_a_scope_of_its_own() {
    for scenario in ["plain", "consumers", "left_for_type"] {
        let run = preloaded("plugin_host").arg(path("plugin.so")).arg(scenario);
        assert_eq!(run.succeeds(), "", "{scenario}");
    }
}

#[test]
fn the_real_library_is_opened_where_nobody_has() {
    let unlinked = || program("unlinked").libraries(&["ours"]);
    let other = path("other/libother.so");
    // By its path, by its name, and not at all.
    unlinked().arg("0").arg(&other).env("OCEAN_CUSPARSE_LIBRARY", &other).succeeds();
    unlinked().arg("0").arg("libcusparse.so.12").libraries(&["ours", "real"]).succeeds();
    let said = unlinked().arg("1").succeeds();
    assert!(said.contains("ocean: no cuSPARSE to be found; OCEAN_CUSPARSE_LIBRARY may name its file"), "{said}");
}

#[test]
fn nothing_is_opened_before_it_is_needed() {
    let said = preloaded("client").arg("nothing").env("OCEAN_STATS", "1").succeeds();
    assert!(said.contains("products served: 0;"), "a program with cuSPARSE is told that no product came by: {said}");
    // `true` and the shell know nothing of cuSPARSE: no word, and nothing loaded.
    let script = format!("exec {} {} nothing", path("plugin_host").display(), "/nonexistent");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env("LD_PRELOAD", path("ours/libocean_cusparse.so")).env("OCEAN_STATS", "1");
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("ocean:"), "{output:?}");
}

#[test]
#[cfg(target_arch = "x86_64")]
fn programs_that_ask_by_name_get_ours_only_where_that_is_asked_for() {
    let run = |expected| preloaded("by_name").arg(expected).libraries(&["real", "other"]);
    run("real").succeeds();
    run("real").env("OCEAN_DLSYM", "0").succeeds();
    run("ours").env("OCEAN_DLSYM", "1").succeeds();
    run("real").env("OCEAN_DLSYM", "1").env("OCEAN_DISABLE", "1").succeeds();
}

#[test]
fn statistics_tell_what_was_saved() {
    let said = preloaded("client").arg("threads").env("OCEAN_STATS", "1").succeeds();
    let line = said.lines().next().unwrap();
    assert!(line.starts_with("ocean: products served: 1600; time in calls: "), "{said}");
    assert!(line.contains(" ms; workspace saved, estimated: "), "{said}");
}

#[test]
fn nothing_is_exported_but_what_cusparse_has() {
    let text = |arguments: &[&str], program: &str| {
        let output = Command::new(program).args(arguments).arg(built("libocean_cusparse.so")).output().unwrap();
        assert!(output.status.success(), "{program} (package binutils)");
        String::from_utf8(output.stdout).unwrap()
    };
    let names = text(&["-D", "--defined-only", "--format=just-symbols"], "nm");
    let names: BTreeSet<&str> = names.lines().map(str::trim).collect();
    // Every function here is one of the tests' own header or table too, or listed as one that the stand-in lacks.
    let known = [
        fs::read_to_string(sources().join("interposer/cusparse.h")).unwrap(),
        fs::read_to_string(sources().join("interposer/stand_in.h")).unwrap(),
        "cusparseSpMatSetPointers(".to_string(),
    ];
    let is_known =
        |name: &str| known.iter().any(|text| text.contains(&format!("{name}(")) || text.contains(&format!("({name},")));
    for name in &names {
        assert!(is_known(name) || *name == "dlsym", "{name} is exported");
    }
    for name in EXPECTED {
        assert!(names.contains(name), "{name} is not exported");
    }
    // Unversioned, which suits every reference, and no library but the system's.
    assert!(names.iter().all(|name| !name.contains('@')), "{names:?}");
    let dynamic = text(&["-d", "-W"], "readelf");
    assert!(dynamic.contains("[libocean_cusparse.so]") && dynamic.contains("NODELETE"), "{dynamic}");
    for line in dynamic.lines().filter(|line| line.contains("(NEEDED)")) {
        assert!(["[libc.so.", "[libgcc_s.so.", "[ld-linux"].iter().any(|name| line.contains(name)), "{line}");
    }
}

/// What must be there: the two protocols, and the descriptor functions that must agree about products.
const EXPECTED: [&str; 21] = [
    "cusparseSpGEMM_createDescr",
    "cusparseSpGEMM_destroyDescr",
    "cusparseSpGEMM_workEstimation",
    "cusparseSpGEMM_getNumProducts",
    "cusparseSpGEMM_estimateMemory",
    "cusparseSpGEMM_compute",
    "cusparseSpGEMM_copy",
    "cusparseSpGEMMreuse_workEstimation",
    "cusparseSpGEMMreuse_nnz",
    "cusparseSpGEMMreuse_copy",
    "cusparseSpGEMMreuse_compute",
    "cusparseCreateCsr",
    "cusparseCreateConstCsr",
    "cusparseDestroySpMat",
    "cusparseSpMatGetSize",
    "cusparseCsrGet",
    "cusparseConstCsrGet",
    "cusparseCsrSetPointers",
    "cusparseSpMatSetValues",
    "cusparseSpMatSetAttribute",
    "cusparseSpMV",
];
