//! The coding agents, one file each.

mod amp;
mod antigravity;
mod claude_code;
mod cline;
mod codebuddy;
mod codex;
mod continue_dev;
mod copilot_cli;
mod cursor;
mod droid;
mod gemini_cli;
mod goose;
mod junie;
mod kimi;
mod kiro;
mod opencode;
mod qwen_code;
mod trae;
mod vscode;
mod windsurf;
mod zed;

use super::Platform;

/// All of them, in the order in which they are listed.
pub static PLATFORMS: &[&dyn Platform] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &cursor::Cursor,
    &gemini_cli::GeminiCli,
    &qwen_code::QwenCode,
    &copilot_cli::CopilotCli,
    &vscode::VsCode,
    &opencode::OpenCode,
    &windsurf::Windsurf,
    &zed::Zed,
    &continue_dev::Continue,
    &cline::Cline,
    &kiro::Kiro,
    &antigravity::Antigravity,
    &codebuddy::CodeBuddy,
    &goose::Goose,
    &amp::Amp,
    &kimi::Kimi,
    &droid::Droid,
    &trae::Trae,
    &junie::Junie,
];
