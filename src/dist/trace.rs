// SPDX-License-Identifier: MIT OR Apache-2.0
//! A probe that remembers what happened when, as lines and as a picture.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::{Event, Probe};
use crate::error::Result;

/// Something that happened to a rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Seconds since the trace began.
    pub seconds: f64,
    /// The rank.
    pub rank: usize,
    /// What it was.
    pub event: Event,
}

/// Everything that happens to the ranks that have this as their probe. Ranks of one process may share one.
pub struct Trace {
    begin: Instant,
    moments: Mutex<Vec<Moment>>,
}

impl Default for Trace {
    fn default() -> Self {
        Self { begin: Instant::now(), moments: Mutex::default() }
    }
}

impl Probe for Trace {
    fn at(&self, rank: usize, event: &Event) -> Result<()> {
        let mut moments = self.moments.lock().unwrap_or_else(PoisonError::into_inner);
        moments.push(Moment { seconds: self.begin.elapsed().as_secs_f64(), rank, event: *event });
        Ok(())
    }
}

impl Trace {
    /// All of it so far, in order of time.
    pub fn moments(&self) -> Vec<Moment> {
        self.moments.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// One line an event: seconds, rank, what, and which.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        for Moment { seconds, rank, event } in self.moments() {
            let words = match event {
                Event::Packing => "packing".to_owned(),
                Event::Arrived { parcel, from, bytes } => {
                    format!(
                        "arrived {:?} of interval {} from rank {from}, {bytes} bytes",
                        parcel.operand, parcel.interval
                    )
                }
                Event::Multiplying { batch } => format!("multiplying batch {batch}"),
                Event::Multiplied { batch } => format!("multiplied batch {batch}"),
                Event::Summing => "summing".to_owned(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{seconds:.6} {rank} {words}");
        }
        out
    }

    /// A timeline as SVG: a line for each rank, on it a bar for each product and a tick for each parcel that arrived; those
    /// from rank `marked` in another colour.
    pub fn svg(&self, marked: Option<usize>) -> String {
        const LINE: f64 = 18.0;
        const LEFT: f64 = 60.0;
        const WIDTH: f64 = 900.0;
        let moments = self.moments();
        let ranks = moments.iter().map(|moment| moment.rank + 1).max().unwrap_or(0);
        let first = moments.first().map_or(0.0, |moment| moment.seconds);
        let span = (moments.last().map_or(0.0, |moment| moment.seconds) - first).max(1e-9);
        let x = |seconds: f64| LEFT + (seconds - first) / span * WIDTH;
        let top = |rank: usize| LINE * (rank as f64 + 0.5);
        let height = LINE * (ranks as f64 + 2.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" \
             font-size=\"11\">\n",
            LEFT + WIDTH + 20.0
        );
        for rank in 0..ranks {
            let y = top(rank);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "<text x=\"4\" y=\"{:.1}\">rank {rank}</text>", y + 11.0);
            let mut begun = None;
            for Moment { seconds, event, .. } in moments.iter().filter(|moment| moment.rank == rank) {
                match event {
                    Event::Multiplying { .. } => begun = Some(*seconds),
                    Event::Multiplied { batch } => {
                        let from = x(begun.take().unwrap_or(*seconds));
                        let _ = writeln!(
                            out,
                            "<rect x=\"{from:.2}\" y=\"{y:.1}\" width=\"{:.2}\" height=\"14\" fill=\"#4477aa\">\
                             <title>batch {batch}</title></rect>",
                            (x(*seconds) - from).max(1.0)
                        );
                    }
                    Event::Arrived { from, .. } => {
                        let colour = if Some(*from) == marked { "#cc3311" } else { "#999999" };
                        let at = x(*seconds);
                        let _ = writeln!(
                            out,
                            "<path d=\"M{at:.2} {:.1}v14\" stroke=\"{colour}\"><title>from rank {from}</title></path>",
                            y
                        );
                    }
                    Event::Packing | Event::Summing => {}
                }
            }
        }
        let _ = writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"{:.1}\">{span:.3} s from left to right; bars: products; ticks: parcels</text>\n</svg>",
            height - 8.0
        );
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Operand, Parcel};
    use super::*;

    #[test]
    fn lines_and_picture_have_every_event() {
        let trace = Trace::default();
        let parcel = Parcel { operand: Operand::A, interval: 3, owner: 2, node_row: 0, node_col: 1 };
        let events = [
            Event::Packing,
            Event::Arrived { parcel, from: 2, bytes: 77 },
            Event::Multiplying { batch: 3 },
            Event::Multiplied { batch: 3 },
            Event::Summing,
        ];
        events.iter().for_each(|event| trace.at(1, event).unwrap());
        let lines = trace.lines();
        assert_eq!(lines.lines().count(), 5);
        assert!(lines.contains(" 1 arrived A of interval 3 from rank 2, 77 bytes\n"), "{lines}");
        let picture = trace.svg(Some(2));
        assert_eq!((picture.matches("<rect").count(), picture.matches("#cc3311").count()), (1, 1), "{picture}");
        assert_eq!(picture.matches("<text").count(), 3, "ranks 0 and 1, and the legend: {picture}");
        assert!(Trace::default().svg(None).ends_with("</svg>\n"));
    }
}
