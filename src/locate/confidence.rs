//! How far the first places can be trusted, from the kinds of evidence and the margin.

use super::fuse::Fused;
use super::weights::Certainty;
use super::{Confidence, Place, Signal};

/// How sure the first places are; comparable between answers.
pub fn value(w: &Certainty, fused: &Fused<'_>, places: &[Place]) -> f32 {
    let files = fused.ranked_files();
    let (Some(&(first, best)), false) = (files.first(), places.is_empty()) else { return 0.0 };
    let best = best.max(f32::MIN_POSITIVE);
    let margin = 1.0 - files.get(3).map_or(0.0, |f| f.1) / best;
    let points = fused.file_points(first);
    let exact = [Signal::Mention, Signal::Path, Signal::Frame, Signal::Literal]
        .iter()
        .map(|&s| points[s as usize])
        .fold(0.0, f32::max);
    let kinds = points.iter().filter(|&&p| p > w.counts).count();
    w.margin * margin + w.exact * exact.min(1.0) + w.kinds * (kinds as f32 / 5.0) + w.coverage * fused.text().coverage
}

/// The word for a value.
pub fn of(w: &Certainty, value: f32) -> Confidence {
    if value >= w.high {
        Confidence::High
    } else if value >= w.medium {
        Confidence::Medium
    } else {
        Confidence::Low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_by_the_thresholds() {
        let w = Certainty::default();
        assert_eq!(of(&w, w.high), Confidence::High);
        assert_eq!(of(&w, w.medium), Confidence::Medium);
        assert_eq!(of(&w, w.medium - 0.01), Confidence::Low);
    }
}
