// SPDX-License-Identifier: MIT OR Apache-2.0
//! Edges between labelled nodes: from the bytes of a file to a matrix. Takes any bytes, hence knows of nothing else here.

use std::collections::HashMap;

use ocean::csr::OwnedCsr;

/// From, to and weight.
pub type Edge = (usize, usize, f64);

/// Lines `label label [weight]`, blank ones and those that begin with # aside; a missing weight is 1. Labels are in the
/// order in which they are first named. What is wrong begins with the line's number.
pub fn parse(bytes: &[u8]) -> Result<(Vec<String>, Vec<Edge>), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| at_byte(bytes, error.valid_up_to(), "is not UTF-8"))?;
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(at_byte(bytes, at, "has a NUL byte"));
    }
    let mut labels: Vec<String> = vec![];
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut edges = vec![];
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let bad = |problem: String| format!("line {}: {problem}", at + 1);
        // Labels may hold blanks where tabs part them.
        let words: Vec<&str> = if line.contains('\t') {
            line.split('\t').map(str::trim).collect()
        } else {
            line.split_whitespace().collect()
        };
        let (from, to, weight) = match *words {
            [from, to] => (from, to, 1.0),
            [from, to, weight] => {
                let number = weight.parse().map_err(|_| bad(format!("weight {weight} is not a number")))?;
                (from, to, number)
            }
            _ => return Err(bad(format!("{} words where two labels and a weight are expected", words.len()))),
        };
        let mut node = |label| {
            *index.entry(label).or_insert_with(|| {
                labels.push(String::from(label));
                labels.len() - 1
            })
        };
        edges.push((node(from), node(to), check(weight).map_err(bad)?));
    }
    Ok((labels, edges))
}

fn at_byte(bytes: &[u8], at: usize, problem: &str) -> String {
    let before = bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
    format!("line {}: {problem}", before + 1)
}

/// Whether a weight is one.
pub fn check(weight: f64) -> Result<f64, String> {
    if weight.is_finite() && weight >= 0.0 { Ok(weight) } else { Err(format!("weight {weight} is not 0 or more")) }
}

/// Both directions of every edge. Of edges between the same two nodes, in either direction, the heaviest counts; loops
/// do not.
pub fn symmetric(nodes: usize, edges: Vec<Edge>) -> Result<OwnedCsr<f64>, String> {
    if nodes > i32::MAX as usize {
        return Err(format!("{nodes} nodes, more than {}", i32::MAX));
    }
    let kept = edges.into_iter().filter(|&(from, to, weight)| from != to && weight > 0.0);
    let mut both: Vec<Edge> = kept.flat_map(|(from, to, weight)| [(from, to, weight), (to, from, weight)]).collect();
    both.sort_by(|one, other| (one.0, one.1).cmp(&(other.0, other.1)).then(other.2.total_cmp(&one.2)));
    both.dedup_by_key(|edge| (edge.0, edge.1));
    let mut weights =
        OwnedCsr { rows: nodes, cols: nodes, offsets: vec![0; nodes + 1], columns: vec![], values: vec![] };
    for (from, to, weight) in both {
        weights.offsets[from + 1] += 1;
        weights.columns.push(to as i32);
        weights.values.push(weight);
    }
    for node in 0..nodes {
        weights.offsets[node + 1] += weights.offsets[node];
    }
    Ok(weights)
}
