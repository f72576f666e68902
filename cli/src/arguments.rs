// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be said on the command line.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::help::*;

/// Multiplies sparse matrices, explains how, and checks the result
///
/// Matrices come from Matrix Market files, plain or gzipped: coordinate or array; real, integer or pattern;
/// symmetric storage is expanded. Results go to stdout, as text or with --json; progress, logs and errors go to
/// stderr.
#[derive(Parser)]
#[command(name = "ocean", version, after_long_help = EXAMPLES)]
pub struct Arguments {
    /// Log what the library does, on stderr
    #[arg(short, long, global = true)]
    pub verbose: bool,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Multiply: C = A * B, with the time of each step
    #[command(long_about = MULTIPLY, after_long_help = MULTIPLY_EXAMPLES)]
    Multiply(MultiplyArguments),
    /// Show how a product would be computed and why, without computing it
    #[command(long_about = EXPLAIN, after_long_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArguments),
    /// Multiply, and check the result
    #[command(long_about = CHECK, after_long_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Write a test matrix
    #[command(long_about = GENERATE, after_long_help = GENERATE_EXAMPLES)]
    Generate(GenerateArguments),
    /// Time ocean beside cuSPARSE on one GPU
    #[command(long_about = BENCH, after_long_help = BENCH_EXAMPLES)]
    Bench(BenchArguments),
    /// Count what a product spread over many GPUs would move
    #[command(long_about = DIST_PLAN, after_long_help = DIST_PLAN_EXAMPLES)]
    DistPlan(DistPlanArguments),
    /// Cluster a graph by Markov clustering
    #[command(long_about = MCL, after_long_help = MCL_EXAMPLES)]
    Mcl(MclArguments),
    /// Write a shell's completions of this command
    #[command(long_about = COMPLETIONS, after_long_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArguments),
    /// Write the manual pages
    #[command(long_about = MAN, after_long_help = MAN_EXAMPLES)]
    Man(ManArguments),
}

/// What to multiply, and how.
#[derive(Args)]
pub struct ProductArguments {
    /// Left matrix, a Matrix Market file (.mtx or .mtx.gz)
    #[arg(value_name = "A.mtx")]
    pub a: PathBuf,
    /// Right matrix; without it A, or A's transpose if A is not square
    #[arg(value_name = "B.mtx")]
    pub b: Option<PathBuf>,
    /// Multiply by the transpose of B (of A, where there is no B), not conjugated
    #[arg(long)]
    pub transpose_b: bool,
    /// Type of the values and of the arithmetic
    #[arg(long = "type", value_name = "TYPE", value_enum, default_value_t = ValueKind::F64)]
    pub value_type: ValueKind,
    /// How the rows of C get their room
    #[arg(long, value_enum, default_value_t = Workflow::Auto)]
    pub workflow: Workflow,
    /// Which sequence of steps; alg2 and alg3 estimate the memory first
    #[arg(long, value_enum, default_value_t = Algorithm::Default)]
    pub algorithm: Algorithm,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct MultiplyArguments {
    #[command(flatten)]
    pub product: ProductArguments,
    /// Write C to this file; a name ending in .gz is gzipped
    #[arg(short, long, value_name = "C.mtx")]
    pub output: Option<PathBuf>,
    /// Multiply so many times, and print best and median
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

#[derive(Args)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub product: ProductArguments,
    /// Also multiply, and draw into this folder: spy.svg, estimates.svg, stages.svg
    #[arg(long, value_name = "FOLDER")]
    pub plot: Option<PathBuf>,
    /// Also multiply, twice, and tell what the second time took, step by step
    #[arg(long)]
    pub profile: bool,
}

#[derive(Args)]
pub struct CheckArguments {
    #[command(flatten)]
    pub product: ProductArguments,
    /// Most scalar products for the bit by bit comparison; beyond, random vectors
    #[arg(long, value_name = "PRODUCTS", default_value_t = 50_000_000)]
    pub limit: u64,
}

#[derive(Args)]
pub struct GenerateArguments {
    #[command(subcommand)]
    pub kind: Kind,
    /// File to write; a name ending in .gz is gzipped
    // An option for clap, which knows no required arguments that may stand behind the kind.
    #[arg(short, long, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
}

#[derive(Args)]
pub struct BenchArguments {
    /// Matrix Market files, and folders with a MANIFEST.tsv that names some
    #[arg(value_name = "FILE|FOLDER")]
    pub inputs: Vec<PathBuf>,
    /// The generated matrices
    #[arg(long)]
    pub suite: bool,
    /// Only these, of the generated matrices and of those in folders
    #[arg(long = "matrix", value_name = "NAME", value_delimiter = ',')]
    pub names: Vec<String>,
    /// Type of the values and of the arithmetic
    #[arg(long = "type", value_name = "TYPE", value_enum, default_value_t = RealKind::F64)]
    pub value_type: RealKind,
    /// Which libraries and algorithms; with `ocean` alone cuSPARSE is not needed
    #[arg(long, value_name = "TOOL", value_enum, value_delimiter = ',', default_values_t = Tool::ALL)]
    pub tools: Vec<Tool>,
    /// Which sequences of calls
    #[arg(long, value_name = "FORM", value_enum, value_delimiter = ',', default_values_t = Form::ALL)]
    pub forms: Vec<Form>,
    /// Timed runs of each cell
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Seconds for the timed runs of one matrix; three are run in any case
    #[arg(long, value_name = "S", default_value_t = 20.0, value_parser = seconds)]
    pub seconds: f64,
    /// Pass by what has more scalar products
    #[arg(long, value_name = "PRODUCTS")]
    pub max_products: Option<u64>,
    /// Write all cells to this file, anew after every matrix
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Draw GFLOP/s over products into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// An option of ocean's products, as oceanSpGEMM_setOption takes it: workflow=estimate, registers=128
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Run ocean once more with a name and options of its own, in place of `ocean`; may be given again
    #[arg(long = "variant", value_name = "NAME:OPTION=VALUE,..", value_parser = variant)]
    pub variants: Vec<Variant>,
    /// With --json: the plan of ocean's staged products, and the milliseconds of their steps
    #[arg(long, requires = "json")]
    pub profile: bool,
}

#[derive(Args)]
pub struct DistPlanArguments {
    /// A square matrix, a Matrix Market file (.mtx or .mtx.gz)
    #[arg(long, value_name = "A.mtx", conflicts_with = "generate")]
    pub matrix: Option<PathBuf>,
    /// A matrix as `ocean generate` would make it: the words after `generate`
    #[arg(long, value_name = "WORDS")]
    pub generate: Option<String>,
    /// Numbers of GPUs
    #[arg(long, value_name = "P", value_delimiter = ',', default_values_t = [4, 16, 64, 256, 400])]
    pub gpus: Vec<usize>,
    /// GPUs of a node; they are numbered node after node
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub per_node: usize,
    /// Put rows and columns in one random order first
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "1")]
    pub permute: Option<u64>,
    /// Add up round by round: products overlap with what travels, and columns of A are filtered too
    #[arg(long)]
    pub by_rounds: bool,
    /// Bytes of an entry: its value, and its column
    #[arg(long, value_name = "BYTES", default_value_t = 12.0, value_parser = positive)]
    pub entry_bytes: f64,
    /// Model: GB/s that a GPU receives from other nodes
    #[arg(long, value_name = "GB/s", default_value_t = 20.0, value_parser = positive)]
    pub link_between: f64,
    /// Model: GB/s that a GPU receives inside its node
    #[arg(long, value_name = "GB/s", default_value_t = 80.0, value_parser = positive)]
    pub link_inside: f64,
    /// Model: microseconds of a message between nodes
    #[arg(long, value_name = "US", default_value_t = 8.0, value_parser = positive)]
    pub latency_between: f64,
    /// Model: microseconds of a message inside a node
    #[arg(long, value_name = "US", default_value_t = 20.0, value_parser = positive)]
    pub latency_inside: f64,
    /// Model: scalar products per second of one GPU
    #[arg(long, value_name = "RATE", default_value_t = 1e9, value_parser = positive)]
    pub products_per_second: f64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct MclArguments {
    /// The graph: lines of two labels and a weight, or a Matrix Market file (.mtx or .mtx.gz)
    #[arg(value_name = "GRAPH")]
    pub input: PathBuf,
    /// The power of each step, above 1: the higher, the smaller the clusters
    #[arg(short = 'I', long, value_name = "POWER", default_value_t = 2.0, value_parser = above_one)]
    pub inflation: f64,
    /// Write the clusters to this file, and a report to stdout; without it the clusters go there
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Drop entries below one over this
    #[arg(short = 'P', long, value_name = "N", default_value_t = 10_000.0, value_parser = positive)]
    pub prune: f64,
    /// Keep at most so many entries of a node
    #[arg(short = 'S', long, value_name = "N", default_value_t = 1_100)]
    pub select: usize,
    /// Keep so many where pruning left less than --pct
    #[arg(short = 'R', long, value_name = "N", default_value_t = 1_400)]
    pub recover: usize,
    /// Per cent of a node's mass that pruning should leave
    #[arg(long, value_name = "PER CENT", default_value_t = 90.0, value_parser = positive)]
    pub pct: f64,
    /// At rest, once the chaos is below this
    #[arg(long, value_name = "CHAOS", default_value_t = 1e-3, value_parser = positive)]
    pub chaos: f64,
    /// End after so many steps in any case
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub iterations: usize,
    /// Share the nodes out to so many ranks, which are threads here: the same clusters (MPI programs call oceanDistMcl)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub ranks: usize,
    /// Print one JSON object about the run instead
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Args)]
pub struct ManArguments {
    /// Write a page for each command into this folder; without it the first page goes to stdout
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

fn above_one(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 1.0 => Ok(number),
        _ => Err("not a number above 1".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_owned()),
    }
}

fn option(text: &str) -> Result<(String, String), String> {
    let named = text.split_once('=').ok_or("not of the form NAME=VALUE")?;
    Ok((named.0.to_owned(), named.1.to_owned()))
}

fn variant(text: &str) -> Result<Variant, String> {
    let (name, options) = text.split_once(':').ok_or("not of the form NAME:OPTION=VALUE,..")?;
    let is_word = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    if !is_word(name) {
        return Err(format!("\"{name}\" is no name: letters, digits, _, - and ."));
    }
    let options = options.split(',').filter(|text| !text.is_empty()).map(option).collect::<Result<_, _>>()?;
    Ok(Variant { name: name.to_owned(), options })
}

/// A set of options that ocean is timed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    pub name: String,
    pub options: Vec<(String, String)>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        _ => Err("not a number of seconds".to_owned()),
    }
}

/// A library and its algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Tool {
    /// This library
    Ocean,
    /// cusparseSpGEMM with CUSPARSE_SPGEMM_DEFAULT
    CusparseDefault,
    /// With CUSPARSE_SPGEMM_ALG2
    CusparseAlg2,
    /// With CUSPARSE_SPGEMM_ALG3, a fifth of the products at a time
    CusparseAlg3,
    /// cusparseSpGEMMreuse
    CusparseReuse,
}

impl Tool {
    pub const ALL: [Self; 5] =
        [Self::Ocean, Self::CusparseDefault, Self::CusparseAlg2, Self::CusparseAlg3, Self::CusparseReuse];
}

/// A sequence of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Form {
    /// oceanSpGEMM, which allocates C itself
    OneCall,
    /// The steps with buffers, from nothing to C
    Staged,
    /// Only the numbers again, for a known pattern
    Repeat,
}

impl Form {
    pub const ALL: [Self; 3] = [Self::OneCall, Self::Staged, Self::Repeat];
}

/// A value as one writes it on the command line.
pub fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ValueKind {
    /// 32-bit
    F32,
    /// 64-bit
    F64,
    /// 16-bit, computed in 32
    F16,
    /// bfloat16, computed in 32
    Bf16,
    /// Complex, two of 32 bits
    C32,
    /// Complex, two of 64 bits
    C64,
    /// Complex, two of 16 bits, computed in 32
    C16,
    /// Complex, two bfloat16, computed in 32
    Cbf16,
}

/// The types that benchmarks know.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RealKind {
    F32,
    F64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Workflow {
    /// The library chooses
    Auto,
    /// Room for every product
    UpperBound,
    /// Room for an estimate; rows that outgrow it are redone
    Estimate,
    /// Count first
    Exact,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    Default,
    Alg1,
    Alg2,
    Alg3,
}

#[derive(Subcommand)]
pub enum Kind {
    /// Laplacian on a square grid of SIDE x SIDE points
    Poisson2d {
        /// Points along each edge
        side: u64,
        /// Points of the stencil
        #[arg(long, value_enum, default_value_t = PlanarStencil::Five)]
        points: PlanarStencil,
    },
    /// Laplacian on a cubic grid of SIDE x SIDE x SIDE points
    Poisson3d {
        /// Points along each edge
        side: u64,
        /// Points of the stencil
        #[arg(long, value_enum, default_value_t = SpatialStencil::Seven)]
        points: SpatialStencil,
    },
    /// Erdos-Renyi: each row draws its columns evenly
    Er {
        /// Rows
        rows: u64,
        /// Columns, if not as many as rows
        #[arg(long)]
        cols: Option<u64>,
        /// Columns that each row draws
        #[arg(long)]
        degree: u64,
        /// Another number, another matrix
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// R-MAT graph of 2^SCALE vertices: few hubs, many leaves
    Rmat {
        /// Binary logarithm of the number of vertices
        #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
        scale: u32,
        /// Edges drawn for each vertex
        #[arg(long, default_value_t = 16)]
        edge_factor: u64,
        /// Another number, another matrix
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Grid of SIDE x SIDE points with links missing: long paths, no hubs
    Road {
        /// Points along each edge
        side: u64,
        /// Share of the links that are there
        #[arg(long, default_value_t = 0.62)]
        keep: f64,
        /// Another number, another matrix
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Random rows, but one row and one column are full
    DenseRow {
        /// Rows and columns
        size: u64,
        /// Columns that each other row draws
        #[arg(long, default_value_t = 4)]
        degree: u64,
        /// Another number, another matrix
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Dense blocks, as of finite elements: the unknowns of a node share their columns
    Blocks {
        /// Nodes
        nodes: u64,
        /// Unknowns of each node: rows and columns of a block
        #[arg(long, default_value_t = 3)]
        block: u64,
        /// Nodes that each node draws, besides itself
        #[arg(long, default_value_t = 8)]
        degree: u64,
        /// Another number, another matrix
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Every entry within a distance from the diagonal
    Banded {
        /// Rows and columns
        size: u64,
        /// That distance
        #[arg(long)]
        bandwidth: u64,
    },
    /// The diagonal alone
    Diagonal {
        /// Rows and columns
        size: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanarStencil {
    #[value(name = "5")]
    Five,
    #[value(name = "9")]
    Nine,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SpatialStencil {
    #[value(name = "7")]
    Seven,
    #[value(name = "27")]
    TwentySeven,
}
