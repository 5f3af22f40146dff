//! The stages that judge a change, in the order in which a fault is cheapest to find.
//!
//! A stage that runs test cases counts each of them; any other counts as one. All stages run, whatever came before, unless
//! what they need is missing. What a person must read comes at the end: the output of the stages that failed, a table, and
//! the closing line.

use crate::shell::{capture, cargo, say, tee};
use crate::{Result, browsers, page, shell, tools};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// How much of a failed command's output is shown again at the end.
const LINES_SHOWN_AGAIN: usize = 120;

const WASM: &str = "--target=wasm32-unknown-unknown";

struct Stage {
    name: &'static str,
    says: &'static str,
    /// The stage whose result this one works on.
    needs: Option<&'static str>,
    run: fn(&mut Job) -> Result,
}

const STAGES: &[Stage] = &[
    Stage { name: "fmt", says: "every file is formatted", needs: None, run: fmt },
    Stage {
        name: "clippy",
        says: "no warning, natively with each set of features and for the browser",
        needs: None,
        run: clippy,
    },
    Stage { name: "pure", says: "the core builds alone, without any crate of the browser", needs: None, run: pure },
    Stage { name: "native", says: "tests on this machine", needs: None, run: native },
    Stage {
        name: "conformance",
        says: "the models of lock services beside the servers that they are models of",
        needs: None,
        run: conformance,
    },
    Stage { name: "wasm", says: "tests compiled for the browser, under Node.js", needs: None, run: wasm },
    Stage { name: "dist", says: "the optimised page", needs: None, run: dist },
    Stage { name: "size", says: "what a reader downloads", needs: Some("dist"), run: size },
    Stage {
        name: "browser",
        says: "the optimised page in real browsers: Chromium, Firefox, WebKit",
        needs: Some("dist"),
        run: browser,
    },
];

/// Left out by `--quick`: `dist` and all that needs it, and what needs a server to be installed.
fn is_slow(stage: &Stage) -> bool {
    ["dist", "conformance"].contains(&stage.name) || stage.needs == Some("dist")
}

/// For the usage text.
pub fn stage_list() -> String {
    let mut list = "stages of `test`:\n".to_owned();
    for stage in STAGES {
        let _ = writeln!(list, "  {:11} {}", stage.name, stage.says);
    }
    list
}

/// Runs the stages that the arguments choose. An empty error means: everything has been said.
pub fn run(arguments: &[&str]) -> Result {
    let chosen = choose(arguments)?;
    let mut done: Vec<Done> = Vec::new();
    for stage in chosen {
        say(&format!("\n=== {}: {}\n", stage.name, stage.says));
        let usable = |needed: &str| done.iter().any(|it| it.stage == needed && it.problem.is_none());
        let outcome = match stage.needs {
            Some(needed) if !usable(needed) => Done::left_out(stage, needed),
            _ => Done::after(stage),
        };
        if let Some(problem) = &outcome.problem {
            say(&format!("\n{}: {problem}", stage.name));
        }
        done.push(outcome);
    }
    print!("{}", closing(&done));
    if done.iter().all(|it| it.problem.is_none()) { Ok(()) } else { Err(String::new()) }
}

fn choose(arguments: &[&str]) -> Result<Vec<&'static Stage>> {
    let mut only: Vec<&Stage> = Vec::new();
    let mut quick = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--quick" => quick = true,
            "--only" => {
                let name = rest.next().ok_or("--only needs the name of a stage")?;
                let stage = STAGES.iter().find(|stage| stage.name == *name);
                only.push(stage.ok_or_else(|| format!("no stage `{name}`\n{}", stage_list()))?);
            }
            other => {
                return Err(format!("test knows --quick and --only STAGE, not `{other}`\n{}", stage_list()));
            }
        }
    }
    let wanted =
        |stage: &Stage| only.is_empty() || only.iter().any(|it| it.name == stage.name || it.needs == Some(stage.name));
    Ok(STAGES.iter().filter(|stage| wanted(stage) && !(quick && is_slow(stage))).collect())
}

// --- the stages ------------------------------------------------------------------------------------------------------

fn fmt(job: &mut Job) -> Result {
    job.run(cargo(&["fmt", "--all", "--check"])).map_err(|error| format!("{error}; `cargo fmt --all` mends it"))
}

fn clippy(job: &mut Job) -> Result {
    tools::add_wasm_target()?;
    let mut variants: Vec<Vec<&str>> = vec![
        vec!["--all-targets"],
        vec!["--all-targets", "--features=cli"],
        vec!["--all-targets", "--features=ui_ssr"],
        vec!["--all-targets", "--package=xtask", "--package=browser-tests", "--package=conformance"],
        vec![WASM, "--features=ui", "--lib", "--bins"],
        vec![WASM, "--features=annex", "--bin=annex"],
    ];
    let targets = wasm_test_targets()?;
    if !targets.is_empty() {
        let mut variant = vec![WASM];
        variant.extend(targets.iter().map(String::as_str));
        variants.push(variant);
    }
    job.run_all(variants.iter().map(|variant| {
        let mut command = cargo(&["clippy", "--quiet"]);
        command.args(variant).args(["--", "-D", "warnings"]);
        command
    }))
}

fn pure(job: &mut Job) -> Result {
    const OF_THE_BROWSER: &[&str] = &["yew", "wasm-bindgen", "web-sys", "js-sys", "gloo"];
    job.run(cargo(&["check", "--locked", "--lib", "--no-default-features"]))?;
    let tree = capture(&mut cargo(&[
        "tree",
        "--locked",
        "--package=fencepost",
        "--no-default-features",
        "--edges=normal",
        "--target=all",
        "--prefix=none",
        "--format={p}",
    ]))?;
    let mut crates: Vec<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    crates.sort_unstable();
    crates.dedup();
    if !crates.contains(&"fencepost") {
        return Err(format!("`cargo tree` does not list the product itself:\n{tree}"));
    }
    let strangers: Vec<&str> = crates
        .iter()
        .copied()
        .filter(|name| {
            let is_family = |it: &str| *name == it || name.starts_with(&format!("{it}-"));
            OF_THE_BROWSER.iter().any(|it| is_family(it))
        })
        .collect();
    say(&format!("the core is built from: {}", crates.join(", ")));
    if strangers.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "crates of the browser are in the core's tree without any feature: {}; make them optional, under `ui`",
            strangers.join(", ")
        ))
    }
}

fn native(job: &mut Job) -> Result {
    job.run_all([
        cargo(&["test", "--no-fail-fast", "--features=cli,ui_ssr"]),
        cargo(&["test", "--no-fail-fast", "--package=xtask"]),
    ])?;
    job.require_cases()
}

fn conformance(job: &mut Job) -> Result {
    let mut command = cargo(&["test", "--no-fail-fast", "--package=conformance"]);
    command.env("FENCEPOST_REDIS", tools::redis_server()?);
    let etcd = tools::etcd()?;
    command.env("FENCEPOST_ETCD", etcd.server).env("FENCEPOST_ETCDCTL", etcd.client);
    command.env("FENCEPOST_JAVA", tools::zookeeper()?);
    command.env("FENCEPOST_NODE_MODULES", tools::node_redlock()?);
    job.run(command)?;
    job.require_cases()
}

fn wasm(job: &mut Job) -> Result {
    let targets = wasm_test_targets()?;
    if targets.is_empty() {
        say("there is no tests/wasm_*.rs yet");
        job.is_empty = true;
        return Ok(());
    }
    let tools = tools::for_wasm_tests()?;
    let mut command = tools.cargo(&["test", "--no-fail-fast", WASM]);
    command.args(targets);
    job.run(command)?;
    job.require_cases()
}

fn dist(job: &mut Job) -> Result {
    page::dist_with(|command| job.run(command))
}

fn size(_: &mut Job) -> Result {
    let sizes = page::sizes()?;
    say(&sizes.table());
    sizes.too_heavy().map_or(Ok(()), Err)
}

fn browser(job: &mut Job) -> Result {
    let mut command = cargo(&["test", "--no-fail-fast", "--package=browser-tests"]);
    command.env("FENCEPOST_DIST", tools::dist()).envs(browsers::all()?);
    job.run(command)?;
    job.require_cases()
}

/// `--test=NAME` for each `tests/wasm_*.rs`: what such a file tests, it tests in the compiled form that a reader's browser
/// runs.
fn wasm_test_targets() -> Result<Vec<String>> {
    let folder = shell::root().join("tests");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut targets: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter_map(|name| {
            let target = name.strip_suffix(".rs")?;
            target.starts_with("wasm_").then(|| format!("--test={target}"))
        })
        .collect();
    targets.sort();
    Ok(targets)
}

// --- one stage at work -----------------------------------------------------------------------------------------------

/// What a stage has run so far.
#[derive(Default)]
struct Job {
    cases: Cases,
    /// What the commands that failed had to say.
    complaints: String,
    /// There was nothing to do, so that nothing may be counted.
    is_empty: bool,
}

impl Job {
    fn run(&mut self, mut command: Command) -> Result {
        let transcript = tee(&mut command)?;
        self.cases.add(&transcript.stdout);
        if transcript.success {
            return Ok(());
        }
        let shown = shell::shown(&command);
        let again = worth_showing_again(&transcript.both);
        let _ = writeln!(self.complaints, "$ {shown}\n{again}");
        Err(format!("`{shown}` failed"))
    }

    /// Runs all, and fails if one failed: a person wants to see every fault of a stage at once.
    fn run_all(&mut self, commands: impl IntoIterator<Item = Command>) -> Result {
        let problems: Vec<String> = commands.into_iter().filter_map(|command| self.run(command).err()).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }

    /// A run that found no test looks green and says nothing.
    fn require_cases(&self) -> Result {
        if self.cases == Cases::default() { Err("no test case ran".to_owned()) } else { Ok(()) }
    }
}

/// The last lines of an output, without those that say that all is well.
fn worth_showing_again(output: &str) -> String {
    const ALL_IS_WELL: &[&str] = &["Compiling ", "Downloaded ", "Finished ", "Running ", "running ", "test result: ok"];
    let is_news = |line: &&str| {
        let text = line.trim_start();
        !text.ends_with(" ... ok") && !ALL_IS_WELL.iter().any(|it| text.starts_with(it))
    };
    let lines: Vec<&str> = output.lines().filter(is_news).collect();
    let from = lines.len().saturating_sub(LINES_SHOWN_AGAIN);
    lines[from..].join("\n")
}

/// Counts from the closing lines of Rust's test runners.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Cases {
    passed: u32,
    failed: u32,
}

impl Cases {
    fn add(&mut self, stdout: &str) {
        for line in stdout.lines().filter(|line| line.contains("test result: ")) {
            self.passed += number_before(line, " passed;");
            self.failed += number_before(line, " failed;");
        }
    }
}

fn number_before(line: &str, word: &str) -> u32 {
    let before = line.split(word).next().filter(|before| *before != line);
    before.and_then(|before| before.rsplit(' ').next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

// --- what came of it -------------------------------------------------------------------------------------------------

struct Done {
    stage: &'static str,
    cases: Cases,
    problem: Option<String>,
    complaints: String,
    duration: Duration,
}

impl Done {
    fn after(stage: &Stage) -> Self {
        let start = Instant::now();
        let mut job = Job::default();
        let problem = (stage.run)(&mut job).err();
        let mut cases = job.cases;
        // One for the stage itself, where nothing else tells how it went.
        if problem.is_some() {
            cases.failed = cases.failed.max(1);
        } else if cases == Cases::default() && !job.is_empty {
            cases.passed = 1;
        }
        Self { stage: stage.name, cases, problem, complaints: job.complaints, duration: start.elapsed() }
    }

    fn left_out(stage: &Stage, needed: &str) -> Self {
        Self {
            stage: stage.name,
            cases: Cases { passed: 0, failed: 1 },
            problem: Some(format!("not run, since `{needed}` failed")),
            complaints: String::new(),
            duration: Duration::ZERO,
        }
    }
}

fn closing(done: &[Done]) -> String {
    let mut text = String::new();
    for it in done {
        let Some(problem) = &it.problem else { continue };
        let _ = writeln!(text, "\n=== failed: {}\n", it.stage);
        text.push_str(&it.complaints);
        let _ = writeln!(text, "{problem}");
    }
    let _ = writeln!(text, "\n=== summary\n");
    let mut all = Cases::default();
    for it in done {
        let word = match (&it.problem, it.cases == Cases::default()) {
            (Some(_), _) => "FAILED",
            (None, true) => "empty",
            (None, false) => "ok",
        };
        let _ = writeln!(
            text,
            "{:11} {word:6} {:5} passed {:5} failed {:7.1} s",
            it.stage,
            it.cases.passed,
            it.cases.failed,
            it.duration.as_secs_f64()
        );
        all.passed += it.cases.passed;
        all.failed += it.cases.failed;
    }
    let _ = writeln!(text, "\n{} passed, {} failed", all.passed, all.failed);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Vec<&'static str> {
        let stages = choose(arguments).expect("good arguments");
        stages.iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn stages_are_chosen_with_what_they_need() {
        assert_eq!(names(&[]).len(), STAGES.len());
        assert_eq!(names(&["--quick"]), ["fmt", "clippy", "pure", "native", "wasm"]);
        assert_eq!(names(&["--only", "browser"]), ["dist", "browser"]);
        assert_eq!(names(&["--only", "native", "--only", "fmt"]), ["fmt", "native"]);
        assert!(choose(&["--only", "nonsense"]).is_err());
    }

    #[test]
    fn a_stage_comes_after_what_it_needs() {
        for (at, stage) in STAGES.iter().enumerate() {
            let above = &STAGES[..at];
            assert!(stage.needs.is_none_or(|it| above.iter().any(|stage| stage.name == it)));
        }
    }

    #[test]
    fn cases_are_the_sum_over_all_test_programs() {
        let mut cases = Cases::default();
        cases.add(
            "test a ... ok\n\ntest result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\
             test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured\nall 99 passed; really\n",
        );
        assert_eq!((cases.passed, cases.failed), (15, 2));
    }

    #[test]
    fn what_is_shown_again_is_what_went_wrong() {
        let output =
            "   Compiling a v1.0.0\ntest a ... ok\ntest b ... FAILED\nb broke\ntest result: ok. 1 passed; 0 failed\n";
        assert_eq!(worth_showing_again(output), "test b ... FAILED\nb broke");
        let long = "line\n".repeat(10 * LINES_SHOWN_AGAIN);
        assert_eq!(worth_showing_again(&long).lines().count(), LINES_SHOWN_AGAIN);
    }

    #[test]
    fn the_closing_line_is_the_last_and_counts_everything() {
        let done = |stage, passed, failed, problem: Option<&str>| Done {
            stage,
            cases: Cases { passed, failed },
            problem: problem.map(str::to_owned),
            complaints: "what it wrote\n".to_owned(),
            duration: Duration::from_millis(1500),
        };
        let text = closing(&[done("fmt", 1, 0, None), done("native", 40, 2, Some("it broke"))]);
        assert!(text.ends_with("\n41 passed, 2 failed\n"), "{text}");
        assert!(text.contains("=== failed: native\n\nwhat it wrote\nit broke\n"), "{text}");
        assert!(!text.contains("=== failed: fmt"), "{text}");
    }
}
