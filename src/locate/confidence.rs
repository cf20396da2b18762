//! How far the first places can be trusted, from the kinds of evidence and the margin.

use super::fuse::Fused;
use super::weights::confidence as w;
use super::{Confidence, Place, Signal};

/// How sure the first places are; comparable between answers.
pub fn value(fused: &Fused<'_>, places: &[Place]) -> f32 {
    let files = fused.ranked_files();
    let (Some(&(first, best)), false) = (files.first(), places.is_empty()) else { return 0.0 };
    let fourth = files.get(3).map_or(0.0, |f| f.1);
    let margin = 1.0 - fourth / best.max(f32::MIN_POSITIVE);
    let points = fused.file_points(first);
    let exact = [Signal::Mention, Signal::Path, Signal::Frame, Signal::Literal]
        .iter()
        .map(|&s| points[s as usize])
        .fold(0.0, f32::max);
    let kinds = points.iter().filter(|&&p| p > w::COUNTS).count();
    w::MARGIN * margin
        + w::EXACT * exact.min(1.0)
        + w::KINDS * (kinds as f32 / 5.0)
        + w::COVERAGE * fused.text().coverage
}

/// The word for a value.
pub fn of(value: f32) -> Confidence {
    if value >= w::HIGH {
        Confidence::High
    } else if value >= w::MEDIUM {
        Confidence::Medium
    } else {
        Confidence::Low
    }
}
