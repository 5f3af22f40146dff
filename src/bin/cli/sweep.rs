//! `fencepost sweep`: random runs over a grid of parameters, on all cores, in shards that `fencepost merge` adds up exactly.

use super::{chosen, text_of};
use clap::{Args, ValueEnum};
use fencepost::chart::{self, Colours, Size, rates};
use fencepost::explore::{Cost, Plan, Problem, Tally, csv};
use fencepost::run::ENGINE;
use fencepost::scenario::parse;
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Name and version of the output that can be merged.
const FORMAT: &str = "fencepost.sweep/1";

/// Seeds that one task runs: small enough for all cores to end together.
const CHUNK: u64 = 500;

#[derive(Args)]
pub struct SweepArgs {
    /// A file, the name of a preset, or - for standard input.
    scenario: String,
    /// A key and its values: `--axis lock.ttl=5s,10s,20s`; several make a grid. Left out: the axes of the file's `[sweep]`.
    #[arg(long)]
    axis: Vec<String>,
    /// Runs at each point and under each design. Left out: what the file's `[sweep]` says.
    #[arg(long)]
    runs: Option<u64>,
    /// Only this design; may be given several times. By name, or by number from 1.
    #[arg(long)]
    design: Vec<String>,
    /// Only the i-th of n equal parts, `2/8`: for many machines. Their JSON outputs are added up by `fencepost merge`.
    #[arg(long, value_parser = shard)]
    shard: Option<Shard>,
    /// Threads; left out: one for each core.
    #[arg(long)]
    jobs: Option<usize>,
    #[arg(long, value_enum, default_value_t = Output::Text)]
    format: Output,
}

#[derive(Clone, Copy)]
pub struct Shard {
    pub part: u64,
    pub of: u64,
}

pub fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((part, of)) if part >= 1 && part <= of => Ok(Shard { part, of }),
        _ => Err("a shard is its number and how many there are, like 2/8".to_string()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// A table to read.
    Text,
    /// One row for each point and design.
    Csv,
    /// The rates over the first axis, as a chart.
    Svg,
    /// All counts, for `fencepost merge` and for other programs.
    Json,
}

/// The rates, as a chart.
fn svg(counts: &Counts) -> String {
    let tallies: Vec<Vec<Tally>> = counts.points.iter().map(|p| p.tallies.clone()).collect();
    let counted = chart::Counted { axes: &counts.axes, designs: &counts.designs, tallies: &tallies };
    rates(counted, Size { width: 640, height: 360 }, Colours::Own).svg
}

/// What a sweep, or a part of it, has counted.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Counts {
    format: String,
    engine: String,
    /// The canonical form of the story.
    scenario: String,
    axes: Vec<(String, Vec<String>)>,
    designs: Vec<String>,
    /// Numbers of the seeds that were run: from, up to (exclusive).
    seeds: Vec<(u64, u64)>,
    points: Vec<Counted>,
}

#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Counted {
    values: Vec<String>,
    /// By design.
    tallies: Vec<Tally>,
}

impl Counts {
    fn rows(&self) -> Vec<(&[String], &[Tally])> {
        self.points.iter().map(|p| (&p.values[..], &p.tallies[..])).collect()
    }
}

pub fn sweep(args: &SweepArgs) -> Result<String, String> {
    let text = text_of(&args.scenario)?;
    let parsed = parse(&text);
    let Some(scenario) = parsed.scenario else {
        return Err(parsed.diagnostics.iter().map(|d| format!("{}: {d}\n", args.scenario)).collect());
    };
    let declared = scenario.sweep();
    let axes = match (&args.axis[..], &declared) {
        ([], Some(sweep)) => sweep.axes.clone(),
        (given, _) => given.iter().map(|a| axis(a)).collect::<Result<_, _>>()?,
    };
    let runs = args.runs.or(declared.map(|s| u64::from(s.runs))).unwrap_or(10_000);
    let designs = chosen(&scenario, &args.design)?;
    let plan = Plan::new(&text, &axes, &designs).map_err(|problem| told(&problem))?;
    let seeds = match args.shard {
        None => 0..runs,
        Some(Shard { part, of }) => runs * (part - 1) / of..runs * part / of,
    };

    let starts = (seeds.start..seeds.end).step_by(CHUNK as usize);
    let arms = plan.points.len() * plan.designs.len();
    let tasks: Vec<(usize, u64)> = starts.flat_map(|from| (0..arms).map(move |arm| (arm, from))).collect();
    let bar = ProgressBar::new(tasks.len() as u64).with_style(style());
    let work = || {
        tasks
            .par_iter()
            .progress_with(bar.clone())
            .map(|&(arm, from)| {
                let (point, design) = (arm / plan.designs.len(), arm % plan.designs.len());
                (arm, plan.run(point, design, from..seeds.end.min(from + CHUNK)))
            })
            .fold(
                || vec![Tally::default(); arms],
                |mut all, (arm, tally)| {
                    all[arm].merge(&tally);
                    all
                },
            )
            .reduce(
                || vec![Tally::default(); arms],
                |mut all, more| {
                    all.iter_mut().zip(&more).for_each(|(mine, its)| mine.merge(its));
                    all
                },
            )
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
    let tallies = pool.map_err(|e| format!("no threads: {e}\n"))?.install(work);
    bar.finish_and_clear();

    let points = plan.points.iter().zip(tallies.chunks(plan.designs.len()));
    let counts = Counts {
        format: FORMAT.to_string(),
        engine: ENGINE.to_string(),
        scenario: scenario.canonical().to_string(),
        axes: plan.axes.clone(),
        designs: plan.designs.clone(),
        seeds: vec![(seeds.start, seeds.end)],
        points: points.map(|(p, t)| Counted { values: p.values.clone(), tallies: t.to_vec() }).collect(),
    };
    shown(&counts, args.format)
}

/// Adds up the JSON outputs of shards.
pub fn merge(files: &[String], format: Output) -> Result<String, String> {
    shown(&super::put_together(files, "sweep", added)?, format)
}

fn added(mut sum: Counts, more: Counts) -> Result<Counts, String> {
    for (what, same) in [
        ("another format", sum.format == more.format),
        ("another version of the engine", sum.engine == more.engine),
        ("another story", sum.scenario == more.scenario),
        ("other axes", sum.axes == more.axes),
        ("other designs", sum.designs == more.designs),
    ] {
        if !same {
            return Err(format!("it is about {what} than the files before"));
        }
    }
    let twice = |&(from, to): &(u64, u64)| sum.seeds.iter().any(|s| s.0 < to && from < s.1);
    if let Some((from, to)) = more.seeds.iter().find(|s| twice(s)) {
        return Err(format!("runs {from} to {} would count twice", to - 1));
    }
    sum.seeds.extend(more.seeds);
    sum.seeds.sort_unstable();
    for (mine, its) in sum.points.iter_mut().zip(&more.points) {
        mine.tallies.iter_mut().zip(&its.tallies).for_each(|(mine, its)| mine.merge(its));
    }
    Ok(sum)
}

fn axis(text: &str) -> Result<(String, Vec<String>), String> {
    match text.split_once('=') {
        Some((path, values)) if !values.is_empty() => {
            Ok((path.trim().to_string(), values.split(',').map(|v| v.trim().to_string()).collect()))
        }
        _ => Err(format!("\"{text}\" is no axis. Write a key and its values: lock.ttl=5s,10s,20s\n")),
    }
}

fn told(problem: &Problem) -> String {
    match &problem.at {
        Some((path, value)) => format!("{path} = {value}: {}\n", problem.diagnostic),
        None => format!("{}\n", problem.diagnostic),
    }
}

fn style() -> ProgressStyle {
    let template = "{bar:30} {percent:>3} %  {elapsed} gone, {eta} to go";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn shown(counts: &Counts, format: Output) -> Result<String, String> {
    match format {
        Output::Json => serde_json::to_string(counts).map(|t| t + "\n").map_err(|e| format!("{e}\n")),
        Output::Csv => Ok(csv(&counts.axes, &counts.designs, &counts.rows())),
        Output::Svg => Ok(svg(counts)),
        Output::Text => Ok(table(counts)),
    }
}

fn table(counts: &Counts) -> String {
    let mut out = String::new();
    let width = counts.designs.iter().map(|d| d.chars().count()).max().unwrap_or(0);
    for point in &counts.points {
        let at: Vec<String> =
            counts.axes.iter().zip(&point.values).map(|((path, _), v)| format!("{path} = {v}")).collect();
        let _ = writeln!(out, "{}", if at.is_empty() { "As it stands".to_string() } else { at.join(", ") });
        for (design, t) in counts.designs.iter().zip(&point.tallies) {
            let (rate, within) = t.rate();
            let _ = write!(
                out,
                "  {design:width$}  broken in {} of {} runs: {} % ({} to {})",
                t.broken,
                t.runs,
                percent(rate),
                percent(within.low),
                percent(within.high)
            );
            for cost in [Cost::Wait, Cost::Recovery, Cost::WorkTwice] {
                let h = t.cost(cost).filter(|h| h.greatest().is_some_and(|g| g > 0));
                if let Some((middle, high)) = h.and_then(|h| Some((h.percentile(50)?, h.percentile(99)?))) {
                    let _ = write!(out, " · {} {} ms, p99 {} ms", cost.word(), middle / 1_000, high / 1_000);
                }
            }
            out.push('\n');
        }
    }
    let all: u64 = counts.seeds.iter().map(|(from, to)| to - from).sum();
    let _ =
        writeln!(out, "{all} seeds at each point, the same ones everywhere. In brackets: 95 % confidence (Wilson).");
    out
}

/// A share as percent, with enough digits for rare events.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 || percent >= 1.0 { format!("{percent:.2}") } else { format!("{percent:.4}") }
}
