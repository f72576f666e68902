// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products of matrices that are spread over ranks: *Trident* (two dimensions between nodes, one or two inside), Sparse
//! SUMMA, and products by rows that fetch only what they need.
//!
//! [`Grid`], [`Cuts`], [`Layout`] and [`Schedule`] say who holds what and who needs which piece when; they know of
//! sizes alone.

mod cuts;
mod grid;
mod layout;
mod schedule;

pub use cuts::Cuts;
pub use grid::{Grid, Seat, common_per_node};
pub use layout::{Block, Layout};
pub use schedule::{Need, Operand, Parcel, Schedule};
