// SPDX-License-Identifier: MIT OR Apache-2.0

//! What examples/estimation measured: sketches, samples, and Cohen's keys.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::chart;
use super::page::{NOT_RUN, mean, most, percent, table};

const REGISTERS: [&str; 4] = ["32", "64", "128", "32 or 64, by expansion"];
/// From this expansion on the last of these takes 64; the paper's sec. 4.3.
const MANY_FROM: f64 = 48.0;
const SHARES: [&str; 3] = ["0.01", "0.03", "0.05"];

/// The paper's table 1.
const UPPER_BOUND_BELOW: f64 = 64.0;
const ESTIMATE_FROM: (f64, f64) = (8.0, 8.0);

/// Rows from which 1 % of them is more than the least that is sampled.
const LEAST_SAMPLED: (f64, f64) = (0.01, 600.0);

#[derive(Default)]
pub struct Estimates {
    /// The real ones.
    matrices: Vec<Value>,
    /// Made to be hard, and looked at apart.
    generated: Vec<Value>,
}

/// A number that must be there.
fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(f64::NAN)
}

/// What table 1 says of a matrix with this compression.
fn workflow(matrix: &Value, compression: f64) -> &'static str {
    if number(matrix, "products") / number(matrix, "rows") < UPPER_BOUND_BELOW {
        "upper_bound"
    } else if number(matrix, "expansion") >= ESTIMATE_FROM.0 && compression >= ESTIMATE_FROM.1 {
        "estimate"
    } else {
        "exact"
    }
}

fn sketch(matrix: &Value, registers: usize) -> &Value {
    let by_expansion = usize::from(number(matrix, "expansion") >= MANY_FROM);
    &matrix["sketches"][if registers < 3 { registers } else { by_expansion }]
}

/// Of the size at `registers` and the share at `share`.
fn sample(matrix: &Value, registers: usize, share: usize) -> &Value {
    &matrix["samples"][registers * SHARES.len() + share]
}

/// Relative error of a sample's compression.
fn sampling_error(matrix: &Value, registers: usize, share: usize) -> f64 {
    (number(sample(matrix, registers, share), "compression") / number(matrix, "compression") - 1.0).abs()
}

fn cohen(matrix: &Value, at: usize) -> f64 {
    number(&matrix["cohen"][at], "error")
}

impl Estimates {
    pub fn load(folder: &Path) -> Result<Self, String> {
        let matrices = |name: &str| {
            let path = folder.join(name);
            let refused = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
            let Ok(text) = fs::read_to_string(&path) else { return Ok(vec![]) };
            let json: Value = serde_json::from_str(&text).map_err(|error| refused(&error))?;
            json["matrices"].as_array().cloned().ok_or_else(|| refused(&"has no matrices"))
        };
        Ok(Self { matrices: matrices("estimation.json")?, generated: matrices("estimation-generated.json")? })
    }

    /// The matrices for which table 1 chooses this workflow, by their true compression.
    pub fn of_workflow(&self, wanted: &str) -> Vec<&Value> {
        self.matrices.iter().filter(|m| workflow(m, number(m, "compression")) == wanted).collect()
    }

    pub fn count(&self) -> usize {
        self.matrices.len()
    }

    fn section(&self, heading: &str, body: impl FnOnce() -> String) -> String {
        let body = if self.matrices.is_empty() { NOT_RUN.to_owned() } else { body() };
        format!("## {heading}\n\n{body}")
    }

    pub fn sketches(&self) -> String {
        self.section("HyperLogLog: errors of row lengths", || {
            let (estimated, all) = (self.of_workflow("estimate"), self.matrices.iter().collect::<Vec<_>>());
            let each = |set: &[&Value], at: usize, key: &str| -> Vec<f64> {
                set.iter().map(|m| number(sketch(m, at), key)).collect()
            };
            let root = |values: Vec<f64>| mean(&values.iter().map(|v| v * v).collect::<Vec<_>>()).sqrt();
            let errors = |set: &[&Value], at: usize| {
                format!("{:.3}, {:.3}", mean(&each(set, at, "error")), root(each(set, at, "deviation")))
            };
            let overflow = |set: &[&Value], at: usize, key: &str| {
                let shares = each(set, at, key);
                format!("{:.2} %, {:.1} %", 100.0 * mean(&shares), 100.0 * most(&shares))
            };
            let paper = [
                ("0.13, 0.17", "1.2 %, 7 %"),
                ("0.10, 0.15", "0.3 %, 2.7 %"),
                ("0.07, 0.14", "< 0.1 %, 0.5 %"),
                ("-", "-"),
            ];
            let rows: Vec<Vec<String>> = (0..REGISTERS.len())
                .map(|at| {
                    let (error, overflowing) = paper[at];
                    vec![
                        REGISTERS[at].into(),
                        error.into(),
                        errors(&estimated, at),
                        errors(&all, at),
                        overflowing.into(),
                        overflow(&estimated, at, "paper_overflow"),
                        overflow(&all, at, "paper_overflow"),
                        overflow(&all, at, "overflow"),
                    ]
                })
                .collect();
            let head = [
                "registers",
                "mean error, RMS deviation: paper",
                "here, the estimated",
                "here, all",
                "rows overflowing, mean, most: paper",
                "here, the estimated",
                "here, all",
                "here, all, by this library's rule",
            ];
            format!(
                "{}\n{SKETCHES}\n![distribution of mean errors](drawings/reproduction-errors.svg)\n\n\
                 ![distribution of shares of rows that overflow](drawings/reproduction-overflow.svg)\n\n{}",
                table(&head, &rows),
                self.correlated()
            )
            .replace("{estimated}", &estimated.len().to_string())
            .replace("{all}", &all.len().to_string())
        })
    }

    /// Where all rows err to one side.
    fn correlated(&self) -> String {
        let biased = |m: &&Value| number(sketch(m, 1), "bias").abs() > 0.05;
        let mut found: Vec<&Value> = self.matrices.iter().chain(&self.generated).filter(biased).collect();
        found.sort_by(|one, other| {
            let size = |m: &Value| number(sketch(m, 1), "bias").abs();
            size(other).total_cmp(&size(one))
        });
        let rows: Vec<Vec<String>> = found
            .iter()
            .map(|m| {
                let bias = |at: usize| format!("{:+.3}", number(sketch(m, at), "bias"));
                let missed = sampling_error(m, 1, 1);
                let name = m["name"].as_str().unwrap_or_default().to_owned();
                vec![name, bias(0), bias(1), bias(2), format!("{missed:.3}"), {
                    format!("{:.3}", number(sample(m, 1, 1), "bound"))
                }]
            })
            .collect();
        let head = [
            "matrix",
            "mean of (estimate - length) / length at 32",
            "at 64",
            "at 128",
            "error of the sampled compression at 64",
            "its bound at 95 %, were rows independent",
        ];
        let beyond =
            self.matrices.iter().filter(|m| sampling_error(m, 1, 1) > number(sample(m, 1, 1), "bound")).count();
        format!(
            "### Errors that all rows share\n\nRows of C with much the same columns have much the same sketch, and err together. These are \
             off by more than 5 % on average at 64 registers:\n\n{}\nThe sampled compression errs with them: on {beyond} of {} \
             matrices by more than the paper's bound (Chebyshev over independent rows) at 64 registers and a share of 0.03. \
             What follows from a sample here may be wrong by that: rows that outgrow a slot or a table are counted again.\n",
            table(&head, &rows),
            self.count()
        )
    }

    pub fn samples(&self) -> String {
        self.section("Sampled compression", || {
            let (share, least) = LEAST_SAMPLED;
            let large: Vec<&Value> = self.matrices.iter().filter(|m| share * number(m, "rows") > least).collect();
            let error = |set: &[&Value], at: usize, share: usize| {
                mean(&set.iter().map(|m| sampling_error(m, at, share)).collect::<Vec<_>>())
            };
            let other = |at: usize, share: usize| {
                let sampled = |m: &Value| number(sample(m, at, share), "compression");
                self.matrices.iter().filter(|m| workflow(m, sampled(m)) != workflow(m, number(m, "compression"))).count()
            };
            let all: Vec<&Value> = self.matrices.iter().collect();
            let paper = [("0.05", "2"), ("0.04", "1"), ("0.03", "1")];
            let rows: Vec<Vec<String>> = (0..3)
                .map(|at| {
                    let three = |of: &dyn Fn(usize) -> String| (0..3).map(of).collect::<Vec<_>>().join(", ");
                    vec![
                        REGISTERS[at].into(),
                        paper[at].0.into(),
                        three(&|share| format!("{:.3}", error(&all, at, share))),
                        three(&|share| format!("{:.3}", error(&large, at, share))),
                        paper[at].1.into(),
                        three(&|share| other(at, share).to_string()),
                    ]
                })
                .collect();
            let large_head = format!("the {} of more than {} rows", large.len(), (least / share).round());
            let head = [
                "registers",
                "mean error of the compression at a share of 0.03: paper",
                "here at 0.01, 0.03, 0.05",
                &*large_head,
                "matrices with another workflow than the true compression gives: paper, of 337",
                "here at 0.01, 0.03, 0.05",
            ];
            format!(
                "{}\nAt least 600 rows are sampled, so the share makes no difference to matrices of up to 12,000 rows. What \
                 the paper says of speed at other shares stands [below](#registers-and-shares).\n",
                table(&head, &rows)
            )
        })
    }

    pub fn cohen(&self) -> String {
        self.section("HyperLogLog beside Cohen's estimator", || {
            let line = |name: &str, set: Vec<&Value>| {
                let error = |of: &dyn Fn(&Value) -> f64| mean(&set.iter().map(|m| of(m)).collect::<Vec<_>>());
                let better = |at: usize| {
                    let ahead = set.iter().filter(|m| number(sketch(m, 1), "error") < cohen(m, at)).count();
                    format!("{ahead} of {}", set.len())
                };
                let (sketches, keys) = (error(&|m| number(sketch(m, 1), "error")), error(&|m| cohen(m, 0)));
                vec![
                    name.to_owned(),
                    format!("{sketches:.3}"),
                    format!("{keys:.3}"),
                    format!("{:.3}", error(&|m| cohen(m, 1))),
                    format!("{:.2}", keys / sketches),
                    better(0),
                    better(1),
                ]
            };
            let paper = ["paper, the estimated", "-", "-", "-", "2.1", "148 of 148", "116 of 148"];
            let rows = [
                paper.map(String::from).to_vec(),
                line("here, the estimated", self.of_workflow("estimate")),
                line("here, all", self.matrices.iter().collect()),
            ];
            let head = [
                "matrices",
                "mean error: HyperLogLog, 64 bytes a row",
                "Cohen, 64",
                "Cohen, 256",
                "Cohen over HyperLogLog at 64",
                "HyperLogLog is better at 64",
                "against 256",
            ];
            format!(
                "{}\n64 registers of a byte; 16 and 64 keys of 32 bits, exponential, estimated by (keys - 1) / (their sum).\n",
                table(&head, &rows)
            )
        })
    }

    pub fn each(&self) -> String {
        self.section("Each matrix: errors of its rows", || {
            let rows: Vec<Vec<String>> = self
                .matrices
                .iter()
                .map(|m| {
                    let three = |key: &str| {
                        (0..3).map(|at| format!("{:.3}", number(sketch(m, at), key))).collect::<Vec<_>>().join(", ")
                    };
                    vec![
                        m["name"].as_str().unwrap_or_default().to_owned(),
                        format!("{}", number(m, "products")),
                        format!("{:.1}", number(m, "expansion")),
                        format!("{:.2}", number(m, "compression")),
                        three("error"),
                        percent(number(sketch(m, 0), "paper_overflow")),
                        format!("{:.3}, {:.3}", cohen(m, 0), cohen(m, 1)),
                    ]
                })
                .collect();
            let head = [
                "matrix",
                "products",
                "expansion",
                "compression",
                "mean error at 32, 64, 128 registers",
                "overflowing at 32, the paper's rule",
                "Cohen, 64 and 256 bytes",
            ];
            table(&head, &rows)
        })
    }

    /// Their names, and what is drawn.
    pub fn charts(&self) -> Result<Vec<(&'static str, String)>, String> {
        let estimated = self.of_workflow("estimate");
        let series = |key: &str, of_all: bool| -> Vec<(String, Vec<f64>)> {
            let set = if of_all { self.matrices.iter().collect() } else { estimated.clone() };
            let values = |at: usize| set.iter().map(|m| number(sketch(m, at), key)).collect();
            (0..3).map(|at| (format!("{} registers", REGISTERS[at]), values(at))).collect()
        };
        if self.matrices.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![
            (
                "errors",
                chart::distributions(
                    &format!("Mean error of a matrix's rows, all {} matrices", self.count()),
                    "mean of |estimate - length| / length",
                    &series("error", true),
                )?,
            ),
            (
                "overflow",
                chart::distributions(
                    &format!("Rows that overflow by the paper's rule, the {} estimated", estimated.len()),
                    "share of the rows",
                    &series("paper_overflow", false),
                )?,
            ),
        ])
    }
}

const SKETCHES: &str = "\
- *The estimated* are the {estimated} of {all} matrices for which the paper's table 1 chooses the estimate.
- *Error* of a matrix: mean of |estimate - length| / length over its rows that are not empty. *Deviation*: root mean square of
  the same. Theory's figure for one sketch is 1.04 / sqrt(registers) for the deviation, and 0.8 of that for the mean.
- *The paper's rule* of overflow: estimate times 1.5, rounded up to a power of two, full at 80 %. *This library's*: a row has
  exactly the room that its slot has, estimate times 2 at 32 registers and 1.5 above, and its accumulator always holds that.
  That overflow is handled right is tested by coefficients of 0.5 and 0.01 (`tests/workflows.rs`).
- The estimate is Ertl's (2017), not the original one with its switch to linear counting; it is right at small counts too.
  With few registers it is too high by 1.079 / m once all are in use, which is taken out (`src/spgemm/hyperloglog.rs`).
";
