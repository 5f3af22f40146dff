//! The command line: run a scenario, check what it claims, list the stories that come with the engine.
//!
//! A few lines over the library. Exit status: 0 all well, 1 a claim failed, 2 the scenario or the call has errors.

#[path = "cli/explore.rs"]
mod explore;
#[path = "cli/sweep.rs"]
mod sweep;

use clap::{Parser, Subcommand, ValueEnum};
use fencepost::check::{Property, Verdict};
use fencepost::export;
use fencepost::run::{self, Run, expect, json};
use fencepost::scenario::{self, Scenario, Severity, preset};
use fencepost::trace::{EndWhy, Narrator};
use fencepost::view;
use fencepost::why;
use std::fmt::Write as _;
use std::io::Read;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "fencepost",
    version,
    about = "What distributed locks, leases and fencing tokens do when things go wrong."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario under its designs and show what happened.
    Run {
        /// A file, the name of a preset (see `fencepost presets`), or - for standard input.
        scenario: String,
        /// Only this design; may be given several times. By name, or by number from 1.
        #[arg(long)]
        design: Vec<String>,
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Check that runs bear out what the files claim. Fails (exit 1) and says which claim if one does not hold.
    Check {
        /// Files or names of presets; --all for all presets.
        scenarios: Vec<String>,
        /// All presets.
        #[arg(long)]
        all: bool,
    },
    /// Say why promises broke: causes, the assumption that was broken, what would have helped, and what it costs.
    Why {
        /// A file, the name of a preset, or - for standard input.
        scenario: String,
        /// Only this design; may be given several times. By name, or by number from 1.
        #[arg(long)]
        design: Vec<String>,
    },
    /// Write a scenario, or what happened in it, in a format that other programs read.
    Export {
        /// A file, the name of a preset (see `fencepost presets`), or - for standard input.
        scenario: String,
        #[arg(long = "as", value_enum)]
        format: As,
        /// Only this design; may be given several times. By name, or by number from 1.
        #[arg(long)]
        design: Vec<String>,
        /// Where a reader finds the story alive: stands at the end of Markdown.
        #[arg(long, default_value = "")]
        link: String,
    },
    /// Search every schedule within bounds for the least that breaks each design.
    Explore(explore::ExploreArgs),
    /// Run a scenario under many seeds over a grid of parameters: how often it goes wrong, and what it costs.
    Sweep(sweep::SweepArgs),
    /// Add up the JSON outputs of `sweep --shard` or of `explore --shard`.
    Merge {
        /// Files that `sweep --format json` or `explore --format json` wrote.
        files: Vec<String>,
        #[arg(long, value_enum, default_value_t = sweep::Output::Text)]
        format: sweep::Output,
    },
    /// List the stories that come with the engine.
    Presets,
}

/// See [`export::Format`].
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    /// The picture: light, plain text, participants above and below.
    Svg,
    /// The story told in Markdown.
    Md,
    /// A Mermaid sequence diagram of the first design; it loses the slant.
    Mmd,
    /// PlantUML sequence diagrams, one for each design.
    Puml,
    /// The scenario as JSON.
    Json,
    /// The scenario as TOML.
    Toml,
    /// The runs as JSON, see docs/trace-format.md.
    Trace,
    /// What stands behind the # of a link that carries the scenario.
    Link,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Verdicts and events, one line each.
    Text,
    /// The documented trace format, for programs.
    Json,
    /// The picture, as one document.
    Svg,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run { scenario, design, format } => run_command(&scenario, &design, format),
        Command::Check { scenarios, all } => check_command(scenarios, all),
        Command::Why { scenario, design } => why_command(&scenario, &design),
        Command::Export { scenario, format, design, link } => export_command(&scenario, format, &design, &link),
        Command::Sweep(args) => sweep::sweep(&args).map(|text| (text, ExitCode::SUCCESS)),
        Command::Explore(args) => explore::explore(&args).map(|text| (text, ExitCode::SUCCESS)),
        Command::Merge { files, format } => merge(&files, format).map(|text| (text, ExitCode::SUCCESS)),
        Command::Presets => presets_command(),
    };
    match outcome {
        Ok((text, code)) => {
            print(&text);
            code
        }
        Err(message) => {
            eprint!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Writes to standard output; a reader who has seen enough (`| head`) is no error.
fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// The text of a scenario: a preset's, a file's, or what stands in standard input.
fn text_of(name: &str) -> Result<String, String> {
    if let Some(preset) = preset::by_id(name) {
        return Ok(preset.text.to_string());
    }
    if name == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        return read.map(|_| text).map_err(|e| format!("standard input cannot be read: {e}.\n"));
    }
    std::fs::read_to_string(name).map_err(|e| {
        format!(
            "\"{name}\" is neither a preset nor a file that can be read ({e}). `fencepost presets` lists the presets.\n"
        )
    })
}

/// Reads a scenario; says everything that is wrong with it.
fn read(name: &str) -> Result<Scenario, String> {
    read_text(name, &text_of(name)?)
}

fn read_text(name: &str, text: &str) -> Result<Scenario, String> {
    let parsed = scenario::parse(text);
    let mut said = String::new();
    for d in &parsed.diagnostics {
        let _ = writeln!(said, "{name}: {}{d}", if d.severity == Severity::Error { "error: " } else { "" });
    }
    match parsed.scenario {
        Some(scenario) => {
            eprint!("{said}");
            Ok(scenario)
        }
        None => Err(said),
    }
}

/// What the JSON outputs of some shards of a command come to; `add` says why two do not belong together.
fn put_together<T: serde::de::DeserializeOwned>(
    files: &[String],
    command: &str,
    add: impl Fn(T, T) -> Result<T, String>,
) -> Result<T, String> {
    let mut sum: Option<T> = None;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file} cannot be read: {e}.\n"))?;
        let part: T = serde_json::from_str(&text)
            .map_err(|e| format!("{file} is no output of `fencepost {command} --format json`: {e}.\n"))?;
        sum = Some(match sum {
            None => part,
            Some(sum) => add(sum, part).map_err(|why| format!("{file} cannot be added: {why}.\n"))?,
        });
    }
    sum.ok_or_else(|| "no file was given.\n".to_string())
}

/// Of a sweep or of a search: the first file says which.
fn merge(files: &[String], format: sweep::Output) -> Result<String, String> {
    let first = files.first().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let format_of = serde_json::from_str::<serde_json::Value>(&first).ok().map(|v| v["format"].clone());
    if format_of.is_some_and(|f| f == explore::FORMAT) {
        let format = match format {
            sweep::Output::Text => explore::Output::Text,
            sweep::Output::Csv => explore::Output::Csv,
            sweep::Output::Json => explore::Output::Json,
            sweep::Output::Svg => return Err("a search has no chart; it has text, csv and json.\n".into()),
        };
        return explore::merge(files, format);
    }
    sweep::merge(files, format)
}

fn chosen(scenario: &Scenario, names: &[String]) -> Result<Vec<usize>, String> {
    let designs = scenario.designs();
    if names.is_empty() {
        return Ok((0..designs.len()).collect());
    }
    names
        .iter()
        .map(|name| {
            let by_name = designs.iter().position(|d| d.name == *name);
            let by_word = || designs.iter().position(|d| d.protection.as_deref() == Some(name));
            let by_number = || name.parse::<usize>().ok().filter(|n| (1..=designs.len()).contains(n)).map(|n| n - 1);
            by_name.or_else(by_word).or_else(by_number).ok_or_else(|| {
                let all: Vec<String> = designs.iter().map(|d| format!("\"{}\"", d.name)).collect();
                format!("there is no design \"{name}\". Designs: {}.\n", all.join(", "))
            })
        })
        .collect()
}

fn run_command(name: &str, designs: &[String], format: Format) -> Result<(String, ExitCode), String> {
    let scenario = read(name)?;
    let runs: Vec<Run> = chosen(&scenario, designs)?.into_iter().map(|i| run::run(&scenario, i)).collect();
    let text = match format {
        Format::Text => text(&scenario, &runs),
        Format::Json => {
            let canonical = serde_json::from_str(scenario.canonical()).map_err(|e| format!("canonical form: {e}\n"))?;
            let document = json::document(canonical, &runs);
            serde_json::to_string_pretty(&document).map_err(|e| format!("JSON: {e}\n"))? + "\n"
        }
        Format::Svg => svg(&scenario, &runs),
    };
    Ok((text, ExitCode::SUCCESS))
}

fn export_command(name: &str, format: As, designs: &[String], link: &str) -> Result<(String, ExitCode), String> {
    let text = text_of(name)?;
    let scenario = read_text(name, &text)?;
    let designs = chosen(&scenario, designs)?;
    let runs: Vec<Run> = designs.iter().map(|i| run::run(&scenario, *i)).collect();
    let format = match format {
        As::Svg => export::Format::Svg,
        As::Md => export::Format::Markdown,
        As::Mmd => export::Format::Mermaid,
        As::Puml => export::Format::PlantUml,
        As::Json => export::Format::Json,
        As::Toml => export::Format::Toml,
        As::Trace => export::Format::Trace,
        As::Link => {
            let promise = export::link::Promise::of(&designs, &runs).written();
            let link = format!("#{}&o={promise}\n", export::link::pack(&scenario));
            return Ok((link, ExitCode::SUCCESS));
        }
    };
    let written = format.write(&export::Source { text: &text, scenario: &scenario, runs: &runs, link });
    Ok((written, ExitCode::SUCCESS))
}

fn svg(scenario: &Scenario, runs: &[Run]) -> String {
    let shown: Vec<view::Shown> = runs
        .iter()
        .map(|r| view::Shown { name: &r.design, roster: &r.roster, log: &r.log, report: &r.report, ending: r.ending })
        .collect();
    let judged = runs.first().map(|r| r.judged.clone()).unwrap_or_default();
    let title = scenario.title.as_deref().unwrap_or_default();
    let claim = scenario.claim.as_deref().unwrap_or_default();
    view::standalone(title, claim, &shown, &judged)
}

fn text(scenario: &Scenario, runs: &[Run]) -> String {
    let mut out = String::new();
    let mut line = |s: &str| {
        out.push_str(s);
        out.push('\n');
    };
    for said in [&scenario.title, &scenario.claim].into_iter().flatten() {
        line(said);
    }
    for run in runs {
        line("");
        line(&run.design);
        for (property, verdict) in &run.report.verdicts {
            match verdict {
                Verdict::Violated(v) => {
                    line(&format!("  {} {}: {}", glyph(run, *property), property.word(), v.sentence))
                }
                Verdict::Holds if run.judged.contains(property) => line(&format!("  ✓ {} holds", property.word())),
                Verdict::NotReached if run.judged.contains(property) => {
                    line(&format!("  – {} was not reached", property.word()));
                }
                _ => {}
            }
        }
        line("");
        let mut narrator = Narrator::new(&run.roster);
        for e in run.log.events() {
            if let Some(told) = narrator.narrate(e) {
                line(&format!("  {:>10}  {told}", e.at.to_string().trim_end_matches(" s")));
            }
        }
        let why = match run.ending.why {
            EndWhy::Quiet => "nothing is left to happen",
            EndWhy::Horizon => "the horizon",
            EndWhy::Events => "the limit on events: the run is cut short",
        };
        line(&format!("  ends at {}: {why} · outcome {}", run.ending.at, run.digest));
    }
    out
}

fn glyph(run: &Run, property: Property) -> &'static str {
    if run.judged.contains(&property) { "✕" } else { "ⓘ" }
}

fn check_command(mut names: Vec<String>, all: bool) -> Result<(String, ExitCode), String> {
    if all {
        names.extend(preset::all().into_iter().map(|p| p.id.to_string()));
    }
    if names.is_empty() {
        return Err("nothing to check. Name files or presets, or say --all.\n".to_string());
    }
    let (mut out, mut claims, mut broken) = (String::new(), 0, 0);
    for name in &names {
        let scenario = read(name)?;
        let mut failed = 0;
        for (i, design) in scenario.designs().iter().enumerate() {
            let run = run::run(&scenario, i);
            claims += expect::count(&scenario, i);
            for f in expect::check(&scenario, i, &run) {
                failed += 1;
                let line = f.line.map_or(String::new(), |n| format!("line {n} · "));
                let _ = writeln!(out, "{name}: {line}design \"{}\" · {}", design.name, f.sentence);
            }
        }
        if failed == 0 {
            let _ = writeln!(out, "{name}: ok");
        }
        broken += failed;
    }
    let _ = writeln!(out, "{claims} claims, {broken} failed");
    Ok((out, if broken == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }))
}

fn why_command(name: &str, designs: &[String]) -> Result<(String, ExitCode), String> {
    let scenario = read(name)?;
    let mut out = String::new();
    for i in chosen(&scenario, designs)? {
        let run = run::run(&scenario, i);
        // What counts as wrong here; where nothing of that broke, what is noted.
        let mut broken = run.violated();
        if broken.is_empty() {
            broken.extend(Property::ALL.into_iter().filter(|p| run.report.violated(*p)));
        }
        if broken.is_empty() {
            let _ = writeln!(out, "“{}” kept every promise.\n", run.design);
        }
        for (n, p) in broken.iter().enumerate() {
            let Some(w) = why::why(&scenario, i, &run, *p) else { continue };
            let _ = writeln!(out, "{}\n{}", why::text::title(&run.design, *p), why::text::chain(&w));
            let Some(r) = why::remedies(&scenario, i, &run, *p) else { continue };
            let _ = writeln!(out, "{}", why::text::answers(&r));
            if n + 1 == broken.len() {
                let _ = writeln!(out, "{}", why::text::prices(&r.prices));
            }
        }
    }
    Ok((out, ExitCode::SUCCESS))
}

fn presets_command() -> Result<(String, ExitCode), String> {
    let mut out = String::new();
    for p in preset::all() {
        let _ = writeln!(out, "{:<4} {:<34} {}", p.number, p.id, p.claim);
    }
    Ok((out, ExitCode::SUCCESS))
}
