//! Sweeps on the command line: what shards add up to, what may not be added, and what a wrong call is told.

mod command;

use command::{Folder, fencepost};

const STORY: &str = r#"
schema = "fencepost.scenario/1"
[[worker]]
name = "W1"
client.check_deadline = false
[[worker]]
name = "W2"
start = "2s"
[[fault]]
pause = "W1"
at = "500ms"
for = "exp 6s"
[[design]]
protection = "safe-release"
[[design]]
protection = "fencing"
[sweep]
runs = 300
axes = { "lock.ttl" = ["5s", "10s"] }
"#;

fn json(args: &[&str]) -> (String, serde_json::Value) {
    let output = fencepost(args);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let value = serde_json::from_str(&text).expect("JSON");
    (text, value)
}

#[test]
fn shards_on_any_machine_add_up_to_the_whole() {
    let folder = Folder::new("sweep-shards");
    let story = folder.put("story.toml", STORY);
    let (_, whole) = json(&["sweep", &story, "--format", "json"]);
    let shards: Vec<String> = (1..=3)
        .map(|i| {
            let jobs = i.to_string();
            let (text, _) = json(&["sweep", &story, "--format", "json", "--shard", &format!("{i}/3"), "--jobs", &jobs]);
            folder.put(&format!("{i}.json"), &text)
        })
        .collect();
    let [one, two, three] = &shards[..] else { unreachable!() };
    let (_, sum) = json(&["merge", three, one, two, "--format", "json"]);
    assert_eq!(sum["points"], whole["points"]);
    assert_eq!(sum["points"].as_array().map(Vec::len), Some(2), "the axes of the file");
    assert_eq!(sum["points"][0]["tallies"][0]["runs"], 300);
    assert!(sum["points"][0]["tallies"][0]["broken"].as_u64() > sum["points"][1]["tallies"][0]["broken"].as_u64());

    let twice = fencepost(&["merge", one, two, one]);
    assert!(!twice.status.success());
    assert!(String::from_utf8_lossy(&twice.stderr).contains("would count twice"));
}

#[test]
fn what_does_not_belong_together_is_not_added() {
    let folder = Folder::new("sweep-strangers");
    let story = folder.put("story.toml", STORY);
    let other = folder.put("other.toml", &STORY.replace("2s", "3s"));
    let one = folder.put("1.json", &json(&["sweep", &story, "--format", "json", "--shard", "1/2"]).0);
    for (args, why) in [
        (vec!["sweep", &other, "--shard", "2/2"], "another story"),
        (vec!["sweep", &story, "--shard", "2/2", "--axis", "lock.ttl=5s"], "other axes"),
        (vec!["sweep", &story, "--shard", "2/2", "--design", "2"], "other designs"),
    ] {
        let two = folder.put("2.json", &json(&[&args[..], &["--format", "json"]].concat()).0);
        let merged = fencepost(&["merge", &one, &two]);
        let said = String::from_utf8_lossy(&merged.stderr);
        assert!(!merged.status.success() && said.contains(why), "{args:?}: {said}");
    }
    let no_sweep = fencepost(&["merge", &story]);
    assert!(String::from_utf8_lossy(&no_sweep.stderr).contains("is no output of"));
}

#[test]
fn a_wrong_axis_says_which_value_and_what_to_write() {
    let folder = Folder::new("sweep-axes");
    let story = folder.put("story.toml", STORY);
    for (axis, said) in [
        ("lock.ttl=soon", "lock.ttl = soon: "),
        ("lock.tll=5s", "lock.tll = 5s: "),
        ("lock.ttl", "Write a key and its values"),
    ] {
        let output = fencepost(&["sweep", &story, "--runs", "1", "--axis", axis]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(said), "{axis}: {error}");
    }
}

#[test]
fn a_row_of_the_table_for_programs_has_what_its_head_says() {
    let folder = Folder::new("sweep-csv");
    let story = folder.put("story.toml", STORY);
    let output = fencepost(&["sweep", &story, "--runs", "20", "--format", "csv"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let columns: Vec<usize> = text.lines().map(|l| l.split(',').count()).collect();
    assert_eq!(columns.len(), 1 + 2 * 2);
    assert!(columns.iter().all(|n| *n == columns[0]), "{columns:?}");
}
