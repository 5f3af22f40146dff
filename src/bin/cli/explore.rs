//! `fencepost explore`: what is the least that breaks each design, on all cores, in shards that `fencepost merge` puts together exactly.

use super::{chosen, read};
use clap::{Args, ValueEnum};
use fencepost::check::Property;
use fencepost::explore::search::{Answer, Base, Bounds, Count, Counts, Faults, Kind, Limit, Search, Verdict};
use fencepost::run::ENGINE;
use fencepost::scenario::Scenario;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Name and version of the output that can be merged.
pub const FORMAT: &str = "fencepost.explore/1";

#[derive(Args)]
pub struct ExploreArgs {
    /// A file, the name of a preset, or - for standard input.
    scenario: String,
    /// Only this design; may be given several times. By name, or by number from 1.
    #[arg(long)]
    design: Vec<String>,
    /// Kinds of faults, each with the most of it: `--faults pause=2,drop=1`. A kind alone: up to --total. Left out: what the file's
    /// `[explore]` says, or else all kinds.
    #[arg(long, value_delimiter = ',')]
    faults: Vec<String>,
    /// At most so many faults in all.
    #[arg(long)]
    total: Option<u8>,
    /// Whom faults may strike: names, or the groups workers, lock, lock-node, resources.
    #[arg(long, value_delimiter = ',')]
    targets: Vec<String>,
    /// Properties to search for. Left out: what the file's `[explore]` says, or else what it judges.
    #[arg(long, value_delimiter = ',')]
    properties: Vec<String>,
    /// Stops after so many schedules of each design.
    #[arg(long)]
    schedules: Option<u64>,
    /// The most that is remembered, in MiB.
    #[arg(long)]
    memory: Option<u64>,
    /// The least that is written down of repetitions: so many of the first and so many of the last can be struck.
    #[arg(long)]
    edges: Option<u32>,
    /// Without the faults that the story has of its own.
    #[arg(long)]
    bare: bool,
    /// Only the i-th of n parts, `2/8`: for many machines. Their JSON outputs are put together by `fencepost merge`.
    #[arg(long, value_parser = super::sweep::shard)]
    shard: Option<super::sweep::Shard>,
    /// Threads; left out: one for each core.
    #[arg(long)]
    jobs: Option<usize>,
    #[arg(long, value_enum, default_value_t = Output::Text)]
    format: Output,
    /// Writes each smallest case as a scenario into this folder.
    #[arg(long)]
    save: Option<std::path::PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Output {
    /// The matrix, and the smallest cases.
    Text,
    /// One row for each design and property.
    Csv,
    /// All counts, for `fencepost merge` and for other programs.
    Json,
}

/// What was asked for, in words that another machine understands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Asked {
    faults: Vec<(String, u8)>,
    total: u8,
    targets: Vec<String>,
    properties: Vec<String>,
    schedules: u64,
    memory: u64,
    edges: u32,
}

/// What a search, or a part of it, has counted.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counted {
    format: String,
    engine: String,
    /// The canonical form of the story.
    scenario: String,
    asked: Asked,
    designs: Vec<Explored>,
}

#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Explored {
    name: String,
    /// How many first decisions there are.
    units: u64,
    /// Number of faults, first decision, what came of it.
    counts: Vec<(u8, u64, Count)>,
}

pub fn explore(args: &ExploreArgs) -> Result<String, String> {
    let mut scenario = read(&args.scenario)?;
    if args.bare {
        scenario = Base::bare(&scenario);
    }
    let asked = asked(args, &scenario)?;
    let designs = chosen(&scenario, &args.design)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0)).build();
    let pool = pool.map_err(|e| format!("no threads: {e}\n"))?;
    let bar = ProgressBar::new(0).with_style(style());
    let mut explored = Vec::new();
    for design in designs {
        let bounds = bounds(&scenario, design, &asked)?;
        let name = scenario.designs()[design].name.clone();
        bar.set_message(name.clone());
        let search = Search::new(&scenario, design, bounds);
        let counts = pool.install(|| walk(&search, args.shard, &asked, &bar));
        explored.push(Explored { name, units: search.units() as u64, counts });
    }
    bar.finish_and_clear();
    let canonical = scenario.canonical().to_string();
    let (format, engine) = (FORMAT.to_string(), ENGINE.to_string());
    shown(&Counted { format, engine, scenario: canonical, asked, designs: explored }, args.format, args.save.as_deref())
}

/// All units that are this shard's, depth by depth. Together they remember no more than they may. A depth that is not needed because all is broken by then is left out if all of it is
/// here; shards walk it, and merging drops it.
fn walk(
    search: &Search,
    shard: Option<super::sweep::Shard>,
    asked: &Asked,
    bar: &ProgressBar,
) -> Vec<(u8, u64, Count)> {
    let mine: Vec<usize> =
        (0..search.units()).filter(|u| shard.is_none_or(|s| *u as u64 % s.of == s.part - 1)).collect();
    let share = asked.memory / rayon::current_num_threads().max(1) as u64;
    let mut all: Vec<(u8, u64, Count)> = Vec::new();
    let mut known = search.root_answer();
    for faults in 1..=asked.total {
        if shard.is_none() && known.all_broken() {
            break;
        }
        bar.set_length(bar.length().unwrap_or(0) + mine.len() as u64);
        let mut counts: Vec<(u8, u64, Count)> = mine
            .par_iter()
            .map(|unit| {
                let count = search.unit_within(faults, *unit, asked.schedules, share);
                bar.inc(1);
                (faults, *unit as u64, count)
            })
            .collect();
        // What did not fit beside others is walked again alone: whether the limit is reached does not depend on how many cores there are.
        if share < asked.memory {
            for (faults, unit, count) in counts.iter_mut().filter(|c| c.2.limit == Some(Limit::Memory)) {
                *count = search.unit_within(*faults, *unit as usize, asked.schedules, asked.memory);
            }
        }
        let mut level = Count::default();
        counts.iter().for_each(|c| level.merge(&c.2));
        let stops = level.limit.is_some();
        known.levels.push(fencepost::explore::search::Level { faults, count: level, done: 0, units: 0 });
        all.extend(counts);
        let looked_at: u64 = all.iter().map(|c| c.2.schedules + c.2.merged).sum();
        if stops || (shard.is_none() && looked_at > asked.schedules) {
            break;
        }
    }
    all
}

fn asked(args: &ExploreArgs, scenario: &Scenario) -> Result<Asked, String> {
    let said = scenario.explore();
    let usual = Bounds::of(scenario, 0);
    let total = args.total.unwrap_or(usual.total);
    let faults = if !args.faults.is_empty() {
        args.faults.iter().map(|f| kind(f, total)).collect::<Result<_, _>>()?
    } else {
        match said.as_ref().map(|s| &s.faults[..]) {
            None | Some([]) => Kind::ALL.iter().map(|k| (k.word().to_string(), total)).collect(),
            Some(faults) => faults.iter().map(|(w, n)| (w.clone(), (*n).min(255) as u8)).collect(),
        }
    };
    let targets = match (&args.targets[..], &said) {
        ([], Some(said)) => said.targets.clone(),
        ([], None) => vec!["workers".to_string(), "lock".to_string()],
        (given, _) => given.to_vec(),
    };
    let properties = match &args.properties[..] {
        [] => usual.properties.iter().map(|p| p.word().to_string()).collect(),
        given => given.to_vec(),
    };
    Ok(Asked {
        faults,
        total,
        targets,
        properties,
        schedules: args.schedules.unwrap_or(usual.schedules),
        memory: args.memory.map_or(usual.memory, |m| m << 20),
        edges: args.edges.unwrap_or(usual.edges),
    })
}

/// `pause=2`, or `pause`.
fn kind(text: &str, total: u8) -> Result<(String, u8), String> {
    let (word, n) = match text.split_once('=') {
        Some((word, n)) => (word, n.parse().map_err(|_| format!("\"{text}\": {n} is no number of faults.\n"))?),
        None => (text, total),
    };
    match Kind::from_word(word) {
        Some(_) => Ok((word.to_string(), n)),
        None => {
            let all: Vec<&str> = Kind::ALL.iter().map(|k| k.word()).collect();
            Err(format!("there is no kind of fault \"{word}\" to search with. Kinds: {}.\n", all.join(", ")))
        }
    }
}

fn bounds(scenario: &Scenario, design: usize, asked: &Asked) -> Result<Bounds, String> {
    let mut bounds = Bounds::of(scenario, design);
    bounds.each = Counts::default();
    for (word, n) in &asked.faults {
        if let Some(kind) = Kind::from_word(word) {
            bounds.each.set(kind, *n);
        }
    }
    bounds.total = asked.total;
    bounds.schedules = asked.schedules;
    bounds.memory = asked.memory;
    bounds.edges = asked.edges;
    let property = |w: &String| Property::from_word(w).ok_or_else(|| format!("there is no property \"{w}\".\n"));
    bounds.properties = asked.properties.iter().map(property).collect::<Result<_, _>>()?;
    bounds.aim(scenario, design, &asked.targets.iter().map(String::as_str).collect::<Vec<_>>());
    Ok(bounds)
}

/// The answers about all designs: units in their order, as if they had been walked one after the other.
fn answers(counted: &Counted) -> Result<Vec<(String, usize, Answer)>, String> {
    let scenario = super::read_text("the story", &counted.scenario)?;
    let mut out = Vec::new();
    for explored in &counted.designs {
        let design = scenario.design(&explored.name).ok_or("a design is missing.\n")?;
        let mut search = Search::new(&scenario, design, bounds(&scenario, design, &counted.asked)?);
        while let Some((faults, unit)) = search.wants() {
            let Some(count) = explored.counts.iter().find(|c| c.0 == faults && c.1 == unit as u64) else { break };
            search.add_unit(&count.2);
        }
        out.push((explored.name.clone(), design, search.into_answer()));
    }
    Ok(out)
}

/// Puts the JSON outputs of shards together.
pub fn merge(files: &[String], format: Output) -> Result<String, String> {
    shown(&super::put_together(files, "explore", added)?, format, None)
}

fn added(mut sum: Counted, more: Counted) -> Result<Counted, String> {
    let names = |c: &Counted| c.designs.iter().map(|d| (d.name.clone(), d.units)).collect::<Vec<_>>();
    for (what, same) in [
        ("another format", sum.format == more.format),
        ("another version of the engine", sum.engine == more.engine),
        ("another story", sum.scenario == more.scenario),
        ("other bounds", sum.asked == more.asked),
        ("other designs", names(&sum) == names(&more)),
    ] {
        if !same {
            return Err(format!("it is about {what} than the files before"));
        }
    }
    for (mine, its) in sum.designs.iter_mut().zip(more.designs) {
        let twice = its.counts.iter().find(|c| mine.counts.iter().any(|m| m.0 == c.0 && m.1 == c.1));
        if let Some(c) = twice {
            return Err(format!("first decision {} would count twice", c.1));
        }
        mine.counts.extend(its.counts);
        mine.counts.sort_by_key(|c| (c.0, c.1));
    }
    Ok(sum)
}

fn shown(counted: &Counted, format: Output, save: Option<&std::path::Path>) -> Result<String, String> {
    if format == Output::Json && save.is_none() {
        return serde_json::to_string(counted).map(|t| t + "\n").map_err(|e| format!("{e}\n"));
    }
    let answers = answers(counted)?;
    let scenario = super::read_text("the story", &counted.scenario)?;
    let properties: Vec<Property> = answers.first().map_or(Vec::new(), |a| a.2.properties.iter().collect());
    let mut cases = Vec::new();
    for (name, design, answer) in &answers {
        let base = Base::new(&scenario, *design);
        for p in &properties {
            if let Verdict::Broken { faults, by } = answer.verdict(*p)
                && faults > 0
            {
                cases.push((name.clone(), *p, base.shrink(&by.faults, *p)));
            }
        }
    }
    if let Some(folder) = save {
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}\n", folder.display()))?;
        for (name, p, example) in &cases {
            let file = folder.join(format!("{}-{p}.toml", plain(name)));
            std::fs::write(&file, &example.text).map_err(|e| format!("{}: {e}\n", file.display()))?;
        }
    }
    Ok(match format {
        Output::Json => serde_json::to_string(counted).map_err(|e| format!("{e}\n"))? + "\n",
        Output::Csv => csv(&answers, &properties, &cases),
        Output::Text => table(&answers, &properties, &cases),
    })
}

type Cases = [(String, Property, fencepost::explore::search::Example)];

/// A name that can be one of a file.
fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}

/// `pause W1 (at after W1 check, until 12s)`.
fn told(faults: &Faults) -> String {
    let one = |keys: &Vec<(String, String)>| {
        let rest: Vec<String> = keys[1..].iter().map(|(k, v)| format!("{k} {v}")).collect();
        let head = keys.first().map_or(String::new(), |(k, v)| format!("{k} {v}"));
        if rest.is_empty() { head } else { format!("{head} ({})", rest.join(", ")) }
    };
    faults.iter().map(one).collect::<Vec<_>>().join(" + ")
}

fn cell(answer: &Answer, p: Property) -> String {
    match answer.verdict(p) {
        Verdict::Broken { faults, .. } => faults.to_string(),
        Verdict::Holds { reached: 0, .. } => "–".to_string(),
        Verdict::Holds { .. } => "holds".to_string(),
        Verdict::NoneYet => "none yet".to_string(),
    }
}

fn table(answers: &[(String, usize, Answer)], properties: &[Property], cases: &Cases) -> String {
    let mut out = String::from("Fewest faults that break it\n");
    let width = answers.iter().map(|a| a.0.chars().count()).max().unwrap_or(0);
    let _ = write!(out, "{:width$}", "");
    for p in properties {
        let _ = write!(out, "  {p}");
    }
    out.push('\n');
    for (name, _, answer) in answers {
        let _ = write!(out, "{name:width$}");
        for p in properties {
            let _ = write!(out, "  {:>w$}", cell(answer, *p), w = p.word().len());
        }
        out.push('\n');
    }
    out.push('\n');
    for (name, p, example) in cases {
        let _ = writeln!(out, "{name} · {p}: {}", told(&example.faults));
    }
    out.push('\n');
    for (name, _, answer) in answers {
        let last = answer.levels.last();
        let _ = write!(out, "{name}: {} schedules", answer.schedules());
        let merged: u64 = answer.levels.iter().map(|l| l.count.merged).sum();
        let _ = write!(out, ", {merged} of them up to where they go on like another");
        let depth = last.map_or(0, |l| l.faults);
        let _ = match answer.limit() {
            Some(limit) => {
                let why = if limit == Limit::Memory { "memory" } else { "schedules" };
                let (done, units) = last.map_or((0, 0), |l| (l.done, l.units));
                writeln!(
                    out,
                    "; stopped by the limit on {why} among those with {depth} faults, {done} of {units} first decisions done"
                )
            }
            None if answer.is_complete() => writeln!(out, "; all with at most {depth} faults"),
            None => writeln!(out, "; a part of those with at most {} faults", answer.total),
        };
    }
    out.push_str(
        "“holds”: in all schedules within the bounds; it says nothing about more faults. “–”: never came up.\n",
    );
    out
}

fn csv(answers: &[(String, usize, Answer)], properties: &[Property], cases: &Cases) -> String {
    let mut out = String::from("design,property,verdict,faults,schedules,broken,case\n");
    for (name, _, answer) in answers {
        for p in properties {
            let (verdict, faults) = match answer.verdict(*p) {
                Verdict::Broken { faults, .. } => ("broken", faults.to_string()),
                Verdict::Holds { .. } => ("holds", String::new()),
                Verdict::NoneYet => ("none yet", String::new()),
            };
            let broken: u64 = answer.levels.iter().map(|l| l.count.broken(*p)).sum();
            let case = cases.iter().find(|c| c.0 == *name && c.1 == *p).map_or(String::new(), |c| told(&c.2.faults));
            let (name, case) = (fencepost::explore::quoted(name), fencepost::explore::quoted(&case));
            let _ = writeln!(out, "{name},{p},{verdict},{faults},{},{broken},{case}", answer.schedules());
        }
    }
    out
}

fn style() -> ProgressStyle {
    let template = "{msg}  {bar:30} {pos} of {len} first decisions  {elapsed} gone";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
