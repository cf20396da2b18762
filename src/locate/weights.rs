//! All weights of the ranking, in one place.
//!
//! Fitted on reports whose fixes are known, leaving out one repository after the other; nothing here knows
//! a repository.

/// How much the stretches of a text count.
pub mod reading {
    /// The title's words.
    pub const TITLE: f32 = 2.0;
    /// Running text.
    pub const PROSE: f32 = 1.0;
    /// Code in a sentence, beside what it stands in.
    pub const SPAN: f32 = 1.0;
    /// A fenced or indented line of code.
    pub const CODE: f32 = 0.8;
    /// A line that names an error.
    pub const ERROR_LINE: f32 = 1.0;
    /// A line of a log.
    pub const LOG_LINE: f32 = 0.3;
    /// A heading: mostly the tracker's template.
    pub const HEADING: f32 = 0.3;
    /// `Python version: 3.9`.
    pub const VERSION_LINE: f32 = 0.15;
    /// Words of an address.
    pub const URL: f32 = 0.6;
    /// A command-line flag.
    pub const FLAG: f32 = 1.3;
    /// Two words of the title written as one.
    pub const JOINED: f32 = 0.8;
    /// A number.
    pub const NUMBER: f32 = 0.5;
    /// What a second stretch with the same word adds.
    pub const REPEAT: f32 = 0.15;
    /// Lines after which a code block counts half.
    pub const CODE_FADE: f32 = 25.0;
}

/// BM25F. Fields in the order of [`crate::terms::Field`]: name, doc, literal, comment, identifier.
pub mod text {
    /// Saturation for whole files.
    pub const FILE_K1: f32 = 1.6;
    /// Weights of a file's fields.
    pub const FILE_FIELD: [f32; 5] = [2.0, 1.5, 1.2, 1.0, 1.0];
    /// Length normalisation of a file's fields.
    pub const FILE_B: [f32; 5] = [0.6, 0.6, 0.6, 0.6, 0.75];
    /// A word in the file's own name, in occurrences.
    pub const FILE_NAME: f32 = 8.0;
    /// A word in a folder's name.
    pub const FOLDER: f32 = 2.0;
    /// Saturation for units.
    pub const UNIT_K1: f32 = 1.2;
    /// Weights of a unit's fields.
    pub const UNIT_FIELD: [f32; 5] = [3.0, 1.5, 1.5, 1.2, 1.0];
    /// Length normalisation of a unit's fields.
    pub const UNIT_B: [f32; 5] = [0.4, 0.5, 0.5, 0.5, 0.5];
}

/// History.
pub mod past {
    /// A commit of this age counts half.
    pub const HALF_LIFE_YEARS: f32 = 3.0;
    /// A larger commit says nothing of its files.
    pub const LARGEST_COMMIT: usize = 20;
    /// Best commits that are looked at.
    pub const COMMITS: usize = 20;
    /// Fewer shared commits are chance.
    pub const LEAST_TOGETHER: u32 = 2;
    /// Commits added to a file's own, so that a few shared ones do not count as always.
    pub const CO_CHANGE_PRIOR: f32 = 2.0;
}

/// Fusion. Arrays in the order of [`crate::locate::Signal`]: text, mention, path, frame, literal, calls, commits,
/// co-change, witness.
pub mod fusion {
    use crate::locate::SIGNALS;

    /// Power of a unit's substance by which its points for calls are damped: more than 1, since of a chain of calls it is
    /// not the link that hands on.
    pub const HANDS_ON: f32 = 1.1;

    /// Points of a full hit for a file.
    pub const FILE: [f32; SIGNALS] = [0.7, 0.27, 1.1, 0.8, 0.35, 0.15, 0.4, 0.1, 0.24];
    /// Points of a full hit for a symbol, on top of its file's.
    pub const UNIT: [f32; SIGNALS] = [1.0, 0.45, 0.4, 1.2, 0.4, 0.6, 0.0, 0.0, 0.0];
    /// What a file's best unit by text adds to the file.
    pub const BEST_UNIT: f32 = 0.35;
    /// Files by text that are considered.
    pub const CANDIDATES: usize = 200;
    /// Best files whose symbols are ranked.
    pub const FILES_LOOKED_INTO: usize = 30;
    /// Best files whose co-changes count.
    pub const CO_CHANGE_SEEDS: usize = 4;
    /// A mention in the body against one in the title.
    pub const MENTION_IN_BODY: f32 = 0.6;
    /// A plain word of the title that is also a symbol.
    pub const PLAIN_WORD: f32 = 0.5;
    /// A name without its qualifier.
    pub const BARE_NAME: f32 = 0.7;
    /// Share of a class's mention that its members get.
    pub const MEMBER_SHARE: f32 = 0.4;
    /// A place of another file with less than this share of a place's score does not stand on the map in its stead.
    pub const RIVAL: f32 = 0.5;
    /// A class or the like as a place.
    pub const TYPE_PLACE: f32 = 0.7;
    /// A constant or variable as a place.
    pub const VALUE_PLACE: f32 = 0.5;
    /// A module's own lines as a place.
    pub const MODULE_PLACE: f32 = 0.6;
    /// Points for each unit of a symbol's rank.
    pub const CENTRALITY: f32 = 0.01;
}

/// How much there is in a function that can be wrong.
pub mod substance {
    /// What is left of the words of one that only passes on or stores.
    pub const NONE: f32 = 0.5;
    /// Identifiers that weigh as much as a call.
    pub const PER_CALL: f32 = 8.0;
    /// Calls and their like at which half of the rest is given.
    pub const HALF: f32 = 2.0;
}

/// The walk along CALLS.
pub mod walk {
    /// Each further call counts this much.
    pub const DECAY: f32 = 0.85;
    /// Number of reached symbols at which each counts half.
    pub const SPREAD: f32 = 12.0;
    /// Share of the strength that hangs on the reached symbol's own words.
    pub const NEEDS_WORDS: f32 = 0.3;
    /// What all members of a named class call, against the class.
    pub const SHARED: f32 = 0.8;
    /// Members that call it at which half of that is given.
    pub const SHARED_HALF: f32 = 1.5;
    /// From a member of a named class.
    pub const FROM_MEMBER: f32 = 0.5;
    /// From a function whose words fit best.
    pub const FROM_WORDS: f32 = 0.3;
}

/// Confidence.
pub mod confidence {
    /// Of the margin to the fourth file.
    pub const MARGIN: f32 = 1.0;
    /// Of exact evidence.
    pub const EXACT: f32 = 0.5;
    /// Of the number of kinds of evidence.
    pub const KINDS: f32 = 0.3;
    /// Of the share of the text's words that the first file has.
    pub const COVERAGE: f32 = 0.5;
    /// Points from which a kind counts.
    pub const COUNTS: f32 = 0.03;
    /// From here it is high.
    pub const HIGH: f32 = 0.88;
    /// From here it is medium.
    pub const MEDIUM: f32 = 0.6;
}

/// What a file is, by its path.
pub mod class {
    /// Examples, benchmarks, scripts beside the code.
    pub const ASIDE: f32 = 0.6;
    /// Text, data, configuration.
    pub const DOCUMENT: f32 = 0.2;
    /// Made by a tool, or somebody else's.
    pub const FOREIGN: f32 = 0.1;
}
