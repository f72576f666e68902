// SPDX-License-Identifier: MIT OR Apache-2.0
//! Markov clustering.

use super::handle::world;
use super::matrix::operand;
use super::options::options;
use super::types::{oceanDistHandle_t, oceanDistMat_t, oceanDistOptions_t};
use crate::dist::{Entries, fingerprint};
use crate::error::Error;
use crate::ffi::guard::{guard, output};
use crate::ffi::objects::lock;
use crate::ffi::types::oceanStatus_t;
use crate::heap::caught;
use crate::scalar::{Scalar, with_computed};

/// Markov clustering of a graph (van Dongen 2000), by the rules of the program `mcl`. Collective.
///
/// Entry (i, j) is the weight of an edge between nodes i and j; of several between two nodes, in either direction, the
/// heaviest counts, and loops do not. Every node gets a loop as heavy as its heaviest edge. Then distributions are
/// expanded (a product), pruned and inflated until they are at rest. The clusters are the same on any number of
/// ranks. Cost: a product for each iteration, some 20 to 60 of them; a rank holds its rows of the product before they are
/// pruned. Source of the distribution: "Trident", ICS 2026, section 5.
///
/// @param[in]  dist        the ranks.
/// @param[in]  graph       square, with weights of CUDA_R_32F or R_64F, finite and not below 0.
/// @param[in]  options     the rules, and how products are spread (sums and permutation are not asked); or NULL.
/// @param[out] labels      host: for each row of this rank, as oceanDistCreateMatRows was given them or oceanDistCreateMatCoo
///                         says, the number of its cluster, from 0; larger clusters have smaller numbers. NULL if the rank has none.
/// @param[out] clusters    how many there are in all.
/// @param[out] iterations  how many steps it took. Nothing is written on failure.
/// @return OCEAN_STATUS_SUCCESS, on all ranks or on none; INVALID_VALUE for NULLs, dead objects, a graph that is not square,
///         or a wrong weight; NOT_SUPPORTED for complex weights; what products return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oceanDistMcl(
    dist: oceanDistHandle_t,
    graph: oceanDistMat_t,
    options: oceanDistOptions_t,
    labels: *mut i64,
    clusters: *mut i64,
    iterations: *mut i32,
) -> oceanStatus_t {
    guard(|| {
        let object = world(dist)?;
        let mut world = lock(&object);
        let rank = world.rank();
        let checked = caught(|| {
            // SAFETY: the header asks for pointers that are NULL or valid.
            let outputs = unsafe { (output(clusters, "clusters")?, output(iterations, "iterations")?) };
            let (graph, _) = operand(graph, "graph", &object)?;
            let rows = graph.rows.part(rank);
            if labels.is_null() && !rows.is_empty() {
                return Err(Error::Null { argument: "labels" });
            }
            if graph.kind.is_complex() {
                return Err(Error::not_supported(format!("graph with weights of type {:?}", graph.kind)));
            }
            let edges = with_computed!(Some(graph.kind), V => Ok(weights(&graph.local::<V>()?.entries(rank))))?;
            Ok((outputs, edges, graph, self::options(options)?))
        });
        let mark = checked
            .as_ref()
            .ok()
            .map(|(_, _, graph, options)| format!("{:?} {:?} {:?}", graph.sizes, options.rules, options.product));
        let ((count, steps), edges, graph, options) = world.agree(checked, fingerprint(&("a clustering", mark)))?;
        let found = world.cluster(&edges, &graph.rows, &options.rules, &options.product)?;
        for (at, &label) in found.labels.iter().enumerate() {
            // SAFETY: the header asks for a label for each of this rank's rows.
            unsafe { labels.add(at).write(label as i64) };
        }
        (*count, *steps) = (found.clusters as i64, found.iterations.len() as i32);
        Ok(())
    })
}

/// The same entries with real weights of 64 bits.
fn weights<V: Scalar>(entries: &Entries<V>) -> Entries<f64> {
    let Entries { rows, cols, row, col, values } = entries;
    let values = values.iter().map(|value| value.parts()[0]).collect();
    Entries { rows: *rows, cols: *cols, row: row.clone(), col: col.clone(), values }
}
