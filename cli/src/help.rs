// SPDX-License-Identifier: MIT OR Apache-2.0
//! The long texts of `--help`.

pub const EXAMPLES: &str = "\
Examples:
  ocean generate poisson3d 20 -o p.mtx.gz     a matrix to try things with
  ocean multiply p.mtx.gz                     P * P: sizes, time per step, checksums
  ocean multiply p.mtx.gz b.mtx -o c.mtx.gz   C = P * B, kept
  ocean explain p.mtx.gz                      which workflow the library would take, and why
  ocean check p.mtx.gz --type f32             is C right? bit by bit where that is affordable
  ocean bench --suite                         on a GPU: how fast beside cuSPARSE?
  ocean dist-plan --matrix p.mtx.gz           on 4 to 400 GPUs: what would A * A move?

Exit status:
  0  done
  1  a check found the product wrong
  2  wrong usage, unreadable input, out of memory, or something not supported";

pub const MULTIPLY: &str = "\
Multiply: C = A * B, with the time of each step

Reads A and B, runs the library's staged protocol (work estimation, compute, copy; with alg2 and alg3 also the \
memory estimate), and prints sizes, the number of scalar products, products per entry of C (the compression), the \
workflow that was taken, seconds per step, and checksums of C:

  pattern       sum of (i + 1) (j + 1) over the entries of C, modulo 2^64
  sum           sum of |C(i,j)|
  weighted sum  sum of |C(i,j)| (((7 i + 13 j) mod 101) + 1)

with i and j counted from 0. Complex matrices need a complex --type (c32, c64, c16, cbf16), which takes real ones too. \
Without B, the product is A * A if A is square, else A times its transpose.";

pub const MULTIPLY_EXAMPLES: &str = "\
Examples:
  ocean multiply a.mtx                          A * A, or A * A^T if A is not square
  ocean multiply a.mtx.gz b.mtx -o c.mtx.gz     A * B into a file
  ocean multiply a.mtx --transpose-b --json     A * A^T, for a script
  ocean multiply a.mtx --workflow exact --repeat 5";

pub const EXPLAIN: &str = "\
Show how a product would be computed and why, without computing it

Runs only the library's first step, which looks at the matrices and plans: products per row, the sampled \
compression, the workflow that follows from them with its reasons, and how many bytes the caller of the library \
has to bring for each buffer.

With --plot the product is also computed once, and drawn:

  spy.svg        where the entries of A, B and C are
  estimates.svg  the length of rows of C as sketches of B's rows estimate it, over what it is, with the band of two \
standard errors; of some thousand rows
  stages.svg     the seconds of each step";

pub const EXPLAIN_EXAMPLES: &str = "\
Examples:
  ocean explain a.mtx
  ocean explain a.mtx --workflow estimate       what if that were forced?
  ocean explain a.mtx b.mtx --algorithm alg3 --json
  ocean explain a.mtx --plot pictures/";

pub const CHECK: &str = "\
Multiply, and check the result

The structure of C is always checked: offsets that start with 0, never fall and end with the number of entries; \
columns in range that ascend strictly in every row.

The values are compared with the library's serial reference, bit by bit, as long as the product has at most --limit \
scalar products, and in any case for types other than f32 and f64. Beyond, three random vectors x show that C x = A (B x), each row within

  (g(t) + g'(s)) (|A| |B| |x|)_i,   g(n) = n u / (1 - n u)

where u is the rounding unit of the matrices' type and t the longest chain of roundings in a row of C: the length \
of A's row, plus the longest row of B if B has duplicates to merge; g' is the same with the unit of f64, in which \
the check itself is computed, and s the additions of the check.

Exit status 1 if anything is wrong.";

pub const CHECK_EXAMPLES: &str = "\
Examples:
  ocean check a.mtx
  ocean check a.mtx b.mtx --workflow upper-bound --type f32
  ocean check a.mtx --limit 0                   random vectors only";

pub const GENERATE: &str = "\
Write a test matrix

Every matrix is defined by its arguments alone and is the same on every machine; the definition stands in the \
file's comment. A name ending in .gz is gzipped. Grids have the coefficients of the Laplacian, all others values \
between 0.25 and 1.25 in size, of either sign.";

pub const GENERATE_EXAMPLES: &str = "\
Examples:
  ocean generate poisson2d 300 -o p2d_300.mtx
  ocean generate poisson3d 30 --points 27 -o p3d27_30.mtx.gz
  ocean generate er 20000 --degree 200 --seed 33 -o er_20k_200.mtx.gz
  ocean generate rmat 16 --edge-factor 16 --seed 21 -o rmat16_16.mtx.gz
  ocean generate blocks 5000 --block 3 --degree 12 -o fem.mtx.gz
  ocean generate er --help                      what a kind takes";

pub const BENCH: &str = "\
Time ocean beside cuSPARSE on one GPU

Each matrix is multiplied by itself, by its transpose if it is not square, by every tool in the same process and in \
turn. The clock runs from A and B on the device to C on the device: all calls, the memory for buffers and C from one \
warm stream-ordered pool, and the final synchronisation; freeing C does not count. Every run has new random values. A \
cell is a tool in one form:

  ocean              one_call, staged, repeat (compute and copy again on the same descriptor)
  cusparse_default   staged
  cusparse_alg2      staged
  cusparse_alg3      staged, a fifth of the products at a time
  cusparse_reuse     staged (all of cusparseSpGEMMreuse), repeat (its compute alone)

With --variant ocean runs once for each, as the tool ocean:NAME, with the options of --option and its own. oceanSpGEMM \
takes none: in one call with options its work is done by the library's own functions.

A cell has the median time; GFLOP/s, two for each scalar product; the most memory that was taken beyond A, B and C, without \
what cuSPARSE takes behind the caller's back; and a status: ok, wrong, or the name of the error, which ends nothing but \
the cell. Every cell's C is checked once: offsets and columns, a random x and y with x^T C y = x^T A (B y), and entries, \
pattern and sums against another tool's, within 1e-9 (f32: 1e-4). The roofline is the time to move A, B and C once at \
the bandwidth of a copy on this device.

The driver and libcusparse are loaded when the command runs; LD_LIBRARY_PATH says where another libcusparse is. The \
GPU is the first one that CUDA_VISIBLE_DEVICES leaves. OCEAN_COMMIT is written to the JSON as the commit.

Generated matrices (--suite; tiny_* take seconds):
  tiny_er_1k tiny_p2d_10k tiny_er_10k_16 p2d_300 p2d_2000 p3d7_128 p3d27_30 p3d27_100 er_1m_4 er_200k_32 er_20k_200 \
road_5m web_1m rmat16_16 rmat18_8 fem51_200k fem110_200k clique48perm_200k clique96_100k clique_ER32_1m rect_AAt_200k \
amg_RA_96 amg_RAxP_96 dense_rc_1m";

pub const BENCH_EXAMPLES: &str = "\
Examples:
  ocean bench --suite --json times.json --svg times.svg
  ocean bench --matrix p2d_300,web_1m --type f32
  ocean bench a.mtx.gz folder/ --max-products 1000000000
  ocean bench --suite --tools ocean --forms one_call,staged --runs 5
  ocean bench --matrix er_1m_4 --tools ocean,cusparse_reuse --forms repeat
  ocean bench --suite --variant count:workflow=exact --variant guess:workflow=estimate,registers=64 --forms staged";

pub const DIST_PLAN: &str = "\
Count what a product spread over many GPUs would move

Cuts A for A * A as the library's distributed part does, and counts, for each algorithm and without moving anything, the \
entries that every GPU would receive from other nodes and inside its node. These counts are exact: a run moves just that.

  1d                    by rows; each GPU fetches the rows that its columns name
  1d per node           the same once for each node, shared inside
  summa                 Sparse SUMMA on the squarest grid of GPUs; nodes are runs of its rows
  trident, unfiltered   the paper's: a square grid of nodes, rows inside a node
  trident               the same, but what meets nothing stays at home
  trident AxB inside    two dimensions inside the node as well

Columns of the table: the grid of nodes and that of GPUs in a node; entries received from other nodes, the mean and the \
most of all GPUs; those received inside the node; imbalance, the most over the mean, of entries held and of scalar products; \
memory of the fullest GPU. The last two are seconds by a model that nobody measured: latency plus bytes over speed for \
each kind of link, and a rate of products; its numbers are options. With --json also the quartiles over all GPUs.";

pub const DIST_PLAN_EXAMPLES: &str = "\
Examples:
  ocean dist-plan --matrix a.mtx.gz --gpus 256 --per-node 4
  ocean dist-plan --matrix a.mtx.gz --permute        and if its order were random?
  ocean dist-plan --generate 'er 131072 --degree 8' --gpus 64,256
  ocean dist-plan --generate 'poisson2d 512' --by-rounds --json";

pub const MCL: &str = "\
Cluster a graph by Markov clustering

Flow spreads along edges (the expansion, a sparse matrix times itself) and strong flow grows at the cost of weak flow (the \
inflation), until every node flows to one place. The rules, their defaults and the output are those of the program mcl: of \
repeated edges the heaviest counts, in both directions; loops are replaced by one as heavy as a node's heaviest edge; small \
entries are pruned; one cluster a line, labels between tabs, the largest first.

The graph: one edge a line, `label label [weight]`, parted by tabs or by blanks, the weight 1 where there is none, lines \
with # left out; or a Matrix Market file, whose nodes are called by their numbers from 1.";

pub const MCL_EXAMPLES: &str = "\
Examples:
  ocean mcl graph.abc                           clusters on stdout
  ocean mcl graph.abc -I 4 -o clusters          smaller ones, in a file, and what each step did
  ocean mcl graph.mtx.gz -S 500 -R 600 --json";

pub const COMPLETIONS: &str = "\
Write a shell's completions of this command

To stdout, for the shell to read at its start or from the folder where it looks for completions.";

pub const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  ocean completions bash > ~/.local/share/bash-completion/completions/ocean
  ocean completions fish > ~/.config/fish/completions/ocean.fish
  ocean completions zsh > _ocean                in a folder of $fpath";

pub const MAN: &str = "\
Write the manual pages

The first page to stdout; or all of them, one for each command, into a folder.";

pub const MAN_EXAMPLES: &str = "\
Examples:
  ocean man | man -l -
  ocean man -o ~/.local/share/man/man1          then: man ocean-multiply";
