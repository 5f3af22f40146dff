//! The search on the command line: the matrix, cases as files, shards that are put together, and what a wrong call is told.

mod command;

use command::{Folder, fencepost};

const STORY: &str = include_str!("explore/two-workers.toml");

fn said(args: &[&str]) -> String {
    let output = fencepost(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Small enough to be walked several times.
const BOUNDS: [&str; 8] =
    ["--faults", "pause=2,drop=1", "--edges", "1", "--design", "safe-release", "--design", "activation"];

#[test]
fn shards_on_any_machine_come_to_the_same_as_the_whole() {
    let folder = Folder::new("explore-shards");
    let story = folder.put("story.toml", STORY);
    let run = |more: &[&str]| said(&[&["explore", &story], &BOUNDS[..], more].concat());
    let whole = run(&["--format", "csv"]);
    assert!(whole.contains("Safe release,stale-write,broken,1,"), "{whole}");
    assert!(whole.contains("Activation fence,lost-update,holds,,"), "{whole}");
    assert_eq!(run(&["--format", "csv", "--jobs", "1"]), whole);
    // Each thread may remember 1,536 states; what takes more is walked alone.
    assert_eq!(run(&["--format", "csv", "--jobs", "32", "--memory", "1"]), whole);
    let shards: Vec<String> = (1..=3)
        .map(|i| {
            let part = run(&["--format", "json", "--shard", &format!("{i}/3"), "--jobs", &i.to_string()]);
            folder.put(&format!("{i}.json"), &part)
        })
        .collect();
    let [one, two, three] = &shards[..] else { unreachable!() };
    assert_eq!(said(&["merge", three, one, two, "--format", "csv"]), whole);

    // A part says of what it has not seen that it is not known.
    let part = said(&["merge", one, "--format", "csv"]);
    assert!(part.contains("Activation fence,lost-update,none yet,,"), "{part}");
    let twice = fencepost(&["merge", one, two, one]);
    assert!(!twice.status.success());
    assert!(String::from_utf8_lossy(&twice.stderr).contains("would count twice"));
    let other = run(&["--format", "json", "--total", "1"]);
    let other = folder.put("other.json", &other);
    let merged = fencepost(&["merge", one, &other]);
    assert!(String::from_utf8_lossy(&merged.stderr).contains("other bounds"));
}

#[test]
fn the_smallest_cases_are_written_down_and_claim_what_they_do() {
    let folder = Folder::new("explore-cases");
    let story = folder.put("story.toml", STORY);
    let cases = folder.0.join("cases").display().to_string();
    let bounds = ["--faults", "pause", "--total", "1", "--edges", "1", "--design", "1", "--save", &cases];
    let text = said(&[&["explore", &story], &bounds[..]].concat());
    assert!(text.contains("No protection · foreign-release: pause W1 (at after W1 stamp, until 12s)"), "{text}");
    let files: Vec<String> = std::fs::read_dir(&cases)
        .expect("a folder with cases")
        .map(|f| f.expect("a file").path().display().to_string())
        .collect();
    assert!(files.len() >= 4, "{files:?}");
    let checked = said(&[&["check"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    assert!(checked.contains("0 failed"), "{checked}");
}

#[test]
fn a_wrong_call_is_told_what_is_wrong() {
    for (args, why) in [
        (vec!["explore", "gc-pause", "--faults", "meteor"], "there is no kind of fault \"meteor\""),
        (vec!["explore", "gc-pause", "--faults", "pause=many"], "many is no number"),
        (vec!["explore", "gc-pause", "--properties", "peace"], "there is no property \"peace\""),
        (vec!["explore", "gc-pause", "--design", "none of these"], "there is no design"),
    ] {
        let output = fencepost(&args);
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(!output.status.success() && said.contains(why), "{args:?}: {said}");
    }
}
