//! The hosts: one small file each. A host is added by its file here and its line in `HOSTS`.

use super::host::Host;

mod antigravity;
mod claude_code;
mod cline;
mod codebuddy;
mod codex;
mod continue_cli;
mod copilot_cli;
mod cursor;
mod devin;
mod droid;
mod gemini_cli;
mod goose;
mod junie;
mod kimi;
mod kiro;
mod opencode;
mod qwen_code;
mod vscode;
mod windsurf;

/// All hosts.
pub(super) static HOSTS: &[&dyn Host] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &copilot_cli::CopilotCli,
    &qwen_code::QwenCode,
    &gemini_cli::GeminiCli,
    &opencode::OpenCode("opencode"),
    &opencode::OpenCode("kilo"),
    &cursor::Cursor,
    &vscode::VsCode,
    &antigravity::Antigravity,
    &codebuddy::CodeBuddy,
    &continue_cli::ContinueCli,
    &devin::Devin,
    &droid::Droid,
    &kimi::Kimi,
    &kiro::Kiro,
    &goose::Goose,
    &windsurf::Windsurf,
    &cline::Cline,
    &junie::Junie,
];

/// The host by its name or another name for it.
pub(super) fn by_name(name: &str) -> Option<&'static dyn Host> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    HOSTS.iter().copied().find(|host| host.name() == name || host.aliases().contains(&&*name))
}
