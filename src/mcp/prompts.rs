//! Prompts that a person picks: they tell the model in which order to ask.

use rmcp::model::{JsonObject, Prompt, PromptArgument};
use serde_json::Value as Json;

/// What there is.
pub(super) fn list() -> Vec<Prompt> {
    let argument = |name: &str, about: &str, required: bool| {
        PromptArgument::new(name).with_description(about).with_required(required)
    };
    vec![
        Prompt::new(
            "review",
            Some("Review a change by what it can break"),
            Some(vec![argument(
                "base",
                "branch or commit to compare with; the work tree's changes if left out",
                false,
            )]),
        ),
        Prompt::new(
            "locate",
            Some("Find where a task will have to change the code"),
            Some(vec![argument("task", "what is to be done", true)]),
        ),
        Prompt::new("onboard", Some("Get to know this repository"), None),
    ]
}

/// The text of a prompt: `Ok(None)` for an unknown one, an error for a missing argument.
pub(super) fn text(name: &str, arguments: Option<&JsonObject>) -> Result<Option<String>, String> {
    let argument = |key: &str| {
        let given = arguments.and_then(|a| a.get(key)).and_then(Json::as_str).map(str::trim);
        given.filter(|text| !text.is_empty())
    };
    Ok(Some(match name {
        "review" => {
            let change = match argument("base") {
                Some(base) => format!("the changes since {base} (`git diff {base}...`)"),
                None => "the uncommitted changes (`git diff HEAD`)".into(),
            };
            format!(
                "Review {change}. For each function that changed, ask portolan's `symbol` who calls it and which tests \
                 cover it; for each file, `history` for what usually changes with it and for past fixes. Read the callers \
                 that are marked exact or inferred, and check those marked possible or guess. Report: what can break and \
                 why, with path:line; callers, tests or co-changing files that the change forgot; the tests to run."
            )
        }
        "locate" => {
            let task = argument("task").ok_or("the prompt locate needs the argument task")?;
            format!(
                "Find where this task will have to change the code; do not change anything yet.\n\nTask: {task}\n\nAsk \
                 portolan's `orient` with the task first, then `symbol` for the likeliest places, and `find` for names \
                 or messages that the task quotes. Read only the line ranges that these name. Answer with the places as \
                 path:line ranges, each with the reason, and the tests that cover them."
            )
        }
        "onboard" => "Get to know this repository with portolan: `history` without a file for its hotspots, `find` for \
                      `main` and for its entry points, `symbol` for the central ones, `orient` with what you want to \
                      know. Then describe on one page: what it is for, its main parts and how they call each other, where \
                      its tests are, which files change most and together. Name path:line for each claim."
            .into(),
        _ => return Ok(None),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_text_and_a_missing_argument_is_said() {
        let task = serde_json::json!({"task": "sort the list", "base": "main"});
        for prompt in list() {
            let text = text(&prompt.name, task.as_object()).unwrap().unwrap();
            assert!(text.contains("portolan"), "{text}");
        }
        assert!(text("review", task.as_object()).unwrap().unwrap().contains("since main"));
        assert!(text("locate", None).unwrap_err().contains("task"));
        assert_eq!(text("other", None), Ok(None));
    }
}
