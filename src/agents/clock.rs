//! What time it is, on two clocks: one that a person may set, and one that only runs forward but starts anew at boot.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::store::owner::{boot_clock_ms, boot_id};

/// Seconds to add to the wall clock, and after a comma to the boot's clock; for tests with real processes.
pub const TEST_OFFSET: &str = "PORTOLAN_TEST_CLOCK_OFFSET";

/// A moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Seconds since the Unix epoch.
    pub wall: i64,
    /// Milliseconds since boot, suspended time included.
    pub tick: i64,
    /// Which boot that was.
    pub boot: String,
}

impl Moment {
    /// Now.
    pub fn now() -> Moment {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(0));
        let (wall_offset, tick_offset) = std::env::var(TEST_OFFSET).map_or((0, 0), |text| offsets(&text));
        Moment { wall: wall + wall_offset, tick: boot_clock_ms() + tick_offset * 1000, boot: boot_id() }
    }
}

fn offsets(text: &str) -> (i64, i64) {
    let (wall, tick) = text.split_once(',').unwrap_or((text, "0"));
    (wall.trim().parse().unwrap_or(0), tick.trim().parse().unwrap_or(0))
}

/// `40 s`, `2 min`, `3 h`, `2 d`.
pub fn span(seconds: i64) -> String {
    match seconds.max(0) {
        s @ 0..60 => format!("{s} s"),
        s @ 60..3600 => format!("{} min", s / 60),
        s @ 3600..86_400 => format!("{} h", s / 3600),
        s => format!("{} d", s / 86_400),
    }
}
