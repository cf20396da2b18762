//! The Model Context Protocol over stdin and stdout, for agents. A thin door: [`tools`] says what there is, `answer`
//! turns a call into a question to the library and the answer into text.
//!
//! Two kinds of processes. The server speaks the protocol and never touches the engine. Workers (this
//! program again) answer one call at a time; the server starts more when calls come at once, and a new one when
//! one has died: an engine that crashes costs one answer, not the agent's tools. A worker opens the graph for
//! each question and closes it, as every command does, so that no other process is kept out. Both end when stdin
//! closes.

mod agents;
mod answer;
mod caller;
mod pool;
mod prompts;
mod resources;
mod server;
pub mod tools;
mod wire;
mod worker;

pub use caller::{Caller, roots};
pub use server::{Options, serve};
pub use worker::work;
