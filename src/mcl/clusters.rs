// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clusters that a limit stands for.

use crate::csr::OwnedCsr;

/// Clusters, the largest first, of equal ones that with the first node; nodes in their order.
///
/// Attractors are the nodes that keep something of their own flow. Those that flow into each other are one system, and
/// every other node belongs to the system that holds most of its flow.
pub fn clusters(limit: &OwnedCsr<f64>) -> Vec<Vec<usize>> {
    let nodes = limit.rows;
    let flow = |node: usize| limit.row(node).map(|entry| (limit.columns[entry] as usize, limit.values[entry]));
    let attracts: Vec<bool> = (0..nodes).map(|node| flow(node).any(|(to, value)| to == node && value > 0.0)).collect();
    let mut system = Systems::new(nodes);
    for node in (0..nodes).filter(|&node| attracts[node]) {
        flow(node).filter(|&(to, value)| attracts[to] && value > 0.0).for_each(|(to, _)| system.join(node, to));
    }
    let mut members: Vec<Vec<usize>> = vec![vec![]; nodes];
    for node in 0..nodes {
        if attracts[node] {
            members[system.of(node)].push(node);
            continue;
        }
        let mut shares: Vec<(usize, f64)> = vec![];
        for (to, value) in flow(node).filter(|&(to, _)| attracts[to]) {
            let of = system.of(to);
            match shares.iter_mut().find(|share| share.0 == of) {
                Some(share) => share.1 += value,
                None => shares.push((of, value)),
            }
        }
        // Of equal shares the first one; a node that flows to no attractor is alone.
        let best = shares.into_iter().reduce(|best, share| if share.1 > best.1 { share } else { best });
        members[best.map_or(node, |share| share.0)].push(node);
    }
    let mut clusters: Vec<Vec<usize>> = members.into_iter().filter(|cluster| !cluster.is_empty()).collect();
    clusters.sort_by(|one, other| other.len().cmp(&one.len()).then(one[0].cmp(&other[0])));
    clusters
}

/// For each of so many nodes the number of its cluster.
pub fn labels(clusters: &[Vec<usize>], nodes: usize) -> Vec<u64> {
    let mut labels = vec![0; nodes];
    for (label, cluster) in clusters.iter().enumerate() {
        cluster.iter().for_each(|&node| labels[node] = label as u64);
    }
    labels
}

/// Sets of nodes that are joined.
struct Systems(Vec<usize>);

impl Systems {
    fn new(nodes: usize) -> Self {
        Self((0..nodes).collect())
    }

    fn of(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_join_the_system_that_holds_most_of_them() {
        // 0 and 1 attract each other, 4 itself; 2 flows to 0 and 1 together more than to 4, 3 to 4, 5 nowhere known.
        let limit = OwnedCsr::new(
            6,
            6,
            vec![0, 2, 4, 7, 8, 9, 10],
            vec![0, 1, 0, 1, 0, 1, 4, 4, 4, 3],
            vec![0.5, 0.5, 0.5, 0.5, 0.3, 0.3, 0.4, 1.0, 1.0, 1.0],
        );
        let found = clusters(&limit.expect("CSR"));
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4], vec![5]]);
        assert_eq!(labels(&found, 6), [0, 0, 0, 1, 1, 2]);
    }
}
