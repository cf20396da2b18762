//! Stack frames to symbols: the innermost frame that lies in the repository counts most.

use super::mentions::files_like;
use super::task::Task;
use super::{Hit, Signal, Target};
use crate::search::{Index, last_name};

/// Frames further out than this say little.
const MOST_FRAMES: usize = 12;

/// Hits of all frames that lead into the repository.
pub fn hits(index: &Index, task: &Task, hits: &mut Vec<Hit>) {
    let mut inside = 0u32;
    let mut frames: Vec<_> = task.frames.iter().collect();
    frames.sort_by_key(|f| f.depth);
    for frame in frames {
        let files = files_like(index, &frame.path);
        let Some(&(file, sure)) = files.first() else { continue };
        if sure < 0.5 || index.file(file).is_none_or(|f| f.is_test) {
            continue;
        }
        let strength = sure / (1.0 + 0.5 * inside as f32);
        inside += 1;
        if inside as usize > MOST_FRAMES {
            break;
        }
        let note = format!("{}:{}", frame.path.rsplit('/').next().unwrap_or(&frame.path), frame.line);
        hits.push(Hit { target: Target::File(file), signal: Signal::Frame, strength, note: note.clone() });
        let name = frame.function.rsplit(['.', ':']).next().unwrap_or("");
        let by_name: Vec<u32> = index
            .units_of(file)
            .filter(|&u| index.unit(u).is_some_and(|v| !name.is_empty() && last_name(v.qualname) == name))
            .collect();
        // The trace may be of another version: the name is surer than the line.
        let at_line = index.unit_at(file, frame.line);
        let unit = match by_name.as_slice() {
            [] => at_line,
            [one] => Some(*one),
            several => several.iter().copied().find(|&u| Some(u) == at_line).or_else(|| {
                several.iter().copied().min_by_key(|&u| index.unit(u).map_or(0, |v| v.start_line.abs_diff(frame.line)))
            }),
        };
        if let Some(unit) = unit {
            hits.push(Hit { target: Target::Unit(unit), signal: Signal::Frame, strength, note });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::tests::library;

    #[test]
    fn frames_of_libraries_lead_to_their_callers() {
        let index = library();
        let text = "Traceback\n  File \"/app/src/shop/cart.py\", line 2, in total\n    x\n  \
                    File \"/app/src/shop/graph.py\", line 5, in _between\n    y\n  \
                    File \"/usr/lib/python3/heapq.py\", line 9, in heapify\n    z\n";
        let mut hits = Vec::new();
        super::hits(&index, &Task::read(None, text), &mut hits);
        let of = |name: &str| {
            hits.iter()
                .find(|h| matches!(h.target, Target::Unit(u) if index.unit(u).unwrap().qualname == name))
                .map_or(0.0, |h| h.strength)
        };
        assert!(of("_between") > of("total") && of("total") > 0.0, "{hits:?}");
    }
}
