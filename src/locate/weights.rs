//! All weights of the ranking, in one place.
//!
//! Fitted on reports whose fixes are known, leaving out one repository after the other (`eval/fit.rs`); nothing here
//! knows a repository.

use serde::{Deserialize, Serialize};

use super::SIGNALS;

/// A struct whose default is what was fitted, with each value beside its meaning.
macro_rules! fitted {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $value:expr;)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $value,)* }
            }
        }
    };
}

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
    /// Lines below a heading that asks for the reporter's machine.
    pub const SETUP: f32 = 0.3;
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

fitted! {
    /// BM25F. Fields in the order of [`crate::terms::Field`]: name, doc, literal, comment, identifier.
    Text {
        /// Saturation for whole files.
        file_k1: f32 = 1.6;
        /// Weights of a file's fields.
        file_field: [f32; 5] = [2.0, 1.5, 1.2, 1.0, 1.0];
        /// Length normalisation of a file's fields.
        file_b: [f32; 5] = [0.6, 0.6, 0.6, 0.6, 0.75];
        /// A word in the file's own name, in occurrences.
        file_name: f32 = 8.0;
        /// A word in a folder's name.
        folder: f32 = 2.0;
        /// Saturation for units.
        unit_k1: f32 = 1.2;
        /// Weights of a unit's fields.
        unit_field: [f32; 5] = [3.0, 1.5, 1.5, 1.2, 1.0];
        /// Length normalisation of a unit's fields.
        unit_b: [f32; 5] = [0.4, 0.5, 0.5, 0.5, 0.5];
    }
}

fitted! {
    /// History.
    Past {
        /// A commit of this age counts half.
        half_life_years: f32 = 3.0;
        /// Commits added to a file's own, so that a few shared ones do not count as always.
        co_change_prior: f32 = 2.0;
    }
}

fitted! {
    /// Fusion. Arrays in the order of [`crate::locate::Signal`]: text, mention, path, frame, literal, calls, commits,
    /// co-change, witness.
    Fusion {
        /// Points of a full hit for a file.
        file: [f32; SIGNALS] = [0.7, 0.2, 1.1, 0.8, 0.35, 0.2, 0.4, 0.1, 0.24];
        /// Points of a full hit for a symbol, on top of its file's.
        unit: [f32; SIGNALS] = [1.0, 0.34, 0.4, 1.2, 0.4, 2.3, 0.0, 0.0, 0.0];
        /// What a file's best unit by text adds to the file.
        best_unit: f32 = 0.35;
        /// A mention in the body against one in the title.
        mention_in_body: f32 = 0.6;
        /// A plain word of the title that is also a symbol.
        plain_word: f32 = 0.5;
        /// A name without its qualifier.
        bare_name: f32 = 0.7;
        /// Share of a class's mention that its members get.
        member_share: f32 = 0.4;
        /// What is set by a name (a flag, a variable of the environment, a key), where that name stands as a literal.
        setting: f32 = 1.0;
        /// A place of another file with less than this share of a place's score does not stand on the map in its stead.
        rival: f32 = 0.5;
        /// A class or the like as a place.
        type_place: f32 = 0.7;
        /// A constant or variable as a place.
        value_place: f32 = 0.5;
        /// A module's own lines as a place.
        module_place: f32 = 0.6;
        /// Points for each unit of a symbol's rank.
        centrality: f32 = 0.01;
    }
}

fitted! {
    /// How much there is in a function that can be wrong.
    Substance {
        /// What is left of the words of one that only passes on or stores.
        none: f32 = 0.5;
        /// Identifiers that weigh as much as a call.
        per_call: f32 = 8.0;
        /// Calls and their like at which half of the rest is given.
        half: f32 = 2.0;
        /// Calls and their like at which half of what the walk brings is given: a function that only hands on has one.
        link: f32 = 1.8;
    }
}

fitted! {
    /// The walk along CALLS.
    Walk {
        /// Each call passes on this much.
        decay: f32 = 1.0;
        /// Number of called symbols at which each gets half.
        spread: f32 = 15.0;
        /// Number of callers at which a symbol gets half.
        hub: f32 = 25.0;
        /// What is visible outside of its file, against what is not.
        exported: f32 = 0.5;
        /// Less is not passed on.
        least: f32 = 0.01;
        /// Share of the strength that hangs on the reached symbol's own words.
        needs_words: f32 = 0.06;
        /// From a member of a named class.
        from_member: f32 = 0.5;
        /// What a member gets whose words do not fit at all.
        member_floor: f32 = 0.5;
        /// A base class against the class that inherits from it.
        base: f32 = 0.85;
        /// From a function whose words fit best.
        from_words: f32 = 0.15;
        /// A function that is walked from and not visible outside of its file, against one that is.
        private_seed: f32 = 0.3;
        /// From the words when the text names no symbol, against when it surely names one.
        unnamed: f32 = 0.5;
        /// Power of the others' share of the best one's words.
        words_power: f32 = 0.8;
    }
}

fitted! {
    /// Confidence.
    Certainty {
        /// Of the margin to the fourth file.
        margin: f32 = 1.0;
        /// Of exact evidence.
        exact: f32 = 0.25;
        /// Of the number of kinds of evidence.
        kinds: f32 = 0.39;
        /// Of the share of the text's words that the first file has.
        coverage: f32 = 0.5;
        /// Points from which a kind counts.
        counts: f32 = 0.015;
        /// From here it is high.
        high: f32 = 0.92;
        /// From here it is medium.
        medium: f32 = 0.55;
    }
}

fitted! {
    /// What a file is, by its path.
    Class {
        /// Examples, benchmarks, scripts beside the code.
        aside: f32 = 0.6;
        /// Text, data, configuration.
        document: f32 = 0.2;
        /// Made by a tool, or somebody else's.
        foreign: f32 = 0.1;
    }
}

fitted! {
    /// All of them.
    Weights {
        /// BM25F. Fields in the order of [`crate::terms::Field`]: name, doc, literal, comment, identifier.
        text: Text = Text::default();
        /// History.
        past: Past = Past::default();
        /// Fusion. Arrays in the order of [`crate::locate::Signal`]: text, mention, path, frame, literal, calls, commits,
        fusion: Fusion = Fusion::default();
        /// How much there is in a function that can be wrong.
        substance: Substance = Substance::default();
        /// The walk along CALLS.
        walk: Walk = Walk::default();
        /// Confidence.
        confidence: Certainty = Certainty::default();
        /// What a file is, by its path.
        class: Class = Class::default();
    }
}

/// Bounds, not weights.
pub mod bounds {
    /// Most calls in a row.
    pub const HOPS: u32 = 4;
    /// Symbols whose calls are looked up, a hop: each is a statement.
    pub const ASKED_A_HOP: usize = 24;
    /// Most named symbols that are walked from.
    pub const SEEDS: usize = 6;
    /// Members of a named class that are walked from, those whose words fit best.
    pub const MEMBERS: usize = 8;
    /// Classes that a named class stands for: itself and its bases.
    pub const CLASSES: usize = 5;
    /// Functions that are walked from for their words alone.
    pub const BY_WORDS: usize = 12;
    /// A larger commit says nothing of its files.
    pub const LARGEST_COMMIT: usize = 20;
    /// Best commits that are looked at.
    pub const COMMITS: usize = 20;
    /// Fewer shared commits are chance.
    pub const LEAST_TOGETHER: u32 = 2;
    /// Files by text that are considered.
    pub const CANDIDATES: usize = 200;
    /// Best files whose symbols are ranked.
    pub const FILES_LOOKED_INTO: usize = 30;
    /// Best files whose co-changes count.
    pub const CO_CHANGE_SEEDS: usize = 4;
}
