//! Lessons: by hand, and by rule.

use super::place::Place;

const TASK: &str = "the discount of a shopping cart is summed up wrongly in total";

#[test]
fn a_lesson_about_a_place_comes_with_the_map_when_the_place_is_on_it() {
    let place = Place::new();
    place.run(&["learn", "amounts are\ncents", "--about", "total", "--as", "ann"]).ok();
    place.run(&["learn", "reports are slow", "--about", "src/report.py", "--as", "ann"]).ok();
    let told = place.agent("one").prompt(TASK).told();
    assert_eq!(told.matches("Lesson: ").count(), 1, "{told}");
    // Its symbol goes, and with it the lesson; it is kept all the same.
    place.write(
        "src/cart.py",
        "def sum_up(items):\n    \"\"\"Sum up a shopping cart with discount.\"\"\"\n    return sum(items)\n",
    );
    place.run(&["index"]).ok();
    let told = place.agent("two").prompt(TASK).told();
    assert!(told.contains("src/cart.py") && !told.contains("amounts are cents"), "{told}");
    let lessons = place.run(&["lessons", "--json"]).json();
    let gone: Vec<_> = lessons["lessons"].as_array().unwrap().iter().filter(|l| l["gone"] == true).collect();
    assert_eq!(gone.len(), 1, "{lessons}");
    place.run(&["forget", gone[0]["id"].as_str().unwrap()]).ok();
    assert_eq!(place.run(&["lessons", "--json"]).json()["total"], 1);
    assert_eq!(place.run(&["forget", "nothing like that"]).code, Some(1));
    assert_eq!(place.run(&["learn", "x", "--about", "nobody"]).code, Some(2));
}

#[test]
fn commands_teach_what_fails_and_what_works_without_secrets() {
    let place = Place::new();
    let agent = place.agent("one");
    agent.bash("pytest tests/test_cart.py", "1", true);
    agent.bash("python -m pytest tests/test_cart.py", "2", false);
    agent.bash("API_KEY=hunter2 npm test", "3", true);
    agent.bash("API_KEY=hunter2 pnpm test", "4", false);
    let other = place.agent("two");
    other.bash("python -m pytest -q tests/test_tax.py::test_a", "5", false);
    other.bash("python -m pytest -q tests/test_cart.py", "6", false);
    let lessons = place.run(&["lessons", "--json"]).json();
    let texts: Vec<&str> = lessons["lessons"].as_array().unwrap().iter().map(|l| l["text"].as_str().unwrap()).collect();
    assert!(texts.contains(&"`pytest` fails here, `python -m pytest` works"), "{texts:?}");
    assert!(texts.contains(&"tests run with `python -m pytest -q`"), "{texts:?}");
    let confirmed = &lessons["lessons"]
        .as_array()
        .unwrap()
        .iter()
        .find(|l| l["text"] == "tests run with `python -m pytest -q`")
        .unwrap()["confirmed"];
    assert_eq!(confirmed, 2);
    let events = place.cypher("MATCH (e:Event) RETURN e.detail").to_string();
    assert!(events.contains("API_KEY=***") && !events.contains("hunter2"), "{events}");
}

#[test]
fn usage_reads_transcripts_that_exist_already() {
    let place = Place::new();
    let call = |name: &str, input: serde_json::Value| {
        serde_json::json!({ "sessionId": "s1", "type": "assistant",
            "message": { "content": [{ "type": "tool_use", "name": name, "input": input }] } })
    };
    let file = serde_json::json!({ "file_path": "/a" });
    let lines = [
        call("Grep", serde_json::json!({ "pattern": "x" })),
        call("Bash", serde_json::json!({ "command": "cd /x && rg foo" })),
        call("Read", file.clone()),
        call("Read", file.clone()),
        call("Edit", file.clone()),
        call("Read", file),
    ];
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    place.write("logs/deep/s1.jsonl", &format!("{text}not json\n"));
    let usage = place.run(&["usage", "--transcripts", "logs", "--json"]).json();
    let one = &usage["transcripts"][0];
    assert_eq!(one["session"], "s1");
    for (key, n) in [("calls", 6), ("before_edit", 4), ("searches", 2), ("reads", 3), ("rereads", 1), ("bad_lines", 1)]
    {
        assert_eq!(one[key], n, "{key}: {usage}");
    }
    assert_eq!(place.run(&["usage", "--transcripts", "nowhere"]).code, Some(2));
}
