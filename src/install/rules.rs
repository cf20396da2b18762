//! The words for the model where no hook can give it the map.

/// For a markdown file that the model reads. Paid for in every session, so it is short.
pub const TEXT: &str = "\
## Code graph

This repository is indexed by Portolan. Before you search for the place of a change, ask it where to look: the MCP tool
`orient` of the server `portolan` with the task as its text, or `portolan map \"<task>\"` in a shell. Before you change
what other code calls, ask `impact`. Both answer in a few lines, with paths and line ranges.";

/// The first line of a file of our own.
pub const OWN: &str = "<!-- Written by portolan; `portolan uninstall` removes it. -->";
